/** What a source remembers of its runs: how the last one ended, when it is asked again, and which run may write. */

import { type Kysely, sql, type Transaction } from 'kysely';
import { type ClockFinding, formatClocks, type ProviderClocks } from '../../facts/index.ts';
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
      listed_at: sql<Date | null>`case when ${HAS_LISTINGS(at)} then ${at}::timestamptz else listed_at end`,
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

/** Whether a `source` lists an event that is not over; a source of venues alone, whether it lists a venue. */
const HAS_LISTINGS = (at: Date) => sql<boolean>`exists (
  select from record where record.source_id = source.id and record.gone_at is null and case record.kind
    when 'event' then coalesce(to_timestamp((record.facts ->> 'endsAt')::float8 / 1000), record.starts_at + interval '1 day') >= ${at}
    else not exists (select from record as other where other.source_id = source.id and other.kind = 'event') end)`;

const FIRST_RETRY_MS = 60_000;
const MAX_RETRY_MS = DAY_MS;

/** `line`: the finding as `formatClocks` writes it. */
export type KnownClock = ClockFinding & { line: string };

export async function loadClocks(db: Kysely<Database>): Promise<KnownClock[]> {
  const rows = await db.selectFrom('provider_clock').select('clock').execute();
  return rows.map(({ clock }) => clock as unknown as KnownClock);
}

/** From now on these are known, and no others. */
export async function writeClocks(trx: Transaction<Database>, { findings }: ProviderClocks, now: number): Promise<void> {
  const lines = new Map(
    findings.map((finding) => [finding.provider, { ...finding, line: formatClocks({ findings: [finding] }) }]),
  );
  await sql`delete from provider_clock where not provider = any(${[...lines.keys()]}::text[])`.execute(trx);
  for (const [provider, clock] of lines) {
    await sql`
      insert into provider_clock (provider, clock, found_at) values (${provider}, ${JSON.stringify(clock)}::jsonb, ${new Date(now)})
      on conflict (provider) do update set clock = excluded.clock where provider_clock.clock ->> 'line' <> excluded.clock ->> 'line'`.execute(
      trx,
    );
  }
}
