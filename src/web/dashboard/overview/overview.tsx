import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { PageHead } from '../../design/admin-layout.tsx';
import { BarChart } from '../../design/bar-chart.tsx';
import { useRoot } from '../../design/use-root.ts';
import { formatHour, formatTick } from '../../model/format.ts';
import { readOwned, readSubscriptions } from '../../server/keys/own-keys.ts';
import { formatRequests } from '../format-usage.ts';
import { Allowances, LiveMark } from '../live/allowance-card.tsx';
import { useFreshUsage } from '../live/use-fresh-usage.ts';
import { useLive } from '../live/use-live.ts';
import { readPeriod } from '../usage/period.ts';
import { FirstSteps } from './first-steps.tsx';
import '../dashboard.css';

export async function loader(page: LoaderFunctionArgs) {
  const owned = await readOwned(page);
  const { from, to } = readPeriod(page.request, owned.rooms.clocks.limits());
  const [{ listing, subscriptions, more }, report] = await Promise.all([
    readSubscriptions(owned),
    owned.usage.report({ accountId: owned.owner.accountId, from, to }),
  ]);
  const wasUsed = report.requests > 0 || listing.some(({ lastUsedAt }) => lastUsedAt !== null);
  return { subscriptions, more, hours: report.hours, hasKeys: listing.length > 0, wasUsed };
}

export default function Overview() {
  const { subscriptions, more, hours, hasKeys, wasUsed } = useLoaderData<typeof loader>();
  const { publicUrl = '' } = useRoot() ?? {};
  const { left, state } = useLive(Object.fromEntries(subscriptions.map(({ id, left }) => [id, left])));
  useFreshUsage(left);
  const isUsed = wasUsed || Object.values(left).some(({ day }) => day.used > 0);
  const recent = hours.reduce((sum, { requests }) => sum + requests, 0);
  return (
    <>
      <PageHead title="Overview" actions={<LiveMark state={state} />}>
        {isUsed ? 'Your remaining quota and recent requests.' : 'Send your first request in a minute.'}
      </PageHead>
      {isUsed && subscriptions.length > 0 ? null : (
        <FirstSteps hasKeys={hasKeys} keyName={subscriptions[0]?.keys[0]?.name} isUsed={isUsed} publicUrl={publicUrl} />
      )}
      <Allowances title="Remaining today" subscriptions={subscriptions} more={more} left={left} />
      {isUsed ? (
        <section className="stack" aria-labelledby="recent">
          <header className="cluster spread">
            <h2 id="recent">The last 48 hours</h2>
            <Link to="/dashboard/usage">View all usage</Link>
          </header>
          <p className="quiet">{formatRequests(recent)}, by hour, UTC.</p>
          <div className="card">
            <BarChart
              title="Requests by hour"
              unit="requests"
              bars={hours.map(({ start, requests }) => ({ label: formatHour(start), value: requests, tick: formatTick(start) }))}
            />
          </div>
        </section>
      ) : null}
    </>
  );
}
