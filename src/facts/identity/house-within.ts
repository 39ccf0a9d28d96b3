/** Houses that may stand as a whole in the name of one of their rooms, by the comparison key of a house. */

import { nameWords } from './names.ts';
import { isNameWord } from './place-alignment.ts';
import { saysRoomAlone } from './place-name.ts';
import { OPEN_GROUNDS, STREET_WORDS } from './place-words.ts';

/**
 * The keys of `Story Time @ Harbor Library`, `Harbor Library Community Room` and `Stage 2 (Kestrel Theatre)`, the longest first. What
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
const MAX_CHARS = 200;
