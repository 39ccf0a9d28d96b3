/** Which house a room belongs to. */

import type { createGroups } from '../groups.ts';
import type { Blocks } from './place-blocks.ts';
import type { GroupCandidate, Pair } from './place-groups.ts';
import { KIND_WORDS } from './place-words.ts';

/**
 * A room is in the likeliest house near it; else in the only house of the directory that has the name of its house; else in the only house
 * of its own provider that has it, with or without a word for its kind: `Rugby, Meeting Room` is in the `Rugby Library`.
 */
export function linkRooms(
  candidates: readonly GroupCandidate[],
  pairs: readonly Pair[],
  groups: ReturnType<typeof createGroups>,
  blocks: Blocks,
): { room: string; house: string }[] {
  const houseOf = new Map<string, string>();
  const link = (room: string, house: string): void => {
    const [from, to] = [groups.nameOf(room), groups.nameOf(house)];
    if (from !== to && !houseOf.has(from) && houseOf.get(to) !== from) houseOf.set(from, to);
  };
  for (const { left, right, found } of pairs) {
    if (found.relation === 'room_of') link(left.id, right.id);
    if (found.relation === 'has_room') link(right.id, left.id);
  }
  const ofProvider = Map.groupBy(
    candidates.filter(({ name }) => name.kind === 'house' && name.room === null),
    ({ provider, name }) => `${provider}\n${withoutKind(name.houseWords)}`,
  );
  const onlyOne = (houses: readonly GroupCandidate[]): string | null => {
    const names = new Set(houses.map(({ id }) => groups.nameOf(id)));
    const [first] = names;
    return names.size === 1 && first !== undefined ? first : null;
  };
  for (const { id, provider, name } of candidates) {
    if (!name.isSureRoom) continue;
    const anywhere = blocks.houses(name.house).flatMap((number) => candidates[number] ?? []);
    const house = onlyOne(ofProvider.get(`${provider}\n${name.house}`) ?? []) ?? onlyOne(anywhere);
    if (house !== null) link(id, house);
  }
  return [...houseOf].map(([room, house]) => ({ room, house })).sort((a, b) => (a.room < b.room ? -1 : 1));
}

/** Without the one word at the end that says what kind of house it is. */
const withoutKind = (words: readonly string[]): string =>
  (words.length > 1 && KIND_WORDS.has(words.at(-1) ?? '') ? words.slice(0, -1) : words).join(' ');
