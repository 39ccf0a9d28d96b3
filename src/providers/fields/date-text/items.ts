/** The dates, times and words between them that a text consists of, in its order. */

import { numberAt, phraseAt, signAt, wordAt } from './tokens.ts';
import { type DateItem, type DateLanguage, DateTextError, type ReadItems } from './item.ts';
import { readTime } from './read-clock.ts';
import { readDate } from './read-day.ts';
import type { TextToken } from './tokens.ts';
import type { Lexicon, WordKind } from './words.ts';
import { isUtc, zoneOfWord } from './zones.ts';

/** Words before the first date or time are passed over, as `Performances:`; later ones must be understood. */
export function itemsOf(tokens: readonly TextToken[], language: DateLanguage): DateItem[] {
  const items: DateItem[] = [];
  for (let at = 0; at < tokens.length; ) {
    const read = readItem(tokens, at, items, language);
    if (read) {
      at += read.length;
      items.push(...read.items);
      continue;
    }
    const token = tokens[at];
    if (token?.kind === 'number') throw new DateTextError(`${token.value} is neither a day nor a time`);
    if (token?.kind === 'word' && items.some(isMoment) && !token.isAside) {
      throw new DateTextError(`${JSON.stringify(token.text)} is not understood`);
    }
    at++;
  }
  return items;
}

function readItem(
  tokens: readonly TextToken[],
  at: number,
  before: readonly DateItem[],
  language: DateLanguage,
): ReadItems | null {
  return (
    readMore(tokens, at, language.lexicon) ??
    readTime(tokens, at, before, language) ??
    readDate(tokens, at, before, language) ??
    readZone(tokens, at, before) ??
    readOffset(tokens, at, before) ??
    readWeekday(tokens, at, language) ??
    readWord(tokens, at, language)
  );
}

function readZone(tokens: readonly TextToken[], at: number, before: readonly DateItem[]): ReadItems | null {
  const word = wordAt(tokens, at);
  const zone = zoneOfWord(word);
  if (zone === null || !before.some(({ kind }) => kind === 'time')) return null;
  const [sign, hours] = [signAt(tokens, at + 1), numberAt(tokens, at + 2)];
  if (!isUtc(word) || !/^[+-]$/.test(sign) || !hours) return { length: 1, items: [{ kind: 'zone', zone }] };
  const minutes = signAt(tokens, at + 3) === ':' ? numberAt(tokens, at + 4) : undefined;
  const [hour, minute] =
    hours.digits === 4 ? [Math.trunc(hours.value / 100), hours.value % 100] : [hours.value, minutes?.value ?? 0];
  if (hour > MAX_OFFSET_HOURS || minute >= MINUTES) throw new DateTextError(`UTC${sign}${hours.value} is no time zone`);
  const offset = `${sign}${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
  return { length: minutes ? 5 : 3, items: [{ kind: 'zone', zone: offset }] };
}

/** `20:00:00 -0400`, as RFC 822 writes it. Without a zero in front it may as well be the end of a range. */
function readOffset(tokens: readonly TextToken[], at: number, before: readonly DateItem[]): ReadItems | null {
  const [sign, hours] = [signAt(tokens, at), numberAt(tokens, at + 1)];
  if (before.at(-1)?.kind !== 'time' || hours?.digits !== 4 || !hours.isAttached || tokens[at]?.isAttached) return null;
  const [hour, minute] = [Math.trunc(hours.value / 100), hours.value % 100];
  if (!(sign === '+' && hour <= MAX_OFFSET_HOURS) && !(sign === '-' && hour < 10)) return null;
  if (minute % 15 !== 0 || minute >= MINUTES) return null;
  const digits = String(hours.value).padStart(4, '0');
  return { length: 2, items: [{ kind: 'zone', zone: `${sign}${digits.slice(0, 2)}:${digits.slice(2)}` }] };
}

function readWeekday(tokens: readonly TextToken[], at: number, { names }: DateLanguage): ReadItems | null {
  const weekday = names.weekdays.get(wordAt(tokens, at));
  if (weekday === undefined) return null;
  return { length: signAt(tokens, at + 1) === '.' ? 2 : 1, items: [{ kind: 'weekday', weekday }] };
}

function readWord(tokens: readonly TextToken[], at: number, { lexicon }: DateLanguage): ReadItems | null {
  const sign = signAt(tokens, at);
  if (sign === '-' || sign === '/') return { length: 1, items: [{ kind: sign === '-' ? 'to' : 'and' }] };
  const phrase = phraseAt(tokens, at, lexicon.words, () => true);
  if (!phrase) return null;
  const { kind, words } = phrase;
  if (kind === 'refused')
    throw new DateTextError(`"${words.join(' ')}" speaks of more than one date or of none`, { isFinal: true });
  const days = RELATIVE_DAYS[kind];
  if (days !== undefined) return { length: words.length, items: [{ kind: 'relative', days }] };
  const isItem = kind === 'to' || kind === 'to-or-at' || kind === 'and' || kind === 'doors' || kind === 'show' || kind === 'late';
  return { length: words.length, items: isItem ? [{ kind }] : [] };
}

/** `and 3 more`, `et 2 autres dates`. */
function readMore(tokens: readonly TextToken[], at: number, lexicon: Lexicon): ReadItems | null {
  const and = phraseAt(tokens, at, lexicon.words, (kind) => kind === 'and');
  const count = at + (and?.words.length ?? 0);
  const more = numberAt(tokens, count) && phraseAt(tokens, count + 1, lexicon.words, (kind) => kind === 'more');
  return more ? { length: count + 1 + more.words.length - at, items: [] } : null;
}

const isMoment = ({ kind }: DateItem): boolean => kind === 'date' || kind === 'weekday' || kind === 'relative' || kind === 'time';

const RELATIVE_DAYS: Partial<Record<WordKind, number>> = { yesterday: -1, today: 0, tomorrow: 1, 'after-tomorrow': 2 };
const MINUTES = 60;
const MAX_OFFSET_HOURS = 14;
