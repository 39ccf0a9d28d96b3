/** `GET /exports`: the exports of the caller's account (decisions §4 and §5). */

import { ExportsUnavailableError, type ListedExport } from '../../exports/index.ts';
import { pageLimit, pageOffset } from '../../query/index.ts';
import { formatUtc } from '../../values/utc.ts';
import { type Ask, defineRoute, type RouteOutcome, unlessUnavailable } from '../route.ts';
import { writeMeta } from './shaped-records.ts';

const parameters = { limit: pageLimit(20, 100), offset: pageOffset() };

export const listExports = defineRoute({
  path: '/exports',
  operationId: 'listExports',
  tier: 'enterprise',
  metered: true,
  summary: 'Exports of the account',
  description: 'Newest first. They are created in the dashboard. `manifestUrl` needs no key and works for ten minutes.',
  parameters,
  answers: ['ExportList'],
  answer: unlessUnavailable(ExportsUnavailableError, 'exports', answer),
});

async function answer({ exports, caller, values }: Ask<typeof parameters>): Promise<RouteOutcome> {
  const { limit, offset } = values;
  const { total, exports: found } = await exports.list(caller.accountId, { limit, offset });
  const body = `{"data":${JSON.stringify(found.map(formatExport))},${writeMeta({ total, limit, offset }, found.length)}}}`;
  return { kind: 'data', tag: null, page: { total, limit, offset }, body: () => Buffer.from(body) };
}

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
