/**
 * JSON that pages write wrongly, into texts that are JSON. What has exactly one meaning is read; a record that has none is left out, and
 * the other records of its list are read.
 */

import { ProviderError } from '../../provider-error.ts';

export interface RecoveredJson {
  /** Complete values, each of which is JSON. */
  texts: string[];
  flaws: JsonFlaw[];
}

export interface JsonFlaw {
  at: number;
  /** What should stand there. */
  wanted: string;
}

/**
 * Beside values there may be comments (ECMAScript §12.4 and B.1.1, where `<!--` and `-->` begin one-line comments), CDATA marks, line
 * breaks of HTML, other words, and several values without a list; inside, commas too many or too few, missing values, Python's
 * constants and quotes inside texts. Linear: what was looked at in a record that fails is not looked at again.
 */
export function recoverJson(text: string): RecoveredJson {
  const state: State = { text, at: 0, out: [], kept: [], texts: [], flaws: [] };
  const { texts, flaws } = state;
  for (skipCommas(state); state.at < text.length; skipCommas(state)) {
    const isFirst = texts.length === 0 && flaws.length === 0;
    const opening = isFirst ? FIRST : OPENING;
    opening.lastIndex = state.at;
    if (!opening.test(text)) state.at = nextOpening(text, state.at + 1);
    else if (readValue(state, 1, 'document', '@graph')) texts.push(state.out.join(''));
    else {
      drop(state, 0);
      findRecord(state);
    }
    state.out = [];
    state.kept = [];
  }
  if (texts.length === 0 && flaws.length === 0 && text.trim() !== '') flaws.push({ at: 0, wanted: 'a value' });
  return { texts, flaws };
}

interface State extends RecoveredJson {
  text: string;
  at: number;
  /** Pieces of the outermost value that is being read. */
  out: string[];
  /** Complete records of lists among the pieces, the outermost only: they outlive a failure around them. */
  kept: { from: number; to: number }[];
}

const charAt = ({ text, at }: State): string => text.charAt(at);

function fail({ flaws, at }: State, wanted: string, from = at): false {
  flaws.push({ at: from, wanted });
  return false;
}

function skipAsides(state: State): void {
  for (;;) {
    while (BLANK.test(charAt(state))) state.at++;
    ASIDE.lastIndex = state.at;
    if (!ASIDE.test(state.text)) return;
    state.at = ASIDE.lastIndex;
  }
}

/** Whether there was a comma makes no difference. */
function skipCommas(state: State): void {
  skipAsides(state);
  while (charAt(state) === ',') {
    state.at++;
    skipAsides(state);
  }
}

/** False where there is none; then `at` is where the reading may go on, and a flaw says why. */
function readValue(state: State, depth: number, isIn: TextPlace, key: string): boolean {
  if (depth > MAX_DEPTH) throw new ProviderError('too_deep', `the document is nested deeper than ${MAX_DEPTH} levels`);
  const char = charAt(state);
  if (char === '{') return readObject(state, depth);
  if (char === '[') return readList(state, depth, RECORD_LISTS.has(key));
  return char === '"' ? readText(state, isIn) : readWord(state);
}

function readText(state: State, isIn: TextPlace): boolean {
  const read = readBrokenText(state.text, state.at, isIn);
  if (read.ok) state.out.push(read.json);
  else fail(state, read.wanted, read.at);
  state.at = read.next;
  return read.ok;
}

function readWord(state: State): boolean {
  WORD.lastIndex = state.at;
  const [word = ''] = WORD.exec(state.text) ?? [];
  const number = NUMBER.test(word) ? word : JSON.stringify(word);
  const value = CONSTANTS[word] ?? (NUMBER_LIKE.test(word) ? number : null);
  if (value === null) return fail(state, 'a value');
  state.at += word.length;
  state.out.push(value);
  return true;
}

function readObject(state: State, depth: number): boolean {
  const { out } = state;
  state.at++;
  out.push('{');
  for (let separator = ''; ; separator = ',') {
    skipCommas(state);
    if (charAt(state) === '}') break;
    if (charAt(state) !== '"') return fail(state, 'a name in quotes or a closing brace');
    out.push(separator);
    if (!readMember(state, depth)) return false;
  }
  state.at++;
  out.push('}');
  return true;
}

function readMember(state: State, depth: number): boolean {
  const name = readBrokenName(state.text, state.at);
  if (name === null) {
    state.at = state.text.length;
    return fail(state, 'a closing quote');
  }
  state.at = name.next;
  skipAsides(state);
  if (charAt(state) !== ':') return fail(state, 'a colon');
  state.at++;
  state.out.push(name.json, ':');
  skipAsides(state);
  // A template that had no value for it.
  if (charAt(state) !== ',' && charAt(state) !== '}') return readValue(state, depth + 1, 'object', name.json.slice(1, -1));
  state.out.push('null');
  return true;
}

function readList(state: State, depth: number, isOfRecords: boolean): boolean {
  const { out } = state;
  state.at++;
  out.push('[');
  let separator = '';
  for (skipCommas(state); charAt(state) !== ']'; skipCommas(state)) {
    if (state.at >= state.text.length) return fail(state, 'a closing bracket');
    const from = out.length;
    out.push(separator);
    const isRead = readValue(state, depth + 1, 'list', '');
    if (isRead) separator = ',';
    if (isRead && isOfRecords) keep(state, from + 1);
    if (isRead) continue;
    if (!isOfRecords || !findRecord(state)) return false;
    drop(state, from);
  }
  state.at++;
  out.push(']');
  return true;
}

function keep({ kept, out }: State, from: number): void {
  while ((kept.at(-1)?.from ?? -1) >= from) kept.pop();
  kept.push({ from, to: out.length });
}

/** Takes back all pieces from one on, but for the records among them that are complete. */
function drop({ kept, out, texts }: State, from: number): void {
  const first = kept.findLastIndex((range) => range.from < from) + 1;
  for (const range of kept.splice(first)) texts.push(out.slice(range.from, range.to).join(''));
  out.length = from;
}

/** Goes to the next object behind a closing brace, and perhaps a comma. */
function findRecord(state: State): boolean {
  let isBehindBrace = false;
  for (; state.at < state.text.length; state.at++) {
    const char = charAt(state);
    if (char === '{' && isBehindBrace) return true;
    isBehindBrace = char === '}' || (isBehindBrace && (char === ',' || BLANK.test(char)));
  }
  return false;
}

function nextOpening(text: string, from: number): number {
  RECORDS.lastIndex = from;
  return RECORDS.exec(text)?.index ?? text.length;
}

type RecoveredText =
  | { ok: true; json: string; next: number }
  /** `next` is where reading may go on. */
  | { ok: false; at: number; wanted: string; next: number };

/** What a text stands in; the outermost value ends at its first quote. */
type TextPlace = 'object' | 'list' | 'document';

/**
 * A text of JSON with quotes, line breaks and escapes that it should not have. The value that opens at `from`. A quote closes it if what
 * follows can follow a value: a bracket, a comma before the next name or value, the next name, or the end. A quote before a colon ends a
 * name, so that the quote before it is missing. Any other quote is part of the text. Control characters and unknown escapes become what
 * they stand for.
 */
function readBrokenText(text: string, from: number, isIn: TextPlace): RecoveredText {
  let json = '';
  let done = from + 1;
  for (let at = from + 1; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\') at++;
    if (char !== '"') continue;
    const next = nonBlank(text, at + 1);
    if (text.charAt(next) === ':') return { ok: false, at, wanted: 'a closing quote before it', next: at };
    const part = text.slice(done, at).replace(ODD, fixChar);
    if (closes(text, next, isIn)) return { ok: true, json: `"${json}${part}"`, next: at + 1 };
    json += `${part}\\"`;
    done = at + 1;
  }
  return { ok: false, at: from, wanted: 'a closing quote of this text', next: text.length };
}

/** The name of a member that opens at `from`; null where it has no closing quote. */
function readBrokenName(text: string, from: number): { json: string; next: number } | null {
  const end = endOfText(text, from);
  if (end === -1) return null;
  return { json: `"${text.slice(from + 1, end).replace(ODD, fixChar)}"`, next: end + 1 };
}

/** Where the first quote is that no backslash escapes. */
function endOfText(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\') at++;
    else if (char === '"') return at;
  }
  return -1;
}

/** Whether a value may end before `at`. */
function closes(text: string, at: number, isIn: TextPlace): boolean {
  const char = text.charAt(at);
  if (isIn === 'document' || char === '' || char === '}' || char === ']' || BEGINS_ASIDE.test(text.slice(at, at + ASIDE_CHARS)))
    return true;
  if (char === '"') return isIn === 'object' && isName(text, at);
  if (char !== ',') return false;
  const next = nonBlank(text, at + 1);
  if (text.charAt(next) === '"' && isIn === 'object') return isName(text, next, true);
  return (
    BEHIND_COMMA.test(text.charAt(next)) || text.charAt(next) === '' || BEGINS_ASIDE.test(text.slice(next, next + ASIDE_CHARS))
  );
}

/** Whether the quote at `at` opens the name of a member; `isAtEnd` for one in which the text ends. */
function isName(text: string, at: number, isAtEnd = false): boolean {
  const end = endOfText(text, at);
  return end === -1 ? isAtEnd : text.charAt(nonBlank(text, end + 1)) === ':';
}

function nonBlank(text: string, from: number): number {
  let at = from;
  while (BLANK.test(text.charAt(at))) at++;
  return at;
}

function fixChar(odd: string): string {
  if (odd.length === 1) return `\\u${odd.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const escaped = odd.charAt(1);
  if (odd.length > 2 || '"\\/bfnrt'.includes(escaped)) return odd;
  return escaped.replace(ODD, fixChar);
}

const BLANK = /[\s\ufeff]/;
/** Each alternative takes all that it looked at, so that no text is looked at twice. */
const ASIDE =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|\/\*[\s\S]*|<!--[^\n]*?-->|<!--[^\n]*|-->[^\n]*|<!\[CDATA\[|\]\]>|<\/?(?:br|p)\b[^<>]{0,100}>/iy;
const WORD = /[\w.+-]{1,64}/y;
const CONSTANTS: Readonly<Record<string, string>> = {
  __proto__: null as never,
  true: 'true',
  True: 'true',
  false: 'false',
  False: 'false',
  null: 'null',
  None: 'null',
  NaN: 'null',
  undefined: 'null',
};
const NUMBER_LIKE = /^[+-]?\d[\d.]*(?:e[+-]?\d+)?$/i;
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const FIRST = /["[{]|-?\d|(?:true|false|null)\b/y;
const OPENING = /[[{]/y;
/** Of a value behind the first: words beside it may have brackets, too. */
const RECORDS = /\{|\[(?=\s*[{\]])/g;
const MAX_DEPTH = 64;
/** Lists whose elements stand for themselves. */
const RECORD_LISTS: ReadonlySet<string> = new Set(['@graph', 'itemListElement', 'subEvent', 'subEvents', 'event', 'events']);
const ODD = /\\u[\da-f]{4}|\\[\s\S]|\p{Cc}/giu;
const BEGINS_ASIDE = /^(?:\/[/*]|<!|<\/?(?:br|p)\b|-->|\]\]>)/i;
const ASIDE_CHARS = 4;
/** A list may go on with any value, and a comma too many may stand before a bracket. */
const BEHIND_COMMA = /["[{}\]\d,tfn-]/;
