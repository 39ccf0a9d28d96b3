import { describe, expect, it } from 'vitest';
import { nextOnHost } from '../../src/providers/api-request.ts';
import { compileMapping } from '../../src/providers/mapping/mapping.ts';
import { readPage } from '../support/fakes/provider.ts';

/** The next page of a JSON document, and the times that only a mapping of JSON and CSV knows. */

const AT = 'https://hall.example/api/events';
const FIELDS = { externalId: 'id', title: 'name', start: 'start', venue: { name: 'place' } };
const record = { id: 1, name: 'Kiln Night', start: '2026-06-20T20:00' };
async function nextOf(document: object, { next, url = AT }: { next?: unknown; url?: string } = {}): Promise<string | undefined> {
  const mapping = { records: 'events', fields: FIELDS, ...(next === undefined ? {} : { next }) };
  const page = await readPage('json', { events: [record], ...document }, { location: AT, url, mapping });
  expect(page.next.length).toBeLessThan(2);
  return page.next[0]?.url;
}

describe('the next page of a JSON document', () => {
  const next = `${AT}?page=2`;

  it.each<[object]>([
    [{ next }],
    [{ next_rest_url: next }],
    [{ next_page_url: next }],
    [{ '@odata.nextLink': next }],
    [{ links: { next } }],
    [{ links: { next: { href: next } } }],
    [
      {
        links: [
          { rel: 'self', href: AT },
          { rel: 'next', href: next },
        ],
      },
    ],
    [{ _links: { next: { href: next } } }],
    [{ meta: { next } }],
    [{ meta: { pagination: { links: { next } } } }],
    [{ paging: { next } }],
    [{ pagination: { next_url: next } }],
    [{ view: { next } }],
    [{ 'hydra:view': { 'hydra:next': '/api/events?page=2' } }],
    [{ pagination: { nextPage: true, nextPageUrl: '/api/events?page=2' } }],
    [{ next: '?page=2' }],
    // Of a program that does not know that its proxy speaks https.
    [{ next: next.replace('https:', 'http:') }],
  ])('is found where programs name it: %j', async (document) => {
    expect(await nextOf(document)).toBe(next);
    expect(await nextOf(document, { next: false })).toBeUndefined();
  });

  it.each<[object]>([
    [{ next: 'https://other.example/api/events?page=2' }],
    [{ next: 'https://hall.example:8443/api/events?page=2' }],
    [{ next: 'https://x@hall.example/api/events?page=2' }],
    [{ next: AT }],
    [{ next: `${AT}#2` }],
    [{ next: 2 }],
    [{ next: true }],
    [{ next: '2' }],
    [{ next: 'Summer Fair' }],
    [{ next: '/events/summer-fair' }],
    [{ next: '//other.example/api/events?page=2' }],
    [{ next: null, links: [null, 'x', { rel: 'prev', href: `${AT}?page=2` }] }],
    [{ next: { id: 2, name: 'Summer Fair' } }],
  ])('is none where that is no address of the same host, or the page itself: %j', async (document) => {
    expect(await nextOf(document)).toBeUndefined();
  });

  it.each<[unknown, object, string | undefined]>([
    ['more', { more: '/api/events?from=9' }, 'https://hall.example/api/events?from=9'],
    ['more', { more: '?from=9' }, `${AT}?from=9`],
    [{ path: ['a.b', 'more'], before: ['#'] }, { more: `${AT}/9#x` }, `${AT}/9`],
    ['more', { more: null, next: `${AT}?page=2` }, undefined],
    ['more', { more: AT }, undefined],
    [{ path: 'meta.cursor', parameter: 'cursor' }, { meta: { cursor: 'a/b=' } }, `${AT}?cursor=a%2Fb%3D`],
    [{ path: 'meta.cursor', parameter: 'cursor' }, { meta: { cursor: '' } }, undefined],
    [{ path: 'meta.cursor', parameter: 'cursor' }, { meta: { cursor: false } }, undefined],
    [{ parameter: 'page', last: 'total_pages' }, { total_pages: 2 }, `${AT}?page=2`],
    [{ parameter: 'page', last: 'total_pages' }, { total_pages: '1' }, undefined],
    [{ parameter: 'page', last: 'total_pages' }, {}, undefined],
    [{ parameter: 'page', last: 'total_pages', first: 0 }, { total_pages: 2 }, `${AT}?page=1`],
    [{ parameter: '$skip', step: 1 }, {}, `${AT}?%24skip=1`],
    [{ parameter: 'offset', step: 50, last: 'total' }, { total: 51 }, `${AT}?offset=50`],
    [{ parameter: 'offset', step: 50, last: 'total' }, { total: 50 }, undefined],
  ])('is named by the mapping: %j', async (rule, document, expected) => {
    expect(await nextOf(document, { next: rule })).toBe(expected);
  });

  it('is counted on from the page that answered, until the last', async () => {
    const rule = { parameter: 'page', last: 'pages' };
    const asked: string[] = [];
    for (let url: string | undefined = `${AT}?size=5`; url !== undefined; url = await nextOf({ pages: 3 }, { next: rule, url }))
      asked.push(url);
    expect(asked).toEqual([`${AT}?size=5`, `${AT}?size=5&page=2`, `${AT}?size=5&page=3`]);
    expect(await nextOf({}, { next: { parameter: 'from', step: 2 }, url: `${AT}?from=4` })).toBeUndefined();
  });

  it('is not asked for on another host, which the report says if the mapping names it', async () => {
    const mapping = { records: 'events', fields: FIELDS, next: 'more' };
    const page = await readPage('json', { events: [record], more: 'https://other.example/2' }, { location: AT, mapping });
    expect(page.next).toEqual([]);
    expect(page.listings[1]).toMatchObject({
      ok: false,
      index: 2,
      reason: 'the next page is not on the host of this one: https://other.example/2',
    });
  });

  it('is none of a file', async () => {
    const url = 'file:///events.json';
    const rules = ['more', { parameter: 'page', last: 'pages' }, { path: 'more', parameter: 'cursor' }, undefined];
    for (const next of rules)
      expect(await nextOf({ more: `${AT}?page=2`, next: `${AT}?page=2`, pages: 9 }, { next, url })).toBeUndefined();
    const file = await readPage(
      'json',
      { events: [record], more: `${AT}?page=2` },
      { location: url, url, mapping: { records: 'events', fields: FIELDS, next: 'more' } },
    );
    expect(file.listings).toHaveLength(1);
  });

  it('is found for venues of GeoJSON, too', async () => {
    const document = { type: 'FeatureCollection', features: [], links: [{ rel: 'next', href: `${AT}?offset=10` }] };
    const page = await readPage('geojson', document, { location: AT });
    expect(page.next).toMatchObject([{ url: `${AT}?offset=10` }]);
  });

  it('keeps to https, and leaves credentials alone', () => {
    expect(nextOnHost('https://a.example/2', 'http://a.example/')).toBe('https://a.example/2');
    expect(nextOnHost('http://a.example/2', 'https://a.example/')).toBe('https://a.example/2');
    expect(nextOnHost('javascript:alert(1)', 'https://a.example/')).toBeNull();
    expect(nextOnHost('http://[', 'https://a.example/')).toBeNull();
  });
});

describe('the times of a mapping', () => {
  const times = async (records: object[], more: object, fields: object = {}) => {
    const mapping = { ...more, fields: { ...FIELDS, end: 'end', ...fields } };
    const { listings } = await readPage('json', records, { location: AT, mapping });
    return listings.map((each) =>
      each.ok === true && each.listing.target === 'events' ? [each.listing.event.start, each.listing.event.end] : each,
    );
  };

  it.each([
    ['2026-07-04', '2026-07-05', '2026-07-04'],
    ['2026-07-10', '2026-07-13', '2026-07-12'],
    ['2026-07-04', '2026-07-04', '2026-07-04'],
    ['2026-07-04', '2026-07-03', '2026-07-04'],
    ['2026-12-31', '2027-01-01', '2026-12-31'],
    ['2026-07-04T20:00:00-04:00', '2026-07-04T22:00:00-04:00', '2026-07-04T22:00:00-04:00'],
    ['2026-07-04T20:00:00-04:00', '2026-07-06', '2026-07-05'],
    ['2026-07-04', null, null],
  ])('may end on the day before an exclusive date: %s to %s is until %s', async (start, end, last) => {
    expect(await times([{ ...record, start, end }], {}, { end: { path: 'end', exclusive: true } })).toEqual([[start, last]]);
  });

  it('move by a shift, ids not', async () => {
    const records = [
      { ...record, start: '2026-06-20T23:30', end: '2026-06-21T01:00:00.5Z' },
      { ...record, start: '2026-06-20', end: '2026-06-21' },
    ];
    expect(await times(records, { shift: 'PT1H' })).toEqual([
      ['2026-06-21T00:30:00', '2026-06-21T02:00:00.5Z'],
      ['2026-06-20', '2026-06-21'],
    ]);
    const csv = Buffer.from('id,name,start,place\n1,Kiln,2026-06-20T20:00Z,Hall\n');
    expect(await readPage('csv', csv, { location: AT, mapping: { shift: '-PT4H', fields: FIELDS } })).toMatchObject({
      listings: [{ listing: { event: { start: '2026-06-20T16:00:00Z' } } }],
    });
  });
});

describe('a mapping', () => {
  it.each<[object, string]>([
    [{ shift: 4 }, 'shift: wanted a duration such as -PT4H or PT90M, at most 366 days'],
    [{ shift: 'P1M' }, 'shift: wanted a duration such as -PT4H or PT90M, at most 366 days'],
    [{ shift: 'PT' }, 'shift: wanted a duration such as -PT4H or PT90M, at most 366 days'],
    [{ shift: 'P53W' }, 'shift: wanted a duration such as -PT4H or PT90M, at most 366 days'],
    [{ next: true }, 'next: wanted an object or a path'],
    [{ next: { parameter: 'page' } }, 'next.last: wanted a rule for the number of pages, got nothing'],
    [{ next: { parameter: 1, last: 'x' } }, 'next.parameter: wanted a name such as page'],
    [{ next: { last: 'x' } }, 'next.parameter: wanted the name of the parameter that counts pages'],
    [
      { next: { path: 'x', parameter: 'c', last: 'y' } },
      'next: wanted a rule for the value of the parameter, or last, first and step',
    ],
    [{ next: { parameter: 'page', last: 'x', step: 0 } }, 'next.step: wanted a whole number from 1'],
    [{ next: { parameter: 'page', last: 'x', first: -1 } }, 'next.first: wanted a whole number from 0'],
    [
      { next: { page: 'x' } },
      'next.page: wanted one of path, const, join, with, concat, cases, text, dropPrefix, before, after, split, table, default, parameter, last, first, step',
    ],
    [{ fields: { ...FIELDS, end: { path: 'x', exclusive: 1 } } }, 'fields.end.exclusive: wanted true or false'],
    [{ fields: { ...FIELDS, start: { path: 'x', exclusive: true } } }, 'fields.start.exclusive: wanted it of an end only'],
    [{ fields: { ...FIELDS, tags: { concat: 'x' } } }, 'fields.tags.concat: wanted a list'],
    [
      { fields: { ...FIELDS, tags: { concat: [{ pat: 'x' }] } } },
      'fields.tags.concat[0].pat: wanted one of path, const, join, with, concat, cases, text, dropPrefix, before, after, split, table, default',
    ],
  ])('is refused by the name of its key: %j', (more, sentence) => {
    const compiled = compileMapping({ fields: FIELDS, ...more });
    expect(compiled.ok ? 'accepted' : `${compiled.field}: ${compiled.reason}`).toBe(sentence);
  });
});
