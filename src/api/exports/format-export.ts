/** An export as the API serves it. */

import type { ListedExport } from '../../exports/index.ts';
import { formatUtc } from '../../values/utc.ts';

export function formatExport(each: ListedExport): object {
  return {
    id: each.id,
    state: each.state,
    feedId: each.feedId,
    format: each.format,
    columns: each.columns,
    repeat: each.repeat,
    isFull: each.isFull,
    rows: each.rows,
    bytes: each.bytes,
    queuedAt: formatMoment(each.queuedAt),
    startedAt: formatMoment(each.startedAt),
    finishedAt: formatMoment(each.finishedAt),
    expiresAt: formatMoment(each.expiresAt),
    error: each.error,
    waitingFor: each.retryAt && 'storage',
    retryAt: formatMoment(each.retryAt),
    manifestUrl: each.manifestUrl,
  };
}

const formatMoment = (moment: Date | null): string | null => moment && formatUtc(moment.getTime());
