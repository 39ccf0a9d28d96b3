// One engine is enough: what is stored is tested in test/ingest/co-listings.test.ts.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/database/store.ts';
import { openSite, type Person, type Site } from '../support/rigs/site.ts';
import { addFeed, type Feed, listing } from '../support/rigs/sources.ts';

const SHOWS = ['Copper Lantern Quartet', 'Brass Harbor Singers', 'Velvet Sparrow Parade'];
const files = temporaryFolder();
let site: Site;
let operator: Person;

beforeAll(async () => {
  site = await openSite();
  operator = await site.signIn({ email: 'ann@desk.example', operator: true });
  const { latitude, longitude } = await site.store.db
    .selectFrom('city')
    .select(['latitude', 'longitude'])
    .executeTakeFirstOrThrow();
  const write = (feed: Feed, id: string, place: string, north: number, count: number) =>
    feed.write(
      Array.from({ length: count }, (_, day) => {
        const start = `${new Date(site.now() + (5 + day) * 86_400_000).toISOString().slice(0, 10)}T20:00:00`;
        return listing(`${id}${day}`, {
          name: SHOWS[day] ?? 'Iron Market',
          start,
          place,
          lat: latitude + north,
          lon: longitude + 0.01,
        });
      }),
    );
  const [radio, press] = [await addFeed(site.store, files.folder, 'radio'), await addFeed(site.store, files.folder, 'press')];
  write(radio, 'r', 'Zephyr Loft', 0.01, 3);
  write(press, 'p', 'Orchid House', 0.0127, 3);
  for (const feed of [radio, press]) await feed.run({ now: site.now });
  write(radio, 'r', 'Zephyr Loft', 0.01, 4);
  await radio.run({ now: site.now });
});
afterAll(async () => {
  files.remove();
  await site.close();
});

test('the page of a venue shows its learned names with their evidence', async () => {
  const { id } = await site.store.db
    .selectFrom('venue')
    .select('id')
    .where('name', '=', 'Zephyr Loft')
    .where('state', '=', 'published')
    .executeTakeFirstOrThrow();
  const page = await site.ask(`/desk/venues/${id}`, { headers: { cookie: operator.cookie, accept: 'text/html' } });
  const text = (await page.text()).replaceAll(/<!-- -->/g, '');
  expect(text).toContain('Learned names');
  expect(text).toMatch(
    /“(?:Zephyr Loft|Orchid House)” and “(?:Zephyr Loft|Orchid House)”: sources list the same events at both on 3 nights/,
  );
  for (const title of SHOWS) expect(text).toContain(title);
});

test('a venue is found by each of its names', async () => {
  for (const name of ['zephyr loft', 'orchid house']) {
    const finds = async () => {
      const page = await site.ask(`/search?ask=${encodeURIComponent(`iron market ${name}`)}`, {
        headers: { accept: 'text/html' },
      });
      return [name, (await page.text()).includes('Iron Market')];
    };
    // The pages read the next snapshot.
    await expect.poll(finds).toEqual([name, true]);
  }
});
