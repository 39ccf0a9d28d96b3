/** Chance that repeats itself: everything of the demo city is drawn from one seed. */

export interface SeededRandom {
  /** [0, 1). */
  next(): number;
  /** A whole number, both ends included. */
  whole(from: number, to: number): number;
  chance(probability: number): boolean;
  /** Throws `RangeError` for an empty list. */
  pick<T>(list: readonly T[]): T;
  /** One of the entries, as often as its weight says. */
  weighted<T>(entries: readonly (readonly [value: T, weight: number])[]): T;
  /** `count` different entries, in random order; all of them when there are fewer. */
  sample<T>(list: readonly T[], count: number): T[];
}

/** Mulberry32, stirred by the words of `seed`, so that neighbours in a series have nothing in common. */
export function createRandom(...seed: readonly (string | number)[]): SeededRandom {
  let state = hash(seed.join('\u0000'));
  const next = (): number => {
    state = (state + MULBERRY_STEP) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  const pick = <T>(list: readonly T[]): T => {
    if (list.length === 0) throw new RangeError('nothing to pick from');
    return list[whole(0, list.length - 1)] as T;
  };
  const weighted = <T>(entries: readonly (readonly [T, number])[]): T => {
    let rest = next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [value, weight] of entries) {
      rest -= weight;
      if (rest < 0) return value;
    }
    return pick(entries)[0];
  };
  const sample = <T>(list: readonly T[], count: number): T[] => {
    const left = [...list];
    return Array.from({ length: Math.min(count, list.length) }, () => left.splice(whole(0, left.length - 1), 1)[0] as T);
  };
  return { next, whole, chance: (probability) => next() < probability, pick, weighted, sample };
}

/** FNV-1a over UTF-16 units, then mixed (murmur3's finalizer): 32 bits that differ in every place. */
export function hash(text: string): number {
  let h = FNV_OFFSET;
  for (let index = 0; index < text.length; index += 1) h = Math.imul(h ^ text.charCodeAt(index), FNV_PRIME);
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

const MULBERRY_STEP = 0x6d2b79f5;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
