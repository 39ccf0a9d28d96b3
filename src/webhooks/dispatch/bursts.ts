/** Changes of one burst are several pages of the log, and are told as one: an event enters or leaves a saved query once. */

import type { LoggedChange, Snapshot } from '../../search/index.ts';

/** All that one snapshot holds beyond a position. */
export interface Burst {
  now: Snapshot;
  /** What the directory was before the first page; null: not known. */
  before: Snapshot | null;
  /** Records of earlier pages, with the number of their last change there: their entering or leaving has been told. */
  told: Map<string, number>;
}

export const beginBurst = (now: Snapshot, before: Snapshot | null = null): Burst => ({ now, before, told: new Map() });

/** Afterwards the page is an earlier one of its burst. */
export function addTold({ told }: Burst, page: readonly LoggedChange[]): void {
  for (const { seq, entityId } of page) if (entityId !== null) told.set(entityId, seq);
}

export interface Bursts {
  /** The burst that the page after a position is of. Where nothing is known, and where numbers were lost, a new one begins. */
  at(position: number, current: Snapshot): Burst;
  /** Its changes up to a position were told. */
  reach(burst: Burst, position: number): void;
  forget(): void;
}

export function createBursts(): Bursts {
  let reached: { burst: Burst; position: number } | null = null;
  return {
    at(position, current) {
      if (reached?.position !== position || reached.burst.now.history !== current.history) return beginBurst(current);
      const { burst } = reached;
      return position === burst.now.seq ? beginBurst(current, burst.now) : burst;
    },
    reach(burst, position) {
      reached = { burst, position };
    },
    forget() {
      reached = null;
    },
  };
}
