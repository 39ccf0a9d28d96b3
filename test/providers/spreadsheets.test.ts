/** CSV as spreadsheet programs save it. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRows } from '../../src/providers/mapping/csv-rows.ts';
import { eventsIn, fates, readPage } from '../support/fakes/provider.ts';

const MAPPING = {
  zone: 'Europe/Berlin',
  fields: {
    externalId: 'Nr.',
    title: 'Titel der Veranstaltung',
    start: { path: 'Datum', date: ['DD.MM.YYYY HH:mm', 'excel'] },
    priceMin: 'Preis',
    description: 'Text',
    venue: { name: 'Ort', latitude: 'Breite', longitude: 'Länge' },
  },
};
const HEADER = ['Nr.', 'Titel der Veranstaltung', 'Datum', 'Ort', 'Preis', 'Breite', 'Länge', 'Text'];
const ROW = ['0012', 'Flötenabend', '20.06.2026 15:00', 'Kiessaal', '12,50', '52,51', '13,4', 'Ein Abend; mit Gästen'];
const LISTED = {
  externalId: '0012',
  title: 'Flötenabend',
  start: '2026-06-20T15:00:00',
  priceMin: 12.5,
  description: 'Ein Abend; mit Gästen',
  venue: { name: 'Kiessaal', latitude: 52.51, longitude: 13.4 },
};
const cell = (text: string, delimiter: string) =>
  /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
const line = (cells: readonly string[], delimiter: string) => cells.map((each) => cell(each, delimiter)).join(delimiter);
const table = (delimiter: string, lineEnd = '\r\n') => [HEADER, ROW].map((cells) => line(cells, delimiter) + lineEnd).join('');
const read = (text: string | Uint8Array, mapping: object = MAPPING) => readPage('csv', Buffer.from(text as string), { mapping });
const listed = async (text: string | Uint8Array, mapping?: object) => eventsIn(await read(text, mapping));

describe('a file of a spreadsheet program', () => {
  it.each([';', '\t', '|', ','])('shows its delimiter %j, whatever its line ends', async (delimiter) => {
    for (const lineEnd of ['\r\n', '\n', '\r']) expect(await listed(table(delimiter, lineEnd))).toMatchObject([LISTED]);
  });

  it.each<[string, string | Uint8Array]>([
    ['a line that names the delimiter', `sep=;\r\n${table(';')}`],
    ['such a line behind a mark', `\ufeffsep=;\n${table(';')}`],
    ['such a line in quotes', `"sep=;"\r\n${table(';')}`],
    ['a line that names the tab', `sep=\t\r\n${table('\t')}`],
    ['Unicode text', Buffer.from(`\ufeff${table('\t')}`, 'utf16le')],
    ['windows-1252', Buffer.from(table(';'), 'latin1')],
    ['empty lines and rows of empty cells', `\r\n${table(';')}\r\n;;;;;;;\r\n  ;;\r\n\r\n`],
    ['empty columns at the end', table(';').replaceAll('\r\n', ';;;\r\n')],
    ['an empty column at the end of the rows only', table(';').replace(/\r\n$/, ';;\r\n')],
    ['quotes around everything', [HEADER, ROW].map((cells) => cells.map((each) => `"${each}"`).join(';')).join('\n')],
    ['blanks behind quotes', table(';').replace('"Ein', '"Ein').replace('Gästen"', 'Gästen" ')],
    ['a formula that keeps zeros', table(';').replace('0012', '="0012"')],
    ['a formula in quotes', table(';').replace('0012', '"=""0012"""')],
    ['a day as a number', table(';').replace('20.06.2026 15:00', '46193,625')],
  ])('is read with %s', async (_, text) => {
    expect(await listed(text)).toMatchObject([LISTED]);
  });

  it('has columns whose names differ in blanks, line breaks, quotes and capitals', async () => {
    const header = ['NR.', '"Titel\nder  Veranstaltung "', ' datum', 'ORT', 'preis', 'breite', 'LÄNGE', '"""Text"""'].join(';');
    expect(await listed(`${header}\n${line(ROW, ';')}`)).toMatchObject([LISTED]);
  });

  it('may leave out empty cells at the end of a row', async () => {
    const text = `${line(HEADER, ';')}\r\n1;Flötenabend;20.06.2026 15:00;Kiessaal\r\n`;
    expect(await listed(text)).toMatchObject([{ title: 'Flötenabend', description: null, priceMin: null }]);
    expect(fates(await read(`${table(';')}1;a;b;c;d;e;f;g;h\r\n`))).toEqual(['listed', 'wanted 8 cells, got 9']);
  });

  it('counts by the delimiter that the mapping states', async () => {
    const [event] = await listed('id;a,name,when,place\n1;2,Marrow,2026-07-04,Old Mill\n', {
      delimiter: ',',
      fields: { externalId: 'id;a', title: 'name', start: 'when', venue: { name: 'place' } },
    });
    expect(event).toMatchObject({ externalId: '1;2', title: 'Marrow' });
  });

  it.each([
    ['"Say "hi" now";x', ['Say "hi" now', 'x']],
    ['"The "Big; Bad" Show";8', ['The "Big; Bad" Show', '8']],
    ['"x" y;"z";2', ['x y', 'z', '2']],
    ['5" pipe;7', ['5" pipe', '7']],
    ['"one\r\ntwo";"";""', ['one\r\ntwo', '', '']],
    ['a;;', ['a', '', '']],
    ['"a""b" ;"""c"""', ['a"b', '"c"']],
  ])('has quotes that nobody doubled: %s', (text, cells) => {
    expect([...csvRows(text, ';')].map((row) => row.cells)).toEqual([cells]);
  });

  it('gives back every table that was written by the standard', () => {
    const cells = fc.string({ unit: fc.constantFrom('a', 'é', '"', ';', ',', '\t', '\r\n', '\n', ' ', '=') });
    fc.assert(
      fc.property(fc.array(fc.array(cells, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 4 }), (rows) => {
        for (const delimiter of [',', ';', '\t']) {
          const quoted = rows.map((row) => row.map((each) => `"${each.replaceAll('"', '""')}"`).join(delimiter)).join('\r\n');
          expect([...csvRows(quoted, delimiter)].map((row) => row.cells)).toEqual(rows);
        }
      }),
    );
  });

  it('is refused in a way that helps if it is a workbook or a page', async () => {
    const zip = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), Buffer.alloc(200, 0xfe)]);
    await expect(read(zip)).rejects.toThrow('open it and save it as CSV');
    await expect(read(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]))).rejects.toThrow('open it and save it as CSV');
    await expect(read('<html><table><tr><td>1')).rejects.toThrow('it is a web page');
  });

  it('takes no longer for quotes without end', async () => {
    for (const part of ['"a', '" ', '""a;', '"a" b', '";"']) await read(`a;b\n${part.repeat(200_000)}`).catch(() => {});
  });
});

describe('a day as a number', () => {
  it.each<[string, string | null]>([
    ['46193', '2026-06-20'],
    ['46193.5', '2026-06-20T12:00:00'],
    ['46193,8333333333', '2026-06-20T20:00:00'],
    ['46193.9999999', '2026-06-21T00:00:00'],
    ['61', '1900-03-01'],
    ['60', null],
    ['20.06.2026', null],
  ])('%s is %s', async (when, start) => {
    const mapping = {
      fields: { externalId: 'id', title: 'name', start: { path: 'when', date: 'excel' }, venue: { name: 'place' } },
    };
    const page = await readPage('json', [{ id: '1', name: 'Marrow', when, place: 'Old Mill' }], { mapping });
    expect(eventsIn(page)[0]?.start ?? null).toBe(start);
  });
});
