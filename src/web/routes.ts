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
  route('dashboard', 'dashboard/layout.tsx', [index('dashboard/overview.tsx')]),
  route('desk', 'desk/layout.tsx', [index('desk/overview.tsx')]),
] satisfies RouteConfig;
