import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../src/providers/provider-error.ts';
import { decodeText } from '../../src/providers/reading/decode-text.ts';
import { parseJson } from '../../src/providers/reading/parse-json.ts';
import { refuseEntities } from '../../src/providers/reading/refuse-entities.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf16le = (text: string) => Buffer.from(text, 'utf16le');
const utf16be = (text: string) => utf16le(text).swap16();
const decode = (body: Uint8Array, contentType: string | null = null) => decodeText({ body, contentType });
/** The code of the refusal. */
function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof ProviderError) return error.code;
    throw error;
  }
  return 'accepted';
}
const PROSE = 'An evening of songs by the harbour, doors at seven, and a long way home along the quay when it is over.';

const cut = Buffer.concat([Buffer.from(`${PROSE} später, Caf`), latin1('\xc3 ')]);

describe('text of unknown encoding', () => {
  it.each<[string, Uint8Array, string | null, string]>([
    ['UTF-8 by default', Buffer.from('Café'), null, 'Café'],
    ['UTF-8 with a mark, which is not part of it', Buffer.from('\ufeffCafé'), null, 'Café'],
    ['a mark before the header', Buffer.from('\ufeffCafé'), 'text/xml; charset=iso-8859-1', 'Café'],
    ['UTF-16, little end first', utf16le('\ufeffCafé'), 'text/xml; charset=utf-8', 'Café'],
    ['UTF-16, big end first', utf16be('\ufeffCafé'), null, 'Café'],
    [
      'UTF-16 without a mark, by its first characters',
      utf16be('<?xml version="1.0"?><a>é</a>'),
      null,
      '<?xml version="1.0"?><a>é</a>',
    ],
    ['the charset of the header', latin1('Café'), 'text/calendar; charset="ISO-8859-1"', 'Café'],
    [
      'the header before the declaration',
      latin1('<?xml version="1.0" encoding="utf-8"?>é'),
      'text/xml;charset=latin1',
      '<?xml version="1.0" encoding="utf-8"?>é',
    ],
    [
      'the XML declaration',
      latin1('<?xml version="1.0" encoding="ISO-8859-1"?>é'),
      'text/xml',
      '<?xml version="1.0" encoding="ISO-8859-1"?>é',
    ],
    [
      'a meta element',
      latin1('<html><head><meta charset=windows-1252>\x80'),
      'text/html',
      '<html><head><meta charset=windows-1252>€',
    ],
    [
      'an older meta element',
      latin1('<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2">\xb1'),
      null,
      '<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-2">ą',
    ],
    ['an unknown charset counts as none', Buffer.from('Café'), 'text/plain; charset=klingon', 'Café'],
    [
      'a declaration of UTF-16 that could be read is wrong',
      Buffer.from('<?xml version="1.0" encoding="utf-16"?>é'),
      null,
      '<?xml version="1.0" encoding="utf-16"?>é',
    ],
    ['a label of Latin-1 on what is UTF-8', Buffer.from('Café – später'), 'text/html; charset=iso-8859-1', 'Café – später'],
    ['Latin-1 that nobody declares', latin1(`${PROSE} Caf\xe9`), null, `${PROSE} Café`],
    ['windows-1252 that is declared as UTF-8', latin1('\x93Caf\xe9\x94'), 'text/csv; charset=utf-8', '“Café”'],
    ['windows-1252 in many letters', latin1(PROSE.replaceAll('o', '\xf6')), null, PROSE.replaceAll('o', 'ö')],
    [
      'UTF-8 with some bytes of windows-1252',
      Buffer.concat([Buffer.from('Café, später, zoë '), latin1('Caf\xe9, sp\xe4ter')]),
      null,
      'Café, später, zoë Café, später',
    ],
    ['UTF-8 in which a character was cut', cut, null, `${PROSE} später, Caf\ufffd `],
    ['UTF-16 without a mark and without markup', utf16le('id,title\n1,Café'), 'text/csv', 'id,title\n1,Café'],
    ['UTF-8 that was encoded twice', Buffer.from('Caf\u00c3\u00a9 \u00e2\u20ac\u201c late'), null, 'Café – late'],
    ['capitals beside typographic signs', Buffer.from('CAFÉ’S MENU'), null, 'CAFÉ’S MENU'],
    ['UTF-8 encoded twice in one place only', Buffer.from('CafÃ© and Café'), null, 'CafÃ© and Café'],
    [
      'the document before a header of Latin-1',
      latin1('<?xml version="1.0" encoding="windows-1251"?>\xc2\xe5\xf7\xe5\xf0'),
      'text/xml; charset=ISO-8859-1',
      '<?xml version="1.0" encoding="windows-1251"?>Вечер',
    ],
    [
      'the document where the header is disproved',
      latin1('<?xml version="1.0" encoding="iso-8859-2"?>\xb3\xf3d\xbc'),
      'text/xml; charset=utf-8',
      '<?xml version="1.0" encoding="iso-8859-2"?>łódź',
    ],
    ['a label that programs write', latin1('Caf\xe9'), 'text/csv; charset=ANSI', 'Café'],
    ['a charset of several bytes', Buffer.from([0x89, 0xb9, 0x8a, 0x79]), 'text/csv; charset=Shift_JIS', '音楽'],
    ['UTF-8 that is declared as one', Buffer.from('音楽会です'), 'text/csv; charset=Shift_JIS', '音楽会です'],
    ['nothing', new Uint8Array(), null, ''],
  ])('is decoded: %s', (_, body, contentType, text) => {
    expect(decode(body, contentType)).toBe(text);
  });

  it('is refused when more than one character in a hundred is lost', () => {
    // Another alphabet, which nobody declares, is not read as signs of Western Europe.
    expect(codeOf(() => decode(latin1('\xc2\xe5\xf7\xe5\xf0 \xef\xe5\xf1\xed\xe8')))).toBe('garbled');
    expect(codeOf(() => decode(Buffer.from([0x89, 0xb9, 0x8a, 0x79, 0x89, 0xef, 0x0a])))).toBe('garbled');
    expect(codeOf(() => decode(Buffer.concat([Buffer.from('später, zoë, Caf'), latin1('\xe2\x80 x \xe2\x80')])))).toBe('garbled');
    expect(codeOf(() => decode(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0xfd])))).toBe('garbled');
  });
});

describe('JSON of a stranger', () => {
  it.each<[string, string, unknown]>([
    ['a byte order mark', '\ufeff{"a":1}', { a: 1 }],
    ['keys given twice, of which the last counts', '{"a":1,"a":2}', { a: 2 }],
    ['numbers beyond all doubles, which are null', '[1e400,-1e400,{"a":1E+999}]', [null, null, { a: null }]],
    [
      'whole numbers that a double cannot hold',
      '[12345678901234567891,-9007199254740993,1.5]',
      ['12345678901234567891', '-9007199254740993', 1.5],
    ],
    ['the largest safe number', '[9007199254740991,1e300]', [9007199254740991, 1e300]],
    ['brackets in texts', `["${'['.repeat(100)}\\"["]`, [`${'['.repeat(100)}"[`]],
  ])('has %s', (_, text, value) => {
    expect(parseJson(text)).toEqual(value);
    expect(parseJson(Buffer.from(text))).toEqual(value);
  });

  it('loses keys named __proto__, however they are written', () => {
    for (const key of ['__proto__', '\\u005f_proto__', '_\\u005Fproto\\u005f_']) {
      const value = parseJson(`{"list":[{"a":1,"${key}":{"isAdmin":true}}]}`) as { list: object[] };
      expect(Object.keys(value.list[0]!)).toEqual(['a']);
      expect({ ...value.list[0] }).not.toHaveProperty('isAdmin');
    }
  });

  it.each<[string, string | Uint8Array, string]>([
    ['100 000 levels', '['.repeat(100_000), 'too_deep'],
    ['65 levels', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, 'too_deep'],
    ['64 levels', `${'{"a":'.repeat(64)}1${'}'.repeat(64)}`, 'accepted'],
    ['one document a line', '{"a":1}\n{"a":2}', 'not_of_the_kind'],
    ['NaN', '[NaN]', 'not_of_the_kind'],
    ['half a document', '{"a":[1,2', 'not_of_the_kind'],
    ['other bytes', latin1('["caf\xe9"]'), 'accepted'],
    ['bytes of no text', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0xfd]), 'garbled'],
    ['a login page', '<!doctype html><title>Log in</title>', 'not_of_the_kind'],
  ])('that has %s is accepted or refused by name', (_, document, code) => {
    expect(codeOf(() => parseJson(document))).toBe(code);
  });

  it('with a million keys is read', () => {
    const keys = Array.from({ length: 1_000_000 }, (_, index) => `"k${index}":0`);
    expect(Object.keys(parseJson(`{${keys.join(',')}}`) as object)).toHaveLength(1_000_000);
  });
});

describe('XML of a stranger', () => {
  const nested = (levels: number, open = '<a>') => open.repeat(levels) + '</a>'.repeat(levels);
  it.each<[string, string, string]>([
    ['a billion laughs', '<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><lolz>&b;</lolz>', 'has_entities'],
    ['an external entity', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hosts">]><a>&x;</a>', 'has_entities'],
    ['a document type alone', '<?xml version="1.0"?>\n<!-- made by hand -->\n<!doctype rss >\n<rss/>', 'accepted'],
    [
      'a document type of another file',
      `<!DOCTYPE rss PUBLIC '-//Netscape//DTD' "http://my.netscape.example/rss.dtd"><rss/>`,
      'accepted',
    ],
    ['a document type that names a file', '<!DOCTYPE rss SYSTEM "file:///etc/hosts"><rss/>', 'accepted'],
    ['a document type with definitions', '<!DOCTYPE rss SYSTEM "a" [<!ELEMENT rss ANY>]><rss/>', 'has_entities'],
    ['a parameter entity', '<!DOCTYPE rss [<!ENTITY % x SYSTEM "file:///etc/hosts">%x;]><rss/>', 'has_entities'],
    ['two document types', '<!DOCTYPE rss><!DOCTYPE rss><rss/>', 'has_entities'],
    ['a document type behind an element', '<rss><!DOCTYPE rss></rss>', 'has_entities'],
    ['a document type in CDATA', '<rss><![CDATA[<!DOCTYPE html>]]></rss>', 'has_entities'],
    ['a document type without an end', `<!DOCTYPE rss PUBLIC "${'x '.repeat(100_000)}`, 'has_entities'],
    ['an entity alone', '<a><!ENTITY x "y"></a>', 'has_entities'],
    ['a document type behind a comment', '<!-- <![CDATA[ --><!DOCTYPE a><!-- ]]> -->', 'has_entities'],
    ['100 000 numeric references', '&#8217;'.repeat(100_000), 'accepted'],
    ['a million numeric references', '&#x41;'.repeat(1_000_000), 'has_entities'],
    ['64 levels', nested(64), 'accepted'],
    ['65 levels', nested(65), 'too_deep'],
    ['100 000 levels', '<a>'.repeat(100_000), 'too_deep'],
    ['levels hidden in attributes', nested(65, '<a b=">" c=\'/>\'>'), 'too_deep'],
    ['empty elements beside each other', '<a/><a b="1"/>'.repeat(100), 'accepted'],
    ['tags in CDATA and comments', `<a><![CDATA[${'<b>'.repeat(100)}]]><!--${'<b>'.repeat(100)}--></a>`, 'accepted'],
    ['an endless comment', `<a><!--${'<b>'.repeat(100)}`, 'accepted'],
    ['no end to a tag', `<a b="${'<b>'.repeat(100_000)}`, 'accepted'],
    ['an ordinary feed', '<?xml version="1.0"?><rss><channel><item><title>A &amp; B</title></item></channel></rss>', 'accepted'],
  ])('that holds %s is accepted or refused by name', (_, xml, code) => {
    expect(codeOf(() => refuseEntities(xml))).toBe(code);
  });
});
