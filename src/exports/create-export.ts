/** Requests as they are made: the first export is queued at once. */

import { randomUUIDv7 } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { type AuditEntry, loadAccountTier, lockAccount, recordAudit } from '../accounts/index.ts';
import type { Clock } from '../clock.ts';
import type { Feeds } from '../feeds/index.ts';
import { type Database, transact } from '../store/index.ts';
import type { Refusal } from '../values/refusal.ts';
import { type ColumnName, parseColumns } from './columns.ts';
import { type ExportInput, type ExportOwner, PERIOD_MS, REPEATS, type Repeat } from './export-request.ts';
import { type ExportFormat, isExportFormat } from './model.ts';
import { type ExportReason, refuseExport } from './refusals.ts';

/** What changes of exports need. */
export interface ExportContext {
  db: Kysely<Database>;
  feeds: Pick<Feeds, 'find'>;
  /** The directory's clock. */
  now: Clock;
}

interface CheckedExport {
  feedId: string | null;
  format: ExportFormat;
  columns: ColumnName[] | null;
  repeat: Repeat;
}

/** Queues the first export at once. Refuses all but `unknown_export`. */
export async function createExport(
  context: ExportContext,
  owner: ExportOwner,
  input: ExportInput,
): Promise<{ ok: true; requestId: string } | Refusal<ExportReason>> {
  const { db, feeds, now } = context;
  const { accountId } = owner;
  const checked = checkInput(input);
  if (!checked.ok) return checked;
  const { feedId, format, repeat } = checked.input;
  if (feedId !== null && !(await feeds.find(accountId, feedId))) return refuseExport('unknown_feed');
  return transact(db, async (trx) => {
    await lockAccount(trx, accountId);
    if ((await loadAccountTier(trx, accountId, now())) !== 'enterprise') return refuseExport('tier_required');
    if ((await countActive(trx, accountId)) >= MAX_ACTIVE) return refuseExport('too_many_waiting');
    const requestId = await insert(context, trx, accountId, checked.input);
    await record(context, trx, owner, 'export.create', requestId, { feed: feedId, format, repeat });
    return { ok: true, requestId };
  });
}

async function insert(
  { now }: ExportContext,
  trx: Transaction<Database>,
  accountId: string,
  { feedId, format, columns, repeat }: CheckedExport,
): Promise<string> {
  const at = new Date(now());
  const id = randomUUIDv7();
  const next_at = repeat === 'once' ? null : new Date(at.getTime() + PERIOD_MS[repeat]);
  await trx
    .insertInto('export_request')
    .values({ id, account_id: accountId, feed_id: feedId, format, columns, repeat, created_at: at, next_at })
    .execute();
  await trx
    .insertInto('export')
    .values({ id: randomUUIDv7(), request_id: id, account_id: accountId, state: 'queued', queued_at: at })
    .execute();
  return id;
}

/** On the audit list. `id`: of an export, or of a request. */
export const record = (
  { now }: ExportContext,
  trx: Transaction<Database>,
  { actor, address = null }: ExportOwner,
  action: string,
  id: string,
  detail: AuditEntry['detail'] = {},
): Promise<void> => recordAudit(trx, { actor, address, action, subject: 'export', subjectId: id, detail }, { now });

function checkInput({
  feedId,
  format,
  columns,
  repeat,
}: ExportInput): { ok: true; input: CheckedExport } | Refusal<ExportReason> {
  const chosen = columns && parseColumns(columns);
  if (!isExportFormat(format)) return refuseExport('unknown_format');
  if (columns && !chosen) return refuseExport('unknown_columns');
  if (!isRepeat(repeat)) return refuseExport('unknown_repeat');
  return { ok: true, input: { feedId, format, columns: chosen, repeat } };
}

const isRepeat = (text: string): text is Repeat => (REPEATS as readonly string[]).includes(text);

async function countActive(trx: Transaction<Database>, accountId: string): Promise<number> {
  const { count } = await trx
    .selectFrom('export_request')
    .select((select) => select.fn.countAll().as('count'))
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null)
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('next_at', 'is not', null),
        exists(
          selectFrom('export')
            .select('export.id')
            .whereRef('export.request_id', '=', 'export_request.id')
            .where('state', 'in', ['queued', 'running']),
        ),
      ]),
    )
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Requests of one account that wait, run or are scheduled. */
const MAX_ACTIVE = 20;
