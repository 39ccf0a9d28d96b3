import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { PageHead } from '../design/admin-layout.tsx';
import { BarChart } from '../design/bar-chart.tsx';
import { CopyBlock } from '../design/code.tsx';
import { Notice } from '../design/notice.tsx';
import { useRoot } from '../design/use-root.ts';
import { formatHour, formatTick } from '../model/format.ts';
import { curlOf } from '../model/keys.ts';
import { readOwned, readSubscriptions } from '../server/keys.ts';
import { Allowances, LiveMark } from './allowance-card.tsx';
import { formatRequests } from './format-usage.ts';
import { readPeriod } from './usage/period.ts';
import { useFreshUsage, useLive } from './use-live.ts';
import './dashboard.css';

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

/** From a new account to its first answer. The page watches for it; without scripts it is loaded again by hand. */
function FirstSteps({
  hasKeys,
  keyName,
  isUsed,
  publicUrl,
}: {
  hasKeys: boolean;
  keyName: string | undefined;
  isUsed: boolean;
  publicUrl: string;
}) {
  return (
    <section className="card stack" aria-labelledby="steps">
      <h2 id="steps">First steps</h2>
      <ol className="steps-list">
        <li className={hasKeys ? 'done' : ''}>
          <div>
            <h3>Create a key</h3>
            {hasKeys ? (
              <p className="quiet">{keyName ? `You have the key ${keyName}.` : 'Your keys no longer work. Create a new key.'}</p>
            ) : (
              <p className="quiet">The key is shown only once. Have a place ready to store it.</p>
            )}
            {keyName ? null : (
              <p>
                <Link className="button primary" to="/dashboard/keys#new">
                  Create key
                </Link>
              </p>
            )}
          </div>
        </li>
        <li className={isUsed ? 'done' : ''}>
          <div>
            <h3>Send a request</h3>
            <p className="quiet">Set MARQUEE_KEY to your key and run this in a terminal.</p>
            <CopyBlock text={curlOf(publicUrl)} label="the request" />
          </div>
        </li>
        <li className={isUsed ? 'done' : ''}>
          <div>
            <h3>See the request arrive</h3>
            {isUsed ? (
              <Notice kind="good" title="Your first request has arrived.">
                <Link to="/dashboard/usage">Your usage</Link> shows every request from now on.
              </Notice>
            ) : (
              <>
                <p className="quiet">It shows up here within a second.</p>
                <noscript>
                  <a href="/dashboard">Reload</a>
                </noscript>
              </>
            )}
          </div>
        </li>
      </ol>
    </section>
  );
}
