/**
 * Answers that were just given, by the address they were asked at, without their bodies: callers ask the same again and again, and most
 * answers stay right until an event starts or the directory changes.
 */

import type { Snapshot } from '../search/index.ts';
import type { HeadLines } from './head-lines.ts';
import type { Encoding } from './negotiation.ts';

export interface HeldAnswer {
  etag: string;
  /** Names its body in the cache of bodies. */
  bodyKey: string;
  /** The headers of a 304, of a 200 whose body is sent plain, and of one that is compressed, as they are needed. */
  unchanged: HeadLines;
  plain: HeadLines;
  encoded?: Partial<Record<Encoding, HeadLines>>;
}

export interface HeldAnswers {
  /** `target`: the address as sent; `now`: directory time, ms. */
  get(target: string, snapshot: Snapshot, now: number): HeldAnswer | undefined;
  /** `now`: when it was given; `until`: before when it is right. */
  put(target: string, snapshot: Snapshot, answer: HeldAnswer, now: number, until: number): void;
}

interface Entry {
  answer: HeldAnswer;
  since: number;
  until: number;
}

export function createHeldAnswers(): HeldAnswers {
  let answers = new Map<string, Entry>();
  // Held weakly: an old snapshot is large, and nobody may ask for long.
  let of: WeakRef<Snapshot> | null = null;

  return {
    get(target, snapshot, now) {
      if (of?.deref() !== snapshot) return undefined;
      const entry = answers.get(target);
      // A clock that was set back knows nothing of what was right then.
      return entry && now >= entry.since && now < entry.until ? entry.answer : undefined;
    },
    put(target, snapshot, answer, since, until) {
      if (target.length > LONGEST_HELD) return;
      if (of?.deref() !== snapshot || answers.size >= MOST_HELD) {
        answers = new Map();
        of = new WeakRef(snapshot);
      }
      answers.set(target, { answer, since, until });
    },
  };
}

const MOST_HELD = 1_000;
/** Characters; longer addresses are seldom asked twice. */
const LONGEST_HELD = 300;
