import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { feed } from '../../src/providers/kinds/feed.ts';
import { jsonld, parseScript } from '../../src/providers/kinds/jsonld.ts';
import type { EventListing } from '../../src/providers/listing.ts';
import type { ListingPage, Provider, SourceFacts } from '../../src/providers/provider.ts';
import { ProviderError } from '../../src/providers/provider-error.ts';
import { cpuMsOf } from '../support/processes/cpu-time.ts';

const URL_OF_PAGE = 'https://harbour.example/calendar';
const SOURCE: SourceFacts = {
  name: 'harbour',
  location: `${URL_OF_PAGE}#follow=/e/`,
  mapping: null,
  key: null,
  zone: 'America/New_York',
  locales: ['en-US'],
  window: { from: 0, until: Date.UTC(2100, 0) },
};
const read = (provider: Provider, text: string): ListingPage =>
  provider.read({ url: URL_OF_PAGE, body: Buffer.from(text), contentType: 'text/html; charset=utf-8' }, SOURCE) as ListingPage;
const script = (text: string) => `<script type="application/ld+json">${text.replaceAll('</', '<\\/')}</script>`;
/** The page, or null where the answer as a whole is refused. Anything else that is thrown is a mistake of ours. */
function readOrRefuse(provider: Provider, text: string): ListingPage | null {
  try {
    return read(provider, text);
  } catch (error) {
    if (error instanceof ProviderError) return null;
    throw error;
  }
}

/** Long enough that what grows with the square of it takes minutes, short enough that what grows with it takes no time. */
const many = (piece: string) => piece.repeat(Math.ceil(400_000 / piece.length));
const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)?)?$/i;
const isWebOrNull = (value: string | null) => value === null || /^https?:\/\//.test(value);

/** What every listing promises, whatever it was made of. */
function expectSound(page: ListingPage): void {
  const events: EventListing[] = [];
  const indexes = page.listings.map(({ index }) => index);
  expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
  for (const each of page.listings) {
    if (each.ok === false) expect(each.reason.length).toBeGreaterThan(0);
    if (each.ok === true && each.listing.target === 'events') events.push(each.listing.event);
  }
  for (const event of events) {
    expect(event.title?.trim()).toBeTruthy();
    expect(event.start).toMatch(DATE);
    if (event.end !== null) expect(event.end).toMatch(DATE);
    expect(event.externalId?.length).toBeLessThanOrEqual(500);
    expect([event.url, event.image, event.venue.website].every(isWebOrNull)).toBe(true);
    expect([event.priceMin, event.priceMax].every((price) => price === null || Number.isFinite(price))).toBe(true);
    for (const list of [event.performers, event.tags, event.categoryWords])
      expect(list.every((text) => typeof text === 'string')).toBe(true);
    const { latitude, longitude } = event.venue;
    expect(latitude === null || (Math.abs(latitude) <= 90 && Math.abs(longitude ?? 999) <= 180)).toBe(true);
  }
  expect(new Set(events.map(({ externalId }) => externalId)).size).toBe(events.length);
  for (const { url } of page.next) expect(new URL(url).host.replace('www.', '')).toBe('harbour.example');
}

const WORDS = [
  ...[
    '@id',
    '@type',
    '@graph',
    '@list',
    '@value',
    'id',
    'type',
    'name',
    'schema:name',
    'url',
    'image',
    'description',
    'startDate',
  ],
  ...[
    'endDate',
    'duration',
    'location',
    'address',
    'geo',
    'latitude',
    'longitude',
    'offers',
    'price',
    'lowPrice',
    'availability',
  ],
  ...[
    'eventStatus',
    'eventAttendanceMode',
    'performer',
    'organizer',
    'subEvent',
    'superEvent',
    'keywords',
    'isAccessibleForFree',
  ],
  ...['eventSchedule', 'repeatFrequency', 'byDay', 'byMonthWeek', 'repeatCount', 'startTime', 'endTime', 'exceptDate'],
  ...['streetAddress', 'containedInPlace', 'sameAs', '__proto__', 'constructor', 'toString', 'hasOwnProperty'],
];
const TEXTS = [
  ...[
    'Event',
    'MusicEvent',
    'EventSeries',
    'Place',
    'VirtualLocation',
    'PostalAddress',
    'Quay Songs',
    '#a',
    '#b',
    '_:b0',
    '/e/1',
    '',
  ],
  ...[
    '2026-07-04',
    '2026-07-04T20:00:00-0400',
    '2026-07-04T00:00:00',
    '2026-07-05T23:59:59',
    '2026-13-40',
    'PT2H',
    'P1000000Y',
    'P1W',
    'P1D',
    'Wednesday',
    '19:00',
    '0',
    '$5',
  ],
  ...[
    '40.7',
    '-74.0',
    'NaN',
    '1e999',
    'SoldOut',
    'https://schema.org/EventCancelled',
    'javascript:1',
    'https://x.example/a b',
    'http://[',
    '//x',
  ],
];
const { value: schemaLike } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthIdentifier: 'json' },
    fc.constantFrom<unknown>(...TEXTS, null, true, false, 0, -1, 1e308),
    fc.string(),
    fc.array(tie('value'), { maxLength: 4, depthIdentifier: 'json' }),
    fc
      .array(fc.tuple(fc.constantFrom(...WORDS), tie('value')), { maxLength: 8, depthIdentifier: 'json' })
      .map((entries) => Object.fromEntries([['@type', 'Event'], ['name', 'Quay'], ['startDate', '2026-07-04'], ...entries])),
  ),
}));

describe('a hostile page', () => {
  it('with any JSON in its scripts gives sound listings or reasons', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(schemaLike, fc.jsonValue()), { maxLength: 4 }), (documents) => {
        expectSound(read(jsonld, `<p>${documents.map((each) => script(JSON.stringify(each))).join('')}`));
      }),
      { numRuns: 150 },
    );
  });

  it('with damaged JSON gives sound listings or reasons', () => {
    fc.assert(
      fc.property(
        schemaLike,
        fc.array(fc.tuple(fc.nat(), fc.constantFrom('', '"', '\\', '{', ']', ',', '//', '/*', '<!--', '\n', '\0'))),
        (value, cuts) => {
          let text = JSON.stringify(value);
          for (const [at, piece] of cuts)
            text = text.slice(0, at % (text.length + 1)) + piece + text.slice((at % (text.length + 1)) + 1);
          expectSound(read(jsonld, `<p>${script(text)}`));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('of any text is read or refused', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '</script>',
      '<script type="application/ld+json">',
      '<!--',
      '-->',
      '<a href="/e/',
      '"',
      "'",
      '=',
      '&',
      '<base href=',
      '{',
      ']',
      '<?xml?>',
      '<urlset>',
      '<url><loc>',
      '</loc>',
      '<sitemapindex>',
      'http://',
      '\0',
      'é',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 60 }), (pieces) => {
        const page = readOrRefuse(jsonld, pieces.join(''));
        if (page) expectSound(page);
      }),
      { numRuns: 150 },
    );
  });

  it('has the same JSON with comments and line breaks repaired as without', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value, null, 1);
        if (/__proto__/.test(text)) return;
        expect(parseScript(`// one\n/* two */ ${text.replaceAll('\n', '/* three */\n')} ; <!-- four -->`)).toEqual(
          parseScript(text),
        );
      }),
      { numRuns: 150 },
    );
  });

  it.each<[string, string]>([
    ['half a megabyte of brackets', many('<')],
    ['half a megabyte of closing brackets', `<p>${many('>')}`],
    ['elements nested without end', many('<div>')],
    ['forms nested without end', many('<form><b></i>')],
    ['tags without an end', many('<a href="')],
    ['attributes without end', `<a ${many('href=1 ')}>`],
    ['comments without an end', many('<!--')],
    ['ten thousand scripts', script('{"@type":"Event"').repeat(10_000)],
    ['ten thousand links', '<a href="/e/1?x=1">'.repeat(20_000)],
    ['a script of asides', script(many('<!--'))],
    ['a script of asides that end', script(many('<!---->'))],
    ['a script of opened comments', script(many('/* '))],
    ['a script of lines with comments', script(many('<!--\n'))],
    ['a script of commas', script(many('[,'))],
    ['a script of quotes', script(many('"\\'))],
    ['a script of blanks', script(many(' \n'))],
    ['a script of broken records', script(`[${many('{"a":?},')}`)],
    ['a script of records whose texts do not end', script(`[${many('{"a":"x },')}`)],
    ['a script of records without an end', script(many('{"@graph":[{"a":1},{"b":?},'.slice(0, -1)))],
    ['a script of names that do not end', script(`[${many('},{"x ')}`)],
    ['a script of quotes before commas', script(`{"a":"${many('","')}`)],
    ['a script of names before names', script(`{${many('"a":"b" "c" ')}`)],
    ['a script of blanks behind quotes', script(`{"a":"${many('"      ')}`)],
    ['a script of closing braces', script(`[?${many('}  ,  ')}`)],
    ['a script of opened tags', script(many('<br '))],
    ['a script of brackets beside JSON', script(`{} ${many('[   ')}`)],
    [
      'events that are parts of one another',
      script(
        JSON.stringify(
          Array.from({ length: 3000 }, (_, at) => ({
            '@type': 'Event',
            '@id': `#${at}`,
            name: 'N',
            startDate: '2026-07-04',
            superEvent: { '@id': `#${at + 1}` },
          })),
        ),
      ),
    ],
    [
      'events with one id',
      script(
        JSON.stringify(
          Array.from({ length: 3000 }, (_, at) => ({ '@type': 'Event', '@id': '#a', name: `N${at}`, startDate: '2026-07-04' })),
        ),
      ),
    ],
    [
      'keywords without end',
      script(JSON.stringify({ '@type': 'Event', name: 'N', startDate: '2026-07-04', keywords: 'a,'.repeat(400_000) })),
    ],
    [
      'prices without end',
      script(
        JSON.stringify({
          '@type': 'Event',
          name: 'N',
          startDate: '2026-07-04',
          offers: Array.from({ length: 20_000 }, (_, price) => ({ price })),
        }),
      ),
    ],
    ['a sitemap of empty entries', `<urlset>${many('<url>')}`],
    ['a sitemap of opened addresses', `<urlset>${many('<url><loc>')}`],
    ['a sitemap that nests', `<urlset>${many('<url></x>')}`],
  ])('with %s costs less than two seconds', (_, text) => {
    let page: ReturnType<typeof readOrRefuse> | undefined;
    expect(cpuMsOf(() => (page = readOrRefuse(jsonld, text)))).toBeLessThan(2_000);
    if (page) expect(page.next.length).toBeLessThanOrEqual(500);
  });
});

describe('a hostile feed', () => {
  it('of any elements is read or refused', () => {
    const names = fc.constantFrom(
      'rss',
      'channel',
      'item',
      'entry',
      'title',
      'link',
      'guid',
      'ev:startdate',
      'description',
      'georss:point',
      'media:content',
      'x:vevent',
      'a',
    );
    const piece = fc.oneof(
      names.map((name) => `<${name}>`),
      names.map((name) => `</${name}>`),
      fc.constantFrom(
        ...TEXTS,
        '<![CDATA[',
        ']]>',
        '<!--',
        '-->',
        '&amp;',
        '&',
        '<a/>',
        '<media:content url="/e/1.jpg" medium="image"/>',
        '<',
        '\0',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 80 }), (pieces) => {
        const page = readOrRefuse(
          feed,
          `<rss><channel><item><title>N</title><startdate>2026-07-04</startdate>${pieces.join('')}`,
        );
        if (page) expectSound(page);
      }),
      { numRuns: 150 },
    );
  });

  it('of any JSON is read or refused', () => {
    fc.assert(
      fc.property(fc.array(schemaLike, { maxLength: 5 }), schemaLike, (items, next_url) => {
        const page = readOrRefuse(feed, JSON.stringify({ items, next_url }));
        if (page) expectSound(page);
      }),
      { numRuns: 150 },
    );
  });

  const rss = (inside: string) => `<rss><channel><item>${inside}`;
  it.each<[string, string]>([
    ['elements that never match', rss(many('<a></b>'))],
    ['closing tags alone', rss(many('</b>'))],
    ['items without end', `<rss>${many('<item/>')}`],
    ['items that are events', `<rss>${'<item><title>N</title><startdate>2026-07-04</startdate></item>'.repeat(5_000)}`],
    ['fields without end', rss(`${many('<startdate>x</startdate>')}</item>`)],
    ['one field without end', rss(`<title>${many('x &amp; ')}</title></item>`)],
    ['categories without end', rss(`<title>N</title><startdate>2026-07-04</startdate><category>${many('a|')}</category></item>`)],
    ['CDATA without an end', rss(many('<![CDATA['))],
    ['attributes without end', `<rss ${many('xmlns:a="b" ')}>`],
    ['markup in a description', rss(`<description>${many('<p>x</p>')}</description></item>`)],
    ['a date of digits', rss(`<title>N</title><startdate>${many('1')}</startdate></item>`)],
  ])('with %s costs less than two seconds', (_, text) => {
    expect(cpuMsOf(() => readOrRefuse(feed, text))).toBeLessThan(2_000);
  });
});
