import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { FAKE_NOW, idOf } from '../support/fakes/directory.ts';
import { codePoint } from '../support/records/code-point.ts';
import { createTestApi } from '../support/rigs/api.ts';

const api = createTestApi();
const { refusal, accepted } = api;
afterAll(() => api.close());

const HOUR = 3_600_000;

describe('limit', () => {
  test.each([
    'abc',
    '1.5',
    '1e2',
    '0x10',
    '%207%20',
    '%D9%A3',
    '%2B5',
    '-0',
    '-1',
    '0',
    '00',
    '20abc',
    '12345678901',
    '9'.repeat(40),
    '1,2',
  ])('refuses %s as a limit', async (value) => {
    for (const path of ['/events', '/venues', `/venues/${idOf('a', 1)}/events`, '/trending']) {
      const bad = await refusal(`${path}?limit=${value}`);
      expect(bad).toMatchObject({ in: 'query', name: 'limit' });
      expect(['not_an_integer', 'out_of_range']).toContain(bad.code);
    }
  });

  test.each([
    ['1', 1],
    ['007', 7],
    ['100', 100],
    ['101', 100],
    ['1000000', 100],
    ['9999999999', 100],
  ])('reads %s as %i and echoes it', async (value, applied) => {
    for (const path of ['/events', '/venues', `/venues/${idOf('a', 1)}/events`]) {
      expect((await accepted(`${path}?limit=${value}`)).json.meta.limit).toBe(applied);
    }
  });

  test('defaults to 20 and is clamped per kind', async () => {
    expect((await accepted('/events')).json.meta).toEqual({ total: 45, limit: 20, offset: 0, hasMore: true });
    expect((await accepted('/events?limit=')).json.meta.limit).toBe(20);
    expect((await accepted('/trending?limit=2')).json.data.events).toHaveLength(2);
    await accepted('/trending?limit=999');
  });

  test('above the maximum is refused when the caller prefers strictness', async () => {
    expect((await refusal('/events?limit=101', { prefer: 'handling=strict' })).code).toBe('out_of_range');
    expect((await refusal('/trending?limit=51', { prefer: 'handling=strict' })).code).toBe('out_of_range');
    await accepted('/events?limit=100', { prefer: 'handling=strict' });
  });

  test('is never above its maximum, whatever string comes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.string({ unit: codePoint }), fc.integer().map(String), fc.stringMatching(/^[0-9]{1,12}$/)),
        async (text) => {
          const { status, json } = await api.ask(`/events?limit=${encodeURIComponent(text.toWellFormed())}`);
          if (status === 400) return;
          expect(status).toBe(200);
          expect(json.meta.limit).toBeGreaterThanOrEqual(1);
          expect(json.meta.limit).toBeLessThanOrEqual(100);
          expect(text === '' || /^[0-9]{1,10}$/.test(text)).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('offset', () => {
  test.each(['45', '46', '1000000000', '2147483647', '0000000045'])(
    '%s, past the end, is an empty page with the true total',
    async (offset) => {
      const { json } = await accepted(`/events?offset=${offset}`);
      expect(json).toEqual({ data: [], meta: { total: 45, limit: 20, offset: Number(offset), hasMore: false } });
    },
  );
  test.each(['2147483648', '9999999999', '-1', 'x', '1.0', '1'.repeat(400)])('refuses %s as an offset', async (offset) => {
    expect((await refusal(`/events?offset=${offset}`)).name).toBe('offset');
  });
  test.each(['00000000005', '0002147483647', `${'0'.repeat(400)}5`])('takes leading zeros, however many: %s', async (offset) => {
    expect((await accepted(`/events?offset=${offset}`)).json.meta.offset).toBe(Number(offset));
  });
  test('a limit of more than ten digits is out of its range, leading zeros or not', async () => {
    for (const digits of ['12345678901', '00000000001', '9'.repeat(400)])
      expect((await refusal(`/events?limit=${digits}`)).detail).toBe('limit must be a whole number of at most ten digits');
  });
});

describe('the query string', () => {
  test.each(['limit=1&limit=2', 'limit=1&limit=1', 'limit=&limit=1', 'q=a&limit=1&q=a'])(
    'refuses a known parameter given twice: %s',
    async (query) => {
      expect((await refusal(`/events?${query}`)).code).toBe('repeated');
    },
  );
  test.each(['limit[]=1', 'limit%5B%5D=1', 'limit[0]=1', 'category[a]=x'])('refuses brackets: %s', async (query) => {
    expect((await refusal(`/events?${query}`)).code).toBe('not_repeatable');
  });
  test('says only of lists that commas separate their values', async () => {
    expect((await refusal('/events?limit[]=1')).detail).toBe('limit is given once, without brackets');
    expect((await refusal('/events?category[]=art')).detail).toBe(
      'category is given once, without brackets; several values are separated by commas',
    );
  });
  test.each([
    '__proto__=x',
    'constructor=x',
    '__proto__[a]=b',
    'toString=',
    '__proto__.a=b',
    'hasOwnProperty=1',
    'foo=1',
    'foo=1&foo=2',
    '&&&',
    '=',
    '=x',
    'Limit=abc',
  ])('ignores what it does not know: %s', async (query) => {
    for (const path of ['/events', '/venues', '/neighborhoods', '/usage', `/events/${idOf('e', 1)}`])
      await accepted(`${path}?${query}`);
    expect(({} as Record<string, unknown>).a).toBeUndefined();
    expect(Object.prototype).not.toHaveProperty('x');
  });
  test.each(Array.from({ length: 0x20 }, (_, n) => n).concat(0x7f))(
    'refuses the control character %i in a known parameter',
    async (unit) => {
      const escaped = `%${unit.toString(16).padStart(2, '0')}`;
      expect((await refusal(`/events?q=a${escaped}b`)).code).toBe('control_character');
      expect((await refusal(`/venues?neighborhood=${escaped}`)).code).toBe('control_character');
      await accepted(`/events?foo=${escaped}`);
    },
  );
  test.each(Array.from({ length: 0x20 }, (_, n) => 0x80 + n).concat(0x2028, 0xfeff, 0xfffd))(
    'takes U+%i as it is',
    async (point) => {
      await accepted(`/events?q=a${encodeURIComponent(String.fromCodePoint(point))}b`);
    },
  );
  test.each(['%zz', '%', '%4', 'a%', '%ED%A0%80', '%ff', '%C0%80', '%F5%80%80%80', '%E2%82', '%u0041'])(
    'refuses what cannot be decoded: %s',
    async (value) => {
      expect((await refusal(`/events?q=${value}`)).code).toBe('not_decodable');
      expect((await refusal(`/events?foo=${value}`)).code).toBe('not_decodable');
      expect((await refusal(`/events?${value}=1`)).code).toBe('not_decodable');
    },
  );
  test('of very many bad parameters a hundred are reported', async () => {
    const many = (one: (n: number) => string) => Array.from({ length: 2_000 }, (_, n) => one(n)).join('&');
    for (const query of [many(() => 'limit=x'), many((n) => `q${n}`), many(() => '%zz')]) {
      const { status, json } = await api.ask(`/events?${query}`, { prefer: 'handling=strict' });
      expect([status, json.errors.length]).toEqual([400, 100]);
    }
  });
  test('a neighborhood is at most as long as a text to search for', async () => {
    await accepted(`/events?neighborhood=${'é'.repeat(200)}`);
    for (const path of ['/events', '/venues']) {
      expect((await refusal(`${path}?neighborhood=${'a'.repeat(201)}`)).code).toBe('too_long');
      expect((await refusal(`${path}?neighborhood=${':'.repeat(6_000)}`)).code).toBe('too_long');
    }
  });
  test('an empty value is the same as none, but for free', async () => {
    await accepted(
      '/events?q=&category=&neighborhood=&venue_id=&start_date=&end_date=&near=&bbox=&sort=&include=&fields=&facets=&status&limit&offset',
    );
    expect(api.directory.lastEventQuery()).toEqual({ from: FAKE_NOW, to: FAKE_NOW + 720 * HOUR, limit: 20, offset: 0 });
  });
  test('all bad parameters are reported at once, and none is acted on', async () => {
    const asked = api.directory.eventQueries.length;
    const { status, json } = await api.ask('/events?limit=0&category=Concert&venue_id=7&foo=1&q=%00&offset=x');
    expect(status).toBe(400);
    expect(json.errors.map(({ name }: { name: string }) => name)).toEqual(['limit', 'category', 'venue_id', 'q', 'offset']);
    expect(json.detail).toContain('limit must be a whole number from 1');
    expect(api.directory.eventQueries).toHaveLength(asked);
  });
  test('a bad id and bad parameters are reported together', async () => {
    const { json } = await api.ask('/venues/nope/events?limit=0');
    expect(json.errors).toMatchObject([
      { in: 'path', name: 'id', value: 'nope', code: 'not_a_uuid' },
      { in: 'query', name: 'limit' },
    ]);
  });
  test('what was sent is repeated up to 64 characters, and a key never', async () => {
    expect(Array.from((await refusal(`/events?category=${'🎭'.repeat(100)}`)).value)).toHaveLength(64);
    const answer = await api.ask('/events?category=mq_live_0123456789ab_secretsecretsecret&limit=xmq_live_0123');
    expect(answer.text).not.toContain('secret');
    expect(answer.text).not.toContain('mq_live_0');
  });
});

describe('Prefer: handling=strict', () => {
  test('refuses unknown parameters with a guess, and says that it was applied', async () => {
    const answer = await api.ask('/events?categry=art&zzzzzzzzzz=1', { prefer: 'handling=strict' });
    expect(answer.status).toBe(400);
    expect(answer.headers['preference-applied']).toBe('handling=strict');
    expect(answer.json.errors).toMatchObject([
      { name: 'categry', code: 'unknown_parameter', detail: 'categry is not known here; did you mean category?' },
      { name: 'zzzzzzzzzz', code: 'unknown_parameter', detail: 'zzzzzzzzzz is not known here' },
    ]);
    const good = await accepted('/events?category=art', { prefer: 'respond-async, Handling="strict"; foo' });
    expect(good.headers['preference-applied']).toBe('handling=strict');
  });
  test.each(['handling=lenient', 'strict', 'handling=lenient, handling=strict', ''])(
    'is not what "%s" asks for',
    async (prefer) => {
      const answer = await accepted('/events?categry=art', { prefer });
      expect(answer.headers['preference-applied']).toBeUndefined();
    },
  );
});

describe('closed sets', () => {
  test.each([
    ['/events', 'category', 'Concert', 'concert, sports, comedy'],
    ['/events', 'category', 'concert,', 'outdoor'],
    ['/events', 'category', 'concert, art', 'concert'],
    ['/events', 'sort', 'name', 'score, start, distance, trend, updated'],
    ['/events', 'status', 'any,gone', 'any'],
    ['/events', 'include', 'everything', 'score'],
    ['/events', 'fields', 'title,nope', 'title'],
    ['/events', 'facets', 'venue', 'category, neighborhood, free, day'],
    ['/venues', 'type', 'Bar', 'bar, restaurant'],
    ['/venues', 'capacity', 'huge', 'intimate, small, medium, large'],
    ['/venues', 'verified', 'false', 'true, any'],
    ['/trending', 'type', 'event', 'events, venues'],
  ])('%s?%s=%s is refused and the allowed values are named', async (path, name, value, allowed) => {
    const bad = await refusal(`${path}?${name}=${encodeURIComponent(value)}`);
    expect(bad).toMatchObject({ name, code: 'unknown_value' });
    expect(bad.detail).toContain(allowed);
  });
  test('a comma list means any of', async () => {
    await accepted('/events?category=concert,art,concert&status=cancelled,postponed&facets=category,free');
    expect(api.directory.lastEventQuery()).toMatchObject({
      categories: ['concert', 'art'],
      statuses: ['cancelled', 'postponed'],
      facets: ['category', 'free'],
    });
    await accepted('/venues?type=bar,club&capacity=small');
    expect(api.directory.venueQueries.at(-1)).toMatchObject({ types: ['bar', 'club'], capacities: ['small'] });
  });
  test('status=any is every status', async () => {
    await accepted('/events?status=any');
    expect(api.directory.lastEventQuery().statuses).toEqual(['scheduled', 'cancelled', 'postponed', 'rescheduled', 'sold_out']);
  });
  test('type=events,venues of trending is no type', async () => {
    expect((await accepted('/trending?type=events,venues')).json.data).toEqual((await accepted('/trending')).json.data);
    expect((await accepted('/trending?type=events')).json.data.venues).toEqual([]);
    expect((await accepted('/trending?type=venues')).json.data.events).toEqual([]);
  });
});

describe('open sets', () => {
  test('an unknown neighborhood or venue is an empty list', async () => {
    for (const query of ['neighborhood=nowhere', 'venue_id=00000000-0000-0000-0000-000000000000']) {
      expect((await accepted(`/events?${query}`)).json).toMatchObject({ data: [], meta: { total: 0, hasMore: false } });
    }
  });
  test('UUIDs are read in either case', async () => {
    await accepted(`/events?venue_id=${idOf('a', 1).toUpperCase()}`);
    expect(api.directory.lastEventQuery().venueId).toBe(idOf('a', 1));
    const single = await accepted(`/events/${idOf('e', 1).toUpperCase()}`);
    expect(single.json.data.id).toBe(idOf('e', 1));
  });
  test.each([
    '7',
    `{${idOf('a', 1)}}`,
    `urn:uuid:${idOf('a', 1)}`,
    `${idOf('a', 1)}0`,
    idOf('a', 1).replaceAll('-', ''),
    'NOT-A-UUID',
    '..%2f..%2fetc',
    "1' OR 1=1--",
  ])('refuses %s as a UUID', async (value) => {
    expect((await refusal(`/events?venue_id=${encodeURIComponent(value)}`)).code).toBe('not_a_uuid');
    for (const path of ['/events/', '/venues/']) {
      expect(await refusal(path + encodeURIComponent(value))).toMatchObject({ in: 'path', name: 'id', code: 'not_a_uuid' });
    }
  });
});

describe('q', () => {
  test('is trimmed and composed', async () => {
    await accepted(`/events?q=${encodeURIComponent('  cafe\u0301 ')}`);
    expect(api.directory.lastEventQuery().text).toBe('caf\u00e9');
    await accepted('/events?q=+++');
    expect(api.directory.lastEventQuery().text).toBeUndefined();
    await accepted('/events?q=a+b%2Bc');
    expect(api.directory.lastEventQuery().text).toBe('a b+c');
    await accepted('/venues?q=hall');
    expect(api.directory.venueQueries.at(-1)?.text).toBe('hall');
  });
  test('holds 200 code points, not one more', async () => {
    await accepted(`/events?q=${encodeURIComponent('🎷'.repeat(200))}`);
    for (const text of ['🎷'.repeat(201), 'a'.repeat(201), 'a'.repeat(1_000)]) {
      expect((await refusal(`/events?q=${encodeURIComponent(text)}`)).code).toBe('too_long');
    }
  });
  test.each([
    "'; DROP TABLE events;--",
    '%',
    '_',
    '*',
    ':',
    '"',
    '"""',
    '((',
    'a & | !b',
    '\\',
    '<script>',
    "' OR '1'='1",
    '{{7*7}}',
    'ﬀ Ｆｕｌｌ İı ß',
    'Z̵̛͎a̷͠l̸g̶o̵',
    '👩‍👩‍👧',
    '\u202Eabc',
  ])('takes %s as text', async (text) => {
    await accepted(`/events?q=${encodeURIComponent(text)}`);
    expect(api.directory.lastEventQuery().text).toBe(text.trim().normalize('NFC'));
  });
});

describe('free and ongoing', () => {
  test.each([
    ['free=true', true],
    ['free=1', true],
    ['free=', true],
    ['free', true],
    ['free=false', undefined],
    ['free=0', undefined],
    ['', undefined],
  ])('?%s filters: %s', async (query, free) => {
    await accepted(`/events?${query}`);
    expect(api.directory.lastEventQuery().free).toBe(free);
  });
  test.each(['yes', 'TRUE', '2', '+', 'true,false'])('free=%s is refused', async (value) => {
    expect((await refusal(`/events?free=${value}`)).code).toBe('not_a_boolean');
    expect((await refusal(`/events?ongoing=${value}`)).code).toBe('not_a_boolean');
  });
  test('ongoing is asked for', async () => {
    await accepted('/events?ongoing=true');
    expect(api.directory.lastEventQuery().ongoing).toBe(true);
    await accepted('/events?ongoing=');
    expect(api.directory.lastEventQuery().ongoing).toBeUndefined();
  });
});
