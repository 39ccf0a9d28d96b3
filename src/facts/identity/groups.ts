/** Groups that grow by joining two at a time, and refuse a join that would bring together what is different. */

/** How two members stand. Two that are `open` may be in one group, and are no reason to join theirs. */
export type PairStatus = 'same' | 'different' | 'open';

interface Group {
  /** The least of its ids. */
  name: string;
  members: string[];
  /** What persons joined: each a part of the group that counts as one member. */
  units: Set<string>;
}

/** Ids are unique. What comes out depends on the order of the calls, which is the caller's to fix. */
export function createGroups(ids: readonly string[], standing: (left: string, right: string) => PairStatus) {
  const groupOf = new Map<string, Group>(ids.map((id) => [id, { name: id, members: [id], units: new Set([id]) }]));
  const membersOfUnit = new Map<string, string[]>();
  const heldApart = new Map<string, Set<string>>();

  const group = (id: string): Group => groupOf.get(id) ?? { name: id, members: [id], units: new Set([id]) };

  function merge(a: Group, b: Group): void {
    const [kept, other] = a.name < b.name ? [a, b] : [b, a];
    kept.members.push(...other.members);
    for (const unit of other.units) kept.units.add(unit);
    for (const id of other.members) groupOf.set(id, kept);
  }

  const isHeldApart = (a: Group, b: Group): boolean =>
    a.members.some((left) => b.members.some((right) => heldApart.get(left)?.has(right)));

  function areDifferent(a: string, b: string): boolean {
    const [left, right] = [membersOfUnit.get(a) ?? [a], membersOfUnit.get(b) ?? [b]];
    const between = left.flatMap((one) => right.map((other) => standing(one, other)));
    return between.includes('different') && !between.includes('same');
  }

  const mayJoin = (left: string, right: string): boolean => {
    const [a, b] = [group(left), group(right)];
    if (a === b || isHeldApart(a, b)) return false;
    return ![...a.units].some((one) => [...b.units].some((other) => areDifferent(one, other)));
  };

  return {
    /** Never joined from now on, whatever comes. */
    holdApart(left: string, right: string): void {
      for (const [one, other] of [
        [left, right],
        [right, left],
      ] as const)
        heldApart.set(one, (heldApart.get(one) ?? new Set()).add(other));
    },

    /** Before any other join. What a person joined is different from another only where no pair between them is the same. */
    joinByPerson(left: string, right: string): void {
      const [a, b] = [group(left), group(right)];
      if (a === b || isHeldApart(a, b)) return;
      merge(a, b);
      const whole = group(left);
      whole.units = new Set([whole.name]);
      membersOfUnit.set(whole.name, whole.members.slice());
    },

    join(left: string, right: string): void {
      if (mayJoin(left, right)) merge(group(left), group(right));
    },

    mayJoin,
    nameOf: (id: string): string => group(id).name,
    /** Ids, each in one group; sorted, in groups and between them. */
    all: (): string[][] =>
      [...new Set(groupOf.values())].map(({ members }) => members.sort()).sort((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1)),
  };
}
