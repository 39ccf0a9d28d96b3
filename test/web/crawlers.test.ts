/** What crawlers read: the sitemaps, robots.txt and the manifest. One engine is enough: they come from the read model. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { listSitemaps } from '../../src/web/server/sitemap.ts';
import { createFakeDirectory, FAKE_NOW } from '../support/fakes/directory.ts';
import { openSite, type Site } from '../support/rigs/site.ts';

let site: Site;

beforeAll(async () => {
  site = await openSite();
});
afterAll(() => site.close());

const locationsOf = (xml: string): string[] => [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => url);
const read = async (url: string): Promise<string> => (await site.ask(url.replace(site.url, ''))).text();

/** Every page of a list of the API. */
async function listAll(path: string): Promise<string[]> {
  const { enterprise } = JSON.parse(readFileSync(join(site.dataDir, 'demo-keys.json'), 'utf8')) as { enterprise: string };
  const urls: string[] = [];
  for (let offset = 0; ; offset += 100) {
    const answer = await site.ask(`/api/v1${path}limit=100&offset=${offset}`, { headers: { 'X-API-Key': enterprise } });
    const { data } = (await answer.json()) as { data: { url: string }[] };
    if (data.length === 0) return urls;
    urls.push(...data.map(({ url }) => url));
  }
}

test('the sitemaps name exactly what the API lists, and every page in them answers', async () => {
  const index = await read('/sitemap.xml');
  expect(index).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<sitemapindex /);
  const files = locationsOf(index);
  const listed = new Map(await Promise.all(files.map(async (file) => [file, locationsOf(await read(file))] as const)));
  const of = (kind: string) => [...listed].filter(([file]) => file.includes(`/${kind}`)).flatMap(([, urls]) => urls);
  expect(of('events').toSorted()).toEqual((await listAll(`/events?start_date=${today()}&end_date=2100-01-01&`)).toSorted());
  expect(of('venues').toSorted()).toEqual((await listAll('/venues?')).toSorted());
  for (const urls of listed.values()) expect(urls.length).toBeLessThanOrEqual(50_000);
  for (const url of of('pages')) expect([url, (await site.ask(url.replace(site.url, ''))).status]).toEqual([url, 200]);
  const unknown = ['events-0', 'events-2', 'pages-1', 'pages.xml', '..'].map((name) => site.ask(`/sitemaps/${name}.xml`));
  for (const answer of await Promise.all(unknown)) expect(answer.status).toBe(404);
});

test('a sitemap is written without reading whole records', () => {
  const { search } = createFakeDirectory();
  const whole = vi.fn();
  const snapshot = { ...search.current(), writeEvents: whole, writeVenues: whole };
  const sitemaps = listSitemaps(snapshot, 'https://a.example', FAKE_NOW);
  expect(sitemaps.read('events-1')?.[0]?.url).toBe('https://a.example/events/event-0');
  expect(sitemaps.read('venues-1')?.map(({ url }) => url)).toContain('https://a.example/venues/hall-0');
  expect(whole).not.toHaveBeenCalled();
});

test('robots.txt opens the site, closes what needs an account, and names the sitemap', async () => {
  const text = await read('/robots.txt');
  expect(text).toContain(`Sitemap: ${site.url}/sitemap.xml`);
  expect(text).toMatch(/^User-agent: \*\n/);
  for (const path of ['/dashboard', '/desk', '/api/']) expect(text).toContain(`Disallow: ${path}\n`);
  expect(text).not.toMatch(/Disallow: \/\n/);
});

test('the manifest names icons that have the sizes it says', async () => {
  const { name, icons } = JSON.parse(await read('/site.webmanifest')) as {
    name: string;
    icons: { src: string; sizes: string }[];
  };
  expect(name).toBe('Marquee Port Alder');
  for (const { src, sizes } of [...icons, { src: '/apple-touch-icon.png', sizes: '180x180' }]) {
    const { width, height } = await sharp(Buffer.from(await (await site.ask(src)).arrayBuffer())).metadata();
    expect(`${width}x${height}`).toBe(sizes);
  }
  const icon = Buffer.from(await (await site.ask('/favicon.ico')).arrayBuffer());
  expect(icon.subarray(0, 6).toString('hex')).toBe('000001000100');
});

// Scripts of pages ask for data at the address of the page with `.data`.
test('icons and lists for news readers have data as other pages do', async () => {
  expect((await site.ask('/favicon.ico.data')).status).toBe(200);
  expect(await read('/events.rss.data')).toContain('<rss');
});

const today = (): string => new Date(site.now()).toISOString();
