/**
 * JSON-LD of the public pages: search engines read what the directory knows, and our own provider reads the same event back.
 * One engine is enough: pages read the read model.
 */

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROVIDERS, type SourceFacts } from '../../src/providers/index.ts';
import { recordChanges } from '../../src/records/index.ts';
import { ALWAYS } from '../support/fakes/provider.ts';
import { openSite, type Site } from '../support/rigs/site.ts';
import { until } from '../support/runs/patience.ts';

let site: Site;

beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

interface Row {
  id: string;
  slug: string;
  title: string;
  category: string;
  venue: string;
  venueSlug: string;
}

/** Some events of each category, written with what `change` says. */
async function pick(count: number, change: Record<string, unknown> = {}): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select event.id, event.slug, title, category, venue.name as venue, venue.slug as "venueSlug"
    from (select *, row_number() over (partition by category order by id desc) as nth from event where state = 'published') as event
      join venue on venue.id = event.venue_id
    where nth <= ${count} and venue.address is not null order by category`.execute(site.store.db);
  if (Object.keys(change).length === 0) return rows;
  const ids = rows.map(({ id }) => id);
  await site.store.db.transaction().execute(async (trx) => {
    await trx.updateTable('event').set(change).where('id', 'in', ids).execute();
    const changes = ids.map((entityId) => ({ kind: 'updated', entity: 'event', entityId }) as const);
    await recordChanges(trx, changes, site.now());
  });
  return rows;
}

const html = async (path: string): Promise<string> => (await site.ask(path, { headers: { accept: 'text/html' } })).text();
const blocksOf = (text: string): Record<string, unknown>[] =>
  [...text.matchAll(/<script type="application\/ld\+json">([^<]*)<\/script>/g)].map(([, json = '']) => JSON.parse(json));

/** As a source of kind `jsonld` reads the page. */
async function readBack(path: string) {
  const provider = PROVIDERS.find(({ kind }) => kind === 'jsonld') ?? expect.fail('no such provider');
  const answer = { body: Buffer.from(await html(path)), contentType: 'text/html; charset=utf-8', url: site.url + path };
  const facts: SourceFacts = {
    ...ALWAYS,
    ...{ name: 'pages', location: site.url + path, mapping: null, key: null },
    ...{ zone: 'UTC', locales: ['en-US'] },
  };
  const { listings } = await provider.read(answer as Parameters<typeof provider.read>[0], facts);
  return listings.flatMap((each) => (each.ok === true && each.listing.target === 'events' ? [each.listing.event] : []));
}

describe('the markup of an event', () => {
  test('read back by our own provider is the same event, whatever its category, price, time and status', async () => {
    const rows = await pick(3);
    expect(new Set(rows.map(({ category }) => category)).size).toBe(11);
    for (const { id, slug, title, category, venue } of rows) {
      const stored = await site.store.db.selectFrom('event').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
      const [event, ...others] = await readBack(`/events/${slug}`);
      expect(others).toEqual([]);
      expect(event).toMatchObject({ title, url: `${site.url}/events/${slug}`, description: stored.description });
      expect(event?.venue.name).toBe(venue);
      expect(event?.performers).toEqual(stored.performers);
      expect(event?.status).toBe(stored.status);
      if (TYPED.has(category)) expect(event?.category).toBe(category);
      else expect(event?.category).toBeNull();
      if (stored.precision === 'time') expect(Date.parse(event?.start ?? '')).toBe(stored.starts_at.getTime());
      else expect(event?.start).toMatch(/^\d{4}-\d\d-\d\d$/);
      if (stored.is_free) expect([event?.isFree, event?.priceMin, event?.priceMax]).toEqual([true, 0, 0]);
      else if (stored.price_min !== null) expect([event?.isFree, event?.priceMin]).toEqual([false, Number(stored.price_min)]);
    }
  });

  test('says the day alone where the hour is unknown, no offer where the price is, and where a moved event was', async () => {
    const [row] = await pick(1, {
      precision: 'date',
      ends_at: null,
      is_free: false,
      price_min: null,
      price_max: null,
      status: 'rescheduled',
      previous_starts_at: new Date('2026-01-02T06:00:00Z'),
    });
    const path = `/events/${row?.slug}`;
    await until(async () => expect(await html(path)).toContain('EventRescheduled'));
    const [event] = blocksOf(await html(path));
    expect(event?.startDate).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(event?.previousStartDate).toBe('2026-01-02');
    expect(event).not.toHaveProperty('offers');
    expect(event).not.toHaveProperty('isAccessibleForFree');
    expect(event).not.toHaveProperty('endDate');
  });

  test('offers nothing in stock for an event that does not take place', async () => {
    for (const [status, price] of [
      ['cancelled', { is_free: false, price_min: 12, price_max: 20 }],
      ['postponed', { is_free: true, price_min: 0, price_max: 0 }],
    ] as const) {
      const [row] = await pick(1, { status, ...price });
      const path = `/events/${row?.slug}`;
      await until(async () => expect(await html(path)).toMatch(/EventCancelled|EventPostponed/));
      const [event] = blocksOf(await html(path));
      expect(event?.offers).toMatchObject({ priceCurrency: 'USD' });
      expect(event?.offers).not.toHaveProperty('availability');
    }
  });

  test('names the city and the point of a venue without a street, and no title ends it', async () => {
    const title = '</script><script>alert(1)</script>';
    const [row] = await pick(1, { title });
    const path = `/events/${row?.slug}`;
    await until(async () => expect(await html(path)).toContain('u003cscript'));
    const text = await html(path);
    expect(text).not.toContain('<script>alert');
    expect(blocksOf(text)[0]).toMatchObject({ name: title });
    await site.store.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('venue')
        .set({ address: null })
        .where('slug', '=', row?.venueSlug ?? '')
        .execute();
      const { id } = await trx
        .selectFrom('venue')
        .select('id')
        .where('slug', '=', row?.venueSlug ?? '')
        .executeTakeFirstOrThrow();
      await recordChanges(trx, [{ kind: 'updated', entity: 'venue', entityId: id }], site.now());
    });
    await until(async () => expect(await html(path)).not.toContain('streetAddress'));
    expect(blocksOf(await html(path))[0]).toMatchObject({
      name: title,
      location: {
        '@type': 'Place',
        name: row?.venue,
        address: { '@type': 'PostalAddress', addressLocality: 'Port Alder' },
        geo: { '@type': 'GeoCoordinates', latitude: expect.any(Number), longitude: expect.any(Number) },
      },
    });
    const address = { '@type': 'PostalAddress', addressLocality: 'Port Alder' };
    await until(async () => expect(blocksOf(await html(`/venues/${row?.venueSlug}`))[0]?.address).toEqual(address));
    const [event] = await readBack(path);
    expect(event).toMatchObject({ title, venue: { name: row?.venue, latitude: expect.any(Number) } });
  });

  test('has whole days as dates, of which the last is the end, also where the event is cancelled', async () => {
    const [row] = await pick(1, {
      precision: 'all_day',
      starts_at: new Date('2027-07-03T05:00:00Z'),
      ends_at: new Date('2027-07-06T05:00:00Z'),
      status: 'cancelled',
    });
    const path = `/events/${row?.slug}`;
    await until(async () =>
      expect(blocksOf(await html(path))[0]).toMatchObject({
        startDate: '2027-07-03',
        endDate: '2027-07-05',
        eventStatus: 'https://schema.org/EventCancelled',
      }),
    );
    const [event] = await readBack(path);
    expect(event).toMatchObject({ start: '2027-07-03', end: '2027-07-05', isAllDay: true, status: 'cancelled' });
  });
});

describe('the markup of a venue', () => {
  test('names its type, hours and events, which are read back as they are', async () => {
    const [row] = await pick(1);
    const [venue, breadcrumbs] = blocksOf(await html(`/venues/${row?.venueSlug}`));
    expect(venue).toMatchObject({ name: row?.venue, url: `${site.url}/venues/${row?.venueSlug}` });
    expect(breadcrumbs?.['@type']).toBe('BreadcrumbList');
    const listed = (venue?.event ?? []) as { name: string; startDate: string }[];
    expect(listed.length).toBeGreaterThan(0);
    const read = await readBack(`/venues/${row?.venueSlug}`);
    expect(read.map(({ title }) => title).sort()).toEqual(listed.map(({ name }) => name).sort());
  });
});

test.each(['/events', '/events/concert', '/events/tomorrow?lang=de', '/venues', '/venues/club'])(
  'the markup of the list %s has its heading, and names the pages that it links to, in their order',
  async (address) => {
    const [path = '', query] = address.split('?');
    const text = await html(address);
    const [list] = blocksOf(text);
    expect(list).toMatchObject({ '@type': 'ItemList', url: site.url + path });
    expect(`<h1>${list?.name}</h1>`).toBe(/<h1>[^<]+<\/h1>/.exec(text)?.[0]);
    expect(String(list?.name)).toMatch(query === undefined ? / in Port Alder/ : /morgen/i);
    const kind = path.split('/')[1];
    const urls = ((list?.itemListElement ?? []) as { url: string }[]).map(({ url }) => url);
    const main = text.slice(text.indexOf('<main'), text.indexOf('</main>'));
    const linked = new Set([...main.matchAll(/href="(\/(?:events|venues)\/[^"?/]+)"/g)].map(([, href]) => site.url + href));
    expect(urls.length).toBeGreaterThan(3);
    expect([...linked].filter((url) => urls.includes(url))).toEqual(urls);
    expect(urls.every((url) => url.startsWith(`${site.url}/${kind}/`))).toBe(true);
  },
);

test('links are shown with a picture, a title and where they lead', async () => {
  const [row] = await pick(1);
  const text = await html(`/events/${row?.slug}`);
  const tag = (name: string) => new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)"/>`).exec(text)?.[1];
  expect(tag('og:title')).toBeTruthy();
  expect(tag('og:url')).toBe(`${site.url}/events/${row?.slug}`);
  expect(tag('twitter:card')).toBe('summary_large_image');
  const image = tag('og:image') ?? expect.fail('no picture');
  const answer = await site.ask(image.slice(site.url.length));
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
});

/** Those that have a type of their own in schema.org. */
const TYPED = new Set(['concert', 'sports', 'comedy', 'theater', 'festival', 'food', 'art', 'family']);
