/**
 * Texts of sources are data. They may hold what a reader does not see and a model follows: control characters, tags of the block U+E0000,
 * selectors that carry bytes. All of them are dropped, and nothing of a source begins a line of ours.
 */

/** Keeps line breaks. */
export const cleanText = (text: string): string =>
  SUSPICIOUS.test(text) ? text.replace(CONTROLS, keepBreak).replace(INVISIBLE, keepJoiner) : text;

/** On one line, and without the character that separates the parts of a line. */
export const cleanLine = (text: string): string => cleanText(text).replace(/\s+/g, ' ').replaceAll('|', '/').trim();

/** Words of a source inside a sentence of ours: short, in quotes, and without a quote that would end them. */
export const quote = (text: string): string => `"${cutText(cleanLine(text), MAX_QUOTED_CHARS).replaceAll('"', "'")}"`;

/** At most `max` characters, cut between them. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 2);
  const end = last >= 0xd800 && last <= 0xdbff ? max - 2 : max - 1;
  return `${text.slice(0, Math.max(0, end)).trimEnd()}…`;
}

/** All strings of a value, deep. */
export function cleanValue<T>(value: T): T {
  if (typeof value === 'string') return cleanText(value) as T;
  if (Array.isArray(value)) return value.map(cleanValue) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cleanValue(each)])) as T;
}

const keepBreak = (character: string): string => (character === '\n' ? character : ' ');
const keepJoiner = (character: string): string => (JOINERS.includes(character) ? character : '');

const MAX_QUOTED_CHARS = 60;
/** Most texts have none of what is dropped. */
const SUSPICIOUS = /[^\n\x20-\x7e\u00a0-\u00ac\u00ae-\u024f\u2010-\u2027\u2030-\u205e]/;
/** Line breaks stay: U+2028 and U+2029 do not, they break lines for some readers alone. */
const CONTROLS = /[\p{Cc}\u2028\u2029]/gu;
/** The selector of emoji, U+FE0F, stays. */
const INVISIBLE = /[\p{Cf}\p{Co}\p{Cs}\u{e0000}-\u{e0fff}]|[\ufe00-\ufe0e]/gu;
/** Parts of words and signs. */
const JOINERS = '\u200c\u200d';
