import { BarChart } from '../../design/bar-chart.tsx';
import { formatDate, formatHour, formatNumber, formatTick } from '../../model/format.ts';

interface Totals {
  requests: number;
  /** Over a limit. */
  refused: number;
  statuses: readonly { status: number; requests: number }[];
}

export function UsageSums({ report: { requests, refused, statuses } }: { report: Totals }) {
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

export function DayChart({ days }: { days: readonly { date: string; requests: number }[] }) {
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
export function HourChart({ hours }: { hours: readonly { start: number; requests: number }[] }) {
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
