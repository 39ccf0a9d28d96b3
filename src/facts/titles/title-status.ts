/** What a title says about whether the event takes place: `CANCELED:`, `[Sold Out]`, `+++ ABGESAGT +++`, `Jam CANCELLED`. */

import type { EventStatus } from '../../records/index.ts';
import { gravest, hasPhrase, isDenial, isNotice, mayHoldMark, readMark, type StatusMark } from './status-grammar.ts';
import { isShouted, segmentsOf, type TitleDay, type TitleRange, type TitleWords, titleWords } from './title-words.ts';

export interface TitleStatus {
  /** Without the mark; as given when nothing would be left. */
  title: string;
  status: EventStatus | null;
  /** `RESCHEDULED TO 6/27`: the day it was moved to. */
  movedTo: TitleDay | null;
  /** `postponed from 6/10`. */
  movedFrom: TitleDay | null;
}

/** Takes every mark out of a title; of several the gravest counts. `locale`: the city's. */
export function takeStatus(title: string, locale: string): TitleStatus {
  const result: TitleStatus = { title, status: null, movedTo: null, movedFrom: null };
  if (!mayHoldMark(title)) return result;
  for (let round = 0; round < MAX_MARKS; round++) {
    const found = findMark(titleWords(result.title), locale);
    if (!found) break;
    result.status = gravest(result.status, found.mark.status);
    result.movedTo ??= found.mark.movedTo;
    result.movedFrom ??= found.mark.movedFrom;
    if (!/[\p{L}\p{N}]/u.test(found.rest)) return { ...result, title };
    result.title = found.rest;
  }
  return result;
}

interface FoundMark {
  mark: StatusMark;
  /** The title without it. */
  rest: string;
  /** The word behind it. */
  end: number;
}

function findMark(title: TitleWords, locale: string): FoundMark | null {
  if (!hasPhrase(title, { from: 0, to: title.words.length })) return null;
  const segments = segmentsOf(title);
  for (const index of segments.keys()) {
    const found = markApart(title, segments, index, locale);
    if (found) return found;
  }
  for (const range of segments) {
    if (!hasPhrase(title, range)) continue;
    const found = markAtStart(title, range, locale) ?? markAtEnd(title, range, locale);
    if (found) return found;
  }
  return null;
}

/** A segment that is nothing but a mark. */
function markApart(title: TitleWords, segments: readonly TitleRange[], index: number, locale: string): FoundMark | null {
  const range = segments[index];
  const mark = range && readMark(title, range, locale);
  if (!mark || !isSetApart(title, range)) return null;
  // `CANCELLED DUE TO RAIN Movie Night`: the reason ends where the capitals do.
  const atStart = mark.detailAt < range.to ? markAtStart(title, range, locale) : null;
  if (atStart && atStart.end > mark.detailAt && /\p{Ll}/u.test(textOf(title, { from: atStart.end, to: range.to })))
    return atStart;
  return withAsides(title, segments, index, locale) ?? { mark, rest: without(title, range), end: range.to };
}

/** `Notice: CANCELLED (due to rain) - Jazz`: the notice and the reason go with the mark. */
function withAsides(title: TitleWords, segments: readonly TitleRange[], index: number, locale: string): FoundMark | null {
  const [before, own, after] = [segments[index - 1], segments[index], segments[index + 1]];
  if (!own) return null;
  const opens = before !== undefined && index === 1 && isNotice(title, before) && after !== undefined;
  const from = opens ? before.from : own.from;
  const closes = after !== undefined && (mayBeReason(title, after) || isOneBracket(title, own, after));
  for (const to of closes ? [after.to, own.to] : [own.to]) {
    const range = { from, to };
    const mark = readMark(title, range, locale);
    const rest = without(title, range);
    if (mark && /[\p{L}\p{N}]/u.test(rest) && (to === own.to || mark.detailAt === own.to)) return { mark, rest, end: to };
  }
  return null;
}

/** In brackets or in small letters, or a day alone. A name begins with a capital. */
function mayBeReason(title: TitleWords, range: TitleRange): boolean {
  return /[([{]\s*$/.test(title.gaps[range.from] ?? '') || !/^\p{Lu}\p{Ll}/u.test(textOf(title, range));
}

/** `(New date: June 27)` */
function isOneBracket({ gaps }: TitleWords, first: TitleRange, second: TitleRange): boolean {
  const isOpen = OPENER.test(gaps[first.from] ?? '') && CLOSER.test(gaps[second.to] ?? '');
  return isOpen && !/[()[\]{}]/.test(gaps[second.from] ?? '');
}

/** Whether a segment that is a mark by its words is one by its signs. */
function isSetApart(title: TitleWords, range: TitleRange): boolean {
  const [left, right] = [title.gaps[range.from] ?? '', title.gaps[range.to] ?? ''];
  if (/[¿]/.test(left) || QUESTION.test(right)) return false;
  const contrast = isContrast(title, range);
  if (contrast) return true;
  if (QUOTE_BEFORE.test(left) && QUOTE_AFTER.test(right)) return false;
  if (EMPHASIS.test(left) && EMPHASIS.test(right)) return true;
  const isFirst = range.from === 0;
  const isLast = range.to === title.words.length;
  if (isFirst) return isLast || !KIND_OF_WORK.test(without(title, range));
  return isLast || !LIST.test(left + right);
}

/** In capitals beside a title with small letters. */
function isContrast(title: TitleWords, range: TitleRange): boolean {
  return isShouted(textOf(title, range)) && /\p{Ll}/u.test(without(title, range));
}

/** `CANCELLED Jazz Night`, `This event has been cancelled Jazz Night`. */
function markAtStart(title: TitleWords, { from, to }: TitleRange, locale: string): FoundMark | null {
  const most = Math.min(to - 1, from + MAX_MARK_WORDS);
  for (let end = most; end > from; end--) {
    const range = { from, to: end };
    const gap = title.gaps[end] ?? '';
    const next = title.words[end];
    if (!next || !GAP_BEHIND.test(gap) || isDenial(next.key)) continue;
    const mark = readMark(title, range, locale);
    if (!mark || (mark.detailAt < end && !isShouted(textOf(title, range)) && !/\d\W*$/.test(textOf(title, range)))) continue;
    const isCapitals = isContrast(title, { from, to: mark.detailAt }) && !NAME_WORDS.has(next.key);
    if ((isCapitals || mark.isSentence) && /^[\p{Lu}\p{N}]/u.test(next.text)) return { mark, rest: without(title, range), end };
  }
  return null;
}

/** `Jazz Night CANCELLED due to rain`, `Jazz Night has been cancelled`, `JAZZ NIGHT cancelled`. */
function markAtEnd(title: TitleWords, { from, to }: TitleRange, locale: string): FoundMark | null {
  if (QUESTION.test(title.gaps[to] ?? '')) return null;
  for (let start = Math.max(from + 1, to - 2 * MAX_MARK_WORDS); start < to; start++) {
    const range = { from: start, to };
    if (!GAP_BEFORE.test(title.gaps[start] ?? '') || isDenial(title.words[start - 1]?.key ?? '')) continue;
    const mark = readMark(title, range, locale);
    if (!mark) continue;
    const rest = without(title, range);
    const own = { from: start, to: mark.detailAt };
    if (isContrast(title, own) || mark.isSentence || isInSmallLetters(title, { mark, own, end: to, rest }))
      return { mark, rest, end: to };
  }
  return null;
}

/** News, a reason, or small letters beside a title in capitals. `A dream postponed` may be a name. */
function isInSmallLetters(
  title: TitleWords,
  { mark, own, end, rest }: { mark: StatusMark; own: TitleRange; end: number; rest: string },
): boolean {
  if (/\p{Lu}/u.test(textOf(title, own))) return false;
  const hasReason = mark.detailAt < end && mark.status !== 'sold_out';
  return mark.isNews || hasReason || (isShouted(rest) && rest.length > MIN_SHOUTED);
}

const textOf = ({ text, words }: TitleWords, { from, to }: TitleRange): string =>
  text.slice(words[from]?.start ?? 0, words[to - 1]?.end ?? 0);

/** The title without the range and the signs around it. Signs that belong to the words beside it stay. */
function without({ text, words, gaps }: TitleWords, { from, to }: TitleRange): string {
  const left = gaps[from] ?? '';
  const right = gaps[to] ?? '';
  const { opening, closing } = halfBrackets(left, right);
  const before = from === 0 ? '' : text.slice(0, words[from - 1]?.end) + (KEPT_BEFORE.exec(left)?.[0] ?? '') + closing;
  const after = to === words.length ? '' : opening + (KEPT_AFTER.exec(right)?.[0] ?? '') + text.slice(words[to]?.start);
  const isMiddle = before !== '' && after !== '';
  const joint = !isMiddle ? '' : (JOINT.exec(OPENER.test(left) ? right.slice(1) : left)?.[0] ?? ' ');
  return `${before}${/^[([{]/.test(after) ? joint.replace(/^\s*[-–—]+\s*$/, ' ') : joint}${after}`.replace(/\s+/g, ' ').trim();
}

/** Of `(Spring Tour - CANCELLED)` and `(CANCELLED - Rain)`, the bracket stays around the rest. */
function halfBrackets(left: string, right: string): { opening: string; closing: string } {
  const [opening = '', closing = ''] = [OPENER.exec(left)?.[0], CLOSER.exec(right)?.[0]];
  return opening !== '' && closing !== '' ? { opening: '', closing: '' } : { opening, closing };
}

const MAX_MARKS = 8;
const MAX_MARK_WORDS = 14;
/** `KENREX cancelled`, but not `DJ D cancelled`. */
const MIN_SHOUTED = 4;
const WARNING = '❌❎✖✗✘⚠🚫⛔❗❕‼🛑🔴📣📢⚡➡👉';
/** Between a name and a mark without a strong sign, with signs that belong to the name. */
const GAP_BEFORE = /^(?:[)\]"”’»!?%°+]*\s)?[\s,.;_-]*$/;
const GAP_BEHIND = /^[\s,.;_-]*(?:\s["“„«‘([#$¡¿]*)?$/;
/** A bracket that opens before a range, or closes behind it. */
const OPENER = /[([{](?=\s*$)/;
const CLOSER = /^[)\]}]/;
const QUESTION = /^[\s!)\]"”'’*.]*\?/;
const QUOTE_BEFORE = /["“„«'‘]\s*$/;
const QUOTE_AFTER = /^\s*["”“»'’]/;
/** Signs that set a mark apart when they stand on both sides. */
const EMPHASIS = /[([{【*~=<>_!]|[)\]}】]|\+{2}|\.{3}|\p{Extended_Pictographic}/u;
/** Signs between the names of a bill, where one act may be called so. */
const LIST = /[|/•·∙⋅]/;
/** Signs that belong to the word before: `Wham! - CANCELLED`, `(Trio) CANCELLED`. */
const KEPT_BEFORE = new RegExp(
  `^(?:[)\\]}"”’»!?%°™®€£+]|\\.(?!\\.)|(?![${WARNING}])\\p{Extended_Pictographic}\\uFE0F?(?=\\s))+`,
  'u',
);
/** Signs that belong to the word behind: `CANCELLED: “Hamlet”`, `SOLD OUT - #MeToo`. */
const KEPT_AFTER = /["“„«‘'([{#$€£@¡¿&]+$/u;
/** What stays between two parts when a mark between them is gone. */
const JOINT = /\s*[:|/•~]\s*|\s+[-–—]+\s+/;
/** `Sold Out: The Musical`, `Ausverkauft! Die Band`: with nothing but a kind beside it, the mark is the name. */
const KIND_OF_WORK =
  /^(?:the|an?|die|der|das|eine?|les?|la|une?|el|los|las|una|il|lo|um|uma|de|het|een|ett?|l)\s*['’]?\s*(?:\p{L}+[ -])?(?:musical|show|play|comedy|band|film|movie|podcast|tour|opera|oper|komödie|stück|theaterstück|pièce|comédie|spectacle|comedia|obra|banda|película|commedia|spettacolo|voorstelling|komedie)$/iu;
/** Behind a mark they make it a name: `CANCELLED Tour`. */
const NAME_WORDS: ReadonlySet<string> = new Set(['tour', 'podcast', 'crowd', 'culture', 'comedy', 'flights', 'live', 'the']);
