/** What is done by the clock: repeated exports are queued, and old ones end. */

import { randomUUIDv7 } from 'node:crypto';
import { type ExpressionBuilder, type Kysely, sql, type Transaction } from 'kysely';
import { statusOfAccount } from '../../accounts/index.ts';
import type { Clock } from '../../clock.ts';
import { type Database, transact } from '../../store/index.ts';
import { PERIOD_MS, type Repeat } from '../export-request.ts';
import { MAX_ATTEMPTS } from './queue.ts';

/** Queues what is due by its schedule. `now`: the directory's clock. */
export async function enqueueDue(db: Kysely<Database>, now: Clock): Promise<void> {
  const at = new Date(now());
  const due = await db
    .selectFrom('export_request')
    .select('id')
    .where((eb) => isDue(eb, at))
    .orderBy('next_at')
    .limit(MAX_DUE)
    .execute();
  for (const { id } of due) await transact(db, (trx) => enqueue(trx, id, at));
}

/** Queues one request, unless another process was quicker or its last export is still written. */
async function enqueue(trx: Transaction<Database>, id: string, at: Date): Promise<void> {
  const request = await trx
    .selectFrom('export_request')
    .select(['id', 'account_id', 'repeat', 'next_at'])
    .where('id', '=', id)
    .where((eb) => isDue(eb, at))
    .forUpdate()
    .executeTakeFirst();
  if (!request?.next_at) return;
  const period = PERIOD_MS[request.repeat as Exclude<Repeat, 'once'>];
  // What was missed is not made up for: one export holds all of it.
  const missed = Math.floor((at.getTime() - request.next_at.getTime()) / period) + 1;
  await trx
    .updateTable('export_request')
    .set({ next_at: new Date(request.next_at.getTime() + missed * period) })
    .where('id', '=', id)
    .execute();
  const { count } = await trx
    .selectFrom('export')
    .select((select) => select.fn.countAll().as('count'))
    .where('request_id', '=', id)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirstOrThrow();
  if (Number(count) > 0) return;
  const { account_id } = request;
  await trx
    .insertInto('export')
    .values({ id: randomUUIDv7(), request_id: id, account_id, state: 'queued', queued_at: at })
    .execute();
}

/** Ends those whose time is over, and those that have ended one process after another. */
export async function expireExports(db: Kysely<Database>, now: Clock): Promise<void> {
  await db
    .updateTable('export')
    .set({ state: 'expired', manifest: null, expires_at: sql`least(expires_at, ${new Date(now())})` })
    .where('state', '=', 'ready')
    .where(({ eb, or }) => or([eb('expires_at', '<=', new Date(now())), eb(statusOfAccount('export.account_id'), '=', 'closed')]))
    .execute();
  await db
    .updateTable('export')
    .set({ state: 'failed', error: 'The export could not be written.', finished_at: new Date(now()) })
    .where('state', '=', 'running')
    .where(({ eb }) => eb(eb('attempts', '-', eb.ref('storage_tries')), '>=', MAX_ATTEMPTS))
    .where('lease_until', '<', sql<Date>`now()`)
    .execute();
}

/** When something is due by the clock, milliseconds; `Infinity` for never. */
export async function nextDue(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ at: Date | null }>`
    select least((select min(next_at) from export_request where next_at is not null),
      (select min(expires_at) from export where state = 'ready'),
      (select min(retry_at) from export where state = 'queued' and retry_at is not null)) as at`.execute(db);
  return rows[0]?.at?.getTime() ?? Number.POSITIVE_INFINITY;
}

/** Its time has come, or is further ahead than any next time: then the clock was ahead by mistake when it was set. */
function isDue(eb: ExpressionBuilder<Database, 'export_request'>, at: Date) {
  const ahead = (repeat: Exclude<Repeat, 'once'>) =>
    eb.and([eb('repeat', '=', repeat), eb('next_at', '>', new Date(at.getTime() + 2 * PERIOD_MS[repeat]))]);
  return eb.or([eb('next_at', '<=', at), ahead('hourly'), ahead('daily')]);
}

const MAX_DUE = 100;
