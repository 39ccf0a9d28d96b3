import { describe, expect, it } from 'vitest';
import { PROVIDERS } from '../../src/providers/index.ts';
import type { ListingPage } from '../../src/providers/provider.ts';
import { ALWAYS, eventsIn, fates, readPage, venuesIn } from '../support/fakes/provider.ts';

/** A mapping lies over what a kind reads itself. */

const START = '2026-06-20T20:00:00';
const iso = { local: START, utc: '2026-06-21T00:00:00Z', timezone: 'America/New_York' };
const calendar = (...lines: string[]) =>
  Buffer.from(
    ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:a', `DTSTART:20260620T200000`, 'SUMMARY:Kiln Night', ...lines]
      .concat(['END:VEVENT', 'END:VCALENDAR'])
      .join('\r\n'),
  );
const feed = (item: string) => Buffer.from(`<rss><channel><item><title>Kiln Night</title>${item}</item></channel></rss>`);
const page = (more: object) =>
  Buffer.from(
    `<script type="application/ld+json">${JSON.stringify({ '@type': 'Event', name: 'Kiln Night', startDate: START, ...more })}</script>`,
  );
/** One event of each kind, without a venue. */
const EVENTS: Readonly<Record<string, unknown>> = {
  ical: calendar(),
  feed: feed(`<guid>a</guid><startDate>${START}</startDate>`),
  jsonld: page({}),
  ticketmaster: {
    _embedded: {
      events: [{ id: 'a', name: 'Kiln Night', dates: { start: { localDate: '2026-06-20', localTime: '20:00:00' } } }],
    },
  },
  seatgeek: { events: [{ id: 1, title: 'Kiln Night', datetime_local: START, datetime_utc: '2026-06-21T00:00:00' }] },
  eventbrite: { events: [{ id: 'a', name: { text: 'Kiln Night' }, start: iso }] },
  bandsintown: [{ id: 'a', title: 'Kiln Night', datetime: START, lineup: ['Kiln Night'], venue: {} }],
  openagenda: {
    events: [{ uid: 1, title: { en: 'Kiln Night' }, timings: [{ begin: `${START}-04:00`, end: '2026-06-20T22:00:00-04:00' }] }],
  },
  linkedevents: { data: [{ id: 'a:1', name: { en: 'Kiln Night' }, start_time: '2026-06-21T00:00:00Z' }] },
  tribe: { events: [{ id: 1, title: 'Kiln Night', start_date: '2026-06-20 20:00:00' }] },
  squarespace: { upcoming: [{ id: 'a', title: 'Kiln Night', startDate: Date.parse(iso.utc) }] },
  legistar: [{ EventId: 1, EventBodyName: 'Kiln Night', EventDate: '2026-06-20T00:00:00', EventTime: '8:00 PM' }],
  localist: {
    events: [{ event: { id: 1, title: 'Kiln Night', event_instances: [{ event_instance: { id: 2, start: START } }] } }],
  },
  livewhale: [{ id: 1, title: 'Kiln Night', date_utc: '2026-06-21 00:00:00', date_iso: `${START}-04:00` }],
  microformats: Buffer.from(`<p class="h-event"><b class="p-name">Kiln Night</b><time class="dt-start">${START}</time></p>`),
  socrata: [{ event_id: '1', event_name: 'Kiln Night', start_date_time: START }],
};
const VENUES: Readonly<Record<string, unknown>> = {
  geojson: {
    type: 'FeatureCollection',
    features: [
      { type: 'Feature', id: 1, properties: { name: 'Kiln', size: 80 }, geometry: { type: 'Point', coordinates: [-73.9, 40] } },
    ],
  },
  osm: { elements: [{ type: 'node', id: 1, lat: 40, lon: -73.9, tags: { amenity: 'bar', name: 'Kiln', size: '80' } }] },
};
const LOCATIONS: Readonly<Record<string, string>> = {
  ticketmaster: 'dmaId=1',
  seatgeek: 'venue.city=X',
  eventbrite: 'venues/1',
  bandsintown: 'Kiln',
  openagenda: '1',
  osm: 'bbox=1,2,3,4',
};
const read = (kind: string, mapping: unknown, document: unknown = EVENTS[kind] ?? VENUES[kind]): Promise<ListingPage> =>
  readPage(kind, document, { ...ALWAYS, location: LOCATIONS[kind] ?? 'https://kiln.example/list', mapping });
const only = async (kind: string, mapping: unknown, document?: unknown) => eventsIn(await read(kind, mapping, document))[0]!;
/** What the clock of a start says, in hours after 20:00. */
const hoursLate = (start: string | null) => (Date.parse(`${start?.slice(0, 19)}Z`) - Date.parse(`${START}Z`)) / 3_600_000;

it('has an answer of every kind', () => {
  const kinds = PROVIDERS.filter(({ mapping }) => mapping !== 'needed').map(({ kind }) => kind);
  expect([...Object.keys(EVENTS), ...Object.keys(VENUES)].toSorted()).toEqual(kinds.toSorted());
});

describe.each(Object.keys(EVENTS))('a mapping over %s', (kind) => {
  it('gives the venue, the category, tags and the price that are missing, and keeps all else', async () => {
    const plain = await only(kind, null);
    const fields = {
      category: { path: 'category', default: 'community' },
      tags: { concat: ['tags', { const: ['clay', 'evening'] }] },
      isFree: { const: true },
      title: { path: 'title', default: 'never' },
      venue: { name: { path: 'venue.name', default: 'Teal House' }, latitude: { const: 40 }, longitude: { const: -73.9 } },
    };
    const event = await only(kind, { fields });
    expect(plain.venue.name).toBeNull();
    expect(event).toEqual({
      ...plain,
      ...{ category: plain.category ?? 'community', tags: [...plain.tags, 'clay', 'evening'], isFree: true },
      venue: { ...plain.venue, name: 'Teal House', latitude: 40, longitude: -73.9 },
    });
  });

  it('drops what meets a condition, of the listing or of the record', async () => {
    expect(fates(await read(kind, { drop: [{ path: 'title', startsWith: 'kiln' }] }))).toEqual(['dropped']);
    expect(fates(await read(kind, { drop: [{ path: 'title', startsWith: 'clay' }] }))).toEqual(['listed']);
    expect(fates(await read(kind, { drop: [{ path: 'record', exists: true }] }))).toEqual(['dropped']);
  });

  it('moves a wrong clock', async () => {
    const [plain, early, late] = await Promise.all(
      [null, { shift: '-PT4H' }, { shift: 'PT1H30M' }].map((each) => only(kind, each)),
    );
    expect(hoursLate(early!.start) - hoursLate(plain!.start)).toBe(-4);
    expect(hoursLate(late!.start) - hoursLate(plain!.start)).toBe(1.5);
    expect([early!.externalId, early!.start!.slice(19)]).toEqual([plain!.externalId, plain!.start!.slice(19)]);
  });

  it('without rules changes nothing', async () => {
    const plain = await read(kind, null);
    for (const mapping of [{}, { fields: {} }, { drop: [], fields: { venue: {} } }])
      expect(await read(kind, mapping)).toEqual(plain);
    expect(JSON.stringify(plain)).not.toContain('"record"');
  });

  it('is refused by the name of its field', async () => {
    await expect(read(kind, { fields: { tilte: 'x' } })).rejects.toThrow(
      /^the mapping is not valid: fields\.tilte: wanted one of /,
    );
    const whole = kind === 'socrata' ? 'fields\\.externalId' : 'records';
    const refused = read(kind, { records: 'x', fields: { tags: 'x' } });
    await expect(refused).rejects.toThrow(new RegExp(`^the mapping is not valid: ${whole}: `));
  });
});

describe.each(Object.keys(VENUES))('a mapping over %s', (kind) => {
  it('gives fields of venues, from the record and by constants', async () => {
    const [plain] = venuesIn(await read(kind, null));
    const size = kind === 'osm' ? 'tags.size' : 'size';
    const [venue] = venuesIn(
      await read(kind, { fields: { capacity: size, type: { const: 'gallery' }, isVerified: { const: true } } }),
    );
    expect(venue).toEqual({ ...plain, capacity: 80, type: 'gallery', isVerified: true });
    expect(await read(kind, {})).toEqual(await read(kind, null));
    expect(fates(await read(kind, { drop: [{ path: size, equals: 80 }] }))).toEqual(['dropped']);
  });

  it('is refused for events', async () => {
    await expect(read(kind, { target: 'events' })).rejects.toThrow('the mapping is not valid: target: wanted venues');
  });
});
