import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { PageHead } from '../../design/admin-layout.tsx';
import { BarChart } from '../../design/bar-chart.tsx';
import { Empty } from '../../design/notice.tsx';
import { formatDate, formatHour, formatNumber, formatTick } from '../../model/format.ts';
import { showKey } from '../../model/keys.ts';
import { readAskedKey, readOwned, readSubscriptions } from '../../server/keys.ts';
import { Allowances, LiveMark } from '../allowance-card.tsx';
import { useFreshUsage, useLive } from '../use-live.ts';
import { PERIODS, readPeriod } from './period.ts';
import { UsageTables } from './usage-tables.tsx';
import '../dashboard.css';

export async function loader(page: LoaderFunctionArgs) {
  const owned = await readOwned(page);
  const period = readPeriod(page.request, owned.rooms.clocks.limits());
  const { listing, subscriptions, more } = await readSubscriptions(owned);
  const asked = readAskedKey(page.request, listing);
  const { accountId } = owned.owner;
  const report = await owned.usage.report({ accountId, from: period.from, to: period.to, ...(asked && { keyId: asked.id }) });
  const names = new Map(listing.map(({ id, name, last4, state }) => [id, { name, last4, state }]));
  const { keys, ...totals } = report;
  const byKey = keys.map(({ keyId, ...counts }) => {
    const { name = '', last4 = '', state = 'revoked' } = names.get(keyId) ?? {};
    return { id: keyId, name, last4, state, ...counts };
  });
  const all = new URL(page.request.url).searchParams.get('keys') === 'all';
  return {
    period,
    subscriptions,
    more,
    report: totals,
    byKey: all ? byKey : byKey.slice(0, KEYS_SHOWN),
    keyCount: byKey.length,
    only: asked && { name: asked.name, shown: showKey(asked), id: asked.id, isTest: asked.plan === 'test' },
    hasKeys: listing.length > 0,
  };
}

export default function Usage() {
  const { subscriptions, more, report, byKey, keyCount, only, period, hasKeys } = useLoaderData<typeof loader>();
  const { left, state } = useLive(Object.fromEntries(subscriptions.map(({ id, left }) => [id, left])));
  useFreshUsage(left);
  const { unexplained } = report;
  if (!hasKeys) return <NoKeys />;
  return (
    <>
      <PageHead title="Usage" actions={<LiveMark state={state} />}>
        Charts are in UTC. Daily limits reset at 12:00 AM UTC.
      </PageHead>
      <Allowances title="Right now" subscriptions={subscriptions} more={more} left={left} />
      <section className="stack" aria-labelledby="period">
        <PeriodHead days={period.days} keyId={only?.id ?? null} />
        {only ? (
          <p className="cluster">
            <span>
              Only the key <strong>{only.name}</strong> <code>{only.shown}</code>
              {only.isTest ? ', which counts toward no plan' : ''}
            </span>
            <Link to={`?days=${period.days}`} preventScrollReset>
              All keys
            </Link>
          </p>
        ) : null}
        <UsageSums report={report} />
        <DayChart days={report.days} />
      </section>
      <HourChart hours={report.hours} />
      <UsageTables report={report} days={period.days} byKey={only ? null : byKey} />
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

function NoKeys() {
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

/** Which days are shown, and the links to other periods. `keyId`: the only key that is shown. */
function PeriodHead({ days: shown, keyId }: { days: number; keyId: string | null }) {
  const ofKey = keyId === null ? '' : `&key=${keyId}`;
  return (
    <header className="cluster spread">
      <h2 id="period">{`The last ${shown} days`}</h2>
      <nav className="cluster period" aria-label="Period">
        {PERIODS.map((days) => (
          <Link
            key={days}
            className="button small"
            to={`?days=${days}${ofKey}`}
            preventScrollReset
            {...(days === shown && { 'aria-current': 'page' as const })}
          >
            {days} days
          </Link>
        ))}
        <a className="button small plain" href={`/dashboard/usage.csv?days=${shown}${ofKey}`} download>
          Download CSV
        </a>
      </nav>
    </header>
  );
}

interface Totals {
  requests: number;
  /** Over a limit. */
  refused: number;
  statuses: readonly { status: number; requests: number }[];
}

function UsageSums({ report: { requests, refused, statuses } }: { report: Totals }) {
  const errors = statuses.filter(({ status }) => status >= 400).reduce((sum, each) => sum + each.requests, 0);
  return (
    <dl className="usage-sums">
      <Sum value={requests} text="requests" />
      <Sum value={errors} text="client errors (4xx)" />
      <Sum value={refused} text="rate limited (429), not billed" />
    </dl>
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

function DayChart({ days }: { days: readonly { date: string; requests: number }[] }) {
  return (
    <div className="card">
      <BarChart
        title="Requests by day"
        unit="requests"
        bars={days.map(({ date, requests }) => ({ label: formatDate(date), value: requests }))}
      />
    </div>
  );
}

/** `start`: instant, ms. */
function HourChart({ hours }: { hours: readonly { start: number; requests: number }[] }) {
  return (
    <section className="stack" aria-labelledby="hours">
      <h2 id="hours">The last 48 hours</h2>
      <div className="card">
        <BarChart
          title="Requests by hour"
          unit="requests"
          bars={hours.map(({ start, requests: value }) => ({ label: formatHour(start), value, tick: formatTick(start) }))}
        />
      </div>
    </section>
  );
}

/** More than anybody looks through; the rest is a link away. */
const KEYS_SHOWN = 25;
