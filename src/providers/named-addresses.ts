/** `addressesIn`: addresses that a page names outside of its links: in scripts, JSON, `data-` attributes, buttons and templates. */

/** As written, without the escapes of JSON and HTML; relative ones too. Those of the web, and files of calendars. Linear in the text. */
export function addressesIn(text: string): string[] {
  const plain = templateOf(text).replace(ESCAPES, (found) => MEANINGS[found.toLowerCase()] ?? found);
  const whole = plain.trim();
  if (WHOLE.test(whole)) return [whole];
  return Array.from(plain.matchAll(QUOTED), ([, address = '']) => address).slice(0, MAX_ADDRESSES);
}

/** Tools that ask for consent keep what they hold back in base64. */
function templateOf(text: string): string {
  const packed = text.trim();
  if (packed.length > MAX_PACKED_CHARS || !PACKED.test(packed)) return text;
  const template = Buffer.from(packed, 'base64').toString('utf8');
  return template.includes('<') ? template : text;
}

const ESCAPES = /\\\/|\\u002f|\\u0026|\\u003d|\\u003f|&amp;|&#0?38;/gi;
const MEANINGS: Readonly<Record<string, string>> = {
  __proto__: null as never,
  '\\/': '/',
  '\\u002f': '/',
  '\\u0026': '&',
  '\\u003d': '=',
  '\\u003f': '?',
  '&amp;': '&',
  '&#38;': '&',
  '&#038;': '&',
};
const WHOLE = /^(?:(?:https?|webcals?):)?\/{1,2}[^\s"'`<>{}|\\^]{2,1000}$|^[\w./-]{1,200}\.ics(?:\?[^\s"'`<>]{0,500})?$/i;
const QUOTED =
  /["'`]((?:(?:https?|webcals?):)?\/{1,2}[^\s"'`<>{}|\\^]{2,1000}|[\w./-]{1,200}\.ics(?:\?[^\s"'`<>]{0,500})?)["'`]/gi;
const PACKED = /^[\w+/]{40,}={0,2}$/;
const MAX_PACKED_CHARS = 64 * 1024;
const MAX_ADDRESSES = 1_000;
