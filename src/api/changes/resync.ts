/** The answer to a cursor of another history: after a restore, or a failover that lost commits, numbers mean other changes. */

import type { ChangePage } from '../../search/index.ts';
import type { Ask, RouteOutcome } from '../route.ts';

/** `restart`: how to ask from the beginning. */
export async function resync(
  { exports, caller, publicUrl }: Pick<Ask<never>, 'exports' | 'caller' | 'publicUrl'>,
  { epoch, head }: ChangePage,
  restart: string,
): Promise<RouteOutcome> {
  // Without exports the log says the same, in more pages.
  const id = await exports.newestFull(caller.accountId, epoch).catch(() => null);
  const detail = `the cursor belongs to another history of the directory; read the log from the beginning, ${restart}`;
  const members = { head, ...(id !== null && { fullExport: `${publicUrl}/api/v1/exports/${id}` }) };
  return { kind: 'problem', problem: { code: 'resync', detail, members } };
}
