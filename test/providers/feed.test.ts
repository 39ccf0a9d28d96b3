import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FEED_WORDS } from '../../src/providers/kinds/feed/words.ts';
import { feed } from '../../src/providers/kinds/feed.ts';
import type { EventListing } from '../../src/providers/listing.ts';
import type { ListingPage, SourceFacts } from '../../src/providers/provider.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';

const URL_OF_FEED = 'https://parks.example/events.xml';
const SOURCE: SourceFacts = {
  name: 'parks',
  location: URL_OF_FEED,
  mapping: null,
  key: null,
  zone: 'America/New_York',
  locales: ['en-US'],
  window: { from: 0, until: Date.UTC(2100, 0) },
};
const read = (text: string, source = SOURCE): ListingPage =>
  feed.read(
    { url: URL_OF_FEED, body: Buffer.from(text), contentType: 'application/rss+xml; charset=utf-8' },
    source,
  ) as ListingPage;
const eventsOf = (page: ListingPage): EventListing[] =>
  page.listings.flatMap((each) => (each.ok === true && each.listing.target === 'events' ? [each.listing.event] : []));
const reasonsOf = (page: ListingPage) =>
  page.listings.flatMap((each) => (each.ok === false ? [`${each.field}: ${each.reason}`] : []));
const rss = (...items: string[]) =>
  `<?xml version="1.0" encoding="utf-8"?><rss version="2.0" ${NAMESPACES}><channel><title>Parks</title><link>https://parks.example/</link>${items
    .map((item) => `<item>${item}</item>`)
    .join('\n')}</channel></rss>`;
const NAMESPACES = [
  'xmlns:ev="http://purl.org/rss/1.0/modules/event/"',
  'xmlns:xCal="urn:ietf:params:xml:ns:xcal"',
  'xmlns:georss="http://www.georss.org/georss"',
  'xmlns:gml="http://www.opengis.net/gml"',
  'xmlns:geo="http://www.w3.org/2003/01/geo/wgs84_pos#"',
  'xmlns:media="http://search.yahoo.com/mrss/"',
  'xmlns:content="http://purl.org/rss/1.0/modules/content/"',
].join(' ');
const SHOW = '<title>Quay Songs</title><guid isPermaLink="false">1</guid>';
const one = (said: string): EventListing => {
  const page = read(rss(SHOW + said));
  expect(reasonsOf(page)).toEqual([]);
  return eventsOf(page)[0] as EventListing;
};

describe('an item of a feed', () => {
  it('of city parks says date and time apart', () => {
    const page = read(
      rss(`<title>P&amp;#233;tanque &amp; tea</title><link>https://parks.example/e/7</link><guid isPermaLink="false">7</guid>
        <description><![CDATA[<p>Learn to play</p>]]></description>
        <event:startdate>2026-06-20</event:startdate><event:enddate>2026-06-20</event:enddate>
        <event:starttime>3:00 pm</event:starttime><event:endtime>5:30 pm</event:endtime>
        <event:location>Play Area (in Al Qui&#241;ones Playground)</event:location><event:parknames>Al Quiñones Playground</event:parknames>
        <event:categories>Sports | Best for Kids | Free Summer Theater</event:categories>
        <event:coordinates>40.80, -73.94</event:coordinates><event:image>https://parks.example/7.jpg</event:image>`),
    );
    expect(eventsOf(page)).toMatchObject([
      {
        externalId: '7',
        seriesId: null,
        title: 'P&#233;tanque & tea',
        categoryWords: ['Sports', 'Best for Kids', 'Free Summer Theater'],
        start: '2026-06-20T15:00:00',
        end: '2026-06-20T17:30:00',
        isAllDay: false,
        description: '<p>Learn to play</p>',
        image: 'https://parks.example/7.jpg',
        url: 'https://parks.example/e/7',
        venue: {
          name: 'Play Area (in Al Quiñones Playground)',
          latitude: 40.8,
          longitude: -73.94,
          hints: [{ kind: 'venue', name: 'Al Quiñones Playground' }],
        },
      },
    ]);
  });

  it('of the event module says where and by whom', () => {
    expect(
      one(`<ev:startdate>2026-07-04T20:00:00-04:00</ev:startdate><ev:enddate>2026-07-04T23:00:00-0400</ev:enddate>
        <ev:location>Net Shed</ev:location><ev:organizer>Harbour Arts</ev:organizer><ev:type>Concert</ev:type><category>Folk</category>
        <content:encoded>&lt;p&gt;All of it&lt;/p&gt;</content:encoded><description>Some of it</description>
        <price>$12.50</price>`),
    ).toMatchObject({
      start: '2026-07-04T20:00:00-04:00',
      end: '2026-07-04T23:00:00-04:00',
      organizer: 'Harbour Arts',
      categoryWords: ['Concert', 'Folk'],
      description: '<p>All of it</p>',
      priceMin: 12.5,
      priceMax: 12.5,
      url: null,
      venue: { name: 'Net Shed' },
    });
  });

  it('of xCal has whole days, of which the last is not one, and a status', () => {
    expect(
      one(`<xCal:dtstart>20260704</xCal:dtstart><xCal:dtend>20260706</xCal:dtend><xCal:status>CANCELLED</xCal:status>
        <xCal:categories>Music,Folk</xCal:categories><xCal:location>Net Shed</xCal:location><xCal:organizer>mailto:a@harbour.example</xCal:organizer>`),
    ).toMatchObject({
      start: '2026-07-04',
      end: '2026-07-05',
      isAllDay: true,
      status: 'cancelled',
      categoryWords: ['Music', 'Folk'],
      organizer: null,
    });
    const inside = (value: string) =>
      `<x:vevent xmlns:x="urn:ietf:params:xml:ns:icalendar-2.0"><x:properties>${value}</x:properties></x:vevent>`;
    expect(one(inside('<x:dtstart><x:date-time>2026-07-04T20:00:00Z</x:date-time></x:dtstart>'))).toMatchObject({
      start: '2026-07-04T20:00:00Z',
    });
  });

  it.each<[string, string, Partial<EventListing>]>([
    ['ISO 8601 in short', '<ev:startdate>20260704T200000Z</ev:startdate>', { start: '2026-07-04T20:00:00Z' }],
    ['RFC 822', '<e:start_date>Sat, 4 Jul 2026 20:00:00 EDT</e:start_date>', { start: '2026-07-04T20:00:00-04:00' }],
    ['RFC 822 with an early hour', '<startDate>04 Jul 2026 9:30 +0100</startDate>', { start: '2026-07-04T09:30:00+01:00' }],
    ['a day in words', '<startDate>4 July 2026</startDate>', { start: '2026-07-04', isAllDay: false }],
    [
      'a day, whose hour is unknown',
      '<ev:startdate>2026-07-04</ev:startdate>',
      { start: '2026-07-04', end: null, isAllDay: false },
    ],
    [
      'several days',
      '<ev:startdate>2026-07-04</ev:startdate><ev:enddate>2026-07-09</ev:enddate>',
      { start: '2026-07-04', end: '2026-07-09', isAllDay: true },
    ],
    ['a time of 24 hours', '<startdate>2026-07-04</startdate><starttime>20:00</starttime>', { start: '2026-07-04T20:00:00' }],
    ['noon', '<startdate>2026-07-04</startdate><starttime>12 pm</starttime>', { start: '2026-07-04T12:00:00' }],
    ['midnight', '<startdate>2026-07-04</startdate><starttime>12:00 a.m.</starttime>', { start: '2026-07-04T00:00:00' }],
    ['a time that is none', '<startdate>2026-07-04</startdate><starttime>13:00 pm</starttime>', { start: '2026-07-04' }],
    [
      'an hour of ending without a day',
      '<startdate>2026-07-04</startdate><starttime>9 pm</starttime><endtime>2 am</endtime>',
      { start: '2026-07-04T21:00:00', end: '2026-07-04T02:00:00' },
    ],
    ['one value in the name of a time', '<s:startTime>2026-07-04T20:00:00</s:startTime>', { start: '2026-07-04T20:00:00' }],
    ['an end that cannot be read', '<startdate>2026-07-04T20:00</startdate><enddate>late</enddate>', { end: null }],
  ])('starts at %s', (_, said, wanted) => {
    expect(one(said)).toMatchObject(wanted);
  });

  it.each<[string, string]>([
    ['the day that it was published', '<pubDate>Sat, 04 Jul 2026 20:00:00 GMT</pubDate>'],
    ['a date of Dublin Core', '<dc:date>2026-07-04</dc:date>'],
    ['a date in its title', '<title>July 4: Songs</title>'],
    ['nothing', ''],
  ])('that says %s is a post and refused', (_, said) => {
    const page = read(rss(SHOW + said));
    expect(eventsOf(page)).toEqual([]);
    expect(reasonsOf(page)).toEqual(['start: the item does not say when it takes place']);
  });

  it('with a start of two meanings is refused where nothing says which', () => {
    const page = read(rss(`${SHOW}<startdate>07/04/2026</startdate>`), { ...SOURCE, locales: ['en-CA'] });
    expect(reasonsOf(page)).toEqual(['start: wanted a date or date-time, got "07/04/2026": 7/4 may be either day']);
  });

  it('that is bad stops no other', () => {
    const good = `${SHOW}<startdate>2026-07-04</startdate>`;
    const page = read(rss('<guid>2</guid>', good.replace('>1<', '>3<'), '', `<title/>${good.replace('>1<', '>4<')}`));
    expect(eventsOf(page).map(({ externalId }) => externalId)).toEqual(['3', '4']);
    expect(reasonsOf(page)).toEqual(['title: the item has no title', 'title: the item has no title']);
  });

  it.each<[string, string, { latitude: number | null; longitude: number | null }]>([
    ['GeoRSS simple', '<georss:point>40.7 -74.0</georss:point>', { latitude: 40.7, longitude: -74 }],
    [
      'GeoRSS GML',
      '<georss:where><gml:Point><gml:pos>40.7 -74.0</gml:pos></gml:Point></georss:where>',
      { latitude: 40.7, longitude: -74 },
    ],
    ['W3C Geo', '<geo:lat>40.7</geo:lat><geo:long>-74.0</geo:long>', { latitude: 40.7, longitude: -74 }],
    [
      'W3C Geo in a point',
      '<geo:Point><geo:lat>40.7</geo:lat><geo:long>-74.0</geo:long></geo:Point>',
      { latitude: 40.7, longitude: -74 },
    ],
    ['xCal', '<xCal:geo>40.7;-74.0</xCal:geo>', { latitude: 40.7, longitude: -74 }],
    [
      'several points',
      '<event:coordinates>0, 0; 1, 1</event:coordinates><georss:point>40.7 -74.0</georss:point>',
      { latitude: 40.7, longitude: -74 },
    ],
    ['nothing on a map', '<georss:point>1e9 NaN</georss:point>', { latitude: null, longitude: null }],
  ])('is where %s says', (_, said, point) => {
    expect(one(`<startdate>2026-07-04</startdate>${said}`).venue).toMatchObject(point);
  });

  it.each<[string, string, string | null]>([
    [
      'media content',
      '<media:content url="https://x.example/a" medium="image"><media:title>No title of ours</media:title></media:content>',
      'https://x.example/a',
    ],
    ['media in a group', '<media:group><media:content url="/a.webp"/></media:group>', 'https://parks.example/a.webp'],
    [
      'an enclosure',
      '<enclosure url="https://x.example/a.mp3" type="audio/mpeg"/><enclosure url="https://x.example/b" type="image/png"/>',
      'https://x.example/b',
    ],
    ['a thumbnail', '<media:thumbnail url="https://x.example/t"/>', 'https://x.example/t'],
    ['an image element', '<image><url>https://x.example/i</url></image>', 'https://x.example/i'],
    ['a script', '<image>javascript:alert(1)</image><media:content medium="image" url="data:image/svg+xml,x"/>', null],
  ])('is pictured by %s', (_, said, image) => {
    expect(one(`<startdate>2026-07-04</startdate>${said}`)).toMatchObject({ title: 'Quay Songs', image });
  });

  it('links to the web and nowhere else', () => {
    expect(one('<startdate>2026-07-04</startdate><link>javascript:alert(1)</link>').url).toBeNull();
    expect(one('<startdate>2026-07-04</startdate><link>/e/1</link>').url).toBe('https://parks.example/e/1');
    expect(one('<startdate>2026-07-04</startdate><location>https://maps.example/x</location>').venue.name).toBeNull();
  });

  it('keeps its id in any order, and nights under one id are told apart', () => {
    const night = (day: string, said = SHOW) => `${said}<startdate>2026-07-${day}</startdate>`;
    const items = [night('04'), night('05'), night('04', '<title>Nameless</title>'), night('05', '<title>Nameless</title>')];
    const ids = (all: string[]) => eventsOf(read(rss(...all))).map(({ externalId, seriesId }) => `${externalId} of ${seriesId}`);
    expect(ids(items)).toEqual([
      '1@2026-07-04 of 1',
      '1@2026-07-05 of 1',
      `${URL_OF_FEED}@2026-07-04 of ${URL_OF_FEED}`,
      `${URL_OF_FEED}@2026-07-05 of ${URL_OF_FEED}`,
    ]);
    expect(ids(items.toReversed()).sort()).toEqual(ids(items).sort());
  });
});

describe('a feed', () => {
  it('may be Atom', () => {
    const page = read(`<feed xmlns="http://www.w3.org/2005/Atom" xmlns:ev="http://purl.org/rss/1.0/modules/event/">
      <title>Parks</title><link rel="self" href="https://parks.example/a.xml"/><link rel="next" href="/a.xml?page=2"/>
      <entry><title type="html">Quay &amp;amp; Songs</title><id>tag:parks.example,2026:1</id><updated>2026-06-01T00:00:00Z</updated>
        <link rel="enclosure" href="https://parks.example/x.pdf"/><link href="https://parks.example/e/1"/><category term="folk" label="Folk music"/>
        <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>One &amp; <b>two</b></p><title>Inside</title></div></content>
        <source><title>Another feed</title></source><ev:startdate>2026-07-04T20:00:00Z</ev:startdate></entry></feed>`);
    expect(eventsOf(page)).toMatchObject([
      {
        externalId: 'tag:parks.example,2026:1',
        title: 'Quay &amp; Songs',
        url: 'https://parks.example/e/1',
        description: '<div xmlns="http://www.w3.org/1999/xhtml"><p>One &amp; <b>two</b></p><title>Inside</title></div>',
        categoryWords: ['Folk music'],
        start: '2026-07-04T20:00:00Z',
      },
    ]);
    expect(page.next.map(({ url }) => url)).toEqual(['https://parks.example/a.xml?page=2']);
  });

  it('may be RDF, with prefixes of its own', () => {
    const page =
      read(`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:r="http://purl.org/rss/1.0/" xmlns:when="http://purl.org/rss/1.0/modules/event/">
      <r:channel rdf:about="https://parks.example/"><r:title>Parks</r:title></r:channel>
      <r:item rdf:about="https://parks.example/e/1"><r:title>Quay Songs</r:title><when:startdate>2026-07-04</when:startdate></r:item></rdf:RDF>`);
    expect(eventsOf(page)).toMatchObject([
      { externalId: 'https://parks.example/e/1', url: 'https://parks.example/e/1', title: 'Quay Songs' },
    ]);
  });

  it('may be JSON Feed, with its extensions', () => {
    const page = read(
      JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        title: 'Parks',
        next_url: 'https://parks.example/feed.json?page=2',
        items: [
          {
            id: 17,
            url: 'https://parks.example/e/17',
            title: 'Quay Songs',
            content_html: '<p>Songs</p>',
            image: 'https://parks.example/17.jpg',
            tags: ['Folk', 'Music | Dance'],
            date_published: '2026-06-01T00:00:00Z',
            _event: {
              start_date: '2026-07-04T20:00:00-04:00',
              end_date: '2026-07-04T23:00:00-04:00',
              location: { name: 'Net Shed', address: '1 Quay St', latitude: 40.7, longitude: -74 },
              is_free: true,
            },
          },
          { id: 'post', title: 'A post', date_published: '2026-06-01T00:00:00Z' },
          'text',
        ],
      }),
    );
    expect(eventsOf(page)).toMatchObject([
      {
        externalId: '17',
        title: 'Quay Songs',
        description: '<p>Songs</p>',
        image: 'https://parks.example/17.jpg',
        categoryWords: ['Folk', 'Music', 'Dance'],
        start: '2026-07-04T20:00:00-04:00',
        isFree: true,
        venue: { name: 'Net Shed', address: '1 Quay St', latitude: 40.7, longitude: -74 },
      },
    ]);
    expect(reasonsOf(page)).toEqual(['start: the item does not say when it takes place', 'title: the item has no title']);
    expect(page.next.map(({ url }) => url)).toEqual(['https://parks.example/feed.json?page=2']);
  });

  it('leads to no other host', () => {
    for (const next of ['https://other.example/2', 'file:///etc/hosts', 'javascript:1', URL_OF_FEED])
      expect(read(JSON.stringify({ items: [], next_url: next })).next).toEqual([]);
  });

  it('that is cut off gives what came before', () => {
    const whole = rss(
      `${SHOW}<startdate>2026-07-04</startdate>`,
      '<title>Second</title><startdate>2026-07-05</startdate><link>x</link>',
    );
    const page = read(whole.slice(0, whole.indexOf('<link>x')));
    expect(eventsOf(page).map(({ title }) => title)).toEqual(['Quay Songs']);
    expect(reasonsOf(page)).toEqual(['null: the document ends within the item', 'null: the feed is not read to its end']);
  });

  it.each<[string, string, string]>([
    ['a web page', '<!doctype html><title>Log in</title>', 'not_of_the_kind'],
    ['a web page without a doctype', '<html><title>Log in</title></html>', 'not_of_the_kind'],
    ['prose', 'Service unavailable', 'not_of_the_kind'],
    ['nothing', '', 'not_of_the_kind'],
    ['another JSON document', '{"events":[]}', 'not_of_the_kind'],
    ['half a JSON document', '{"items":[', 'not_of_the_kind'],
    ['other XML', '<urlset><url/></urlset>', 'not_of_the_kind'],
    ['a billion laughs', '<!DOCTYPE rss [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><rss>&b;</rss>', 'has_entities'],
    ['an external entity', '<!DOCTYPE rss [<!ENTITY a SYSTEM "file:///etc/hosts">]><rss>&a;</rss>', 'has_entities'],
    ['a million references', `<rss>${'&#65;'.repeat(200_000)}</rss>`, 'has_entities'],
    ['100 000 levels', `<rss>${'<a>'.repeat(100_000)}</rss>`, 'too_deep'],
    ['levels that closing tags hide', `<rss>${'<a></b>'.repeat(100_000)}</rss>`, 'too_deep'],
    ['100 000 levels of JSON', `{"items":${'['.repeat(100_000)}`, 'too_deep'],
  ])('is not %s', (_, text, code) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ name: 'ProviderError', code }));
  });

  it('is asked for as a feed, at an address', () => {
    expect(feed.request(SOURCE)).toMatchObject({ url: URL_OF_FEED, accept: expect.stringContaining('application/rss+xml') });
    expect(() => feed.request({ ...SOURCE, location: 'parks' })).toThrow(ProviderError);
  });

  it('has its words explained in its page, and the page explains no other', () => {
    const page = readFileSync(new URL('../../docs/providers.md', import.meta.url), 'utf8');
    const section = page.split('\n### feed\n')[1]?.split(/\n##/)[0] ?? '';
    const rows = [...section.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, field, words = '']) => [
      field,
      [...words.matchAll(/`(\w+)`/g)].map(([, word]) => word),
    ]);
    expect(Object.fromEntries(rows)).toEqual(FEED_WORDS);
  });
});
