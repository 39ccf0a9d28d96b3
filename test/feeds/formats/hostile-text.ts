/** Texts that were made to break readers, and what line-based and XML formats keep of them. */

import fc from 'fast-check';

/** What stands in texts that were made to break readers: control characters, markup, formulas, ends of lines, marks of direction. */
const PIECES = [
  ...[
    '\0',
    '\b',
    '\t',
    '\n',
    '\r',
    '\r\n',
    '\v',
    '\f',
    '\x1b',
    '\x1c',
    '\x7f',
    '\x85',
    '\u2028',
    '\u2029',
    '\ufeff',
    '\ufffe',
    '\uffff',
  ],
  ...['\ud800', '\udc00', '🎷', 'é', 'e\u0301', '時', '\u202e', '\u2066', '\u200d'],
  ...[
    '<',
    '>',
    '&',
    '"',
    "'",
    ']]>',
    '<![CDATA[',
    '<!--',
    '-->',
    '<script>',
    '</script>',
    '<img onerror=x>',
    '&amp;',
    '&#0;',
    '&nbsp;',
  ],
  ...['=', '+', '-', '@', '＝', '＠', '=HYPERLINK("x")', ',', ';', ':', '\\', '\\n', '\\,', '{', '}', '%', '"'],
  ...['BEGIN:VEVENT', 'END:VCALENDAR', '\r\n ', '\r\nSUMMARY:x', ' ', 'x', 'word'],
];
/** With three texts for each record and 34 lists: more than ten thousand. */
const TEXTS_IN_A_LIST = 100;
const hostileText = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 24 }).map((pieces) => pieces.join(''));
/** Title, description and name of the venue of each record. */
export const hostileLists = fc.array(fc.tuple(hostileText, hostileText, hostileText), {
  minLength: TEXTS_IN_A_LIST,
  maxLength: TEXTS_IN_A_LIST,
});

/** One character after the other: the slow twin of what the forms do. */
export function cleaned(text: string): string {
  let clean = '';
  let wasReturn = false;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const isBreak = [0x0a, 0x0b, 0x0c, 0x0d, 0x85, 0x2028, 0x2029].includes(code);
    if (isBreak && !(code === 0x0a && wasReturn)) clean += '\n';
    wasReturn = code === 0x0d;
    const isControl = (code < 0x20 && code !== 0x09) || (code >= 0x7f && code < 0xa0);
    if (isBreak || isControl || code === 0xfffe || code === 0xffff) continue;
    clean += code >= 0xd800 && code < 0xe000 ? '\ufffd' : character;
  }
  return clean;
}
