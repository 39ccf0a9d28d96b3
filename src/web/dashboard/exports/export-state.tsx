/** Words of the export pages for states and sizes. */

import { Badge } from '../../design/notice.tsx';
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
