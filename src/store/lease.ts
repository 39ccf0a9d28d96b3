/**
 * Work that one process does at a time, whichever it is. A holder that slept too long loses its lease, and its next check says so: the
 * token grows with every holder, so an old one can never pass. Times are the database's, so clocks of machines do not matter.
 */

import { type Kysely, sql } from 'kysely';
import type { Database } from './schema.ts';

export interface Lease {
  /** Whether this is still the holder; prolongs the lease. Inside a transaction it also keeps others from taking it before the commit. */
  prolong(handle?: Kysely<Database>): Promise<boolean>;
  /** The next one need not wait. Does nothing when somebody else holds it already. */
  release(): Promise<void>;
}

/**
 * Null when another holds it. `seconds`: how long it lasts when the holder says nothing more, an hour at most. One that ends later was
 * taken while the clock was ahead by mistake: nobody holds it.
 */
export async function tryLease(db: Kysely<Database>, name: string, seconds: number): Promise<Lease | null> {
  const { rows } = await sql<{ token: string }>`
    insert into lease (name, token, until) values (${name}, 1, now() + make_interval(secs => ${seconds}))
    on conflict (name) do update set token = lease.token + 1, until = excluded.until
      where lease.until < now() or lease.until > now() + make_interval(hours => ${MAX_HOURS})
    returning token`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const { token } = row;
  return {
    async prolong(handle = db) {
      const held = await sql`
        update lease set until = now() + make_interval(secs => ${seconds}) where name = ${name} and token = ${token}
        returning token`.execute(handle);
      return held.rows.length > 0;
    },
    async release() {
      await sql`update lease set until = to_timestamp(0) where name = ${name} and token = ${token}`.execute(db);
    },
  };
}

/** For a name that nobody will ask for again. */
export async function forgetLease(db: Kysely<Database>, name: string): Promise<void> {
  await db.deleteFrom('lease').where('name', '=', name).execute();
}

const MAX_HOURS = 1;
