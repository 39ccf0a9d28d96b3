import { type MiddlewareFunction, Outlet } from 'react-router';
import { type NavigationItem, Workroom } from '../design/admin-layout.tsx';
import { requireOperator } from '../server/viewer.ts';

/** Before any loader or action of these pages. */
export const middleware: MiddlewareFunction<Response>[] = [
  async (page, next) => {
    await requireOperator(page);
    return next();
  },
];

/** Without data of its own a layout's middleware would not be asked when scripts move between its pages. */
export const loader = () => null;

export default function DeskLayout() {
  return (
    <Workroom name="Desk" places={PLACES}>
      <Outlet />
    </Workroom>
  );
}

const PLACES: readonly NavigationItem[] = [
  { to: '/desk', label: 'Overview' },
  { to: '/desk/sources', label: 'Sources', covers: '/desk/runs' },
  { to: '/desk/review', label: 'Review' },
  { to: '/desk/reports', label: 'Reports' },
  { to: '/desk/events', label: 'Events' },
  { to: '/desk/venues', label: 'Venues' },
  { to: '/desk/places', label: 'Waiting places' },
  { to: '/desk/accounts', label: 'Accounts' },
  { to: '/desk/requests', label: 'Plan requests' },
  { to: '/desk/incidents', label: 'Incidents' },
  { to: '/desk/audit', label: 'Audit log' },
];
