/** A change log that is known in full and never grows: of a city that stands beside the directory. */

import type { Clock } from '../clock.ts';
import type { NumberedChange } from '../records/index.ts';
import { ALWAYS_LOOK } from '../store/index.ts';
import { type ChangeQuery, type ChangeReader, createHeadWatch, recordIn } from './read-changes.ts';

export interface FixedChangesOptions {
  /** Numbered from 1, in order. */
  changes: readonly NumberedChange[];
  epoch: string;
  /** Directory time, milliseconds. */
  now: Clock;
}

export function createFixedChanges({ changes, epoch, now }: FixedChangesOptions): ChangeReader {
  const state = { epoch, history: '', head: changes.length, citySeq: 0 };

  function select({ after, entities, kinds, latestOnly }: ChangeQuery): NumberedChange[] {
    const chosen = changes.filter(({ seq, entity, kind }) => seq > after && entities.includes(entity) && kinds.includes(kind));
    if (!latestOnly) return chosen;
    const last = new Map(chosen.map(({ entity, entityId, seq }) => [`${entity} ${entityId}`, seq]));
    return chosen.filter(({ entity, entityId, seq }) => last.get(`${entity} ${entityId}`) === seq);
  }

  return {
    state: async () => state,
    lastBefore: async (moment) => changes.findLast(({ at }) => at < moment)?.seq ?? 0,
    async read(query) {
      const chosen = select(query);
      const page = chosen.slice(0, query.limit);
      const hasMore = page.length < chosen.length;
      const reached = hasMore ? (page.at(-1)?.seq ?? query.after) : Math.max(query.after, state.head);
      const moment = now();
      return {
        ...state,
        reached,
        hasMore,
        changes: page.map((change) => ({ ...change, record: recordIn(query.snapshot, change, moment) })),
      };
    },
    waitBeyond: createHeadWatch(async () => state, ALWAYS_LOOK),
  };
}
