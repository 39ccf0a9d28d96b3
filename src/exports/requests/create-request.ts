/** Requests as they are made: the first export is queued at once. */

import { randomUUIDv7 } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { loadAccountTier, lockAccount } from '../../accounts/index.ts';
import type { Clock } from '../../clock.ts';
import type { Feeds } from '../../feeds/index.ts';
import { type Database, transact } from '../../store/index.ts';
import type { Refusal } from '../../values/refusal.ts';
import { type ColumnName, parseColumns } from '../columns.ts';
import { type ExportFormat, isExportFormat } from '../model.ts';
import { type ExportReason, refuseExport } from '../refusals.ts';
import { type ExportInput, type ExportOwner, PERIOD_MS, REPEATS, type Repeat } from './export-request.ts';
import { createRecordExport } from './request-changes.ts';

export interface CreateExportOptions {
  db: Kysely<Database>;
  feeds: Pick<Feeds, 'find'>;
  /** The directory's clock. */
  now?: Clock;
}

export type CreateExport = (
  owner: ExportOwner,
  input: ExportInput,
) => Promise<{ ok: true; requestId: string } | Refusal<ExportReason>>;

interface CheckedExport {
  feedId: string | null;
  format: ExportFormat;
  columns: ColumnName[] | null;
  repeat: Repeat;
}

export function createExportCreation({ db, feeds, now = Date.now }: CreateExportOptions): CreateExport {
  const record = createRecordExport(now);

  async function insert(trx: Transaction<Database>, accountId: string, asked: CheckedExport): Promise<string> {
    const { feedId, format, columns, repeat } = asked;
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

  return async (owner, input) => {
    const { accountId } = owner;
    const checked = checkInput(input);
    if (!checked.ok) return checked;
    const { feedId, format, repeat } = checked.input;
    if (feedId !== null && !(await feeds.find(accountId, feedId))) return refuseExport('unknown_feed');
    return transact(db, async (trx) => {
      await lockAccount(trx, accountId);
      if ((await loadAccountTier(trx, accountId, now())) !== 'enterprise') return refuseExport('tier_required');
      if ((await countActive(trx, accountId)) >= MAX_ACTIVE) return refuseExport('too_many_waiting');
      const requestId = await insert(trx, accountId, checked.input);
      await record(trx, owner, 'export.create', requestId, { feed: feedId, format, repeat });
      return { ok: true, requestId };
    });
  };
}

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
