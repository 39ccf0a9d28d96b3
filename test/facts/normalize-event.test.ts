import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeEvent, normalizeVenue, REFUSALS, REPAIRS } from '../../src/facts/index.ts';
import type { EventListing } from '../../src/providers/listing.ts';
import { CATEGORIES, EVENT_STATUSES, START_PRECISIONS, VENUE_TYPES } from '../../src/records/index.ts';
import { quoted, tableRows } from '../house/source-tree.ts';
import { cpuMsOf } from '../support/processes/cpu-time.ts';
import { codePoint } from '../support/records/code-point.ts';
import { CONTEXT, listing, normal } from './listing.ts';

describe('a normalized event', () => {
  it('says what the listing says, in facts', () => {
    expect(
      normal({
        seriesId: 's',
        description: '<p>An evening&hellip;</p>',
        image: '//cdn.example/a.png',
        url: 'https://example.org/?a=1&amp;b=2',
        performers: ['A', 'A ', '<b>B</b>'],
        tags: ['late'],
        sources: ['Kestrel Guide'],
        organizer: 'Friends of Jazz',
        organizerUrl: 'https://friends.example/jazz',
        categoryWords: ['Jazz'],
        priceMin: 12,
      }),
    ).toEqual({
      externalId: '1',
      seriesId: 's',
      title: 'Night of Jazz',
      category: 'concert',
      categoryConfidence: 0.93,
      categoryReason: 'the provider sorts it under "Jazz"',
      startsAt: Date.parse('2026-06-21T00:00:00Z'),
      endsAt: null,
      localStart: '2026-06-20T20:00',
      precision: 'time',
      description: 'An evening…',
      imageUrl: 'https://cdn.example/a.png',
      url: 'https://example.org/?a=1&b=2',
      isFree: false,
      priceMin: 12,
      priceMax: null,
      status: 'scheduled',
      performers: ['A', 'B'],
      tags: ['late'],
      sources: ['Kestrel Guide'],
      organizer: { name: 'Friends of Jazz', url: 'https://friends.example/jazz' },
      place: {
        externalId: null,
        name: 'Cellar',
        type: null,
        address: null,
        latitude: 40.7,
        longitude: -73.95,
        capacityTier: null,
        isVerified: false,
        website: null,
        neighborhood: null,
        hints: [],
      },
      repairs: [],
    });
  });

  it('holds plain text only: no tags, no code, no letters that people do not see', () => {
    const hostile = '<img src=x onerror="alert(1)"><script>x()</script>&lt;svg onload=x&gt;A\u202eB\u{E0041}\u0000\u200b <<b>i>';
    const event = normal({ title: `Jazz ${hostile}`, description: hostile, performers: [hostile], organizer: hostile });
    expect(event).toMatchObject({
      title: 'Jazz AB',
      description: 'AB',
      performers: ['AB'],
      organizer: { name: 'AB', url: null },
    });
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'https://user:pass@example.org/',
    'http:///x',
    'https://exa mple.org',
    'ftp://example.org/',
  ])('has no address such as %s', (address) => {
    expect(normal({ url: address, image: address })).toMatchObject({ url: null, imageUrl: null, repairs: ['address_dropped'] });
  });

  it('cuts what is too long at a word', () => {
    const event = normal({ title: 'jazz '.repeat(200), description: 'night '.repeat(10_000) });
    if (typeof event === 'string') throw new Error(event);
    expect([...event.title].length).toBeLessThanOrEqual(300);
    expect([...(event.description ?? '')].length).toBeLessThanOrEqual(20_000);
    expect(event.repairs).toEqual(['text_cut']);
  });

  it('is understood from any listing without an exception, within the limits of the store', () => {
    fc.assert(
      fc.property(anyListing, fc.boolean(), (said, isOpen) => {
        const { bounds, ...city } = CONTEXT.city;
        const context = isOpen ? { sourceName: 'feed', city } : { ...CONTEXT, city: { ...city, bounds: bounds ?? null } };
        const result = normalizeEvent(said, context);
        normalizeVenue(said.venue, context);
        if (!result.ok) {
          expect(REFUSALS).toHaveProperty(result.code);
          return;
        }
        const { event } = result;
        const within = (text: string | null, least: number, most: number) => {
          if (text === null) return;
          const length = [...text].length;
          expect(length >= least && length <= most && text.isWellFormed() && text === text.normalize('NFC')).toBe(true);
          expect(text).not.toMatch(/(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]|[\u{E0000}-\u{E007F}]/u);
        };
        within(event.externalId, 1, 500);
        within(event.title, 1, 300);
        within(event.description, 1, 20_000);
        within(event.place.name, 0, 300);
        within(event.place.address, 1, 500);
        for (const performer of event.performers) within(performer, 1, 300);
        for (const tag of event.tags) within(tag, 1, 100);
        for (const source of event.sources) within(source, 1, 100);
        expect(event.sources.length).toBeGreaterThan(0);
        expect(CATEGORIES).toContain(event.category);
        expect(EVENT_STATUSES).toContain(event.status);
        expect(START_PRECISIONS).toContain(event.precision);
        expect([...VENUE_TYPES, null]).toContain(event.place.type);
        expect(event.localStart).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/);
        expect(Number.isSafeInteger(event.startsAt)).toBe(true);
        expect(event.endsAt === null || event.endsAt > event.startsAt).toBe(true);
        expect(event.isFree).toBe(event.priceMin === 0 && event.priceMax === 0);
        expect((event.priceMax ?? Infinity) >= (event.priceMin ?? 0)).toBe(true);
        const { latitude, longitude } = event.place;
        expect((latitude === null) === (longitude === null)).toBe(true);
        expect(Math.abs(latitude ?? 0) <= 90 && Math.abs(longitude ?? 0) <= 180).toBe(true);
        for (const address of [event.url, event.imageUrl, event.place.website]) {
          if (address !== null) expect(['http:', 'https:']).toContain(new URL(address).protocol);
        }
        for (const code of event.repairs) expect(REPAIRS).toHaveProperty(code);
      }),
      { numRuns: 1500 },
    );
  });

  it('takes no longer for hostile text', () => {
    for (const piece of ['<', '<a ', '&#', '<!--', '<script>', ' \n', '(21+)', 'CANCELED: ', '1-', '<a b="', 'é', '((', '- ']) {
      const text = piece.repeat(100_000);
      const hostile = listing({ title: text, description: text, priceText: text, venue: { name: text, address: text } });
      expect(
        cpuMsOf(() => normalizeEvent(hostile, CONTEXT)),
        piece,
      ).toBeLessThan(2_000);
    }
  });
});

describe('docs/normalizing.md', () => {
  it('lists every reason for a refusal as the code has it, and no other', () => {
    const rows = tableRows('docs/normalizing.md', 'refused as').map(([code = '', why]) => [quoted(code)[0], why]);
    expect(rows).toEqual(Object.entries(REFUSALS));
  });

  it('lists every repair as the code has it, and no other', () => {
    const rows = tableRows('docs/normalizing.md', 'repaired').map(([code = '', why]) => [quoted(code)[0], why]);
    expect(rows).toEqual(Object.entries(REPAIRS));
  });
});

const word = fc.constantFrom(
  ...[
    '',
    ' ',
    'CANCELED:',
    'Jazz',
    'JAZZ NIGHT',
    '(21+)',
    '- New York',
    'TBA',
    '<b>',
    '&amp;lt;',
    '\u0000',
    '\ud800',
    '\u202e',
    '\u{E0041}',
  ],
  ...[
    'e\u0301',
    '$12',
    'free',
    'Library',
    'Zoom',
    '3',
    'https://example.org/',
    'javascript:x',
    '2026-06-20',
    'x'.repeat(600),
    '🎷',
    '\u2028',
  ],
);
const text = fc.oneof(
  { weight: 3, arbitrary: fc.array(word, { maxLength: 6 }).map((all) => all.join(' ')) },
  fc.string({ unit: codePoint }),
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });
const when = fc.oneof(
  fc
    .tuple(fc.integer({ min: 0, max: 9999 }), fc.integer({ min: 0, max: 13 }), fc.integer({ min: 0, max: 32 }))
    .map((parts) => parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0')).join('-')),
  fc.date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true }).map((date) => date.toISOString()),
  fc
    .tuple(
      fc.constantFrom('2026-06-20', '2026-03-08', '2026-11-01', '9999-12-31'),
      fc.constantFrom('', 'T00:00', 'T02:30:00', 'T23:59:59-12:00', 'T19:30+99:00'),
    )
    .map((parts) => parts.join('')),
  text,
);
const number = maybe(fc.oneof(fc.double(), fc.constantFrom(0, -5, 1e308, 40.7, -73.95, Number.NaN)));
const many = fc.array(text, { maxLength: 5 });
const anyListing: fc.Arbitrary<EventListing> = fc.record({
  externalId: maybe(text),
  seriesId: maybe(text),
  title: maybe(text),
  category: maybe(fc.oneof(text, fc.constantFrom(...CATEGORIES))),
  categoryWords: many,
  start: maybe(when),
  end: maybe(when),
  zone: maybe(fc.oneof(text, fc.constantFrom('Europe/Paris', 'Asia/Kathmandu'))),
  isAllDay: fc.boolean(),
  description: maybe(text),
  image: maybe(text),
  url: maybe(text),
  isFree: maybe(fc.boolean()),
  priceMin: number,
  priceMax: number,
  priceText: maybe(text),
  status: maybe(text),
  performers: many,
  tags: many,
  sources: many,
  organizer: maybe(text),
  organizerUrl: maybe(text),
  isOnline: fc.boolean(),
  venue: fc.record({
    externalId: maybe(text),
    name: maybe(text),
    type: maybe(text),
    address: maybe(text),
    latitude: number,
    longitude: number,
    capacityTier: maybe(text),
    capacity: number,
    isVerified: maybe(fc.boolean()),
    website: maybe(text),
    neighborhood: maybe(text),
    hints: fc.constant([]),
  }),
});
