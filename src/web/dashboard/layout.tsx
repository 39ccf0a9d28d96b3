import { type LoaderFunctionArgs, type MiddlewareFunction, Outlet, useLoaderData } from 'react-router';
import { readTrial } from '../../accounts/index.ts';
import { type NavigationItem, Workroom } from '../design/admin-layout.tsx';
import { rooms } from '../server/rooms.ts';
import { requireViewer } from '../server/viewer.ts';
import { NoTrialBanner, TrialBanner } from './overview/trial-banner.tsx';
import './overview/trial-banner.css';

/** Before any loader or action of these pages. */
export const middleware: MiddlewareFunction<Response>[] = [
  async (page, next) => {
    await requireViewer(page);
    return next();
  },
];

/** Without data of its own a layout's middleware would not be asked when scripts move between its pages. */
export async function loader(page: LoaderFunctionArgs) {
  const { accountId } = await requireViewer(page);
  const { store, clocks } = page.context.get(rooms);
  const now = clocks.directory();
  return { trial: await readTrial(store.db, accountId, now), now };
}

export default function DashboardLayout() {
  const { trial, now } = useLoaderData<typeof loader>();
  const { state, endsAt } = trial;
  const isOnTrial = endsAt !== null && (state === 'running' || state === 'ended');
  return (
    <Workroom
      name="Dashboard"
      places={PLACES}
      banner={
        isOnTrial ? <TrialBanner state={state} endsAt={endsAt} now={now} /> : state === 'mailbox_used' ? <NoTrialBanner /> : null
      }
    >
      <Outlet />
    </Workroom>
  );
}

const PLACES: readonly NavigationItem[] = [
  { to: '/dashboard', label: 'Overview' },
  { to: '/dashboard/keys', label: 'Keys' },
  { to: '/dashboard/usage', label: 'Usage' },
  { to: '/dashboard/feeds', label: 'Feeds' },
  { to: '/dashboard/embeds', label: 'Embeds' },
  { to: '/dashboard/webhooks', label: 'Webhooks' },
  { to: '/dashboard/exports', label: 'Exports' },
  { to: '/dashboard/plans', label: 'Plans' },
  { to: '/dashboard/account', label: 'Account' },
];
