/** The bytes of a calendar as content lines (RFC 5545 §3.1): decoded, unfolded, one property each, none longer than the cap. */

import type { SourceResponse } from '../../provider.ts';
import { decodeText } from '../../reading/decode-text.ts';

export interface ContentLine {
  /** In capitals; empty where the line does not begin with a name. */
  name: string;
  /** The whole line, unfolded; its beginning where it is longer than the cap. */
  text: string;
  isCutOff: boolean;
}

/** Throws a `ProviderError` as `decodeText` does. */
export function calendarText({ body, contentType }: Pick<SourceResponse, 'body' | 'contentType'>): string {
  return decodeText({ body: joinSplitCharacters(body), contentType });
}

/**
 * Lines may end with CRLF as they should, or with LF or CR alone. Blank lines are passed over. What is no property of its own belongs
 * to the one before it: programs forget the blank of a fold, and write texts with their line breaks in them.
 */
export function* contentLines(text: string): Generator<ContentLine> {
  let line: Draft | null = null;
  for (const unfolded of unfoldedLines(text)) {
    const join = line && joinOf(line, unfolded);
    if (line && join !== null) {
      append(line, unfolded, join);
    } else {
      if (line) yield contentLine(line);
      line = draftOf(unfolded);
    }
  }
  if (line) yield contentLine(line);
}

/** A line with those that are folded onto it (§3.1), none longer than the cap. */
interface UnfoldedLine {
  text: string;
  isCutOff: boolean;
  isAfterBlankLine: boolean;
  /** The last line of the file that it is made of, where that is short enough to matter. */
  last: string;
}

/** A property of which more may follow. */
interface Draft {
  /** As it is written; empty where the line does not begin with one. */
  name: string;
  parts: string[];
  length: number;
  isCutOff: boolean;
  isQuotedPrintable: boolean;
  last: string;
}

function* unfoldedLines(text: string): Generator<UnfoldedLine> {
  let line: UnfoldedLine | null = null;
  let isAfterBlankLine = false;
  for (const { at, end } of writtenLines(text)) {
    if (line && (text[at] === ' ' || text[at] === '\t')) {
      const room = MAX_PROPERTY_CHARS - line.text.length;
      line.isCutOff ||= end - at - 1 > room;
      line.text += text.slice(at + 1, Math.min(end, at + 1 + room));
      line.last = lastOf(text, at, end);
    } else if (end > at) {
      if (line) yield line;
      const isCutOff = end - at > MAX_PROPERTY_CHARS;
      const written = text.slice(at, Math.min(end, at + MAX_PROPERTY_CHARS));
      line = { text: written, isCutOff, isAfterBlankLine, last: lastOf(text, at, end) };
    }
    isAfterBlankLine = end === at;
  }
  if (line) yield line;
}

function* writtenLines(text: string): Generator<{ at: number; end: number }> {
  const ends = { '\n': -1, '\r': -1 };
  const nextEnd = (mark: '\n' | '\r', at: number): number => {
    if (ends[mark] < at) {
      const found = text.indexOf(mark, at);
      ends[mark] = found === -1 ? text.length : found;
    }
    return ends[mark];
  };
  for (let at = 0; at < text.length; ) {
    const end = Math.min(nextEnd('\n', at), nextEnd('\r', at));
    yield { at, end };
    at = end + (text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1);
  }
}

function lastOf(text: string, at: number, end: number): string {
  return end - at <= FOLD_OCTETS ? text.slice(at, end) : text[end - 1] === '=' ? '=' : '';
}

function draftOf({ text, isCutOff, last }: UnfoldedLine): Draft {
  const name = NAME.exec(text)?.[1] ?? '';
  return { name, parts: [text], length: text.length, isCutOff, isQuotedPrintable: isQuotedPrintable(text), last };
}

function contentLine({ name, parts, isCutOff }: Draft): ContentLine {
  return { name: name.toUpperCase(), text: parts.join(''), isCutOff };
}

/** How a line goes on the one before it. */
type Join = 'fold' | 'line';

function append(line: Draft, { text, isCutOff, isAfterBlankLine, last }: UnfoldedLine, join: Join): void {
  const lineBreak = join === 'fold' ? '' : isAfterBlankLine ? '\\n\\n' : '\\n';
  // A soft line break of quoted-printable goes with its sign.
  if (join === 'fold' && line.isQuotedPrintable) line.parts.push(line.parts.pop()?.replace(/=$/, '') ?? '');
  const part = (lineBreak + text).slice(0, Math.max(0, MAX_PROPERTY_CHARS - line.length));
  line.isCutOff ||= isCutOff || lineBreak.length + text.length > part.length;
  if (part !== '') line.parts.push(part);
  line.length += part.length;
  line.isQuotedPrintable ||= isQuotedPrintable(text);
  line.last = last;
}

/** Null for a property of its own, or for what belongs to nothing. */
function joinOf(line: Draft, { text }: UnfoldedLine): Join | null {
  const name = line.name.toUpperCase();
  if (isProperty(text, line) || name === '' || COMPONENT.has(name)) return null;
  if (line.last.endsWith('=') && line.isQuotedPrintable) return 'fold';
  // A full line was folded, and its blank was lost.
  if (line.last.length === FOLD_OCTETS || Buffer.byteLength(line.last) === FOLD_OCTETS) return 'fold';
  return TEXTS.has(name) || name.startsWith('X-') ? 'line' : null;
}

/**
 * Whether a line begins with the name of a property. People write `Bring: a lantern` and `Location: the barn` in their texts. So names
 * count as the name before is written, mostly in capitals, and before a blank only those that the standard knows.
 */
function isProperty(text: string, before: Draft): boolean {
  const match = NAME.exec(text);
  // `ORGANIZER="mailto:…"` is a broken property and no text.
  if (PROPERTIES.has(/^[A-Z-]{3,20}(?==)/.exec(text)?.[0] ?? '')) return true;
  if (!match || !/^[A-Za-z]/.test(match[1] ?? '')) return false;
  const written = match[1] ?? '';
  const rest = text.slice(match[0].length, MAX_HEAD_CHARS);
  const head: Head = {
    name: written.toUpperCase(),
    isInCapitals: caseOf(written) === 'upper',
    isAlike: caseOf(written) === 'upper' || caseOf(written) === caseOf(before.name),
    hasParameter: match[0].endsWith(';') && /^[ \t]{0,4}[\w-]{1,64}=/.test(rest),
    isBeforeBlank: /^[ \t]/.test(rest),
  };
  if (COMPONENT.has(head.name)) return isComponent(rest);
  return LONG_TEXTS.has(before.name.toUpperCase()) ? endsLongText(head) : endsProperty(head);
}

/** What stands before the value of what may be a property. */
interface Head {
  name: string;
  isInCapitals: boolean;
  /** In capitals, or as the name before. */
  isAlike: boolean;
  hasParameter: boolean;
  isBeforeBlank: boolean;
}

/** `BEGIN:VEVENT`, in whatever case; not `BEGIN: at noon`. */
function isComponent(rest: string): boolean {
  const name = rest.trim();
  return COMPONENTS.has(name.toUpperCase()) || (name === rest.trimEnd() && /^(?:[A-Z][A-Z0-9-]*|x-[a-z0-9-]+)$/.test(name));
}

function endsLongText({ name, isInCapitals, isAlike, hasParameter, isBeforeBlank }: Head): boolean {
  if (isKnown(name)) return isAlike && !(WORDS.has(name) && isBeforeBlank);
  return isInCapitals && (name.includes('-') || hasParameter);
}

function endsProperty({ name, isInCapitals, isAlike, hasParameter, isBeforeBlank }: Head): boolean {
  if (isKnown(name)) return isAlike || !isBeforeBlank;
  return isInCapitals && (hasParameter || !isBeforeBlank);
}

function caseOf(name: string): 'upper' | 'lower' | 'mixed' {
  return name === name.toUpperCase() ? 'upper' : name === name.toLowerCase() ? 'lower' : 'mixed';
}

function isKnown(name: string): boolean {
  return PROPERTIES.has(name) || name.startsWith('X-');
}

/** As declared, or by the line break that is left of it. */
function isQuotedPrintable(text: string): boolean {
  return /^[^:]{0,200}ENCODING="?QUOTED-PRINTABLE/i.test(text) || /=0D=0A/i.test(text);
}

/** Some programs fold after so many octets, in the middle of a character (§3.1, note): such folds must go before decoding. */
function joinSplitCharacters(body: Uint8Array): Uint8Array {
  const folds: { from: number; to: number }[] = [];
  for (let at = body.indexOf(LF); at !== -1; at = body.indexOf(LF, at + 1)) {
    const from = body[at - 1] === CR ? at - 1 : at;
    const blank = body[at + 1];
    if (blank !== SPACE && blank !== TAB) continue;
    if ((body[from - 1] ?? 0) >= 0x80 && isContinuation(body[at + 2] ?? 0)) folds.push({ from, to: at + 2 });
  }
  if (folds.length === 0) return body;
  const joined = new Uint8Array(body.length);
  let [read, written] = [0, 0];
  for (const { from, to } of [...folds, { from: body.length, to: body.length }]) {
    joined.set(body.subarray(read, from), written);
    written += from - read;
    read = to;
  }
  return joined.subarray(0, written);
}

function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0;
}

const NAME = /^[ \t]*([A-Za-z0-9-]{1,64})[ \t]*[;:]/;
/** IANA's registry of iCalendar properties, and those of vCalendar 1.0 and of drafts that are still written. */
const PROPERTIES: ReadonlySet<string> = new Set(
  `ACKNOWLEDGED ACTION ATTACH ATTENDEE BEGIN BUSYTYPE CALENDAR-ADDRESS CALSCALE CATEGORIES CLASS COLOR COMMENT COMPLETED CONCEPT
  CONFERENCE CONTACT COORDINATES CREATED DALARM DAYLIGHT DCREATED DESCRIPTION DTEND DTSTAMP DTSTART DUE DURATION END EXDATE EXRULE
  FREEBUSY GEO IMAGE LAST-MODIFIED LINK LOCATION LOCATION-TYPE METHOD NAME ORGANIZER PARTICIPANT-TYPE PERCENT-COMPLETE PRIORITY
  PRODID PROXIMITY RDATE RECURRENCE-ID REFID REFRESH-INTERVAL RELATED-TO REPEAT REQUEST-STATUS RESOURCES RESOURCE-TYPE RRULE SEQUENCE
  SOURCE STATUS STRUCTURED-DATA STRUCTURED-LOCATION STYLED-DESCRIPTION SUMMARY TRANSP TRIGGER TZ TZID TZID-ALIAS-OF TZNAME
  TZOFFSETFROM TZOFFSETTO TZUNTIL TZURL UID URL VERSION XML`.split(/\s+/),
);
/** Those that are words of texts as well: a blank behind the colon shows it. */
const WORDS: ReadonlySet<string> = new Set(
  'ACTION COLOR COMMENT CONTACT DUE LINK NAME PRIORITY REPEAT RESOURCES SOURCE TRIGGER VERSION'.split(' '),
);
const COMPONENT: ReadonlySet<string> = new Set(['BEGIN', 'END']);
const COMPONENTS: ReadonlySet<string> = new Set(
  `AVAILABLE DAYLIGHT PARTICIPANT STANDARD VALARM VAVAILABILITY VCALENDAR VCARD VEVENT VFREEBUSY VJOURNAL VLOCATION VRESOURCE
  VTIMEZONE VTODO`.split(/\s+/),
);
const LONG_TEXTS: ReadonlySet<string> = new Set(['DESCRIPTION', 'X-ALT-DESC', 'STYLED-DESCRIPTION', 'COMMENT', 'X-WR-CALDESC']);
/** Beside those of programs (`X-…`). */
const TEXTS: ReadonlySet<string> = new Set([...LONG_TEXTS, 'SUMMARY', 'LOCATION', 'CATEGORIES', 'CONTACT', 'RESOURCES']);
/** Where programs fold (§3.1). */
const FOLD_OCTETS = 75;
const MAX_HEAD_CHARS = 1_000;
/** Of one property. Longer ones are attachments inside the file, which nobody reads here, or attacks. */
const MAX_PROPERTY_CHARS = 64 * 1024;
const [TAB, LF, CR, SPACE] = [0x09, 0x0a, 0x0d, 0x20];
