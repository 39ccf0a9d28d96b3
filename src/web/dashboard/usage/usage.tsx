import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { PageHead } from '../../design/admin-layout.tsx';
import { BarChart } from '../../design/bar-chart.tsx';
import { Empty } from '../../design/notice.tsx';
import { formatDate, formatHour, formatNumber, formatTick } from '../../model/format.ts';
import { readAskedKey, readOwned, readSubscriptions } from '../../server/keys/own-keys.ts';
import { formatEndpoint } from '../format-usage.ts';
import { Allowances, LiveMark } from '../live/allowance-card.tsx';
import { useFreshUsage } from '../live/use-fresh-usage.ts';
import { useLive } from '../live/use-live.ts';
import { PERIODS, readPeriod } from './period.ts';
import { type Share, ShareTable } from './share-table.tsx';
import { formatStatus } from './statuses.ts';
import '../dashboard.css';

export async function loader(page: LoaderFunctionArgs) {
  const owned = await readOwned(page);
  const period = readPeriod(page.request, owned.rooms.clocks.limits());
  const { listing, subscriptions, more } = await readSubscriptions(owned);
  const asked = readAskedKey(page.request, listing);
  const { accountId } = owned.owner;
  const report = await owned.usage.report({ accountId, from: period.from, to: period.to, ...(asked && { keyId: asked.id }) });
  const names = new Map(listing.map(({ id, name, last4, state }) => [id, { name, last4, state }]));
  const { keys, ...figures } = report;
  const byKey = keys.map(({ keyId, ...counts }) => {
    const { name = '', last4 = '', state = 'revoked' } = names.get(keyId) ?? {};
    return { id: keyId, name, last4, state, ...counts };
  });
  const all = new URL(page.request.url).searchParams.get('keys') === 'all';
  return {
    period,
    subscriptions,
    more,
    figures,
    byKey: all ? byKey : byKey.slice(0, KEYS_SHOWN),
    keyCount: byKey.length,
    only: asked && { id: asked.id, name: asked.name, last4: asked.last4 },
    hasKeys: listing.length > 0,
  };
}

export default function Usage() {
  const { period, subscriptions, more, figures, byKey, keyCount, only, hasKeys } = useLoaderData<typeof loader>();
  const { left, state } = useLive(Object.fromEntries(subscriptions.map(({ id, left }) => [id, left])));
  useFreshUsage(left);
  const { requests, refused, unexplained } = figures;
  const ofKey = only ? `&key=${only.id}` : '';
  const answered = requests - unexplained;
  const errors = figures.statuses.filter(({ status }) => status >= 400).reduce((sum, each) => sum + each.requests, 0);
  if (!hasKeys) {
    return (
      <>
        <PageHead title="Usage" />
        <Empty title="No requests yet">
          <p>Requests show up here within a second of using a key.</p>
          <p>
            <Link className="button primary" to="/dashboard/keys#new">
              Create key
            </Link>
          </p>
        </Empty>
      </>
    );
  }
  return (
    <>
      <PageHead title="Usage" actions={<LiveMark state={state} />}>
        Charts are in UTC. Daily limits reset at 12:00 AM UTC.
      </PageHead>
      <Allowances title="Right now" subscriptions={subscriptions} more={more} left={left} />
      <section className="stack" aria-labelledby="period">
        <header className="cluster spread">
          <h2 id="period">{`The last ${period.days} days`}</h2>
          <nav className="cluster period" aria-label="Period">
            {PERIODS.map((days) => (
              <Link
                key={days}
                className="button small"
                to={`?days=${days}${ofKey}`}
                preventScrollReset
                {...(days === period.days && { 'aria-current': 'page' as const })}
              >
                {days} days
              </Link>
            ))}
            <a className="button small plain" href={`/dashboard/usage.csv?days=${period.days}${ofKey}`} download>
              Download CSV
            </a>
          </nav>
        </header>
        {only ? (
          <p className="cluster">
            <span>
              Only the key <strong>{only.name}</strong> <code>{`mq_live_${only.id}_…${only.last4}`}</code>
            </span>
            <Link to={`?days=${period.days}`} preventScrollReset>
              All keys
            </Link>
          </p>
        ) : null}
        <dl className="usage-sums">
          <Sum value={requests} text="requests" />
          <Sum value={errors} text="client errors (4xx)" />
          <Sum value={refused} text="rate limited (429), not billed" />
        </dl>
        <div className="card">
          <BarChart
            title="Requests by day"
            unit="requests"
            bars={figures.days.map((day) => ({ label: formatDate(day.date), value: day.requests }))}
          />
        </div>
      </section>
      <section className="stack" aria-labelledby="hours">
        <h2 id="hours">The last 48 hours</h2>
        <div className="card">
          <BarChart
            title="Requests by hour"
            unit="requests"
            bars={figures.hours.map(({ start, requests: value }) => ({
              label: formatHour(start),
              value,
              tick: formatTick(start),
            }))}
          />
        </div>
      </section>
      <div className="halves">
        <ShareTable
          title="By endpoint"
          name="Endpoint"
          total={answered}
          rows={figures.endpoints.map(
            (row): Share => ({
              id: row.endpoint,
              name: formatEndpoint(row.endpoint),
              isCode: row.endpoint !== UNKNOWN,
              requests: row.requests,
            }),
          )}
        />
        <ShareTable
          title="By status"
          name="Status"
          total={answered}
          rows={figures.statuses.map(
            (row): Share => ({ id: String(row.status), name: formatStatus(row.status), requests: row.requests }),
          )}
        />
      </div>
      {only ? null : (
        <ShareTable
          title="By key"
          name="Key"
          total={answered}
          rows={byKey.map(
            (row): Share => ({
              id: row.id,
              to: `?days=${period.days}&key=${row.id}`,
              name: row.name,
              note: `…${row.last4}${row.state === 'active' ? '' : row.state === 'revoked' ? ', revoked' : ', replaced'}`,
              requests: row.requests,
              refused: row.refused,
            }),
          )}
          withRefused
        />
      )}
      {!only && keyCount > byKey.length ? (
        <p>
          <Link to={`?days=${period.days}&keys=all`} preventScrollReset>{`All ${formatNumber(keyCount)} keys`}</Link>
        </p>
      ) : null}
      {unexplained > 0 ? (
        <p className="quiet small">
          {`${formatNumber(unexplained)} requests appear in the days but not in the tables. They are in progress, or they are older than the tables.`}
        </p>
      ) : null}
    </>
  );
}

function Sum({ value, text }: { value: number; text: string }) {
  return (
    <div>
      <dt className="quiet small">{text}</dt>
      <dd className="figure">{formatNumber(value)}</dd>
    </div>
  );
}

const UNKNOWN = '/api/v1/*';
/** More than anybody looks through; the rest is a link away. */
const KEYS_SHOWN = 25;
