/** What an operator wants to know of the directory that its lists do not say: what is kept out of them, and what changed last. */

import { type Kysely, sql } from 'kysely';
import type { Database } from '../../store/index.ts';
import { mayStart } from './may-start.ts';

type Store = { db: Kysely<Database> };

export interface OutOfLists {
  /** To come, but listed by no source for too long. */
  unlisted: number;
  /** To come, but hidden by an operator. */
  hidden: number;
  /** Still listed, though no source says it any longer. */
  unconfirmed: number;
}

export async function countOutOfLists({ store, now }: { store: Store; now: number }): Promise<OutOfLists> {
  const { rows } = await sql<OutOfLists>`
    select (select count(*)::int from event where state = 'unlisted' and ${mayStart(now)}) as unlisted,
      (select count(*)::int from event where state = 'hidden' and ${mayStart(now)}) as hidden,
      (select count(*)::int from event where unconfirmed_since is not null and state = 'published' and ${mayStart(now)}) as unconfirmed`.execute(
    store.db,
  );
  return rows[0] ?? { unlisted: 0, hidden: 0, unconfirmed: 0 };
}

export interface ChangeLine {
  at: number;
  kind: string;
  entity: 'city' | 'neighborhood' | 'venue' | 'event';
  id: string | null;
  /** Title or name as it is now; null where it is known no longer. */
  title: string | null;
}

/** The latest first. Scores that moved are left out: they move every hour. */
export async function readLastChanges({ store, limit = 10 }: { store: Store; limit?: number }): Promise<ChangeLine[]> {
  const { rows } = await sql<Omit<ChangeLine, 'at'> & { at: Date }>`
    select at, last.kind, entity, entity_id as id, coalesce(event.title, venue.name, neighborhood.name) as title
    from (select * from change where seq > (select max(seq) from change) - ${MAX_LOOKED_AT} and kind <> 'scored' order by seq desc limit ${limit}) as last
      left join event on event.id = entity_id left join venue on venue.id = entity_id left join neighborhood on neighborhood.id = entity_id
    order by seq desc`.execute(store.db);
  return rows.map(({ at, ...line }) => ({ ...line, at: at.getTime() }));
}

/** How many records there are, of all states. */
export async function countRecords(db: Kysely<Database>): Promise<Record<'neighborhood' | 'venue' | 'event', number>> {
  const { rows } = await sql<Record<'neighborhood' | 'venue' | 'event', number>>`
    select (select count(*)::int from neighborhood) as neighborhood, (select count(*)::int from venue) as venue,
      (select count(*)::int from event) as event`.execute(db);
  return rows[0] ?? { neighborhood: 0, venue: 0, event: 0 };
}

/** How many sources the published events name. Reads every event, so it is asked seldom. */
export async function countNamedSources(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct source)::integer as count from event, unnest(sources) as source where state = 'published'`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Changes that are looked through for ones that are worth telling. */
const MAX_LOOKED_AT = 5_000;
