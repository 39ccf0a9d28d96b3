import { useEffect, useState } from 'react';
import { Link, type LoaderFunctionArgs, type MiddlewareFunction, Outlet, useLoaderData } from 'react-router';
import { readTrial } from '../../accounts/index.ts';
import { DAY_MS } from '../../values/duration.ts';
import { type NavigationItem, Workroom } from '../design/admin-layout.tsx';
import { Moment } from '../design/moment.tsx';
import { rooms } from '../server/rooms.ts';
import { requireViewer } from '../server/viewer.ts';
import './trial-banner.css';

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

/** `now`: the service's time when the page was made; from there on the page counts by itself. */
function TrialBanner({ state, endsAt, now }: { state: 'running' | 'ended'; endsAt: Date; now: number }) {
  const [passed, setPassed] = useState(0);
  useEffect(() => {
    const start = performance.now();
    const timer = setInterval(() => setPassed(performance.now() - start), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const left = endsAt.getTime() - now - passed;
  const isOver = state === 'ended' || left <= 0;
  return (
    <section className={`trial ${isOver ? 'over' : left < DAY_MS ? 'soon' : ''}`} aria-label="Your trial">
      <div className="column cluster spread">
        <p>
          {isOver ? (
            <>
              <strong>Your trial has ended.</strong> Requests with your trial key return 402. Your key and settings are kept.
            </>
          ) : (
            <>
              <strong>
                Trial: <span className="number">{inWords(left)}</span> left.
              </strong>{' '}
              It ends <Moment at={endsAt} />. Then requests with your trial key return 402, and nothing is charged.
            </>
          )}
        </p>
        <Link className="button small" to="/dashboard/plans">
          Choose a plan
        </Link>
      </div>
    </section>
  );
}

/** For another account of a mailbox that has had its trial. */
function NoTrialBanner() {
  return (
    <section className="trial over" aria-label="Your trial">
      <div className="column cluster spread">
        <p>
          <strong>This account has no trial.</strong> Each mailbox has one, and yours had it with another account. Sign in with
          the address of that account, or choose a plan for this one.
        </p>
        <Link className="button small" to="/dashboard/plans">
          Choose a plan
        </Link>
      </div>
    </section>
  );
}

function inWords(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS));
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60)];
  if (days > 0) return hours > 0 ? `${count(days, 'day')} ${count(hours, 'hour')}` : count(days, 'day');
  return hours > 0 ? `${count(hours, 'hour')} ${count(minutes % 60, 'minute')}` : count(minutes, 'minute');
}

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;

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
const MINUTE_MS = 60_000;
const TICK_MS = 30_000;
