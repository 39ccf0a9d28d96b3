/** The public lists: what they show, and what they say where the address or the list has nothing. One engine is enough: nothing is stored. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { CATEGORIES, VENUE_TYPES } from '../../src/records/index.ts';
import { tableRows } from '../house/source-tree.ts';
import { routePatterns } from '../support/records/route-patterns.ts';
import { type Site, sharedSite } from '../support/rigs/site.ts';
import { describeJourney, sticksOut, visit } from '../support/runs/browser.ts';

let site: Site;
let key = '';
let neighborhood = '';

beforeAll(async () => {
  site = await sharedSite();
  key = JSON.parse(readFileSync(join(site.dataDir, 'demo-keys.json'), 'utf8')).enterprise;
  const { data } = await askApi<{ data: { slug: string }[] }>('/neighborhoods');
  neighborhood = data[0]?.slug ?? '';
});

async function askApi<Answer>(path: string): Promise<Answer> {
  return (await fetch(`${site.url}/api/v1${path}`, { headers: { 'X-API-Key': key } })).json() as Promise<Answer>;
}
const open = (path: string, headers: Record<string, string> = {}) =>
  site.ask(path, { headers: { accept: 'text/html', ...headers } });
const html = async (path: string) => (await open(path)).text();
interface ApiList {
  data: { slug: string; title: string }[];
  meta: { total: number; facets?: { day?: { value: string; count: number }[] } };
}

/** What the cards of a page lead to, in their order. */
const shown = (page: string, kind: 'events' | 'venues') =>
  [...page.matchAll(new RegExp(`class="card-title"[^>]*><a href="/${kind}/([^"]+)"`, 'g'))].map(([, slug]) => slug);
const status = (page: string) => /<p role="status"[^>]*>(.*?)<\/p>/.exec(page)?.[1];

describe('a list of events', () => {
  test.each([
    ['/events', ''],
    ['/events/concert', 'category=concert'],
    ['/events/tomorrow', 'when=tomorrow'],
    ['/events?when=next_7_days&sort=start', 'when=next_7_days&sort=start'],
    ['/events/theater?free=true', 'category=theater&free=true'],
    ['/events?ask=free+music+next+30+days', 'ask=free+music+next+30+days'],
    ['/events?q=the&price_max=20', 'q=the&price_max=20'],
    ['/events?category=art,food&status=any', 'category=art,food&status=any'],
  ])('%s shows what the API answers, page by page', async (path, query) => {
    const joint = path.includes('?') ? '&' : '?';
    const sizes: number[] = [];
    for (let page = 1; page <= 3; page += 1) {
      const api = await askApi<ApiList>(`/events?${query}&limit=24&offset=${(page - 1) * 24}`);
      const listed = shown(await html(page === 1 ? path : `${path}${joint}page=${page}`), 'events');
      expect(listed).toEqual(api.data.map(({ slug }) => slug));
      sizes.push(listed.length);
    }
    expect(sizes[0]).toBeGreaterThan(0);
  });

  test('of today and of a neighborhood is that of the API', async () => {
    const { timezone } = await site.store.db.selectFrom('city').select('timezone').executeTakeFirstOrThrow();
    const today = Temporal.Instant.fromEpochMilliseconds(site.now()).toZonedDateTimeISO(timezone).toPlainDate();
    for (const [path, query] of [
      ['/events/today', `end_date=${today}`],
      [`/events?neighborhood=${neighborhood}`, `neighborhood=${neighborhood}`],
    ]) {
      const api = await askApi<ApiList>(`/events?${query}&limit=24`);
      expect(shown(await html(path ?? ''), 'events')).toEqual(api.data.map(({ slug }) => slug));
    }
  });

  test('of a highest price holds every event whose cheapest known price is at most it, and no other', async () => {
    interface Priced {
      id: string;
      priceMin: number | null;
      priceMax: number | null;
    }
    const allOf = async (query: string): Promise<Priced[]> => {
      const found: Priced[] = [];
      for (let total = 1; found.length < total; ) {
        const page = await askApi<{ data: Priced[]; meta: { total: number } }>(
          `/events?status=any&start_date=2000-01-01&end_date=2100-01-01&sort=start&limit=100&offset=${found.length}${query}`,
        );
        found.push(...page.data);
        total = page.meta.total;
      }
      return found;
    };
    const cheapest = ({ priceMin, priceMax }: Priced) => priceMin ?? priceMax ?? Number.POSITIVE_INFINITY;
    const all = await allOf('');
    // Some have the very amount, and some a few cents more or less.
    for (const limit of [0, 8.5, 12, 15, 15.5, 20.49]) {
      const expected = all.filter((event) => cheapest(event) <= limit).map(({ id }) => id);
      expect(expected.length).toBeGreaterThan(0);
      expect((await allOf(`&price_max=${limit}`)).map(({ id }) => id)).toEqual(expected);
    }
  });

  test('looks for other words in the way of the first: a form that sends q and ask is refused', async () => {
    const form = /<form [^>]*action="\/events"[^>]*>.*?<\/form>/;
    for (const [path, names] of [
      ['/events?q=the&sort=start', ['sort', 'q', 'neighborhood', 'price_max']],
      ['/events?ask=music', ['ask', 'neighborhood', 'price_max']],
    ] as const) {
      const [sent = ''] = form.exec(await html(path)) ?? [];
      expect([...sent.matchAll(/ name="(\w+)"/g)].map(([, name]) => name)).toEqual(names);
    }
  });

  test('keeps its length from page to page', async () => {
    const api = await askApi<ApiList>('/events?limit=10&offset=10');
    for (const [path, kind] of [
      ['/events?limit=10', 'events'],
      ['/venues?limit=10', 'venues'],
    ] as const) {
      const [, next = ''] = /rel="next" href="([^"]+)"/.exec(await html(path)) ?? [];
      const page = await html(next.replaceAll('&amp;', '&'));
      expect(page).toContain('· Page 2 of ');
      expect(shown(page, kind)).toHaveLength(10);
      if (kind === 'events') expect(shown(page, kind)).toEqual(api.data.map(({ slug }) => slug));
    }
  });

  test('marks what is chosen: free alone, not all prices', async () => {
    const isFree = /<a (?=[^>]*class="chip")[^>]*aria-current="true"[^>]*>Free</;
    expect(await html('/events?free=true')).toMatch(isFree);
    expect(await html('/events?free=false')).not.toMatch(isFree);
  });

  test('by date has a heading for each of its days', async () => {
    const page = await html('/events?sort=start&when=next_7_days&page=2');
    const days = [...page.matchAll(/<h2 id="day-([\d-]+)"/g)].map(([, day]) => day);
    expect(days.length).toBeGreaterThan(0);
    expect(days).toEqual([...new Set(days)].sort());
  });

  test('says what it could not use, with status 400, above the list without it', async () => {
    const answer = await open('/events?category=konzert&price_max=-3&sort=distance&view=globe');
    const page = await answer.text();
    expect(answer.status).toBe(400);
    expect(page).toContain('Part of this address could not be used');
    for (const word of ['konzert', '-3', 'distance', 'globe']) expect(page).toContain(`“${word}” was left out.`);
    expect(shown(page, 'events')).toEqual(shown(await html('/events'), 'events'));
    expect(page).toContain('content="noindex, follow"');
    const near = await html('/events?category=concerts');
    expect(near).toContain('href="/events/concert"');
    expect(near).toContain('Did you mean “concert”?');
    for (const path of ['/events?page=0', '/events?view=calendar&month=1999-01', '/venues?type=disco', '/events?near=1,2,3'])
      expect([path, (await open(path)).status]).toEqual([path, 400]);
  });

  test('ignores what it does not know, and leads a form with empty fields to its short address', async () => {
    expect((await open('/events?utm_source=mail')).status).toBe(200);
    const sent = await open('/events?ask=jazz&neighborhood=&price_max=');
    expect([sent.status, sent.headers.get('location')]).toEqual([302, '/events?ask=jazz']);
  });

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'])(
    'takes %s for an unknown name, and for a wrong value of every name',
    async (word) => {
      const first = shown(await html('/events'), 'events');
      for (const path of [
        '/events',
        '/venues',
        '/search',
        '/neighborhoods',
        '/events.rss',
        '/events.ics',
        '/',
        '/status',
        '/playground',
      ])
        expect([path, (await open(`${path}?${word}=x&${word}=y`)).status]).toEqual([path, 200]);
      expect(shown(await html(`/events?${word}=x`), 'events')).toEqual(first);
      for (const name of [
        'category',
        'when',
        'sort',
        'status',
        'view',
        'view=calendar&month',
        'page',
        'near',
        'free',
        'price_max',
      ]) {
        const answer = await open(`/events?${name}=${word}`);
        const page = await answer.text();
        expect([name, answer.status]).toEqual([name, 400]);
        expect(page).toContain(`“${word}” was left out.`);
        expect(page).not.toContain('native code');
      }
      for (const name of ['type', 'capacity', 'sort'])
        expect([name, (await open(`/venues?${name}=${word}`)).status]).toEqual([name, name === 'sort' ? 200 : 400]);
      for (const path of [`/events/${word}`, `/venues/${word}`, `/neighborhoods/${word}`, `/sitemaps/${word}`])
        expect([path, (await open(path)).status]).toEqual([path, 404]);
      expect([200, 404]).toContain((await open(`/playground?endpoint=${word}`)).status);
      expect((await open('/', { 'accept-language': word, cookie: `language=${word}; theme=${word}` })).status).toBe(200);
      expect((await open(`/?lang=${word}`)).status).toBe(200);
    },
  );

  test('that is empty says why, and offers what has events', async () => {
    const page = await html(`/events/concert?neighborhood=nowhere&free=true`);
    expect(page).toContain('No events match these filters');
    expect(page).toContain('Without “Neighborhood: nowhere”');
    const [, total] = /href="\/events\/concert\?free=true"[^>]*>Without.*?<span class="quiet">(\d+) events?</.exec(page) ?? [];
    const api = await askApi<ApiList>('/events?category=concert&free=true&limit=1');
    expect(Number(total)).toBe(api.meta.total);
    const none = await html(`/events/concert?neighborhood=${neighborhood}&q=zzyzzyva`);
    expect(none).toMatch(new RegExp(`<option value="${neighborhood}" selected`));
    expect(none).toMatch(/<a (?=[^>]*class="chip")[^>]*aria-current="true"[^>]*>Concerts</);
    expect(await html('/events?ask=zzyzzyva+tomorrow')).toContain('href="/events?ask=tomorrow"');
  });

  test('beyond its end says so and leads back', async () => {
    const page = await html('/events?page=9999');
    expect(page).toContain('The list ends before this page.');
    const [, last] = /rel="prev" href="([^"]+)"/.exec(page) ?? [];
    expect(shown(await html((last ?? '').replaceAll('&amp;', '&')), 'events').length).toBeGreaterThan(0);
  });

  test('as a calendar begins with five weeks from this one on, and steps to whole months', async () => {
    const today = Temporal.Instant.fromEpochMilliseconds(site.now()).toZonedDateTimeISO('America/Chicago').toPlainDate();
    const sunday = today.subtract({ days: today.dayOfWeek % 7 });
    const dates = (page: string) => [...page.matchAll(/<a aria-label="[^"]*: [\d,]+ events?" href="[^"]*?([\d-]{10}|today)"/g)];
    const page = await html('/events?view=calendar');
    expect(page.match(/<tr>/g)).toHaveLength(1 + 5);
    expect(dates(page).at(-1)?.[1]).toBe(sunday.add({ days: 34 }).toString());
    expect(page).not.toContain('rel="prev"');
    const [, next = ''] = /rel="next" href="([^"]+)"/.exec(page) ?? [];
    expect(next).toContain(`month=${sunday.add({ days: 35 }).toPlainYearMonth()}`);
    const following = today.toPlainYearMonth().add({ months: 1 });
    expect(await html(`/events?view=calendar&month=${following}`)).toContain('rel="prev" href="/events?view=calendar"');
  });

  test('as a calendar counts each day as the API does, and each day leads to its events', async () => {
    const today = Temporal.Instant.fromEpochMilliseconds(site.now()).toZonedDateTimeISO('America/Chicago').toPlainDate();
    // The last days of a month may have nothing left.
    const month = today.add({ days: 3 }).toPlainYearMonth();
    const start = month.equals(today.toPlainYearMonth()) ? '' : `&start_date=${month}-01`;
    const page = await html(`/events?view=calendar&category=concert&month=${month}`);
    const days = [...page.matchAll(/<a aria-label="[^"]*: ([\d,]+) events?" href="([^"]+)"/g)];
    const sum = days.reduce((total, [, count = '']) => total + Number(count.replace(',', '')), 0);
    const [, , next] = /rel="next" href="([^"]*month=(\d{4}-\d{2}))"/.exec(page) ?? [];
    const lastDay = new Date(Date.parse(`${next}-01T00:00:00Z`) - 1).toISOString().slice(0, 10);
    const api = await askApi<ApiList>(`/events?category=concert${start}&end_date=${lastDay}&limit=1&facets=day`);
    expect(days.length).toBe(api.meta.facets?.day?.length);
    expect(sum).toBe(api.meta.total);
    const [, count, path = ''] = days.at(-1) ?? [];
    expect(status(await html(path.replaceAll('&amp;', '&')))).toMatch(new RegExp(`^${count} event`));
  });

  test('as a map is a list of the same events without scripts, each with its place', async () => {
    const page = await html('/events/concert?view=map');
    const listed = [
      ...page.matchAll(
        /<li data-latitude="([-\d.]+)" data-longitude="([-\d.]+)" data-category="concert"><a href="\/events\/([^"]+)"/g,
      ),
    ];
    const api = await askApi<ApiList>('/events?category=concert&limit=100');
    expect(listed.map(([, , , slug]) => slug)).toEqual(api.data.map(({ slug }) => slug));
    expect(page).toMatch(/<a aria-current="true" href="\/events\/concert\?view=map"[^>]*>Map</);
    expect(page).toContain('noindex');
    expect(await html(`/neighborhoods/${neighborhood}`)).toMatch(/<path d="[^"]+" class="current"/);
  });

  test('names one address as its own, however it was asked for', async () => {
    const canonical = async (path: string) => /<link rel="canonical" href="([^"]+)"/.exec(await html(path))?.[1];
    expect(await canonical('/events?category=concert&sort=start')).toBe(`${site.url}/events/concert`);
    expect(await canonical('/events?when=tonight')).toBe(`${site.url}/events/tonight`);
    expect(await canonical('/events?page=2')).toBe(`${site.url}/events?page=2`);
    expect(await html('/events/concert')).not.toContain('noindex');
    expect(await html('/events?ask=jazz')).toContain('noindex');
  });

  test('speaks the language of its reader', async () => {
    const page = await (await open('/events/concert?when=tonight', { 'accept-language': 'de' })).text();
    expect(page).toContain('Konzerte in Port Alder: Heute Abend');
  });
});

describe('a list as a document', () => {
  test('is found from its page, bounded, and not sent twice', async () => {
    const page = await html('/events/concert');
    expect(page).toContain('type="application/rss+xml" title="Concerts in Port Alder" href="/events.rss?category=concert"');
    const feed = await open('/events.rss?category=concert');
    expect([feed.status, feed.headers.get('content-type')]).toEqual([200, 'application/rss+xml; charset=utf-8']);
    expect(feed.headers.get('cache-control')).toBe('public, max-age=900');
    expect((await feed.text()).match(/<item>/g)).toHaveLength(50);
    const again = await open('/events.rss?category=concert', { 'if-none-match': feed.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
    const calendar = await (await open('/events.ics?limit=2000&offset=50')).text();
    expect(calendar.match(/BEGIN:VEVENT/g)).toHaveLength(100);
    expect(calendar).toBe(await (await open('/events.ics')).text());
    expect((await open('/events.ics?category=konzert')).status).toBe(400);
    expect(await html('/events?ask=jazz')).not.toContain('/events.rss');
  });
});

describe('a list of venues', () => {
  test.each([
    ['/venues', ''],
    ['/venues/theater', 'type=theater'],
    ['/venues?q=the&page=1', 'q=the'],
  ])('%s shows what the API answers', async (path, query) => {
    const api = await askApi<ApiList>(`/venues?${query}&limit=24`);
    expect(shown(await html(path), 'venues')).toEqual(api.data.map(({ slug }) => slug));
    expect(api.data.length).toBeGreaterThan(0);
  });

  test('loads the pictures of its first row at once, and others when they come into sight', async () => {
    const pictures = [...(await html('/venues')).matchAll(/<img class="venue-picture"[^>]* loading="(\w+)"/g)].map(
      ([, when]) => when,
    );
    expect(pictures.length).toBeGreaterThan(4);
    expect(pictures.map((when) => when === 'eager')).toEqual(pictures.map((_, place) => place < 4));
  });

  test('that is empty offers what has venues', async () => {
    const page = await html('/venues/theater?q=zzyzzyva');
    expect(page).toContain('No venues match these filters');
    expect(page).toMatch(/<a (?=[^>]*class="chip")[^>]*aria-current="true"[^>]*>Theaters</);
    expect(page).toMatch(/href="\/venues\/theater"[^>]*>Without “Words: zzyzzyva”/);
  });
});

describe('neighborhoods', () => {
  test('are listed, and each shows the best that is on there', async () => {
    const { data } = await askApi<{ data: { slug: string; name: string }[] }>('/neighborhoods');
    const index = await html('/neighborhoods');
    for (const { slug } of data) expect(index).toContain(`href="/neighborhoods/${slug}"`);
    const page = await html(`/neighborhoods/${neighborhood}`);
    expect(page).toMatch(/<p class="neighborhood-counts">\d+ upcoming events?, \d+ venues?</);
    const api = await askApi<ApiList>(`/events?neighborhood=${neighborhood}&limit=12`);
    expect(shown(page, 'events')).toEqual(api.data.map(({ slug }) => slug));
    expect((await open('/neighborhoods/nowhere')).status).toBe(404);
  });
});

describe('the front page', () => {
  test('begins with the best of the week, and leads to every list', async () => {
    const page = await html('/');
    const week = await askApi<ApiList>('/events?when=next_7_days&limit=60');
    const fresh = week.data.filter(({ title }, at) => week.data.findIndex((each) => each.title === title) === at);
    const best = /<ol class="front-best">(.*?)<\/ol>/.exec(page)?.[1] ?? '';
    expect(shown(best, 'events')).toEqual(fresh.slice(0, 5).map(({ slug }) => slug));
    for (const path of ['/events/tonight', '/events/this-weekend', '/events/concert', '/neighborhoods', '/venues', '/developers'])
      expect(page).toContain(`href="${path}"`);
    // The name of a link has its words: who speaks to a browser says what is seen.
    const named = [...page.matchAll(/<a aria-label="([^"]+)"[^>]*>([^<]+)<\/a>/g)];
    expect(named.filter(([, name = '', words = '']) => !name.includes(words))).toEqual([]);
    expect(named.length).toBeGreaterThan(2);
  });
});

describe('docs/public-pages.md', () => {
  test('has each list, and no other', () => {
    const word = (pattern: string) => {
      const [, kind, name = ''] = pattern.split('/');
      if (kind === 'events' && (CATEGORIES as readonly string[]).includes(name)) return '/events/<category>';
      return kind === 'venues' && (VENUE_TYPES as readonly string[]).includes(name) ? '/venues/<type>' : pattern;
    };
    const lists = routePatterns().filter(({ file }) => /^pages\/(?:lists\/|(?:front|status|data-quality)\.tsx$)/.test(file));
    const documented = tableRows('docs/public-pages.md', 'path').map(([path = '']) => path.replaceAll('`', ''));
    expect(documented.sort()).toEqual([...new Set(lists.map(({ pattern }) => word(pattern).replace(':slug', '<slug>')))].sort());
    expect(lists.length).toBeGreaterThan(25);
  });
});

describeJourney('a visitor of the lists', () => {
  test('finds, filters and turns pages without scripts, on a phone in the dark', async () => {
    const { page, complaints, close } = await visit(site.url, { scripts: false, width: 390, dark: true });
    await page.goto('/');
    await page.getByLabel('Search events').fill('music');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('heading', { level: 1, name: '“music” in Port Alder' }).waitFor();
    await page.getByText('Neighborhood and price').click();
    await page.getByLabel('Neighborhood', { exact: true }).selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Apply' }).click();
    expect(new URL(page.url()).searchParams.get('neighborhood')).toMatch(/\w/);
    await page.getByRole('link', { name: /^Remove Neighborhood/ }).click();
    await page.goto('/events');
    await page.getByRole('link', { name: 'Next', exact: true }).click();
    expect(page.url()).toBe(`${site.url}/events?page=2`);
    await page.getByRole('link', { name: 'Calendar', exact: true }).first().click();
    await page.getByRole('table').waitFor();
    expect(await sticksOut(page)).toBe(false);
    expect(complaints()).toEqual([]);
    await close();
  });
});
