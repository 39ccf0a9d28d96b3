/**
 * What a source said when it was last read, in digests. While it says the same again, and its records and the places of others are
 * what they were, a run would understand, place and compare everything to find nothing: its end is known without.
 */

import { createHash, hash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Reject } from '../../facts/index.ts';
import type { ReadListing } from '../../providers/index.ts';
import type { City, Neighborhood } from '../../records/index.ts';
import type { Database } from '../../store/index.ts';
import type { Source } from './sources.ts';

/** What a report says of a run that found nothing new. */
export interface UnchangedOutcome {
  /** Listings, one for each external id. */
  events: number;
  venues: number;
  dropped: number;
  waiting: Record<string, number>;
  rejected: Reject[];
  rejectedCount: number;
  reasons: Record<string, number>;
}

/** All that the listings are understood by beside their own words. */
export interface Understanding {
  source: Pick<Source, 'name' | 'kind' | 'mapping'>;
  city: City;
  neighborhoods: readonly Neighborhood[];
  /** As normalizing is told it, milliseconds. */
  now: number;
  /** Of the code, and of what it knows of the world. */
  version: string;
}

/** The digest of all that an answer is understood by. */
export function digestOfUnderstanding({ source, city, neighborhoods, now, version }: Understanding): string {
  const { name, kind, mapping } = source;
  return hash('sha256', JSON.stringify([name, kind, mapping, city, neighborhoods, now, version]), 'base64url');
}

/**
 * The digest of an answer, in the order in which it came: a report names listings by their number. It begins with `understood`, the
 * digest of what the answer is understood by.
 */
export function digestOf(
  { listings, isComplete }: { listings: readonly ReadListing[]; isComplete: boolean },
  understood: string,
): string {
  const digest = createHash('sha256');
  digest.update(JSON.stringify(isComplete));
  for (const { bytes: _, ...listing } of listings) digest.update(JSON.stringify(listing));
  return `${understood} ${digest.digest('base64url')}`;
}

/**
 * The digest of what a run compares an answer with: the records of the source, gone ones included, and the places that others have
 * brought. Null when a record waits for its place: every run looks for it again. What names no place waits for an answer, which is one of
 * the places.
 *
 * @param places the digest of what is known of places beside the source: venues of others, addresses, answers of people.
 */
export async function digestOfKnown(db: Kysely<Database>, sourceId: string, places: string): Promise<string | null> {
  const { rows } = await sql<{ waiting: boolean; records: string | null }>`
    select coalesce(bool_or(gone_at is null and event_id is null and venue_id is null
        and facts -> 'place' ->> 'name' is distinct from ''), false) as waiting,
      encode(sha256(convert_to(string_agg(concat(kind, char_length(external_id), ' ', external_id, content_hash, gone_at is null),
        '' order by kind, external_id), 'UTF8')), 'hex') as records
    from record where source_id = ${sourceId}`.execute(db);
  const [held] = rows;
  if (!held || held.waiting) return null;
  return hash('sha256', JSON.stringify([held.records, places]), 'base64url');
}

/**
 * Whether the source has said just this before; then how that run ended, with what it compared the answer with.
 *
 * @param said a digest as `digestOf` gives it, or its beginning: then whatever the source said when it was understood by the same.
 */
export async function findReading(
  db: Kysely<Database>,
  sourceId: string,
  { said, now }: { said: string; now: number },
): Promise<{ known: string; outcome: UnchangedOutcome } | null> {
  const row = await db
    .selectFrom('reading')
    .select(['known', 'outcome'])
    .where('source_id', '=', sourceId)
    .where(sql<boolean>`starts_with(said, ${said})`)
    // Before that moment more of the source's events were still to come, and may be missing.
    .where('read_at', '<=', new Date(now))
    .executeTakeFirst();
  return row ? { known: row.known, outcome: row.outcome as unknown as UnchangedOutcome } : null;
}

export async function keepReading(
  db: Kysely<Database>,
  sourceId: string,
  reading: { said: string; known: string; outcome: UnchangedOutcome; now: number },
): Promise<void> {
  const { said, known, outcome, now } = reading;
  if (outcome.rejected.length > MAX_REJECTS || outcome.rejected.length < outcome.rejectedCount) return;
  await sql`
    insert into reading (source_id, said, known, outcome, read_at)
    select id, ${said}, ${known}, ${JSON.stringify(outcome)}::jsonb, ${new Date(now).toISOString()} from source where id = ${sourceId}
    on conflict (source_id) do update set said = excluded.said, known = excluded.known, outcome = excluded.outcome,
      read_at = excluded.read_at`.execute(db);
}

/** Some megabytes; a source with more mistakes is looked at every time. */
const MAX_REJECTS = 10_000;
