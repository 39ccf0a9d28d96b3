/** Dates of feeds as programs of towns, houses and universities write them. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeListings } from '../../src/facts/index.ts';
import type { EventListing } from '../../src/providers/listing.ts';
import type { ListingPage, SourceFacts } from '../../src/providers/provider.ts';
import { CONTEXT } from '../facts/listing.ts';
import { eventsIn, facts, provider } from '../support/fakes/provider.ts';

const URL_OF_FEED = 'https://town.example/events.xml';
const read = (item: string, said: Partial<SourceFacts> = {}): ListingPage => {
  const text = `<?xml version="1.0"?><rss version="2.0"><channel><item><title>Quay Songs</title><guid>1</guid><pubDate>Wed, 10 Jun 2026 15:19:37 -0400</pubDate>${item}</item></channel></rss>`;
  const answer = { url: URL_OF_FEED, body: Buffer.from(text), contentType: 'application/rss+xml' };
  return provider('feed').read(answer, facts({ location: URL_OF_FEED, ...said })) as ListingPage;
};
const one = (item: string, said: Partial<SourceFacts> = {}): Partial<EventListing> => eventsIn(read(item, said))[0] ?? {};
const reasonOf = (page: ListingPage) => page.listings.flatMap((each) => (each.ok === false ? [each.reason] : []))[0];

describe('an item of', () => {
  it.each<[program: string, item: string, wanted: Partial<EventListing>]>([
    [
      'CivicPlus',
      '<calendarEvent:EventDates> June 21, 2026 </calendarEvent:EventDates><calendarEvent:EventTimes>04:00 PM - 05:00 PM</calendarEvent:EventTimes><calendarEvent:Location>Net Shed</calendarEvent:Location>',
      { start: '2026-06-21T16:00:00', end: '2026-06-21T17:00:00', isAllDay: false },
    ],
    [
      'CivicPlus over several days',
      '<calendarEvent:EventDates>July 3, 2026 - July 4, 2026</calendarEvent:EventDates><calendarEvent:EventTimes></calendarEvent:EventTimes>',
      { start: '2026-07-03', end: '2026-07-04', isAllDay: true },
    ],
    [
      'CivicPlus for a whole day',
      '<calendarEvent:EventDates>July 3, 2026</calendarEvent:EventDates><calendarEvent:EventTimes>12:00 AM - 11:59 PM</calendarEvent:EventTimes>',
      { start: '2026-07-03', end: '2026-07-03', isAllDay: true },
    ],
    [
      'CivicPlus over several days with hours',
      '<calendarEvent:EventDates>July 3, 2026 - July 4, 2026</calendarEvent:EventDates><calendarEvent:EventTimes>10:00 AM - 05:00 PM</calendarEvent:EventTimes>',
      { start: '2026-07-03T10:00:00', end: '2026-07-04T17:00:00' },
    ],
    [
      'CivicPlus with a time that says nothing',
      '<calendarEvent:EventDates>July 3, 2026</calendarEvent:EventDates><calendarEvent:EventTimes>See website</calendarEvent:EventTimes>',
      { start: '2026-07-03', end: null },
    ],
    [
      'CivicPlus without its elements',
      '<description>&lt;strong&gt;Event date:&lt;/strong&gt; June 21, 2026 &lt;br&gt;&lt;strong&gt;Event Time:&lt;/strong&gt; 02:00 PM - 03:30 PM&lt;br&gt;&lt;strong&gt;Location:&lt;/strong&gt; Net Shed&lt;br&gt;Songs of the sea</description>',
      { start: '2026-06-21T14:00:00', end: '2026-06-21T15:30:00' },
    ],
    [
      'CivicPlus on one line',
      '<description>Event date: June 21, 2026 Event Time: 02:00 PM - 03:30 PM Location: Net Shed</description>',
      { start: '2026-06-21T14:00:00', end: '2026-06-21T15:30:00' },
    ],
    [
      'a university',
      '<description>&lt;abbr class="dtstart" title="2026-06-20T19:30:00-04:00"&gt;7:30 pm&lt;/abbr&gt; to &lt;abbr class="dtend" title="2026-06-20T21:00:00-04:00"&gt;9 pm&lt;/abbr&gt;</description>',
      { start: '2026-06-20T19:30:00-04:00', end: '2026-06-20T21:00:00-04:00' },
    ],
    [
      'Drupal',
      '<description>&lt;span class="date-display-single" property="dc:date" content="2026-06-20T19:30:00-04:00"&gt;Sat&lt;/span&gt;</description>',
      { start: '2026-06-20T19:30:00-04:00' },
    ],
    [
      'Modern Events Calendar',
      '<mec:startDate>2026-06-20</mec:startDate><mec:startHour>8:00 pm</mec:startHour><mec:endDate>2026-06-21</mec:endDate><mec:endHour>1:30 am</mec:endHour><mec:location>Net Shed</mec:location><mec:cost>$12</mec:cost>',
      { start: '2026-06-20T20:00:00', end: '2026-06-21T01:30:00', priceMin: 12 },
    ],
    [
      'LibCal',
      '<libcal:date>2026-06-20</libcal:date><libcal:start>10:00:00</libcal:start><libcal:end>11:30:00</libcal:end><libcal:location>Net Shed</libcal:location><libcal:campus>Main</libcal:campus>',
      { start: '2026-06-20T10:00:00', end: '2026-06-20T11:30:00' },
    ],
    [
      'Trumba with its text alone',
      '<x-trumba:formatteddatetime>Saturday, June 20, 2026, 7:30&amp;nbsp;&amp;ndash;&amp;nbsp;9pm</x-trumba:formatteddatetime><xCal:location>Net Shed</xCal:location>',
      { start: '2026-06-20T19:30:00', end: '2026-06-20T21:00:00' },
    ],
    [
      'Google',
      '<gd:when startTime="2026-06-20T19:30:00.000-04:00" endTime="2026-06-20T21:00:00.000-04:00"/><gd:where valueString="Net Shed"/>',
      { start: '2026-06-20T19:30:00.000-04:00', end: '2026-06-20T21:00:00.000-04:00' },
    ],
    [
      'Google for whole days',
      '<gd:when xmlns:gd="http://schemas.google.com/g/2005" startTime="2026-06-20" endTime="2026-06-22"/>',
      { start: '2026-06-20', end: '2026-06-21', isAllDay: true },
    ],
    [
      'a program that parts start and end',
      '<event><start><dateTime>2026-06-20T19:30:00</dateTime></start><end><dateTime>2026-06-20T21:00:00</dateTime></end></event>',
      { start: '2026-06-20T19:30:00', end: '2026-06-20T21:00:00' },
    ],
    [
      'a program that wraps its elements',
      '<tribe:event><tribe:startDate>2026-06-20 19:30:00</tribe:startDate><tribe:endDate>2026-06-20 21:00:00</tribe:endDate><tribe:venue>Net Shed</tribe:venue></tribe:event>',
      { start: '2026-06-20T19:30:00', end: '2026-06-20T21:00:00' },
    ],
    [
      'a house that writes as people speak',
      '<eventDate>Sat, June 20, doors at 7, show at 8pm</eventDate>',
      { start: '2026-06-20T20:00:00' },
    ],
    [
      'a program whose dates have a time whatever happens',
      '<startDate>2026-06-20T00:00:00-04:00</startDate><startTime>7:30 PM</startTime>',
      { start: '2026-06-20T19:30:00' },
    ],
    [
      'a program whose times have a date whatever happens',
      '<startDate>2026-06-20T00:00:00</startDate><startTime>1899-12-30T19:30:00</startTime>',
      { start: '2026-06-20T19:30:00' },
    ],
    [
      'a house that begins at midnight',
      '<startDate>2026-06-20T00:00:00-04:00</startDate>',
      { start: '2026-06-20T00:00:00-04:00' },
    ],
    ['a mail program', '<startDate>Sat, 20 Jun 26 19:30 GMT</startDate>', { start: '2026-06-20T19:30:00Z' }],
    [
      'a span of ISO 8601',
      '<startDate>2026-06-20T19:30/2026-06-20T21:00</startDate>',
      { start: '2026-06-20T19:30:00', end: '2026-06-20T21:00:00' },
    ],
    [
      'a program that names the zone without brackets',
      '<startDate>2026-06-20 19:30:00 America/Chicago</startDate>',
      { start: '2026-06-20T19:30:00-05:00' },
    ],
    [
      'one time with its end',
      '<startDate>June 20, 2026 7:30 PM - 9:00 PM</startDate>',
      { start: '2026-06-20T19:30:00', end: '2026-06-20T21:00:00' },
    ],
    [
      'an end of its own',
      '<startDate>June 20, 2026 7:30 PM</startDate><endDate>June 20, 2026 9:00 PM</endDate>',
      { end: '2026-06-20T21:00:00' },
    ],
  ])('%s says when it takes place', (_, item, wanted) => {
    const event = one(item);
    expect(event).toMatchObject(wanted);
    if (item.includes('Net Shed')) expect(event.venue?.name).toBe('Net Shed');
  });

  it.each<[string[], string | undefined]>([
    [['en-US'], '2026-07-04'],
    [['de-DE'], '2026-04-07'],
    [['fr-FR'], '2026-04-07'],
    [['en-GB'], '2026-04-07'],
    [['en-CA'], undefined],
    [[], undefined],
  ])('a calendar of %j may have days as numbers', (locales, start) => {
    const page = read('<startdate>07/04/2026</startdate>', { locales });
    expect(eventsIn(page)[0]?.start).toBe(start);
    if (start === undefined) expect(reasonOf(page)).toMatch(/^wanted a date or date-time, got "07\/04\/2026": /);
  });

  it.each<[locale: string, description: string, start: string, place: string]>([
    ['de-DE', 'Wann: 3. Juli 2026, 20 Uhr<br>Wo: Kiessaal<br>Ein Abend', '2026-07-03T20:00:00', 'Kiessaal'],
    ['de-DE', '<p>Datum: 03.07.2026</p><p>Uhrzeit: 20:00 Uhr</p><p>Ort: Kiessaal</p>', '2026-07-03T20:00:00', 'Kiessaal'],
    ['fr-FR', '<b>Quand :</b> 3 juillet 2026 à 20h<br><b>Lieu :</b> La Halle', '2026-07-03T20:00:00', 'La Halle'],
    ['es-ES', 'Fecha: 3 de julio de 2026\nHora: 20:00\nLugar: La Nave', '2026-07-03T20:00:00', 'La Nave'],
    ['it-IT', 'Quando: 3 luglio 2026, ore 20<br/>Dove: Il Molo', '2026-07-03T20:00:00', 'Il Molo'],
    ['nl-NL', 'Wanneer: 3 juli 2026, 20.00 uur<br>Waar: De Kade', '2026-07-03T20:00:00', 'De Kade'],
    ['pt-PT', 'Quando: 3 de julho de 2026, 20h00<br>Onde: O Cais', '2026-07-03T20:00:00', 'O Cais'],
    ['pl-PL', 'Kiedy: 3 lipca 2026, godz. 20:00<br>Miejsce: Hala', '2026-07-03T20:00:00', 'Hala'],
    ['en-US', 'When: July 3, 2026 at 8pm<br>Where: The Quay', '2026-07-03T20:00:00', 'The Quay'],
    ['en-US', 'Date & Time: Friday, July 3, 8:00 PM', '2026-07-03T20:00:00', ''],
  ])('a site in %s may say it in labeled lines: %s', (locale, description, start, place) => {
    const event = one(`<description><![CDATA[${description}]]></description>`, { locales: [locale], zone: 'Europe/Berlin' });
    expect(event).toMatchObject({ start, venue: { name: place || null } });
  });

  it.each([
    'The show is on July 3, 2026.',
    'We know when: July 3, 2026.',
    'Published date: July 3, 2026',
    'Date: soon',
    'When: whenever',
    'Event date:',
    '&lt;time datetime="2026-06-01T00:00:00Z"&gt;June 1&lt;/time&gt;',
  ])('a blog is a post: %s', (description) => {
    expect(reasonOf(read(`<description>${description}</description>`))).toBe('the item does not say when it takes place');
  });

  it('mail dates may be in the language of the city', () => {
    const said = (text: string) => one(`<startDate>${text}</startDate>`, { locales: ['de-DE'] }).start;
    expect(said('Sa, 20 Juni 2026 19:30:00 +0200')).toBe('2026-06-20T19:30:00+02:00');
    expect(said('Sa, 20 Juni 2026 19:30:00 -0330')).toBe('2026-06-20T19:30:00-03:30');
    expect(said('20. Juni 2026 19:30 -2130')).toBeUndefined();
  });

  it.each(['Abgesagt', 'https://schema.org/EventCancelled', 'EVENT_CANCELLED', 'Cancelled', 'CANCELED'])(
    'an item says that it is %s, which is cancelled',
    (status) => {
      const { listings } = read(`<startDate>2026-06-20T20:00</startDate><location>Net Shed</location><status>${status}</status>`);
      const context = { ...CONTEXT, city: { ...CONTEXT.city, locale: 'de-DE' } };
      expect(normalizeListings(listings, context, undefined).events.map((each) => each.status)).toEqual(['cancelled']);
    },
  );

  it('a list of days is several events', () => {
    const page = read('<startdate>July 3, 4 and 5, 2026, 8pm</startdate>');
    expect(eventsIn(page).map(({ externalId, seriesId, start }) => [externalId, seriesId, start])).toEqual(
      [3, 4, 5].map((day) => [`1@2026-07-0${day}T20:00:00`, '1', `2026-07-0${day}T20:00:00`]),
    );
  });

  it('elements counts before labeled lines', () => {
    const item = '<description>Event date: July 9, 2026</description><startdate>2026-07-03</startdate>';
    expect(one(item).start).toBe('2026-07-03');
  });

  it('any locale says its day in its words, in every element', () => {
    const locales = [
      'en-US',
      'en-GB',
      'de-DE',
      'fr-FR',
      'es-ES',
      'it-IT',
      'nl-NL',
      'pt-PT',
      'fi-FI',
      'sv-SE',
      'da-DK',
      'nb-NO',
      'pl-PL',
    ];
    const elements = ['startdate', 'calendarEvent:EventDates', 'mec:startDate', 'libcal:date', 'eventDate', 'ev:startdate'];
    const day = fc.integer({ min: 0, max: 350 }).map((days) => Temporal.PlainDate.from('2026-06-16').add({ days }));
    fc.assert(
      fc.property(fc.constantFrom(...locales), fc.constantFrom(...elements), day, (locale, element, date) => {
        const written = date.toLocaleString(locale, { dateStyle: 'long' });
        expect(one(`<${element}>${written}</${element}>`, { locales: [locale] }).start).toBe(date.toString());
      }),
      { numRuns: 200 },
    );
  });
});
