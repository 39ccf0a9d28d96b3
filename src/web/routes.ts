import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

/** Every page, and which file makes it. */
export default [
  layout('pages/layout.tsx', [
    index('pages/home.tsx'),
    route('pricing', 'pages/pricing.tsx'),
    route('playground', 'pages/playground.tsx'),
    route('docs', 'pages/reference/endpoints.tsx'),
    route('docs/errors', 'pages/reference/errors.tsx'),
    route('*', 'pages/not-found.tsx'),
  ]),
  route('theme', 'pages/theme.ts'),
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
