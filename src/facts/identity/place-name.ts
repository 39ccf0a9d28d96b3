/** The name of a place, taken apart: the house, the room in it, and what is only decoration. */

import type { PlaceFacts } from './compared-facts.ts';
import { nameWords } from './names.ts';
import { isNameWord } from './place-alignment.ts';
import {
  AREAS,
  CAMPUSES,
  FAR_CITIES,
  GROUNDS,
  INNER_ROOMS,
  KIND_WORDS,
  NAMED_AFTER_GROUNDS,
  NOWHERE,
  NUMBERED_ROOMS,
  OPEN_GROUNDS,
  ROOM_SIZES,
  ROOM_WORDS,
  STREET_WORDS,
  TRAILING_ROOMS,
} from './place-words.ts';

export interface PlaceName {
  /** What is named: a house (or park, square, market), the corner of two streets, or nothing that lies anywhere (`Brooklyn`, `TBA`). */
  kind: 'house' | 'corner' | 'nowhere';
  /** Comparison key of the house: its words in one spelling, joined by blanks. Of a corner: its streets, sorted. '' for nowhere. */
  house: string;
  /** Comparison key of the room; null for the house itself. */
  room: string | null;
  /** A room by its words (`Stage 3`) or its form (`X at Y`, `X (in Y)`); what only follows a dash may be a label: `Library - Flatbush`. */
  isSureRoom: boolean;
  /** What follows a dash and names no room: a branch, a quarter, or a room of an unusual name. */
  isLabel: boolean;
  /** All words of the name; those of house and room; without areas at the end. */
  words: readonly string[];
  houseWords: readonly string[];
  roomWords: readonly string[];
}

/**
 * Reads `Elsewhere – Zone One`, `Elsewhere (Rooftop)`, `Play Area (in Bowne Playground)`, `Central Park: Cop Cot`, `Rugby, Meeting Room`,
 * `Ruins at Knockdown Center`, `59E59 Theaters Theater A`, `57th Street at Ninth Avenue`. Never throws; any text gives an answer.
 */
export function placeName(name: string): PlaceName {
  const known = remembered.get(name);
  if (known) return known;
  const read = readName(name);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(name, read);
  return read;
}

/** The name of a place without the area of the city that it ends with: `Tin Palace - Copper Hill`. */
export function placeNameOf({ name, quarter }: Pick<PlaceFacts, 'name' | 'quarter'>): PlaceName {
  return placeName(quarter === undefined ? name : (lastPart(name)?.rest ?? name));
}

/** What follows the last dash or comma of a name, or stands in brackets at its end; null for a name of one part. */
export function lastPart(name: string): { rest: string; last: string } | null {
  const [, rest, last] = LAST_PART.exec(name.slice(0, MAX_CHARS).trim()) ?? [];
  return rest && last ? { rest: rest.trim(), last: last.trim() } : null;
}

/** Two places of one key have exactly the same name, with or without blanks: `Night Club` is `Nightclub`. */
export const placeKey = ({ house, room }: Pick<PlaceName, 'house' | 'room'>): string =>
  `${house}\n${room ?? ''}`.replaceAll(' ', '');

function readName(name: string): PlaceName {
  const text = name.slice(0, MAX_CHARS).replace(/\s+/g, ' ').trim();
  const whole = nameWords(text).join(' ');
  // `Location TBA, Brooklyn`.
  const beginning = nameWords(text.split(',')[0] ?? '').join(' ');
  if (whole === '' || (AREAS.has(whole) && !FAR_CITIES.has(whole)) || NOWHERE.has(whole) || NOWHERE.has(beginning))
    return { ...HOUSE, kind: 'nowhere' };
  const words = withoutArea(nameWords(text));
  const corner = cornerOf(text);
  if (corner)
    return { ...HOUSE, kind: 'corner', house: corner.join(' / '), words: corner.flatMap((street) => street.split(' ')) };
  const split = splitName(text);
  const houseWords = withoutArea(nameWords(split.house));
  const roomWords = withoutHouse(nameWords(split.room ?? ''), houseWords);
  const [house, room] = [houseWords.join(' '), roomWords.join(' ')];
  if (house === '' || room === '' || room === house) {
    const own = house === '' ? (room === '' ? words : roomWords) : houseWords;
    return { ...HOUSE, house: own.join(' '), words: own, houseWords: own };
  }
  return {
    kind: 'house',
    house,
    room,
    isSureRoom: !split.isLabel,
    isLabel: split.isLabel === true && !isGrounds(split.house),
    words,
    houseWords,
    roomWords,
  };
}

/** `Astoria Park Lawn (in Astoria Park)`: the room is the lawn. */
function withoutHouse(room: readonly string[], house: readonly string[]): readonly string[] {
  return room.length > house.length && house.every((word, index) => word === room[index]) ? room.slice(house.length) : room;
}

const HOUSE: PlaceName = {
  kind: 'house',
  house: '',
  room: null,
  isSureRoom: false,
  isLabel: false,
  words: [],
  houseWords: [],
  roomWords: [],
};

/** The two parts as written; the signs are tried from the clearest to the vaguest. */
interface Split {
  house: string;
  room: string | null;
  isLabel?: boolean;
}

function splitName(text: string): Split {
  for (const rule of RULES) {
    const found = rule(text);
    if (found) return found;
  }
  return { house: text, room: null };
}

type Rule = (text: string) => Split | null;

/** `Play Area (in Bowne Playground)`. */
const inHouse: Rule = (text) => {
  const [, room, house] = /^(.+?)\s*\((?:in|at)\s+(?:the\s+)?([^()]+)\)$/i.exec(text) ?? [];
  return room && house ? { house, room } : null;
};

/** `Elsewhere (Rooftop)`; brackets that name no room are decoration: `Fulton Market (indoor farmers market)`. */
const inBrackets: Rule = (text) => {
  const [, house, inside] = /^(.+?)\s*[([]([^()[\]]+)[)\]]$/.exec(text) ?? [];
  if (!house || !inside) return null;
  if (isGrounds(house) && !isArea(inside)) return { house, room: inside };
  return isRoom(inside) ? { house: splitName(house).house, room: joined(splitName(house).room, inside) } : splitName(house);
};

/** `Central Park: Cop Cot`. */
const afterColon: Rule = (text) => {
  const [, house, room] = /^([^:]+?)\s*:\s*(.+)$/.exec(text) ?? [];
  return house && room ? { house, room } : null;
};

/** `Elsewhere – Zone One`, `BPL- Macon Library`, `Brottier Hall - Duquesne University`; `Ambassador Theatre-NY` only loses the state. */
const afterDash: Rule = (text) => {
  const [, bare, area] = /^(.+?)\s*[-–—|]\s*([^-–—|]+)$/.exec(text) ?? [];
  if (bare && area && isArea(area)) return splitName(bare);
  const [, left, right] = /^(.+?)(?:\s+[-–—|]\s*|\s*[-–—|]\s+)(.+)$/.exec(text) ?? [];
  if (!left || !right) return null;
  if ((isGrounds(right) && !isGrounds(left)) || isRoomOf(left, right)) return { house: right, room: left };
  return { house: left, room: right, isLabel: !isRoom(right) };
};

/** `Rugby, Meeting Room`; `Great Lawn, Central Park` is the other way round; `Superfine, Dumbo` only loses the area. */
const afterComma: Rule = (text) => {
  const [, left, right] = /^([^,]+?)\s*,\s*(.+)$/.exec(text) ?? [];
  if (!left || !right) return null;
  if (isArea(right)) return splitName(left);
  if ((isGrounds(right) && !isGrounds(left)) || isRoomOf(left, right)) return { house: right, room: left };
  return isRoom(right) ? { house: left, room: right } : null;
};

/** `Ruins at Knockdown Center`. */
const atHouse: Rule = (text) => {
  const [, room, house] = /^(.+?)\s+(?:at|@|inside)\s+(?:the\s+)?(.+)$/i.exec(text) ?? [];
  return room && house && !isArea(house) ? { house, room } : null;
};

/** `The Sultan Room Rooftop`, `New World Stages Stage 3`. */
const trailingRoom: Rule = (text) => {
  const words = text.split(' ');
  const last = spelled(words.at(-1));
  if (words.length > 1 && TRAILING_ROOMS.has(last)) return cutBefore(words, words.length - 1);
  const isNumbered = words.length > 2 && ROOM_NUMBER.test(last) && NUMBERED_ROOMS.has(spelled(words.at(-2)));
  return isNumbered ? cutBefore(words, words.length - 2) : null;
};

/** `Astoria Park Tennis Courts`, `Union Square Greenmarket`, `Lehman College Concert Hall`: the name of grounds, then of a part of them. */
const onGrounds: Rule = (text) => {
  const words = text.split(' ');
  const last = spelled(words.at(-1));
  const at = words.findIndex(
    (word, index) => index > 0 && isGroundsWord(word) && !JOINS.test(words[index + 1] ?? '') && !isGroundsWord(words[index + 1]),
  );
  if (at < 0 || at === words.length - 1 || !ROOM_WORDS.has(last)) return null;
  return NAMED_AFTER_GROUNDS.has(last) && !CAMPUSES.has(spelled(words[at])) ? null : cutBefore(words, at + 1);
};

const isGroundsWord = (word: string | undefined): boolean => OPEN_GROUNDS.has(spelled(word)) || CAMPUSES.has(spelled(word));
const cutBefore = (words: readonly string[], at: number) => ({
  house: words.slice(0, at).join(' '),
  room: words.slice(at).join(' '),
});

const RULES: readonly Rule[] = [inHouse, inBrackets, afterColon, afterDash, afterComma, atHouse, trailingRoom, onGrounds];

/** The streets of `57th Street at Ninth Avenue`, sorted; null when it is no corner. */
function cornerOf(text: string): string[] | null {
  const streets = text.split(CORNER_SIGNS);
  if (streets.length !== 2 || BRACKETS.test(text)) return null;
  const keys = streets.map((street) => withoutArea(nameWords(street)));
  const areStreets = keys.every(
    (words) => words.length <= MAX_STREET_WORDS && words.some((word) => STREET_WORDS.has(word) || ORDINAL.test(word)),
  );
  return areStreets ? keys.map((words) => words.join(' ')).sort() : null;
}

/** Not of the `Music Hall of Williamsburg`, which would be any music hall. */
function withoutArea(words: readonly string[]): readonly string[] {
  for (const length of [3, 2, 1]) {
    const rest = words.slice(0, -length);
    if (rest.some(isNameWord) && AREAS.has(words.slice(-length).join(' '))) return withoutArea(rest);
  }
  return words;
}

const isArea = (text: string): boolean => AREAS.has(nameWords(text).join(' '));
const isRoom = (text: string): boolean => nameWords(text).some((word) => ROOM_WORDS.has(word) || /^\d{1,2}$/.test(word));
/** `Community Room - Heron Library`: the first only says what kind of room it is, and the second is the name of a house. */
function isRoomOf(first: string, second: string): boolean {
  const [room, house] = [nameWords(first), nameWords(second)];
  const isHouse = house.length > 1 && house.some(isNameWord) && KIND_WORDS.has(house.at(-1) ?? '');
  return isHouse && saysRoomAlone(room);
}

/** `Community Room`, `Meeting Room B`, `2nd Floor`: a word for a room, and no word that would tell one house from another. */
function saysRoomAlone(words: readonly string[]): boolean {
  const told = words.filter((word) => !ROOM_NUMBER.test(word) && !ORDINAL.test(word) && !ROOM_SIZES.has(word));
  return (
    told.some((word) => INNER_ROOMS.has(word)) &&
    !told.some((word) => isNameWord(word) && !ROOM_WORDS.has(word) && !INNER_ROOMS.has(word))
  );
}

const isGrounds = (text: string): boolean => GROUNDS.has(nameWords(text).at(-1) ?? '');
const joined = (first: string | null, second: string): string => (first === null ? second : `${first} ${second}`);
const spelled = (word: string | undefined): string => nameWords(word ?? '')[0] ?? '';

/**
 * Houses that may stand as a whole in the name of one of their rooms, by their comparison key: of `Story Time @ Heron Library`, `Heron Library Community Room` and `Stage 2 (Kestrel Theatre)`, the longest first. What
 * is written apart by a sign is a house if one is called exactly so. Within words the rest must say nothing but the room.
 */
export function houseKeysWithin(name: string): string[] {
  const text = name.slice(0, MAX_CHARS);
  const parts = text.split(SIGNS).map((part) => nameWords(part));
  const apart = parts.length > 1 ? parts.filter((words, at) => isHouse(words, parts.toSpliced(at, 1).flat())) : [];
  const within = [nameWords(text), ...(parts.length > 1 ? parts : [])].flatMap(withoutRoom);
  const longest = [...apart, ...within].sort((a, b) => b.length - a.length);
  return [...new Set(longest.map((words) => words.join(' ')))];
}

/** One word is a house only beside a room: `Garden Room - Elsewhere`. */
const isHouse = (words: readonly string[], rest: readonly string[]): boolean =>
  isNamed(words) && (words.length > 1 || saysRoomAlone(rest));

/** What is left of a name without the words for a room at its end or its start; grounds have rules of their own. */
function withoutRoom(words: readonly string[]): (readonly string[])[] {
  const found: (readonly string[])[] = [];
  for (let length = words.length - 1; length >= MIN_WORDS; length -= 1) {
    const [head, tail] = [words.slice(0, length), words.slice(-length)];
    if (isNamed(head) && !OPEN_GROUNDS.has(head.at(-1) ?? '') && saysRoomAlone(words.slice(length))) found.push(head);
    if (isNamed(tail) && saysRoomAlone(words.slice(0, -length))) found.push(tail);
  }
  return found;
}

/** A street is no house. */
const isNamed = (words: readonly string[]): boolean => words.some(isNameWord) && !STREET_WORDS.has(words.at(-1) ?? '');

/** A slash, a dash between blanks, and words for being inside stand between a room and its house. */
const SIGNS = /\s*[|:,;/()[\]@•·]\s*|\s+[-–—]+\s*|\s*[-–—]+\s+|\s+(?:at|in|inside|im|in der|au|à la|chez)\s+/iu;
/** A shorter name within words may be any word. */
const MIN_WORDS = 2;

/** Names repeat a great deal (rooms, blocks, pairs); reading one is the dearest part of a comparison. */
const MAX_REMEMBERED = 50_000;
const remembered = new Map<string, PlaceName>();
const MAX_CHARS = 200;
const LAST_PART = /^(.*[^\s,([–—|-])\s*(?:[-–—|]\s+|\s[-–—|]|,|[([])\s*([^,()[\]|–—]+?)[)\]]?$/;
const JOINS = /^(?:of|for|at|in|and|&|the|on)$/i;
const CORNER_SIGNS = /\s+(?:at|and|&|@)\s+|\s*\/\s*/i;
const BRACKETS = /[(:,]/;
const MAX_STREET_WORDS = 4;
const ORDINAL = /^\d+(?:st|nd|rd|th)$/;
const ROOM_NUMBER = /^(?:\d{1,3}|[a-z])$/;
