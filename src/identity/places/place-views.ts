/** The ways in which two names can be read against each other: as one place, as a room and its house, as two rooms. */

import { type Alignment, alignWords, isNameWord } from './place-alignment.ts';
import { isEqual } from './place-likeness.ts';
import type { PlaceName } from './place-name.ts';
import { ALWAYS_PARTS, CAMPUSES, KIND_WORDS, NAMED_AFTER_GROUNDS, OPEN_GROUNDS, PARTS } from './place-words.ts';

/**
 * If what is compared is equal, then the first is the same as the second, a room of it, has it as a room, or both are rooms of one house.
 * `namesakes`: one is only called after the other.
 */
export interface View {
  relation: 'same' | 'room_of' | 'has_room' | 'rooms' | 'namesakes';
  names: Alignment;
  /** The room may be a label of the branch: `Library - Flatbush`. */
  isLabel?: boolean;
  /** Only the room of one name is compared, which may be a place by itself. */
  isPart?: boolean;
}

/** At least one. */
export function viewsOf(a: PlaceName, b: PlaceName): View[] {
  const whole: View = { relation: 'same', names: alignWords(a.words, b.words) };
  if (isEqual(whole.names)) return [whole];
  if (a.room !== null && b.room !== null) return roomsOf(a, b);
  if (a.room !== null) return roomAndHouse(a, b, 'room_of', whole);
  if (b.room !== null) return roomAndHouse(b, a, 'has_room', whole);
  return [partOf(a, b, whole) ?? whole];
}

/** Two rooms: where their names agree, one if the houses are one; else two, of one house or of two. */
function roomsOf(a: PlaceName, b: PlaceName): View[] {
  const isOneRoom = a.room === b.room || isEqual(alignWords(a.roomWords, b.roomWords));
  return [{ relation: isOneRoom ? 'same' : 'rooms', names: alignWords(a.houseWords, b.houseWords) }];
}

/** A room and a name without one, which is that of its house, or of the room itself (`The Summer Club at Raven Hotel`). */
function roomAndHouse(room: PlaceName, other: PlaceName, relation: 'room_of' | 'has_room', whole: View): View[] {
  const views: View[] = [];
  const house = alignWords(room.houseWords, other.words);
  // `Rugby` may be the `Rugby Library`; but neither `Central Park SummerStage` nor the `Bryant Park Hotel` is the house of what lies in the park.
  const isHouse = house.namesB === 0 && (house.restB.length === 0 || !KIND_WORDS.has(room.houseWords.at(-1) ?? ''));
  if (isHouse) views.push({ relation, names: house, isLabel: room.isLabel });
  if (room.roomWords.some(isNameWord))
    views.push({ relation: 'same', names: alignWords(room.roomWords, other.words), isPart: true });
  return room.isSureRoom && views.length > 0 ? views : [whole, ...views];
}

/** The full name of the other and a word for a part: `Bellefield Hall Gym`, `Astoria Park Lawn`. */
function partOf(a: PlaceName, b: PlaceName, { names }: View): View | null {
  const aIsHouse = names.restA.length === 0;
  if (!aIsHouse && names.restB.length > 0) return null;
  const [house, longer] = aIsHouse ? [a.words, b.words] : [b.words, a.words];
  if (!house.every((word, index) => word === longer[index])) return null;
  // `Park` alone is no house of which every other park around would be a part; nor would `Blocks` find them for each other.
  if (house.length === 1 && !house.some(isNameWord)) return null;
  const [kind, part] = [house.at(-1) ?? '', longer.at(-1) ?? ''];
  if (isPart({ kind, part, rest: longer.slice(house.length) }) && !isSquareAndPark(kind, part))
    return { relation: aIsHouse ? 'has_room' : 'room_of', names: alignWords(house, house) };
  const isNamesake = OPEN_GROUNDS.has(kind) && NAMED_AFTER_GROUNDS.has(part) && house.some(isNameWord);
  return isNamesake ? { relation: 'namesakes', names } : null;
}

/** `kind` and `part`: the last words of the house and of the longer name; `rest`: the words that the longer name has beside the house. */
function isPart({ kind, part, rest }: { kind: string; part: string; rest: readonly string[] }): boolean {
  if (CAMPUSES.has(kind)) return true;
  if (OPEN_GROUNDS.has(kind)) return !NAMED_AFTER_GROUNDS.has(part) || rest.some((word) => ALWAYS_PARTS.has(word));
  return rest.some((word) => ALWAYS_PARTS.has(word) || (KIND_WORDS.has(kind) && PARTS.has(word)));
}

/** `Washington Square` is the `Washington Square Park`. */
const isSquareAndPark = (kind: string, part: string): boolean => part === 'park' && kind !== 'park';
