import { type MiddlewareFunction, Outlet } from 'react-router';
import { type Place, Workroom } from '../design/workroom.tsx';
import { requireViewer } from '../server/viewer.ts';

/** Before any loader or action of these pages. */
export const middleware: MiddlewareFunction<Response>[] = [
  async (page, next) => {
    await requireViewer(page);
    return next();
  },
];

/** Without data of its own a layout's middleware would not be asked when scripts move between its pages. */
export const loader = () => null;

export default function DashboardLayout() {
  return (
    <Workroom name="Dashboard" places={PLACES}>
      <Outlet />
    </Workroom>
  );
}

const PLACES: readonly Place[] = [
  { to: '/dashboard', label: 'Overview' },
  { to: '/dashboard/keys', label: 'Keys' },
  { to: '/dashboard/usage', label: 'Usage' },
  { to: '/dashboard/plans', label: 'Plans' },
  { to: '/dashboard/account', label: 'Account' },
];
