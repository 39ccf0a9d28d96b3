/**
 * JSON that pages write wrongly, into texts that are JSON. What has exactly one meaning is read; a record that has none is left out, and
 * the other records of its list are read.
 */

import { ProviderError } from '../../provider-error.ts';
import { readBrokenName, readBrokenText, type TextPlace } from './recover-text.ts';

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
