import { Outlet } from 'react-router';
import { Shell } from '../design/shell.tsx';

/** The public pages: wide, with the site's header. */
export default function PublicLayout() {
  return (
    <Shell>
      <Outlet />
    </Shell>
  );
}
