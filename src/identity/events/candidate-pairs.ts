/** Which of many are to be compared at all. */

/** Each pair that shares a key, once. Linear in the number of pairs; keys of one item may repeat. */
export function* candidatePairs<T>(items: Iterable<T>, keysOf: (item: T) => Iterable<string>): Generator<[T, T]> {
  const met: T[] = [];
  const byKey = new Map<string, number[]>();
  /** By number of an item: the last one it was paired with. */
  const lastPaired: number[] = [];
  for (const item of items) {
    const number = met.push(item) - 1;
    for (const key of keysOf(item)) {
      const block = blockOf(byKey, key);
      for (const other of block) {
        if (other === number || lastPaired[other] === number) continue;
        lastPaired[other] = number;
        yield [met[other] as T, item];
      }
      if (block.at(-1) !== number) block.push(number);
    }
  }
}

/** The numbers of the items that have this key; begun when it is the first. */
function blockOf(byKey: Map<string, number[]>, key: string): number[] {
  const known = byKey.get(key);
  if (known !== undefined) return known;
  const block: number[] = [];
  byKey.set(key, block);
  return block;
}
