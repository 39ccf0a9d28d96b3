/** What was done on the command line, for the audit log. */

import { type AuditEntry, recordAudit } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import type { Store } from '../store/index.ts';

/** Who acts where nobody is signed in. */
export const COMMAND_LINE = 'command line';

type NewAuditEntry = Omit<AuditEntry, 'actor' | 'address'>;

/** Written after the deed: what failed was not done. */
export async function recordCommand({ config }: Context, { db }: Pick<Store, 'db'>, entry: NewAuditEntry): Promise<void> {
  await recordAudit(db, { ...entry, actor: { id: null, name: COMMAND_LINE } }, { now: config.clocks.directory });
}
