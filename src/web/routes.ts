import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

/** Every page, and which file makes it. */
export default [
  layout('pages/layout.tsx', [
    index('pages/home.tsx'),
    route('pricing', 'pages/pricing.tsx'),
    route('playground', 'pages/playground.tsx'),
    route('docs', 'pages/reference/endpoints.tsx'),
    route('docs/errors', 'pages/reference/errors.tsx'),
    route('sign-up', 'pages/sign-up.tsx'),
    route('check-mail', 'pages/check-mail.tsx'),
    route('letters/:id', 'pages/letter.tsx'),
    route('verify', 'pages/verify.tsx'),
    route('sign-in', 'pages/sign-in.tsx'),
    route('sign-in/code', 'pages/sign-in-code.tsx'),
    route('forgot', 'pages/forgot.tsx'),
    route('reset', 'pages/reset.tsx'),
    route('*', 'pages/not-found.tsx'),
  ]),
  route('theme', 'pages/theme.ts'),
  route('sign-out', 'pages/sign-out.ts'),
  route('passkeys/options', 'pages/passkey-options.ts'),
  route('dashboard', 'dashboard/layout.tsx', [
    index('dashboard/overview.tsx'),
    route('keys', 'dashboard/keys.tsx'),
    route('usage', 'dashboard/usage.tsx'),
    route('usage/live', 'dashboard/usage-live.ts'),
    route('usage.csv', 'dashboard/usage-table.ts'),
    route('plans', 'dashboard/plans.tsx'),
    route('plans/return', 'dashboard/plans-return.tsx'),
  ]),
  route('desk', 'desk/layout.tsx', [
    index('desk/overview.tsx'),
    route('accounts', 'desk/accounts.tsx'),
    route('accounts/:id', 'desk/account.tsx'),
    route('requests', 'desk/requests.tsx'),
  ]),
] satisfies RouteConfig;
