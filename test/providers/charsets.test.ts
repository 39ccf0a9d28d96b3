/** One text in any charset, declared in any way, is one listing in every kind. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PROVIDERS } from '../../src/providers/index.ts';
import { ALWAYS, eventsIn, facts } from '../support/fakes/provider.ts';

/** Words of languages that are written in a charset. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  'windows-1252': ['Führung', 'Café', 'Gehörlose', '“Señor”', 'Œuvre', 'à', 'Ærø', 'naïve', '5 €', 'Größe', 'L’Été', 'São'],
  'iso-8859-15': ['Œuvre', 'Führung', 'Café', 'Ÿ', 'maître'],
  'windows-1250': ['Żółta', 'łódź', 'Příliš', 'žluťoučký', 'Győr'],
  'iso-8859-2': ['Żółta', 'łódź', 'Příliš', 'žluťoučký', 'Győr'],
  'windows-1251': ['Вечер', 'песен', 'у', 'моря', 'Їжак'],
  'koi8-r': ['Вечер', 'песен', 'у', 'моря'],
  'windows-1253': ['Βραδιά', 'τραγουδιών', 'στο', 'λιμάνι'],
  'windows-1254': ['Şarkı', 'gecesi', 'İstanbul', 'ğ'],
  shift_jis: ['音楽会', 'コンサート', '港の夜'],
  'euc-jp': ['音楽会', 'コンサート', '港の夜'],
  gbk: ['音乐会', '港口之夜', '歌曲'],
  big5: ['音樂會', '港口之夜', '歌曲'],
  'euc-kr': ['음악회', '항구의', '밤'],
};
const ASCII = ['Quay', 'songs', 'at', 'the', 'harbour'];

const encoders = new Map<string, ReadonlyMap<string, readonly number[]>>();
/** The inverse of the decoder. */
function encode(text: string, charset: string): Buffer {
  if (charset === 'utf-8') return Buffer.from(text);
  if (charset === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (charset === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  const table = encoders.get(charset) ?? tableOf(charset);
  encoders.set(charset, table);
  return Buffer.from([...text].flatMap((char) => table.get(char) ?? []));
}

function tableOf(charset: string): ReadonlyMap<string, readonly number[]> {
  const decoder = new TextDecoder(charset);
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  const pairs = bytes.slice(0x81).flatMap((lead) => bytes.slice(0x40).map((tail) => [lead, tail]));
  const all = [...pairs, ...bytes.map((byte) => [byte])].map((each): [string, number[]] => [
    decoder.decode(Uint8Array.from(each)),
    each,
  ]);
  return new Map(all.filter(([char]) => [...char].length === 1 && char !== '\ufffd'));
}

const mapping = { fields: { externalId: 'id', title: 'title', start: 'start', venue: { name: 'place' } } };
const zone = 'Europe/Berlin';
const START = '2026-07-04T20:00:00+02:00';
/** A document of each kind; `says`: what it says of its own charset. */
const KINDS = [
  { kind: 'csv', type: 'text/csv', write: (title: string) => `id,title,start,place\r\n1,"${title}",${START},Quay Hall\r\n` },
  {
    kind: 'json',
    type: 'application/json',
    write: (title: string) => JSON.stringify([{ id: 1, title, start: START, place: 'Quay Hall' }]),
  },
  {
    kind: 'ical',
    type: 'text/calendar',
    write: (title: string) =>
      `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20260704T180000Z\r\nSUMMARY:${title}\r\nLOCATION:Quay Hall\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
  },
  {
    kind: 'feed',
    type: 'text/xml',
    write: (title: string, says: string) =>
      `<?xml version="1.0"${says && ` encoding="${says}"`}?><rss><channel><item><title>${title}</title><guid>1</guid><ev:startdate>${START}</ev:startdate></item></channel></rss>`,
  },
  {
    kind: 'jsonld',
    type: 'text/html',
    write: (title: string, says: string) =>
      `<!doctype html><html><head>${says && `<meta charset="${says}">`}</head><script type="application/ld+json">${JSON.stringify({ '@type': 'Event', '@id': '1', name: title, startDate: START })}</script></html>`,
  },
];
const titleOf = async (kind: string, body: Uint8Array, contentType: string | null) => {
  const provider = PROVIDERS.find((each) => each.kind === kind);
  const answer = { url: 'https://harbour.example/x', body, contentType };
  const page = await provider?.read(answer, facts({ ...ALWAYS, zone, location: answer.url, mapping }));
  return page ? eventsIn(page).map(({ title }) => title) : [];
};
const titles = (charset: string) =>
  fc.array(fc.constantFrom(...(WORDS[charset] ?? []), ...ASCII), { minLength: 3, maxLength: 8 }).map((words) => words.join(' '));
const same = (
  charset: string,
  told: (kind: (typeof KINDS)[number], title: string) => [text: string, contentType: string | null],
) =>
  fc.assert(
    fc.asyncProperty(titles(charset in WORDS ? charset : 'windows-1252'), fc.constantFrom(...KINDS), async (title, kind) => {
      const [text, contentType] = told(kind, title);
      expect(await titleOf(kind.kind, encode(text, charset), contentType)).toEqual([title]);
    }),
    { numRuns: 40 },
  );

describe('a title', () => {
  it.each(Object.keys(WORDS))('in %s is read where the header says so', async (charset) => {
    await same(charset, ({ type, write }, title) => [write(title, ''), `${type}; charset=${charset}`]);
  });

  it.each(Object.keys(WORDS))('in %s is read where the document says so, with a wrong header or none', async (charset) => {
    for (const header of ['', '; charset=utf-8', '; charset=ISO-8859-1']) {
      await fc.assert(
        fc.asyncProperty(titles(charset), fc.constantFrom('feed', 'jsonld'), async (title, name) => {
          const { type, write } = KINDS.find(({ kind }) => kind === name) ?? (KINDS[0] as (typeof KINDS)[number]);
          expect(await titleOf(name, encode(write(title, charset), charset), type + header)).toEqual([title]);
        }),
        { numRuns: 10 },
      );
    }
  });

  it.each(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'])('in %s is read whatever anybody says', async (charset) => {
    const wrong =
      charset === 'windows-1252'
        ? ['utf-8', 'utf-16']
        : ['utf-8', 'iso-8859-1', 'windows-1252', 'iso-8859-2', 'utf-16', 'klingon'];
    await same(charset, ({ write }, title) => [write(title, ''), null]);
    for (const label of wrong) {
      await same(charset, ({ type, write }, title) => [write(title, ''), `${type}; charset=${label}`]);
      await same(charset, ({ type, write }, title) => [write(title, label), type]);
    }
  });

  it.each(['utf-8', 'utf-16le', 'utf-16be'])('in %s is read with a byte order mark, whatever anybody says', async (charset) => {
    await same(charset, ({ type, write }, title) => [`\ufeff${write(title, 'iso-8859-1')}`, `${type}; charset=iso-8859-1`]);
  });

  it('that was encoded twice is read', async () => {
    const western = new TextDecoder('windows-1252');
    await fc.assert(
      fc.asyncProperty(titles('windows-1252'), fc.constantFrom(...KINDS), async (title, { kind, type, write }) => {
        const twice = Buffer.from(western.decode(Buffer.from(write(`Café ${title}`, ''))));
        expect(await titleOf(kind, twice, type)).toEqual([`Café ${title}`]);
      }),
      { numRuns: 40 },
    );
  });

  it('in UTF-8 is read beside single letters of windows-1252', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('Führung', 'Café', 'für'), { minLength: 1, maxLength: 4 }),
        fc.constantFrom(...KINDS),
        async (words, { kind, type, write }) => {
          const bytes = Buffer.from(write(`äöü éèà ${words.join(' ')} KEY`, ''));
          const at = bytes.indexOf('KEY');
          const mixed = Buffer.concat([bytes.subarray(0, at), Buffer.from('K\xfcche', 'latin1'), bytes.subarray(at + 3)]);
          expect(await titleOf(kind, mixed, type)).toEqual([`äöü éèà ${words.join(' ')} Küche`]);
        },
      ),
      { numRuns: 40 },
    );
  });
});
