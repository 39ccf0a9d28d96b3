/** The public pages of events and venues: where the API's `url` leads. */

import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { mergeEvents, recordChanges, removeEvents } from '../../src/records/index.ts';
import { describePrice, describeTimes } from '../../src/web/model/describe.ts';
import { languageOf } from '../../src/web/server/languages.ts';
import { type Site, sharedSite } from '../support/rigs/site.ts';
import { until } from '../support/runs/patience.ts';

interface Card {
  id: string;
  slug: string;
  title: string;
  url: string;
  startDatetime: string;
  venue: { name: string; slug: string };
}

let site: Site;
let events: Card[];

beforeAll(async () => {
  site = await sharedSite();
  const { key } = await keyOf(site);
  const answer = await fetch(`${site.url}/api/v1/events?limit=100&offset=200`, { headers: { 'X-API-Key': key } });
  events = ((await answer.json()) as { data: Card[] }).data;
});

const card = (index: number): Card => events[index] ?? expect.fail('the demo city has fewer events');
const ask = (path: string) => site.ask(path, { headers: { accept: 'text/html' }, redirect: 'manual' });

describe('the page of an event', () => {
  test('is where its url leads, says what the API says, and carries no script but those for sharing and the map', async () => {
    const { url, title, venue } = card(0);
    const answer = await ask(url.slice(site.url.length));
    const text = await answer.text();
    expect(answer.status).toBe(200);
    expect(text).toMatch(/<h1[^>]*>/);
    expect(text).toContain(`>${escaped(title)}</h1>`);
    expect(text).toContain(`href="/venues/${venue.slug}"`);
    expect(text).toContain(`<link rel="canonical" href="${url}"/>`);
    expect(text).toContain(`/playground?endpoint=getEvent&amp;id=${card(0).id}`);
    expect(text).toMatch(/<img src="\/posters\//);
    expect(
      text.replace(/<script type="application\/ld\+json">[^<]*<\/script>|<script [^>]*src="\/assets\/[^>]*><\/script>/g, ''),
    ).not.toMatch(/<script/);
  });

  test('leads on from a slug that it had, and from the event that was merged into it', async () => {
    const [survivor, gone] = [card(1), card(2)];
    await site.store.db.transaction().execute(async (trx) => {
      await trx.insertInto('old_slug').values({ kind: 'event', slug: 'as-it-was-called', event_id: survivor.id }).execute();
      const merger = [{ id: gone.id, into: survivor.id }];
      await recordChanges(trx, await mergeEvents(trx, merger, site.now()), site.now());
    });
    for (const slug of ['as-it-was-called', gone.slug]) {
      await until(async () => {
        const answer = await ask(`/events/${slug}`);
        expect([answer.status, answer.headers.get('location')]).toEqual([301, `/events/${survivor.slug}`]);
      });
    }
  });

  test('leads on to its providers by their names, and to calendars of others', async () => {
    const { id, slug, title } = card(4);
    const links = [
      { provider: 'seatgeek', url: 'https://seatgeek.example/1' },
      { provider: 'dice', url: 'https://dice.example/1' },
      { provider: 'port-alder_radio', url: 'https://radio.example/1' },
    ];
    await site.store.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('event')
        .set({ links: sql`${JSON.stringify(links)}::jsonb`, is_free: false })
        .where('id', '=', id)
        .execute();
      await recordChanges(trx, [{ kind: 'updated', entity: 'event', entityId: id }], site.now());
    });
    await until(async () => expect(await (await ask(`/events/${slug}`)).text()).toContain('https://dice.example/1'));
    const text = await (await ask(`/events/${slug}`)).text();
    const buttons = [...text.matchAll(/class="button(?: primary)?" href="([^"]+)" rel="nofollow noopener noreferrer">([^<]+)</g)];
    expect(buttons.map(([, href, words]) => [href, words])).toEqual([
      ['https://dice.example/1', 'Tickets on DICE'],
      ['https://seatgeek.example/1', 'More on SeatGeek'],
      ['https://radio.example/1', 'More on Port Alder Radio'],
    ]);
    expect(text).toContain(`href="/events/${slug}/event.ics"`);
    const hrefs = [...text.matchAll(/href="(https:[^"]+)"/g)].map(([, href = '']) => new URL(href.replaceAll('&amp;', '&')));
    const google = hrefs.find(({ hostname }) => hostname === 'calendar.google.com');
    const outlook = hrefs.find(({ hostname }) => hostname === 'outlook.live.com');
    expect(google?.searchParams.get('text')).toBe(title);
    expect(google?.searchParams.get('dates')).toMatch(/^\d{8}T\d{6}Z\/\d{8}T\d{6}Z$/);
    expect(outlook?.searchParams.get('subject')).toBe(title);
  });

  test('takes two hours in calendars of others where no end is known, and whole days where no hour is', async () => {
    const { id, slug } = card(8);
    const starts = Date.parse('2026-12-05T20:00:00-06:00');
    const day = Date.parse('2026-12-05T00:00:00-06:00');
    const linksOf = async () => {
      const text = await (await ask(`/events/${slug}`)).text();
      const urls = [...text.matchAll(/href="(https:[^"]+)"/g)].map(([, href = '']) => new URL(href.replaceAll('&amp;', '&')));
      const of = (host: string) => urls.find(({ hostname }) => hostname === host)?.searchParams;
      const outlook = of('outlook.live.com');
      return [of('calendar.google.com')?.get('dates'), ...['startdt', 'enddt', 'allday'].map((name) => outlook?.get(name))];
    };
    for (const [times, links] of [
      [
        { starts_at: new Date(starts), ends_at: null, precision: 'time' },
        ['20261206T020000Z/20261206T040000Z', '2026-12-06T02:00:00Z', '2026-12-06T04:00:00Z', 'false'],
      ],
      [{ starts_at: new Date(day), ends_at: null, precision: 'date' }, ['20261205/20261206', '2026-12-05', '2026-12-05', 'true']],
      [
        { starts_at: new Date(day), ends_at: new Date(day + 2 * 86_400_000), precision: 'all_day' },
        ['20261205/20261207', '2026-12-05', '2026-12-06', 'true'],
      ],
    ] as const) {
      await site.store.db.transaction().execute(async (trx) => {
        await trx.updateTable('event').set(times).where('id', '=', id).execute();
        await recordChanges(trx, [{ kind: 'updated', entity: 'event', entityId: id }], site.now());
      });
      await until(async () => expect(await linksOf()).toEqual(links));
    }
  });

  test('is not over before the day is, where the hour is unknown', async () => {
    const { id, slug } = card(5);
    const begins = new Date(site.now() - 13 * 3_600_000);
    const isOver = async () => (await (await ask(`/events/${slug}`)).text()).includes('This event is over');
    for (const [precision, over] of [
      ['time', true],
      ['date', false],
    ] as const) {
      await site.store.db.transaction().execute(async (trx) => {
        const times = { starts_at: begins, ends_at: null, precision };
        await trx.updateTable('event').set(times).where('id', '=', id).execute();
        await recordChanges(trx, [{ kind: 'updated', entity: 'event', entityId: id }], site.now());
      });
      await until(async () => expect([precision, await isOver()]).toEqual([precision, over]));
    }
  });

  test('has the poster of its show, the same every night', async () => {
    const nights = Map.groupBy(events.slice(9), ({ title, venue }) => `${title} ${venue.slug}`);
    const several = [...nights.values()].filter(({ length }) => length > 1).slice(0, 3);
    expect(several).toHaveLength(3);
    const posterOf = async ({ slug }: Card) =>
      /<img src="(\/posters\/[^"]+)"/.exec(await (await ask(`/events/${slug}`)).text())?.[1];
    const posters = await Promise.all(several.map(async (show) => new Set(await Promise.all(show.map(posterOf)))));
    expect(posters.map(({ size }) => size)).toEqual([1, 1, 1]);
    expect(new Set(posters.flatMap((show) => [...show])).size).toBe(3);
  });

  test('has the same night of days without an hour, not the day before or after', async () => {
    const [concert, fair] = [card(6), card(7)];
    const { db } = site.store;
    const venueOf = (slug: string) =>
      db.selectFrom('venue').select(['id', 'name', 'latitude', 'longitude']).where('slug', '=', slug);
    const hall = await venueOf(concert.venue.slug).executeTakeFirstOrThrow();
    const beside = await db
      .selectFrom('venue')
      .select('id')
      .where('name', '<>', hall.name)
      .orderBy(sql`(latitude - ${hall.latitude}) ^ 2 + (longitude - ${hall.longitude}) ^ 2`)
      .executeTakeFirstOrThrow();
    const move = (id: string, times: { starts_at: Date; precision: string }, more: { venue_id?: string } = {}) =>
      db.transaction().execute(async (trx) => {
        await trx
          .updateTable('event')
          .set({ ...times, ...more, ends_at: null, status: 'scheduled', discovery_score: 100 })
          .where('id', '=', id)
          .execute();
        await recordChanges(trx, [{ kind: 'updated', entity: 'event', entityId: id }], site.now());
      });
    const isBeside = async (shown: Card, other: Card) => {
      const text = await (await ask(`/events/${shown.slug}`)).text();
      return text.slice(text.indexOf('The same night nearby')).includes(`href="/events/${other.slug}"`);
    };
    const midnight = Date.parse('2026-12-05T00:00:00-06:00');
    await move(concert.id, { starts_at: new Date(midnight + 20 * 3_600_000), precision: 'time' });
    for (const [day, isSame] of [
      [0, true],
      [1, false],
      [0, true],
      [-1, false],
    ] as const) {
      await move(fair.id, { starts_at: new Date(midnight + day * 86_400_000), precision: 'date' }, { venue_id: beside.id });
      await until(async () => expect([day, await isBeside(concert, fair)]).toEqual([day, isSame]));
      await until(async () => expect([day, await isBeside(fair, concert)]).toEqual([day, isSame]));
    }
  });

  test('is in the language of the reader, and marks the words of sources', async () => {
    const answer = await site.ask(`/events/${card(0).slug}?lang=de`, { headers: { accept: 'text/html' } });
    const text = await answer.text();
    expect(text).toContain('In den Kalender');
    expect(text).toContain(`<h1 lang="en">`);
  });

  test('is gone with its event, and offers what is on instead', async () => {
    const { id, slug } = card(3);
    await site.store.db
      .transaction()
      .execute(async (trx) => recordChanges(trx, await removeEvents(trx, [id], site.now()), site.now()));
    await until(async () => expect((await ask(`/events/${slug}`)).status).toBe(410));
    const text = await (await ask(`/events/${slug}`)).text();
    expect(text).toContain('No longer in the directory');
    expect(text).toContain('<meta name="robots" content="noindex"/>');
    expect(text).not.toContain(escaped(card(3).title));
    const [, offered] = /class="teasers">.*?href="(\/events\/[^"]+)"/s.exec(text) ?? expect.fail('nothing is offered');
    expect((await ask(offered ?? '')).status).toBe(200);
    expect((await ask(`/events/${slug}/event.ics`)).status).toBe(410);
  });

  test.each([
    ['another name', 'nothing-of-this-name'],
    ['capitals', 'UPPER'],
    ['a NUL', '%00'],
    ['a path', '%2e%2e%2fetc'],
    ['a quotation mark', "'--"],
    ['too many letters', 'a'.repeat(3000)],
  ])('is not found by %s', async (_, slug) => {
    expect((await ask(`/events/${slug}`)).status).toBe(404);
    expect((await ask(`/venues/${slug}`)).status).toBe(404);
  });
});

describe('the page of a venue', () => {
  test('shows what is on there, the soonest first, each with its page', async () => {
    const { slug, name } = card(0).venue;
    const answer = await ask(`/venues/${slug}`);
    const text = await answer.text();
    expect(answer.status).toBe(200);
    expect(text).toContain(`>${escaped(name)}</h1>`);
    const { key } = await keyOf(site);
    const { id } = await site.store.db.selectFrom('venue').select('id').where('slug', '=', slug).executeTakeFirstOrThrow();
    const listed = await fetch(`${site.url}/api/v1/venues/${id}/events?limit=100`, { headers: { 'X-API-Key': key } });
    const { data } = (await listed.json()) as { data: Card[] };
    const program = text.slice(text.indexOf('id="coming"'), text.indexOf('<aside'));
    const links = [...program.matchAll(/href="\/events\/[^"]+"[^>]*>([^<]+)</g)].map(([, each]) => each);
    expect(data.length).toBeGreaterThan(0);
    const inTime = data.toSorted((a, b) => Date.parse(a.startDatetime) - Date.parse(b.startDatetime));
    expect(links).toEqual(inTime.map((event) => escaped(event.title)));
  });
});

test.each([
  [{ isFree: true, priceMin: 0, priceMax: 0 }, 'Free'],
  [{ isFree: false, priceMin: null, priceMax: null }, null],
  [{ isFree: false, priceMin: 12, priceMax: 12 }, '$12'],
  [{ isFree: false, priceMin: 12.5, priceMax: 40 }, '$12.50 to $40'],
  [{ isFree: false, priceMin: 5, priceMax: null }, 'from $5'],
  [{ isFree: false, priceMin: null, priceMax: 9 }, 'up to $9'],
])('the price %j is said as %s', (price, words) => {
  expect(describePrice(languageOf('en'), { ...price, currency: 'USD' })).toBe(words);
});

test.each([
  ['time', '2026-11-28T20:00:00-05:00', null, '8 PM'],
  ['time', '2026-11-28T20:00:00-05:00', '2026-11-28T22:30:00-05:00', '8 PM to 10:30 PM'],
  ['time', '2026-11-28T20:00:00-05:00', '2026-11-29T02:00:00-05:00', '8 PM to 2 AM'],
  ['time', '2026-11-28T10:00:00-05:00', '2026-12-01T18:00:00-05:00', '10 AM to Tue, Dec 1, 6 PM'],
  ['date', '2026-11-28T00:00:00-05:00', null, 'time to be announced'],
  ['all_day', '2026-11-28T00:00:00-05:00', '2026-11-28T23:59:00-05:00', 'all day'],
  ['all_day', '2026-11-28T00:00:00-05:00', '2026-11-29T00:00:00-05:00', 'all day'],
] as const)('a start known as %s at %s, until %s, is said as %s', (startPrecision, startDatetime, endDatetime, hours) => {
  expect(describeTimes(languageOf('en'), { startPrecision, startDatetime, endDatetime })).toEqual({
    day: 'Saturday, November 28, 2026',
    hours,
  });
});

test.each(['2026-11-30T23:59:00-05:00', '2026-12-01T00:00:00-05:00'])(
  'all days until %s are said with the last one',
  (endDatetime) => {
    const times = { startDatetime: '2026-11-28T00:00:00-05:00', endDatetime };
    expect(describeTimes(languageOf('en'), { ...times, startPrecision: 'all_day' }).day).toBe(
      'Saturday, November 28, 2026 to Monday, November 30, 2026',
    );
  },
);

async function keyOf({ dataDir }: Site): Promise<{ key: string }> {
  return { key: JSON.parse(await readFile(`${dataDir}/demo-keys.json`, 'utf8')).enterprise };
}

/** As React writes text. */
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll("'", '&#x27;').replaceAll('"', '&quot;');
