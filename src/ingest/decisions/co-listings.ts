/** What sources list at two venues at once: kept night by night, and enough of it makes the two venues one. */

import { type Kysely, sql, type Transaction } from 'kysely';
import type { CoListingKinship } from '../../facts/index.ts';
import type { Database } from '../../store/index.ts';
import { RECORD_IDS } from '../records/relations.ts';

export interface CoListedNight {
  /** Ids of venue records; `left` sorts first. */
  left: string;
  right: string;
  /** `YYYY-MM-DD`. */
  night: string;
  /** Milliseconds. */
  startsAt: number;
  title: string;
  /** What names and points say of the two. */
  kinship: CoListingKinship;
  /** One source lists other events at both at the same time. */
  isContradicted: boolean;
}

/** Two venue records that are one venue by what takes place there. */
export interface LearnedAlias {
  left: string;
  right: string;
  /** In order; at least as many as are `ENOUGH`. */
  nights: readonly CoListedNight[];
}

/** `of`: only those of these venue records. */
export async function loadCoListings(db: Kysely<Database>, of?: readonly string[]): Promise<CoListedNight[]> {
  const condition = of ? sql`left_id = any(${of}::uuid[]) or right_id = any(${of}::uuid[])` : sql`true`;
  const { rows } = await sql<Omit<CoListedNight, 'startsAt'> & { starts: number }>`
    select left_id as left, right_id as right, night::text as night, (extract(epoch from starts_at) * 1000)::float8 as starts, title,
      kinship, is_contradicted as "isContradicted"
    from co_listing where ${condition} order by left_id, right_id, night`.execute(db);
  return rows.map(({ starts, ...row }) => ({ ...row, startsAt: Math.round(starts) }));
}

/** A contradiction stays once it was found. */
export async function writeCoListings(trx: Transaction<Database>, nights: readonly CoListedNight[]): Promise<void> {
  if (nights.length === 0) return;
  const rows = nights.map(({ left, right, night, startsAt, title, kinship, isContradicted }) => {
    const starts_at = new Date(startsAt).toISOString();
    return { left_id: left, right_id: right, night, starts_at, title, kinship, is_contradicted: isContradicted };
  });
  await sql`
    insert into co_listing (left_id, right_id, night, starts_at, title, kinship, is_contradicted)
    select left_id, right_id, night, starts_at, title, kinship, is_contradicted
    from json_to_recordset(${JSON.stringify(rows)}::json) as r (left_id uuid, right_id uuid, night date, starts_at timestamptz, title text,
      kinship text, is_contradicted boolean)
    where exists (select from ${RECORD_IDS} as record where id = left_id)
      and exists (select from ${RECORD_IDS} as record where id = right_id)
    on conflict (left_id, right_id, night) do update set
      is_contradicted = co_listing.is_contradicted or excluded.is_contradicted, kinship = excluded.kinship`.execute(trx);
}

/**
 * Pairs that were listed as one on enough nights, with different titles, and never as two. A pair about which a person has decided is
 * the person's.
 */
export function learnedAliases(
  nights: readonly CoListedNight[],
  decisions: readonly { left: string; right: string }[],
): LearnedAlias[] {
  const decided = new Set(decisions.map(pairKey));
  const pairs = Map.groupBy(nights, pairKey);
  return [...pairs].flatMap(([key, known]): LearnedAlias[] => {
    const [first] = known;
    if (!first || decided.has(key) || known.some(({ isContradicted }) => isContradicted)) return [];
    const titles = new Set(known.map(({ title }) => title.normalize('NFKC').toLowerCase()));
    const { nights: minNights, titles: minTitles } = ENOUGH[first.kinship];
    const isEnough = known.length >= minNights && titles.size >= minTitles;
    return isEnough
      ? [{ left: first.left, right: first.right, nights: known.toSorted((a, b) => (a.night < b.night ? -1 : 1)) }]
      : [];
  });
}

const pairKey = ({ left, right }: { left: string; right: string }): string =>
  left < right ? `${left} ${right}` : `${right} ${left}`;

/** The fewest nights, and titles on them: the same title night after night may be a series that two houses have. */
const ENOUGH: Readonly<Record<CoListingKinship, { nights: number; titles: number }>> = {
  namesake: { nights: 2, titles: 1 },
  alias: { nights: 3, titles: 1 },
  near: { nights: 3, titles: 2 },
  different: { nights: 3, titles: 3 },
};
