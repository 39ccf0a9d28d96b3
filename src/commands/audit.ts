/** What was done on the command line, for the audit log. */

import { type AuditEntry, recordAudit } from '../accounts/index.ts';
import type { Context } from '../context.ts';
import type { Store } from '../store/index.ts';

/** Who acts where nobody is signed in. */
export const COMMAND_LINE = 'command line';

type Deed = Omit<AuditEntry, 'actor' | 'address'>;

/** Written after the deed: what failed was not done. */
export async function noteDeed({ config }: Context, { db }: Pick<Store, 'db'>, deed: Deed): Promise<void> {
  await recordAudit(db, { ...deed, actor: { id: null, name: COMMAND_LINE } }, { now: config.clocks.directory });
}
