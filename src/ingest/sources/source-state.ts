/** What a source remembers of its runs: how the last one ended, when it is asked again, and which run may write. */

import { type Kysely, sql, type Transaction } from 'kysely';
import type { Database } from '../../store/index.ts';
import { DAY_MS } from '../../values/duration.ts';
import type { Fetched } from './fetch-listings.ts';
import type { Source } from './sources.ts';

/** From now on earlier runs of this source write nothing more. Returns the number that the new run must show. */
export async function raiseFence(db: Kysely<Database>, sourceId: string): Promise<string> {
  const { rows } = await sql<{ fence: string }>`
    update source set fence = fence + 1 where id = ${sourceId} returning fence`.execute(db);
  return rows[0]?.fence ?? '0';
}

/** Whether no later run of the source has begun; none can begin writing before the transaction ends. */
export async function isFence(trx: Transaction<Database>, sourceId: string, fence: string): Promise<boolean> {
  const { rows } = await sql`select from source where id = ${sourceId} and fence = ${fence} for share`.execute(trx);
  return rows.length > 0;
}

export async function rememberSuccess(
  db: Kysely<Database>,
  source: Source,
  now: number,
  { etag, lastModified, isComplete }: Fetched,
): Promise<void> {
  const at = new Date(now);
  await db
    .updateTable('source')
    .set({
      last_run_at: at,
      last_error: null,
      failures: 0,
      retry_at: null,
      release: false,
      etag,
      last_modified: lastModified,
      ...(isComplete ? { last_ok_at: at } : {}),
      // Who has paused it meanwhile wants it paused.
      ...(source.state === 'held' ? { state: sql<string>`case when state = 'held' then 'active' else state end` } : {}),
    })
    .where('id', '=', source.id)
    .execute();
}

/** A source that fails again and again is asked less and less often, at most once a day. */
export async function rememberFailure(
  db: Kysely<Database>,
  source: Source,
  now: number,
  message: string,
  retryAfterMs: number | null,
): Promise<void> {
  const wait = Math.max(retryAfterMs ?? 0, Math.min(FIRST_RETRY_MS * 2 ** source.failures, MAX_RETRY_MS));
  await db
    .updateTable('source')
    .set({ last_run_at: new Date(now), last_error: message, failures: source.failures + 1, retry_at: new Date(now + wait) })
    .where('id', '=', source.id)
    .execute();
}

/** The source waits for the operator. A paused source stays paused, and is on hold when it is resumed. */
export async function putOnHold(db: Kysely<Database>, source: Source, now: number, reason: string): Promise<void> {
  await db
    .updateTable('source')
    .set({
      state: sql<string>`case when state = 'paused' then state else 'held' end`,
      last_run_at: new Date(now),
      last_error: reason,
    })
    .where('id', '=', source.id)
    .execute();
}

const FIRST_RETRY_MS = 60_000;
const MAX_RETRY_MS = DAY_MS;
