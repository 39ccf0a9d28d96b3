import { Outlet } from 'react-router';
import { type Place, Workroom } from '../design/workroom.tsx';

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
