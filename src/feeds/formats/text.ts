/** Texts of sources inside documents that others parse. */

/**
 * The text without what breaks line-based and XML formats: every kind of line break becomes `\n`, other control characters and
 * U+FFFE/U+FFFF go, half a surrogate pair becomes U+FFFD (XML 1.0 §2.2, RFC 5545 §3.3.11). Marks of direction stay.
 */
export function cleanText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.toWellFormed().replace(LINE_BREAKS, '\n').replace(FORBIDDEN, '');
}

/** For content and quoted attributes. `>` is escaped too, so `]]>` cannot stand anywhere. */
export function escapeXml(text: string): string {
  const clean = cleanText(text);
  return NEEDS_ESCAPE.test(clean) ? clean.replace(ESCAPED, (character) => ENTITIES[character] ?? '') : clean;
}

/** `<name>text</name>` on its own line; empty without a text. */
export function xmlElement(name: string, text: string | null, attributes = ''): string {
  return text === null ? '' : `<${name}${attributes}>${escapeXml(text)}</${name}>\n`;
}

/** An address in printable ASCII: what may not stand in a URI is percent-encoded (RFC 3986 §2). */
export function cleanUrl(url: string): string {
  return UNSAFE_IN_URL.test(url) ? url.toWellFormed().replace(UNSAFE_CHARACTERS, encodeURIComponent) : url;
}

/** `2026-11-21T20:00:00Z`. */
export function formatInstant(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, -5)}Z`;
}

/** The description of a list with its bound: `Events in Port Alder. At most 2,000 events; 5,312 match.` */
export function describeList({ description, maxRecords, total }: ListBounds): string {
  // Of one event that is the whole list there is nothing to say.
  if (maxRecords === 1 && total === 1) return description;
  const count = (n: number) => n.toLocaleString('en-US');
  return `${description} At most ${count(maxRecords)} event${maxRecords === 1 ? '' : 's'}; ${count(total)} match${total === 1 ? 'es' : ''}.`;
}

interface ListBounds {
  description: string;
  maxRecords: number;
  total: number;
}

const PLAIN = /^[\n\x20-\x7e]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: vertical tab, form feed and U+0085 end lines in some readers.
const LINE_BREAKS = /\r\n|[\r\u000b\u000c\u0085\u2028\u2029]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const FORBIDDEN = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g;
const NEEDS_ESCAPE = /[&<>"']/;
const ESCAPED = /[&<>"']/g;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const UNSAFE_IN_URL = /[^\x21-\x7e]|["<>\\^`{|}]/;
const UNSAFE_CHARACTERS = /[^\x21-\x7e]|["<>\\^`{|}]/gu;
