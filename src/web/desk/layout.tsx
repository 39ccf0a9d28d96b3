import { Outlet } from 'react-router';
import { type Place, Workroom } from '../design/workroom.tsx';

export default function DeskLayout() {
  return (
    <Workroom name="Desk" places={PLACES}>
      <Outlet />
    </Workroom>
  );
}

const PLACES: readonly Place[] = [
  { to: '/desk', label: 'Overview' },
  { to: '/desk/sources', label: 'Sources' },
  { to: '/desk/review', label: 'Review' },
  { to: '/desk/events', label: 'Events' },
  { to: '/desk/venues', label: 'Venues' },
  { to: '/desk/accounts', label: 'Accounts' },
  { to: '/desk/audit', label: 'Audit log' },
];
