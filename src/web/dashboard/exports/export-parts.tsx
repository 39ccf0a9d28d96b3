/** Words of the export pages for states and sizes. */

import { Link } from 'react-router';
import { Badge, Notice } from '../../design/notice.tsx';
import { formatNumber } from '../../model/format.ts';

const STATES = {
  queued: { kind: 'plain', text: 'Waiting' },
  running: { kind: 'plain', text: 'Running' },
  ready: { kind: 'good', text: 'Ready' },
  failed: { kind: 'bad', text: 'Failed' },
  cancelled: { kind: 'plain', text: 'Canceled' },
  expired: { kind: 'plain', text: 'Deleted' },
} as const;

export function StateBadge({ state }: { state: keyof typeof STATES }) {
  const { kind, text } = STATES[state];
  return <Badge kind={kind}>{text}</Badge>;
}

/** A dash where nobody has counted yet. */
export const formatRows = (rows: number | null): string => (rows === null ? '–' : formatNumber(rows));

/** `1.2 MB`; a dash as above. */
export function formatBytes(bytes: number | null): string {
  if (bytes === null) return '–';
  if (bytes < 1_000) return `${formatNumber(bytes)} B`;
  if (bytes < 1_000_000) return `${formatNumber(bytes / 1_000)} kB`;
  return bytes < 1e9 ? `${formatNumber(bytes / 1e6, 1)} MB` : `${formatNumber(bytes / 1e9, 1)} GB`;
}

export const REPEAT_NAMES = { once: 'Once', hourly: 'Every hour', daily: 'Every day' } as const;

/** For accounts whose plan has no exports: what they are and how to get them. `has`: exports from before a downgrade. */
export function NoExports({ has }: { has: number }) {
  if (has > 0) {
    return (
      <Notice kind="warn" title="Your exports have stopped.">
        Exports need an active Enterprise plan. Downloads return an error until you have one again.{' '}
        <Link to="/dashboard/plans">View plans</Link>
      </Notice>
    );
  }
  return (
    <section className="card stack" aria-labelledby="no-exports">
      <h2 id="no-exports">Exports are part of Enterprise</h2>
      <p>An export gives you the whole directory, or the events of a saved query, as files:</p>
      <ul>
        <li>As NDJSON, CSV, GeoJSON or Parquet, with the columns you choose.</li>
        <li>Once, every hour with the changes, or every day in full.</li>
        <li>
          Your code finds the files with <code>GET /exports</code>.
        </li>
      </ul>
      <p>
        <Link className="button primary" to="/dashboard/plans">
          View plans
        </Link>
      </p>
    </section>
  );
}
