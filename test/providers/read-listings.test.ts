import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  COMPARISONS,
  compileMapping,
  EVENT_KEYS,
  type EventListing,
  MAPPING_KEYS,
  type Mapping,
  PROVIDER_KINDS,
  type ProviderKind,
  type ReadListing,
  RULE_KEYS,
  readListings,
  VENUE_KEYS,
} from '../../src/providers/index.ts';

const FIELDS = { externalId: 'id', title: 'title', start: 'start', venue: { name: 'place' } };
function mapping(value: object): Mapping {
  const compiled = compileMapping(value);
  if (!compiled.ok) throw new Error(`${compiled.field}: ${compiled.reason}`);
  return compiled.mapping;
}
/** In pieces of a few bytes, as a network may deliver them. */
async function* pieces(text: string | Buffer, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text as string);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
async function read(kind: ProviderKind, text: string | Buffer, value: object = { fields: FIELDS }): Promise<ReadListing[]> {
  return Array.fromAsync(readListings(kind, pieces(text), mapping(value)));
}

function eventsOf(read: readonly ReadListing[]): EventListing[] {
  return read.flatMap((each) => (each.ok === true && each.listing.target === 'events' ? [each.listing.event] : []));
}

describe('a mapping', () => {
  it.each<[string, unknown, string]>([
    ['no object', 7, 'mapping: wanted an object or a path'],
    ['an unknown key', { fields: FIELDS, filter: [] }, `mapping.filter: wanted one of ${MAPPING_KEYS.join(', ')}`],
    ['an unknown target', { target: 'people', fields: FIELDS }, 'target: wanted events or venues'],
    ['an unknown field', { fields: { ...FIELDS, tilte: 'x' } }, `fields.tilte: wanted one of ${EVENT_KEYS.join(', ')}`],
    ['no start', { fields: { ...FIELDS, start: undefined } }, 'fields.start: wanted a rule, got nothing'],
    ['no name of the venue', { fields: { ...FIELDS, venue: {} } }, 'fields.venue.name: wanted a rule, got nothing'],
    [
      'a bad date format',
      { fields: { ...FIELDS, start: { path: 'start', date: 'YYYY' } } },
      'fields.start.date: wanted iso, epoch, epoch-ms, excel, text or a pattern such as MM/DD/YYYY hh:mm:ss A, or a list of them',
    ],
    [
      'text in no language',
      { fields: { ...FIELDS, start: { path: 'start', date: 'text' } } },
      'fields.start.date: wanted a locale beside fields: text is read in a language',
    ],
    ['a bad locale', { locale: 'französisch', fields: FIELDS }, 'locale: wanted a language tag such as fr-CA, or a list of them'],
    ['a bad hour', { fields: { ...FIELDS, start: { path: 'start', hour: 19 } } }, 'fields.start.hour: wanted unknown'],
    ['a bad list inside records', { each: 1, fields: FIELDS }, 'each: wanted a path such as dates'],
    ['a bad wrapping', { unwrap: 'gzip', fields: FIELDS }, 'unwrap: wanted assignment'],
    ['a bad zone', { zone: 'Mars', fields: FIELDS }, 'zone: wanted an IANA time zone'],
    [
      'a bad point',
      { fields: { ...FIELDS, venue: { name: 'x', point: { path: 'p', as: 'utm' } } } },
      'fields.venue.point.as: wanted one of wkt ; lat,lon ; lon,lat',
    ],
    [
      'a bad condition',
      { drop: [{ path: 'x' }], fields: FIELDS },
      'drop[0]: wanted one of equals, in, contains, startsWith, exists',
    ],
  ])('is refused for %s', (_, value, sentence) => {
    const compiled = compileMapping(value);
    expect(compiled.ok ? 'accepted' : `${compiled.field}: ${compiled.reason}`).toBe(sentence);
  });

  it('has every key explained in its page, and the page explains no other', () => {
    const page = readFileSync(new URL('../../docs/providers.md', import.meta.url), 'utf8');
    const listed = (heading: string) =>
      [...(page.split(`\n### ${heading}\n`)[1]?.split(/\n##/)[0] ?? '').matchAll(/^\| `(\w+)` \|/gm)].map(([, key]) => key);
    expect(listed('The file')).toEqual([...MAPPING_KEYS]);
    expect(listed('Fields of an event')).toEqual([...EVENT_KEYS]);
    expect(listed('Fields of a venue')).toEqual([...VENUE_KEYS]);
    expect(listed('Rules')).toEqual([...RULE_KEYS]);
    expect(listed('Conditions')).toEqual([...COMPARISONS]);
    for (const kind of PROVIDER_KINDS) expect(page).toContain(`\`${kind}\``);
  });
});

describe('a JSON document', () => {
  it('gives its records, dropped ones and unreadable ones, in order', async () => {
    const text = JSON.stringify({
      data: {
        list: [
          { id: 1, title: ' Jazz ', start: '2026-06-20T20:00', place: 'Cellar' },
          { id: 2, private: true },
          { id: 3, start: 'soon' },
          'x',
        ],
      },
    });
    const value = { records: 'data.list', drop: [{ path: 'private', equals: true }], fields: FIELDS };
    const [first, second, third, fourth] = await read('json', text, value);
    expect(first).toMatchObject({
      ok: true,
      index: 1,
      listing: {
        target: 'events',
        event: { externalId: '1', title: 'Jazz', start: '2026-06-20T20:00:00', venue: { name: 'Cellar', latitude: null } },
      },
    });
    expect(second).toMatchObject({ ok: 'dropped', index: 2 });
    expect(third).toMatchObject({
      ok: false,
      index: 3,
      field: 'start',
      externalId: '3',
      reason: 'wanted a date-time (iso), got "soon"',
    });
    expect(fourth).toMatchObject({ ok: true, listing: { event: { externalId: null, title: null, start: null } } });
  });

  it('says whose clock a time without offset is read from', async () => {
    const text = JSON.stringify([{ start: '2026-06-20T20:00' }, { start: '2026-06-20', tz: 'Asia/Tokyo' }]);
    const events = eventsOf(await read('json', text, { zone: 'America/Los_Angeles', fields: { ...FIELDS, zone: 'tz' } }));
    expect(events.map(({ start, zone }) => [start, zone])).toEqual([
      ['2026-06-20T20:00:00', 'America/Los_Angeles'],
      ['2026-06-20', 'Asia/Tokyo'],
    ]);
  });

  it('keeps the day alone where the printed hour is a placeholder', async () => {
    const text = JSON.stringify([
      { start: '2026-06-20T19:30:00', by: 'a' },
      { start: '2026-06-20T19:30:00', by: 'b' },
    ]);
    const always = { ...FIELDS, start: { path: 'start', hour: 'unknown' } };
    expect(eventsOf(await read('json', text, { fields: always })).map(({ start }) => start)).toEqual([
      '2026-06-20',
      '2026-06-20',
    ]);
    const when = { path: 'by', equals: 'a' };
    const sometimes = { ...FIELDS, start: { path: 'start', cases: [{ when, use: { path: 'start', before: ['T'] } }] } };
    expect(eventsOf(await read('json', text, { fields: sometimes })).map(({ start }) => start)).toEqual([
      '2026-06-20',
      '2026-06-20T19:30:00',
    ]);
  });

  it('reads the first of several date formats that fits', async () => {
    const text = JSON.stringify(['06/20/2026 08:00:00 PM', '2026-06-20T20:00:00.000', '06/20/2026'].map((start) => ({ start })));
    const date = ['iso', 'MM/DD/YYYY hh:mm:ss A', 'MM/DD/YYYY'];
    const events = eventsOf(await read('json', text, { fields: { ...FIELDS, start: { path: 'start', date } } }));
    expect(events.map(({ start }) => start)).toEqual(['2026-06-20T20:00:00', '2026-06-20T20:00:00.000', '2026-06-20']);
  });

  it('counts a record once for each of its dates', async () => {
    const text = JSON.stringify([
      { id: 'a', title: 'Run', dates: [{ at: '2026-06-20' }, { at: '2026-06-21' }] },
      { id: 'b', title: 'Once', at: '2026-06-22', dates: [] },
      'x',
    ]);
    const fields = {
      ...FIELDS,
      externalId: { path: 'id', cases: [{ when: { path: 'each', exists: true }, use: { join: ['id', 'each.at'], with: '@' } }] },
      seriesId: 'id',
      start: { path: ['each.at', 'at'] },
    };
    const events = eventsOf(await read('json', text, { each: 'dates', fields }));
    expect(events.map(({ externalId, seriesId, start }) => [externalId, seriesId, start])).toEqual([
      ['a@2026-06-20', 'a', '2026-06-20'],
      ['a@2026-06-21', 'a', '2026-06-21'],
      ['b', 'b', '2026-06-22'],
      [null, null, null],
    ]);
  });

  it.each(['var city_events = [{"id":1}];', '\ufeffconst x=[{"id":1}]', 'window.data = [{"id":1}] ; \n', '[{"id":1}]'])(
    'stands behind an assignment: %j',
    async (text) => {
      const events = eventsOf(await read('json', text, { unwrap: 'assignment', fields: FIELDS }));
      expect(events.map(({ externalId }) => externalId)).toEqual(['1']);
    },
  );

  it('gives all that it says of an event', async () => {
    const record = {
      kinds: ['Jazz', 'Music', 'Jazz'],
      page: ' https://a.example/1 ',
      cover: 'javascript:alert(1)',
      price: '$12 b4 11 / $19-30',
      by: 'The Cellar',
      online: 'yes',
      whole: 1,
      holds: '1,200',
      site: '//cellar.example/',
    };
    const fields = {
      ...FIELDS,
      categoryWords: 'kinds',
      url: 'page',
      image: 'cover',
      priceText: 'price',
      organizer: 'by',
      isOnline: 'online',
      isAllDay: 'whole',
      venue: { name: 'place', capacity: 'holds', website: 'site' },
    };
    expect(eventsOf(await read('json', JSON.stringify([record]), { fields }))).toMatchObject([
      {
        categoryWords: ['Jazz', 'Music'],
        url: 'https://a.example/1',
        image: null,
        priceText: '$12 b4 11 / $19-30',
        organizer: 'The Cellar',
        isOnline: true,
        isAllDay: true,
        venue: { capacity: 1200, website: 'https://cellar.example/' },
      },
    ]);
  });

  it.each<[string, string | Buffer, RegExp]>([
    ['no JSON', 'var events = [];', /^the document is not JSON: /],
    ['no UTF-8', Buffer.from([0x5b, 0xff, 0x5d]), /^the document is not JSON: /],
    ['no list', '{"events":{}}', /^the document has no list at its top$/],
    ['a hundred thousand levels', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, /nested deeper than 64 levels$/],
  ])('is refused for %s', async (_, text, reason) => {
    await expect(read('json', text)).rejects.toThrow(reason);
  });

  it('does no harm with keys such as __proto__', async () => {
    const [only] = await read('json', '\ufeff[{"__proto__":{"id":"x"},"title":"T"}]');
    expect(only).toMatchObject({ ok: true, listing: { event: { externalId: null, title: 'T' } } });
  });
});

describe('a CSV file', () => {
  const venues = { target: 'venues', fields: { externalId: 'id', name: 'name', point: { path: 'where', as: 'wkt' } } };

  it('gives its rows: quotes, commas and line breaks inside cells, a byte order mark, blank lines', async () => {
    const text = '\ufeffid,name,where\r\n1,"Say ""hi"", twice\nand again",POINT (-73.9 40.1)\r\n\r\n2,Plain,\r\n';
    const [first, second] = await read('csv', text, venues);
    expect(first).toMatchObject({
      ok: true,
      listing: {
        target: 'venues',
        venue: { externalId: '1', name: 'Say "hi", twice\nand again', latitude: 40.1, longitude: -73.9 },
      },
    });
    expect(second).toMatchObject({ ok: true, listing: { venue: { name: 'Plain', latitude: null } } });
  });

  it('rejects a row with more cells than columns and goes on', async () => {
    const listings = await read('csv', 'id,name,where\n1,Short\n2,Fine,x\n3,Long,x,y\n', venues);
    expect(listings.map(({ ok, index }) => [ok, index])).toEqual([
      // Programs leave out empty cells at the end of a row.
      [true, 1],
      [true, 2],
      [false, 3],
    ]);
    expect(listings[2]).toMatchObject({ reason: 'wanted 3 cells, got 4' });
    expect((await read('csv', 'id\n1,Long\n', venues))[0]).toMatchObject({ reason: 'wanted 1 cell, got 2' });
  });

  it('numbers its records from 1, whatever breaks lines in and between them', async () => {
    const text = 'id,"name\r\nof it",where\r\n1,"Say\r\n\r\nhi",\r\n\r\n2,Short\r\n3,"a\nb",\r\n4,A,B,C';
    expect((await read('csv', text, venues)).map(({ ok, index }) => [ok, index])).toEqual([
      [true, 1],
      [true, 2],
      [true, 3],
      [false, 4],
    ]);
  });

  it('takes another delimiter', async () => {
    expect(await read('csv', 'id;name;where\n1;A, B;\n', { ...venues, delimiter: ';' })).toMatchObject([
      { ok: true, listing: { venue: { name: 'A, B' } } },
    ]);
  });

  it('is refused when it is not UTF-8 or a quote never ends', async () => {
    await expect(read('csv', Buffer.from([0x69, 0x64, 0x0a, 0xff, 0x0a]), venues)).rejects.toThrow('the file is not UTF-8');
    await expect(read('csv', 'id,name,where\n"1,A,\n', venues)).rejects.toThrow(/^the file is not CSV: /);
  });
});
