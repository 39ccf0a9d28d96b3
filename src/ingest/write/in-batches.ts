/** Work cut into transactions: what touches the same record of the directory is never parted. */

/** `keysOf` names all that an item touches. Batches have at least `size` items where there are as many; the order is kept otherwise. */
export function inBatches<T>(items: readonly T[], keysOf: (item: T) => readonly string[], size: number): T[][] {
  const leader = items.map((_, index) => index);
  const find = (index: number): number => {
    let at = index;
    while (leader[at] !== at) {
      const above = leader[leader[at] ?? at] ?? at;
      leader[at] = above;
      at = above;
    }
    return at;
  };
  const firstWith = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    for (const key of keysOf(item)) {
      const other = firstWith.get(key);
      if (other === undefined) firstWith.set(key, index);
      else leader[find(index)] = find(other);
    }
  }
  const connected = Map.groupBy(items.entries(), ([index]) => find(index));
  const batches: T[][] = [];
  for (const entries of connected.values()) {
    const last = batches.at(-1);
    const together = [...entries].map(([, item]) => item);
    if (last && last.length < size) last.push(...together);
    else batches.push(together);
  }
  return batches;
}
