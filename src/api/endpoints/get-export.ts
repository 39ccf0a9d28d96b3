/** `GET /exports/{id}`: one export of the caller's account, with its manifest. */

import { ExportsUnavailableError } from '../../exports/index.ts';
import { type Ask, absent, defineRoute, type RouteOutcome, unlessUnavailable } from '../route.ts';
import { formatExport } from './list-exports.ts';

export const getExport = defineRoute({
  path: '/exports/{id}',
  operationId: 'getExport',
  tier: 'enterprise',
  metered: true,
  summary: 'One export with its files',
  description:
    '`manifest` is there when the state is `ready`. The URLs of its files need no key and work for ten minutes. Exports of other accounts return 404. An export with deleted files returns 410.',
  parameters: {},
  isOwned: true,
  statuses: [410],
  answers: ['SingleExport'],
  answer: unlessUnavailable(ExportsUnavailableError, 'exports', answer),
});

async function answer({ exports, caller, id }: Ask): Promise<RouteOutcome> {
  const found = await exports.find(caller.accountId, id);
  if (!found) return absent({ found: 'unknown' }, 'export');
  if (found.export.state === 'expired') {
    return { kind: 'problem', problem: { code: 'gone', detail: 'the export has expired: its files are kept for seven days' } };
  }
  const body = Buffer.from(JSON.stringify({ data: { ...formatExport(found.export), manifest: found.manifest } }));
  return { kind: 'data', tag: null, body: () => body };
}
