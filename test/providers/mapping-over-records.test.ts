import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type EventListing, eventListing } from '../../src/providers/listing.ts';
import { compileMapping } from '../../src/providers/mapping/mapping.ts';
import { OverlaidRecord } from '../../src/providers/mapping/rules.ts';
import { mappingFlaw, withMapping } from '../../src/providers/mapping/with-mapping.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { read as pageOf } from '../house/source-tree.ts';
import { ALWAYS, eventsIn, facts, fates, provider, readPage } from '../support/fakes/provider.ts';

const calendar = (...events: string[][]) =>
  Buffer.from(
    [
      'BEGIN:VCALENDAR',
      ...events.flatMap((lines, at) => ['BEGIN:VEVENT', `UID:${at}`, 'SUMMARY:Kiln Night', ...lines, 'END:VEVENT']),
      'END:VCALENDAR',
    ].join('\r\n'),
  );
const AT_EIGHT = 'DTSTART:20260620T200000';
const feed = (...items: string[]) =>
  Buffer.from(`<rss><channel>${items.map((item) => `<item><title>Kiln Night</title>${item}</item>`).join('')}</channel></rss>`);
const page = (...nodes: object[]) =>
  Buffer.from(
    `<script type="application/ld+json">${JSON.stringify(nodes.map((node) => ({ '@type': 'Event', ...node })))}</script>`,
  );
const read = (kind: string, document: unknown, mapping: unknown) => readPage(kind, document, { ...ALWAYS, mapping });
const events = async (kind: string, document: unknown, mapping: unknown) => eventsIn(await read(kind, document, mapping));

describe('a rule finds the record as the provider wrote it', () => {
  it('in a calendar by the names of properties, those of programs included', async () => {
    const text = calendar([
      AT_EIGHT,
      'X-COST:12\\, or 8\\nat the door',
      'CONTACT:Ana',
      'CATEGORIES:Clay,Fire',
      'X-Tag:a',
      'X-TAG:b',
    ]);
    const fields = {
      priceText: 'X-COST',
      organizer: 'contact',
      tags: { concat: ['categories', 'x-tag'] },
      description: { path: 'record.dtstart' },
      venue: { name: { path: 'location', default: 'Teal House' } },
    };
    expect(await events('ical', text, { fields })).toMatchObject([
      {
        priceText: '12, or 8\nat the door',
        organizer: 'Ana',
        tags: ['Clay', 'Fire', 'a', 'b'],
        description: '20260620T200000',
        venue: { name: 'Teal House' },
      },
    ]);
  });

  it('gives a calendar without places its house, but not to what is online or elsewhere', async () => {
    const text = calendar(
      [AT_EIGHT],
      [AT_EIGHT, 'LOCATION:'],
      [AT_EIGHT, 'LOCATION:Town Hall\\, 1 Elm St'],
      [AT_EIGHT, 'LOCATION:https://meet.example/1'],
    );
    const mapping = { fields: { venue: { name: { path: 'venue.name', default: 'Teal House' } } } };
    expect((await events('ical', text, mapping)).map(({ venue, isOnline }) => [venue.name, isOnline])).toEqual([
      ['Teal House', false],
      ['Teal House', false],
      ['Town Hall', false],
      [null, true],
    ]);
    const hybrid = { fields: { ...mapping.fields, isOnline: { const: false } } };
    expect((await events('ical', text, hybrid)).at(-1)).toMatchObject({ isOnline: false, venue: { name: 'Teal House' } });
  });

  it('in a feed by the simple names of elements, inside others and of attributes', async () => {
    const item = `<ev:start_date>2026-06-20</ev:start_date><x:Stage><x:Name>Loft</x:Name></x:Stage><enclosure url="https://a.example/1"/>`;
    const fields = {
      organizer: 'stage.name',
      url: 'enclosure.url',
      venue: { name: { join: [{ const: 'House' }, 'stage.name'] } },
    };
    expect(await events('feed', feed(item), { fields })).toMatchObject([
      { organizer: 'Loft', url: 'https://a.example/1', venue: { name: 'House Loft' } },
    ]);
  });

  it('in a page by the properties of the node, and in an API by its own names', async () => {
    const node = { name: 'Kiln Night', startDate: '2026-06-20', isRefundable: true, location: { name: 'Loft' } };
    const fields = {
      tags: { path: 'location.name' },
      status: { cases: [{ when: { path: 'isRefundable', equals: true }, use: { const: 'postponed' } }], const: null },
    };
    expect(await events('jsonld', page(node), { fields })).toMatchObject([{ tags: ['Loft'], status: 'postponed' }]);
    const show = { id: 1, title: 'Kiln Night', datetime_local: '2026-06-20T20:00:00', venue: { name: 'Loft', hall: 'B' } };
    const seatgeek = { events: [show] };
    expect(await events('seatgeek', seatgeek, { fields: { tags: 'venue.hall' } })).toMatchObject([
      { tags: ['B'], venue: { name: 'Loft' } },
    ]);
  });
});

describe('a record without a start', () => {
  const posts = feed('<guid>a</guid><pubDate>2026-06-20T20:00:00Z</pubDate>', '<guid>b</guid>');
  const nodes = page({ '@id': 'https://a.example/a', name: 'A', doorTime: '2026-06-20T20:00:00Z' }, { name: 'B' });
  const show = { id: 1, title: 'Kiln Night', announced: '2026-06-20T20:00:00Z' };

  it.each<[string, unknown, string, string[]]>([
    ['feed', posts, 'pubdate', ['listed', 'start']],
    ['jsonld', nodes, 'doorTime', ['listed', 'start']],
    ['seatgeek', { events: [show, { id: 2, title: 'B' }] }, 'announced', ['listed', 'start']],
  ])('of %s is read if the mapping gives it', async (kind, document, path, expected) => {
    const mapped = await read(kind, document, { fields: { start: path } });
    expect(fates(mapped)).toEqual(expected);
    expect(eventsIn(mapped)).toMatchObject([{ start: '2026-06-20T20:00:00Z' }]);
    expect(JSON.stringify(mapped)).not.toContain('draft');
    expect(fates(await read(kind, document, null))).toEqual(['start', 'start']);
    expect(fates(await read(kind, document, { drop: [{ path, exists: true }] }))).toEqual(['dropped', 'start']);
  });
});

describe('the times of a listing', () => {
  it('are read anew by the keys of dates', async () => {
    const item = (start: string, end: string) => feed(`<start>${start}</start><end>${end}</end>`);
    const night = item('2026-06-20T20:00:00+02:00', '2026-06-20T22:00:00+02:00');
    const times = async (document: unknown, mapping: object) =>
      (await events('feed', document, mapping)).map(({ start, end, zone, isAllDay }) => [start, end, zone, isAllDay]);
    const own = (keys: object) => ({ fields: { start: { path: 'start', ...keys }, end: { path: 'end', ...keys } } });
    expect(await times(night, { zone: 'Europe/Paris', ...own({ ignoreOffset: true }) })).toEqual([
      ['2026-06-20T20:00:00', '2026-06-20T22:00:00', 'Europe/Paris', false],
    ]);
    expect(await times(night, own({ hour: 'unknown' }))).toEqual([['2026-06-20', '2026-06-20', null, false]]);
    const exclusive = { fields: { end: { path: 'end', exclusive: true } } };
    expect(await times(item('2026-07-10', '2026-07-13'), exclusive)).toEqual([['2026-07-10', '2026-07-12', null, true]]);
    expect(await times(night, { fields: { start: { path: 'pubdate', date: 'YYYY' } } }).catch(String)).toMatch(
      /fields\.start\.date/,
    );
    const whole = await times(item('2026-07-10', '2026-07-13'), { fields: { start: { const: '2026-07-11T20:00' } } });
    expect(whole).toEqual([['2026-07-11T20:00:00', '2026-07-13', null, false]]);
    const soon = await read('feed', night, { fields: { start: { const: 'soon' } } });
    expect(soon.listings).toMatchObject([{ ok: false, field: 'start', reason: 'wanted a date-time (iso), got "soon"' }]);
  });

  it('may be words in the languages of the mapping, one event for each of several days', async () => {
    const fields = { start: { path: 'title', after: ['am '] } };
    const german = feed('<guid>a</guid><title>Werkstatt am 3. und 4. Juli 2026, 19 Uhr</title>')
      .toString()
      .replace('<title>Kiln Night</title>', '');
    const found = await events('feed', Buffer.from(german), { locale: 'de-DE', fields });
    expect(found.map(({ externalId, seriesId, start }) => [externalId, seriesId, start])).toEqual([
      ['a@2026-07-03T19:00:00', 'a', '2026-07-03T19:00:00'],
      ['a@2026-07-04T19:00:00', 'a', '2026-07-04T19:00:00'],
    ]);
  });

  it('are on the clock of the zone that the mapping names', async () => {
    const mapping = { zone: 'Asia/Tokyo' };
    expect(await events('ical', calendar([AT_EIGHT]), mapping)).toMatchObject([
      { start: '2026-06-20T20:00:00', zone: 'Asia/Tokyo' },
    ]);
    expect(await events('feed', feed('<start>2026-06-20T20:00</start>'), mapping)).toMatchObject([{ zone: 'Asia/Tokyo' }]);
    const paris = calendar(['DTSTART;TZID=Europe/Paris:20260620T200000']);
    expect(await events('ical', paris, mapping)).toMatchObject([{ zone: 'Europe/Paris' }]);
    const replaced = await events('ical', paris, { fields: { zone: { const: 'Asia/Tokyo' } } });
    expect(replaced).toMatchObject([{ start: '2026-06-20T20:00:00', zone: 'Asia/Tokyo' }]);
    const seen: unknown[] = [];
    const spy = {
      kind: 'spy',
      mapping: 'over',
      read: (_: unknown, { zone, locales, mapping: told }: object & Record<string, unknown>) => {
        seen.push([zone, locales, told]);
        return { listings: [], next: [] };
      },
    } as unknown as Provider;
    await withMapping(spy).read(
      { url: '', body: Buffer.of(), contentType: null },
      facts({ mapping: { ...mapping, locale: 'fr' } }),
    );
    await withMapping(spy).read({ url: '', body: Buffer.of(), contentType: null }, facts({ mapping: {} }));
    expect(seen).toEqual([
      ['Asia/Tokyo', ['fr'], null],
      ['America/New_York', ['en-US'], null],
    ]);
  });
});

const day = fc
  .date({ min: new Date('1970-01-02'), max: new Date('2099-12-30'), noInvalidDate: true })
  .map((date) => date.toISOString());
const time = day.chain((iso) =>
  fc.constantFrom(
    iso.slice(0, 10),
    iso.slice(0, 19),
    `${iso.slice(0, 19)}Z`,
    `${iso.slice(0, 19)}.120-04:30`,
    `${iso.slice(0, 19)}+14:00`,
  ),
);
const text = fc.option(fc.constantFrom('a', ' b ', '<i>c</i>', '0'), { nil: null });
const listing: fc.Arbitrary<EventListing> = fc
  .record({
    ...{
      externalId: text,
      title: text,
      category: text,
      description: text,
      status: text,
      zone: text,
      start: fc.option(time, { nil: null }),
    },
    ...{
      end: fc.option(time, { nil: null }),
      isAllDay: fc.boolean(),
      isOnline: fc.boolean(),
      isFree: fc.option(fc.boolean(), { nil: null }),
    },
    ...{
      tags: fc.array(fc.constantFrom('x', 'y', ' z'), { maxLength: 3 }),
      priceMin: fc.option(fc.constantFrom(0, 12.5), { nil: null }),
    },
    venue: fc.record({
      name: text,
      latitude: fc.constantFrom(null, 0, 40.5),
      hints: fc.constantFrom([], [{ kind: 'venue', name: 'p' } as const]),
    }),
  })
  .map((said) => eventListing(said));

function over(mapping: object): (event: EventListing, record?: object) => EventListing {
  const compiled = compileMapping(mapping, { over: 'events' });
  if (!compiled.ok) throw new Error(`${compiled.field}: ${compiled.reason}`);
  return (event, record = {}) => {
    const mapped = compiled.mapping.read(new OverlaidRecord(event, () => record), { target: 'events', event });
    if (mapped === null || 'refused' in mapped || mapped[0]?.target !== 'events') throw new Error(JSON.stringify(mapped));
    return mapped[0].event;
  };
}

describe('the examples of the page', () => {
  const section = pageOf('docs/providers.md').split('\n## A mapping over another kind\n')[1]?.split('\n## ')[0] ?? '';
  const examples = [...section.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);

  it.each(examples)('can be used: %s', (example) => {
    expect(examples.length).toBeGreaterThan(8);
    const kind = example.includes('isVerified') ? 'osm' : 'ical';
    expect(mappingFlaw(provider(kind), JSON.parse(example))).toBeNull();
  });
});

describe('for any listing, a mapping', () => {
  it('without rules, or whose rules find nothing, changes nothing', () => {
    const names = ['title', 'category', 'end', 'start', 'zone', 'isFree', 'isAllDay', 'tags', 'priceMin', 'status'];
    const silent = {
      fields: { ...Object.fromEntries(names.map((name) => [name, 'nowhere.at.all'])), venue: { name: 'x', point: 'y' } },
    };
    fc.assert(
      fc.property(listing, fc.constantFrom({}, { fields: {} }, { fields: { venue: {} } }, silent), (event, mapping) => {
        expect(over(mapping)(event)).toEqual(event);
      }),
    );
  });

  it('of constants gives the constants, and of null empties a field', () => {
    const fields = {
      title: { const: 'T' },
      tags: { const: ['t'] },
      isFree: { const: false },
      priceMin: { const: null },
      end: { const: null },
    };
    fc.assert(
      fc.property(listing, (event) => {
        fc.pre(!event.isOnline);
        const mapped = over({ fields: { ...fields, venue: { name: { const: 'V' }, point: { const: null }, locate: [] } } })(
          event,
        );
        const expected = { title: 'T', tags: ['t'], isFree: false, priceMin: null, end: null };
        expect(mapped).toEqual({ ...event, ...expected, venue: { ...event.venue, name: 'V', latitude: null, longitude: null } });
      }),
    );
  });

  it('that fills takes what is there first, of the listing before the record', () => {
    fc.assert(
      fc.property(listing, (event) => {
        const fields = { status: { path: 'status', default: 'd' } };
        expect(over({ fields })(event, { status: 'r' }).status).toBe(event.status?.trim() ?? 'r');
        expect(over({ fields })(event).status).toBe(event.status?.trim() ?? 'd');
        expect(over({ fields: { status: { path: 'record.status', default: 'd' } } })(event, { status: 'r' }).status).toBe('r');
      }),
    );
  });

  it('bears any record', () => {
    const fields = {
      ...Object.fromEntries(['title', 'tags', 'end', 'isFree', 'priceMin', 'url', 'status'].map((name) => [name, 'record.a'])),
      description: { concat: ['record', 'a.*.b', '__proto__.x', 'constructor'] },
      venue: { name: 'a', latitude: 'a.b', longitude: 'b', locate: [{ venue: 'a' }, { point: 'b' }] },
    };
    fc.assert(
      fc.property(listing, fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), fc.jsonValue()), (event, record) => {
        const { title, tags, end, venue } = over({ fields, shift: 'PT1H' })(event, record);
        expect([title === null || typeof title === 'string', tags.every((tag) => typeof tag === 'string')]).toEqual([true, true]);
        expect(venue.name === null || typeof venue.name === 'string').toBe(true);
        expect(end === null || /^\d{4}-\d\d-\d\d/.test(end)).toBe(true);
      }),
    );
  });

  it('that shifts there and back changes nothing, and days have no clock', () => {
    const shifts = fc.constantFrom('PT4H', 'PT90M', 'P1DT30M', 'PT45S', 'P2W');
    fc.assert(
      fc.property(listing, shifts, (event, shift) => {
        const there = over({ shift })(event);
        expect(over({ shift: `-${shift}` })(there)).toEqual(event);
        expect(there.start === event.start).toBe(event.start === null || event.start.length === 10);
      }),
    );
  });
});
