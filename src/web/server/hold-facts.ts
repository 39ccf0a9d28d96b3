/** Facts that are expensive to read, made at most once in a while for all readers: a page that many look at must not slow the API. */

import type { Store } from '../../store/index.ts';
import type { Rooms } from './rooms.ts';

export interface HeldRooms extends Pick<Rooms, 'store'> {
  /** Whether the database is away: then what was read before is still given. */
  isAway(): boolean;
}

/** What `read` gave of a store, for `heldMs`; a failure is not held. `now`: milliseconds. */
export function holdFacts<Facts, From extends HeldRooms>(
  heldMs: number,
  now: () => number,
  read: (rooms: From) => Promise<Facts>,
): (rooms: From) => Promise<Facts> {
  const held = new WeakMap<Store, { facts: Promise<Facts>; until: number }>();
  return (rooms) => {
    const { store } = rooms;
    const before = held.get(store);
    if (before && now() < before.until) return before.facts;
    const facts = read(rooms).catch((error: unknown) => {
      if (!before || !rooms.isAway()) throw error;
      return before.facts;
    });
    held.set(store, { facts, until: now() + heldMs });
    facts.catch(() => held.delete(store));
    return facts;
  };
}
