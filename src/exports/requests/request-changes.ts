/** What all changes of requests share: the lock, and the audit list. Each runs within the transaction of the change. */

import type { Transaction } from 'kysely';
import { type AuditEntry, recordAudit } from '../../accounts/index.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../store/index.ts';
import { isUuid } from '../../values/uuid.ts';
import type { ExportOwner } from './export-request.ts';

/** Undefined for unknown, removed and foreign ids. `id` may be any text. */
export async function lockRequest(
  trx: Transaction<Database>,
  accountId: string,
  id: string,
): Promise<{ id: string } | undefined> {
  if (!isUuid(id)) return undefined;
  return trx
    .selectFrom('export_request')
    .select(['id'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** `id`: of an export, or of a request. */
export type RecordExport = (
  trx: Transaction<Database>,
  owner: ExportOwner,
  action: string,
  id: string,
  detail?: AuditEntry['detail'],
) => Promise<void>;

export const createRecordExport =
  (now: Clock): RecordExport =>
  (trx, { actor, address = null }, action, id, detail = {}) =>
    recordAudit(trx, { actor, address, action, subject: 'export', subjectId: id, detail }, { now });
