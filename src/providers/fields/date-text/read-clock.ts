/** Times in a text: `20:30`, `8pm`, `20 h 30`, `20.30 Uhr`, `klo 18`, `noon`. */

import { type DateItem, type DateLanguage, DateTextError, hasMonth, type ReadItems } from './item.ts';
import { readNamed } from './read-day.ts';
import { MAX_PHRASE, numberAt, phraseAt, signAt, type TextToken } from './tokens.ts';
import type { HourKind, Lexicon, WordKind } from './words.ts';

interface Clock {
  hour: number;
  minute: number;
  half: 'am' | 'pm' | null;
  next: number;
  /** See `TimeItem`. */
  isBare?: boolean;
}

export function readTime(
  tokens: readonly TextToken[],
  at: number,
  before: readonly DateItem[],
  language: DateLanguage,
): ReadItems | null {
  const written = clockAt(tokens, at, before, language);
  const clock = written ? withLaterHalf(written, tokens, before, language) : bareClock(tokens, at, before, language);
  if (!clock) return noonAt(tokens, at, language);
  const minutes = minutesOf(clock);
  if (minutes === null) throw new DateTextError(`${clock.hour}:${String(clock.minute).padStart(2, '0')} is no time of day`);
  const { next, half, isBare = false } = clock;
  return { length: next - at, items: [{ kind: 'time', minutes, half, ...(isBare && { isBare }) }] };
}

/** A time that its own signs or words make one: `20:30`, `8pm`, `20 h 30`, `20.30 Uhr`. */
function clockAt(tokens: readonly TextToken[], at: number, before: readonly DateItem[], language: DateLanguage): Clock | null {
  const { lexicon } = language;
  const hour = numberAt(tokens, at);
  if (!hour || hour.digits > 2) return null;
  const [sign, minute] = [signAt(tokens, at + 1), numberAt(tokens, at + 2)];
  if (minute?.digits === 2 && minute.isAttached && (sign === ':' || sign === '.')) {
    const seconds = sign === ':' && signAt(tokens, at + 3) === ':' && numberAt(tokens, at + 4)?.digits === 2;
    const end = withHalf(tokens, at + (seconds ? 5 : 3), hour.value, lexicon);
    const isMarked = sign === ':' || end.isMarked || saysAt(tokens, at, lexicon) || isDottedTime(tokens, at, before);
    return isMarked ? { hour: hour.value, minute: minute.value, half: end.half, next: end.next } : null;
  }
  return markedClock(tokens, at, hour.value, language);
}

/** `8pm`, `20 h 30`, `20 Uhr`. */
function markedClock(tokens: readonly TextToken[], at: number, hour: number, language: DateLanguage): Clock | null {
  const marked = withHalf(tokens, at + 1, hour, language.lexicon);
  if (!marked.isMarked) return null;
  const late = numberAt(tokens, marked.next);
  const hasMinutes =
    late?.digits === 2 && late.value < MINUTES && marked.half === null && !isDayOfMonth(tokens, marked.next, language);
  const end = hasMinutes ? withHalf(tokens, marked.next + 1, hour, language.lexicon) : marked;
  return { hour, minute: hasMinutes ? late.value : 0, half: end.half ?? marked.half, next: end.next };
}

/** `6:30 – 8:30 p.m.` begins in the evening, `10:30 – 2 p.m.` in the morning. */
function withLaterHalf(clock: Clock, tokens: readonly TextToken[], before: readonly DateItem[], language: DateLanguage): Clock {
  if (clock.half !== null || clock.hour === 0 || clock.hour > NOON) return clock;
  const until = timeAfter(tokens, clock.next, before, language);
  return until?.half ? { ...clock, half: halfBefore(clock, until, until.half) } : clock;
}

/** After a date `20.30` is a time; `16.03` before one is a day. */
function isDottedTime(tokens: readonly TextToken[], at: number, before: readonly DateItem[]): boolean {
  const [hour, minute] = [numberAt(tokens, at)?.value ?? 0, numberAt(tokens, at + 2)?.value ?? 0];
  if (signAt(tokens, at + 3) === '.' || hour > HOURS || minute >= MINUTES) return false;
  return minute > MONTHS || minute === 0 || (hasMonth(before) && !before.some(({ kind }) => kind === 'time'));
}

/** Whether the number is a day beside its month, as 16 of `20 h 16 mars`. */
function isDayOfMonth(tokens: readonly TextToken[], at: number, language: DateLanguage): boolean {
  return readNamed(tokens, at, language) !== null;
}

/** `7` of `to 7/4`. */
const isInPair = (tokens: readonly TextToken[], at: number): boolean =>
  signAt(tokens, at + 1) === '/' && numberAt(tokens, at + 2)?.isAttached === true;

/** A number that is a time by what is around it: `klo 18`, `5` of `5-7pm`, `22` of `20 h à 22`. */
function bareClock(tokens: readonly TextToken[], at: number, before: readonly DateItem[], language: DateLanguage): Clock | null {
  const hour = numberAt(tokens, at);
  const next = at + 1;
  if (!hour || hour.digits > 2 || isDayOfMonth(tokens, at, language) || isInPair(tokens, at)) return null;
  const until = timeAfter(tokens, next, before, language);
  if (until && !hasUnusedDay(before)) {
    return {
      hour: hour.value,
      minute: 0,
      half: until.half && halfBefore({ hour: hour.value, minute: 0 }, until, until.half),
      next,
    };
  }
  const last = before.at(-1);
  const start = before.at(-2);
  if ((last?.kind === 'to' || last?.kind === 'to-or-at') && start?.kind === 'time') {
    return { hour: hour.value, minute: 0, half: start.half && halfAfter(hour.value, start.minutes), next };
  }
  if (isOfDoorsOrShow(tokens, at, before, language)) {
    return { hour: hour.value, minute: 0, half: null, next, isBare: language.hasHalves && hour.value <= NOON };
  }
  if (!saysAt(tokens, at, language.lexicon)) return null;
  if (language.hasHalves && hour.value <= NOON) {
    throw new DateTextError(`"${hour.value}" may be in the morning or in the evening`, { isFinal: true });
  }
  return { hour: hour.value, minute: 0, half: null, next };
}

/** `7` of `doors at 7` and of `7 doors`. Where no day stands before, it may be a day: `Concert 3 et 4 juillet`. */
function isOfDoorsOrShow(
  tokens: readonly TextToken[],
  at: number,
  before: readonly DateItem[],
  { lexicon }: DateLanguage,
): boolean {
  const isWanted = (kind: WordKind) => kind === 'doors' || kind === 'show';
  const isLabelAt = (start: number) => phraseAt(tokens, start, lexicon.words, isWanted) !== undefined;
  if ((numberAt(tokens, at)?.value ?? HOURS) >= HOURS || isOrdinal(tokens, at)) return false;
  if (isLabelAt(at + 1)) return true;
  const hasDay = before.some(({ kind }) => kind === 'weekday' || kind === 'relative') || hasMonth(before);
  const isFollowed = /^[,/|;.]$/.test(signAt(tokens, at + 1)) && isLabelAt(at + 2);
  return (
    (hasDay || isFollowed || isLabelAt(at + 2)) && labelEndsBetween(tokens, afterAt(tokens, at, lexicon), at, lexicon, isWanted)
  );
}

/** `5.` of `5. und 6. Juli`. */
const isOrdinal = (tokens: readonly TextToken[], at: number): boolean =>
  signAt(tokens, at + 1) === '.' && tokens[at + 1]?.isAttached === true && at + 2 < tokens.length;

/** Where a label would end before a number: `doors: 7`, `doors at 7`. */
function afterAt(tokens: readonly TextToken[], at: number, lexicon: Lexicon): number {
  let end = at;
  for (let length = MAX_PHRASE; length > 0; length--) {
    const phrase = phraseAt(
      tokens,
      at - length,
      lexicon.words,
      (kind) => kind === 'at' || kind === 'to-or-at' || kind === 'from',
    );
    if (phrase?.words.length === length) end = at - length;
  }
  return /^[:.-]$/.test(signAt(tokens, end - 1)) ? end - 1 : end;
}

/** A label may end in a word such as `at` itself. */
function labelEndsBetween(
  tokens: readonly TextToken[],
  from: number,
  until: number,
  lexicon: Lexicon,
  isWanted: (kind: WordKind) => boolean,
): boolean {
  return [1, 2, 3, MAX_PHRASE].some((length) => {
    const end = from - length + (phraseAt(tokens, from - length, lexicon.words, isWanted)?.words.length ?? Number.NaN);
    return end >= from && end <= until;
  });
}

/** The time behind a word or sign of a range. */
function timeAfter(tokens: readonly TextToken[], at: number, before: readonly DateItem[], language: DateLanguage): Clock | null {
  const length = signAt(tokens, at) === '-' ? 1 : rangeWord(tokens, at, language.lexicon);
  if (length === 0) return null;
  const half = HALVES_OF[phraseAt(tokens, at + length, language.lexicon.words, () => true)?.kind ?? ''];
  if (half) return { hour: NOON, minute: 0, half, next: at + length };
  return clockAt(tokens, at + length, before, language);
}

function rangeWord(tokens: readonly TextToken[], at: number, lexicon: Lexicon): number {
  const phrase = phraseAt(tokens, at, lexicon.words, (kind) => kind === 'to' || kind === 'to-or-at');
  return phrase?.words.length ?? 0;
}

/** `11-2am` begins at 11 in the evening, `5-7pm` at 5 in the afternoon. */
function halfBefore(from: Pick<Clock, 'hour' | 'minute'>, until: Clock, half: 'am' | 'pm'): 'am' | 'pm' {
  const [start, end] = [from, until].map(({ hour, minute }) => (hour % NOON) * MINUTES + minute) as [number, number];
  return start < end ? half : half === 'am' ? 'pm' : 'am';
}

function halfAfter(hour: number, start: number): 'am' | 'pm' {
  const isAfternoon = start >= NOON * MINUTES;
  const isLater = (hour % NOON) * MINUTES > start % (NOON * MINUTES);
  return isAfternoon === isLater ? 'pm' : 'am';
}

function withHalf(
  tokens: readonly TextToken[],
  at: number,
  hour: number,
  lexicon: Lexicon,
): { half: 'am' | 'pm' | null; next: number; isMarked: boolean } {
  let next = at;
  let half: 'am' | 'pm' | null = null;
  let isMarked = false;
  for (let step = 0; step < 2; step++) {
    const phrase = phraseAt(tokens, next, lexicon.hours, (kind) => fits(kind, tokens[next], hour));
    if (!phrase) break;
    if (phrase.kind !== 'hour') half = phrase.kind;
    isMarked = true;
    next += phrase.words.length;
    if (half !== null) break;
  }
  return { half, next, isMarked };
}

/** A single letter is a mark only at a number: `8p`, `20h`; `17 a 19` has none. */
function fits(kind: HourKind, token: TextToken | undefined, hour: number): boolean {
  if (kind === 'hour') return true;
  const isLetter = token?.kind === 'word' && token.text.length === 1;
  return (!isLetter || token.isAttached || token.text === 's') && (kind === 'pm' || hour <= NOON);
}

function minutesOf({ hour, minute, half }: Clock): number | null {
  if (minute >= MINUTES || hour > HOURS || (hour === HOURS && minute > 0)) return null;
  if (half === null || hour > NOON) return half === 'am' && hour > NOON ? null : hour * MINUTES + minute;
  return ((hour % NOON) + (half === 'pm' ? NOON : 0)) * MINUTES + minute;
}

/** `noon`, `12 noon`, `midi 30`, `minuit`. */
function noonAt(tokens: readonly TextToken[], at: number, language: DateLanguage): ReadItems | null {
  const { lexicon } = language;
  const start = numberAt(tokens, at)?.value === NOON ? at + 1 : at;
  const phrase = phraseAt(tokens, start, lexicon.words, (kind) => kind === 'noon' || kind === 'midnight');
  if (!phrase) return null;
  const end = start + phrase.words.length;
  const late = start === at && phrase.words.length === 1 ? numberAt(tokens, end) : undefined;
  const hasMinutes = late?.digits === 2 && late.value < MINUTES && !isDayOfMonth(tokens, end, language) && late.value % 5 === 0;
  const minutes = (phrase.kind === 'noon' ? NOON * MINUTES : 0) + (hasMinutes ? late.value : 0);
  return { length: end + (hasMinutes ? 1 : 0) - at, items: [{ kind: 'time', minutes, half: HALVES_OF[phrase.kind] ?? null }] };
}

function saysAt(tokens: readonly TextToken[], at: number, lexicon: Lexicon): boolean {
  for (let length = 1; length <= MAX_PHRASE && length <= at; length++) {
    const start = at - length - (signAt(tokens, at - 1) === '.' || signAt(tokens, at - 1) === ':' ? 1 : 0);
    const phrase = phraseAt(tokens, start, lexicon.words, (kind) => kind === 'at' || kind === 'to-or-at');
    if (phrase?.words.length === length) return true;
  }
  return false;
}

/** A day is there whose month must still come: what follows is a date. */
function hasUnusedDay(items: readonly DateItem[]): boolean {
  return !hasMonth(items) && items.some((item) => item.kind === 'date');
}

/** Noon is twelve in the afternoon. */
const HALVES_OF: Readonly<Record<string, 'am' | 'pm'>> = { __proto__: null as never, noon: 'pm', midnight: 'am' };
const [NOON, HOURS, MINUTES, MONTHS] = [12, 24, 60, 12];
