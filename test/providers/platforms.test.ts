import { describe, expect, it } from 'vitest';
import type { SourceFacts } from '../../src/providers/provider.ts';
import { PLATFORMS } from '../support/fakes/platforms.ts';
import { ALWAYS, eventsIn, facts, fates, provider, query, readPage } from '../support/fakes/provider.ts';

type Platform = keyof typeof PLATFORMS;
type Said = Readonly<Record<string, unknown>>;

const askFor = (kind: Platform, said: Partial<SourceFacts> = {}) =>
  provider(kind).request(facts({ location: PLATFORMS[kind].location, ...said }));
const read = (kind: Platform, document: unknown = PLATFORMS[kind].document) =>
  readPage(kind, document, { ...ALWAYS, location: PLATFORMS[kind].location });
const only = async (kind: Platform, document?: unknown) => eventsIn(await read(kind, document))[0]!;

describe('tribe', () => {
  const [record] = PLATFORMS.tribe.document.events;
  const page = (said: Said) => ({ events: [{ ...record, ...said }] });

  it('is asked for the window, 50 events a page, and for what the location says otherwise', () => {
    expect(query(askFor('tribe'))).toEqual({ start_date: '2026-06-16', end_date: '2027-07-21', per_page: '50' });
    expect(query(askFor('tribe', { location: 'https://loom.example/e?per_page=10' }))).toMatchObject({ per_page: '10' });
  });

  it('follows the next page that it names, also with blanks in it, on its own host', async () => {
    const { next } = await read('tribe');
    expect(query(next[0])).toEqual({ page: '2', start_date: '2026-06-16 00:00:00' });
    const elsewhere = await read('tribe', { events: [record], next_rest_url: 'https://other.example/wp-json?page=2' });
    expect(elsewhere.next).toEqual([]);
  });

  it('gives an event with its place, its price and who puts it on', async () => {
    expect(await only('tribe')).toMatchObject({
      externalId: 'loom.example?id=310',
      title: 'Lantern Night &#8211; Late',
      start: '2026-07-04T20:00:00-04:00',
      end: '2026-07-04T22:30:00-04:00',
      image: 'https://loom.example/lamp.jpg',
      priceMin: 12,
      priceMax: 20,
      categoryWords: ['Crafts'],
      tags: ['Crafts', 'evening'],
      organizer: 'Loom Society',
      organizerUrl: 'https://society.example/',
      venue: {
        name: 'The Loom',
        address: '9 Shuttle Lane, Weaverton, NY 10999',
        latitude: 40.71,
        longitude: -73.95,
      },
    });
  });

  it('gives whole days, prices in words, and venues and organizers that are lists or nothing', async () => {
    const event = await only(
      'tribe',
      page({ all_day: true, cost: 'Free', cost_details: { values: [] }, venue: [], organizer: [] }),
    );
    expect(event).toMatchObject({ isAllDay: true, start: '2026-07-04', end: '2026-07-04', priceMin: null, priceText: 'Free' });
    expect([event.venue.name, event.venue.address, event.organizer]).toEqual([null, null, null]);
  });

  it('leaves out drafts and hidden events, and refuses what has no start', async () => {
    const events = [{ status: 'draft' }, { hide_from_listings: true }, { start_date: null, utc_start_date: null }];
    const found = await read('tribe', { events: events.map((said) => ({ ...record, ...said })) });
    expect(fates(found)).toEqual(['dropped', 'dropped', 'start']);
  });
});

describe('squarespace', () => {
  const { document } = PLATFORMS.squarespace;
  const [record] = document.upcoming;
  const place = (said: Said) => only('squarespace', { ...document, upcoming: [{ ...record, location: said }] });

  it('is asked for JSON, whatever page the location is', async () => {
    expect(askFor('squarespace').url).toBe('https://bakery.example/calendar?format=json');
    expect(query((await read('squarespace')).next[0])).toEqual({ format: 'json', offset: '1783300000000' });
    expect((await read('squarespace', { ...document, upcoming: [] })).next).toEqual([]);
  });

  it('lists what is upcoming and nothing that is past', async () => {
    const page = await read('squarespace');
    expect(fates(page)).toEqual(['listed']);
    expect(eventsIn(page)[0]).toMatchObject({
      externalId: '65aa01',
      start: '2026-07-05T00:00:00.000Z',
      end: '2026-07-05T02:00:00.000Z',
      zone: 'America/New_York',
      url: 'https://bakery.example/calendar/sourdough-supper',
      image: 'https://images.example/65aa01/loaf.jpg',
      tags: ['Suppers', 'bread'],
      venue: { name: 'Rye Hall', address: '4 Mill Row, Weaverton, NY, 10999', latitude: 40.721, longitude: -73.961 },
    });
  });

  it('takes no point from a map that nobody has moved, nor beside no place', async () => {
    const office = { markerLat: 40.7207559, markerLng: -74.0007613 };
    expect((await place({ addressTitle: 'Rye Hall', ...office })).venue).toMatchObject({ name: 'Rye Hall', latitude: null });
    expect((await place({ markerLat: 40.5, markerLng: -73.5 })).venue).toMatchObject({ name: null, latitude: null });
  });

  it('takes an address that names no file for no picture', async () => {
    const upcoming = [{ ...record, assetUrl: 'https://images.example/65aa01/' }];
    expect((await only('squarespace', { ...document, upcoming })).image).toBeNull();
  });

  it('refuses a page that has no events', async () => {
    const home = { website: document.website, collection: { typeName: 'page' } };
    await expect(read('squarespace', home)).rejects.toThrow('the response is not a page of events of Squarespace');
  });
});

describe('legistar', () => {
  const [record] = PLATFORMS.legistar.document;
  const meeting = (said: Said) => only('legistar', [{ ...record, ...said }]);

  it('is asked for the days of the window, in their order', () => {
    expect(query(askFor('legistar'))).toEqual({
      $filter: "EventDate ge datetime'2026-06-16' and EventDate lt datetime'2027-07-21'",
      $orderby: 'EventDate',
      $top: '1000',
    });
  });

  it('is asked for more until a page is not full', async () => {
    const full = Array.from({ length: 1000 }, (_, at) => ({ ...record, EventId: at }));
    expect(query((await read('legistar', full)).next[0])).toMatchObject({ $skip: '1000' });
    expect((await read('legistar')).next).toEqual([]);
  });

  it('gives the meeting of a body, with its day and hour and the two lines of its place', async () => {
    expect(await meeting({})).toMatchObject({
      externalId: '88',
      title: 'Board of Looms',
      start: '2026-07-07T18:30:00',
      status: null,
      venue: { name: 'Guildhall', address: '12 Warp Street, Weaverton' },
    });
  });

  it.each<[string | null, string]>([
    ['10:00 AM', '2026-07-07T10:00:00'],
    ['5 p.m. or after the hearing', '2026-07-07T17:00:00'],
    ['18:30', '2026-07-07T18:30:00'],
    ['To be announced', '2026-07-07'],
    [null, '2026-07-07'],
  ])('reads the hour %j', async (EventTime, start) => {
    expect((await meeting({ EventTime })).start).toBe(start);
  });

  it.each<[Said, string | null]>([
    [{ EventAgendaStatusName: 'Cancelled' }, 'cancelled'],
    [{ EventLocation: 'Guildhall\r\n***CANCELED***' }, 'cancelled'],
    [{ EventComment: 'This meeting has been postponed to May.' }, 'postponed'],
    [{ EventComment: 'Item 4 was cancelled by the applicant.' }, null],
  ])('reads the status of %j', async (said, status) => {
    const { venue, ...event } = await meeting(said);
    expect([event.status, venue.name]).toEqual([status, 'Guildhall']);
  });
});

describe('localist', () => {
  const event = (said: Said) => ({ events: [{ event: { ...PLATFORMS.localist.document.events[0].event, ...said } }] });

  it('is asked for a year, page after page', async () => {
    expect(query(askFor('localist'))).toEqual({ days: '370', pp: '100' });
    expect(query((await read('localist')).next[0])).toEqual({ days: '370', pp: '100', page: '2' });
  });

  it('lists each date of an event', async () => {
    const found = eventsIn(await read('localist'));
    expect(found.map(({ externalId, seriesId, start, isAllDay }) => [externalId, seriesId, start, isAllDay])).toEqual([
      ['9001', '500', '2026-07-04T10:00:00-04:00', false],
      ['9002', '500', '2026-07-11', true],
    ]);
    expect(found[0]).toMatchObject({
      title: 'Dye Garden Tour',
      isFree: true,
      categoryWords: ['Tours'],
      tags: ['garden'],
      status: null,
      venue: { name: 'Botany House', address: '30 Madder Road, Weaverton, NY 10999', latitude: 40.73, longitude: -73.97 },
    });
  });

  it('says what is cancelled, online or has a price, and leaves out what is private', async () => {
    const said = { status: 'canceled', experience: 'virtual', free: false, ticket_cost: '$5' };
    expect(await only('localist', event(said))).toMatchObject({
      status: 'cancelled',
      isOnline: true,
      isFree: null,
      priceText: '$5',
    });
    expect(fates(await read('localist', event({ private: true })))).toEqual(['dropped']);
  });

  it.each(['live', 'Live', 'LIVE'])('takes an event that is %s for one that takes place', async (status) => {
    expect((await only('localist', event({ status }))).status).toBeNull();
  });
});

describe('livewhale', () => {
  const [record] = PLATFORMS.livewhale.document;

  it('gives an event with its place and its price in words', async () => {
    expect(await only('livewhale')).toMatchObject({
      externalId: '71',
      start: '2026-07-08T18:00:00-04:00',
      end: '2026-07-08T19:00:00-04:00',
      status: null,
      priceText: '<p>$6</p>',
      venue: { name: 'Textile Museum', address: '2 Weft Square, Weaverton, NY 10999', latitude: 40.74 },
    });
  });

  it('says what is cancelled, and parts a place that is one text', async () => {
    const said = { is_canceled: 1, is_all_day: true, location: 'Mill, 3 Dye Street', location_address: null };
    const event = await only('livewhale', { data: [{ ...record, ...said }] });
    expect(event).toMatchObject({ status: 'cancelled', isAllDay: true, start: '2026-07-08', end: '2026-07-08' });
    expect([event.venue.name, event.venue.address]).toEqual(['Mill', '3 Dye Street']);
  });
});
