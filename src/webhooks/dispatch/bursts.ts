/** Changes of one burst are several pages of the log, and are told as one: an event enters or leaves a saved query once. */

import type { Snapshot } from '../../search/index.ts';

/** All that one snapshot holds beyond a position. */
export interface Burst {
  now: Snapshot;
  /** What the directory was before the first page; null: not known. */
  before: Snapshot | null;
  /** Endpoints and records, in one text: that the record entered or left was told on an earlier page. */
  told: Set<string>;
}

export const beginBurst = (now: Snapshot, before: Snapshot | null = null): Burst => ({ now, before, told: new Set() });

export interface Bursts {
  /** The burst that the page after a position is of. Where nothing is known, and where numbers were lost, a new one begins. */
  at(position: number, current: Snapshot): Burst;
  /** Its changes up to a position were told. `moved`: what is added to `told`. */
  reach(burst: Burst, position: number, moved: readonly string[]): void;
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
    reach(burst, position, moved) {
      for (const move of moved) burst.told.add(move);
      reached = { burst, position };
    },
    forget() {
      reached = null;
    },
  };
}
