/** Maps: their base, their tiles, and how a reader uses them. One engine is enough: neighborhoods are read as everywhere. */

import { statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { buildPages } from '../../src/web/index.ts';
import { areasStyle, markPlaces, withMarks } from '../../src/web/map/map-style.ts';
import { temporaryFolder } from '../support/database/store.ts';
import { tilesFile } from '../support/records/tiles-file.ts';
import { openSite, type Site } from '../support/rigs/site.ts';
import { describeInBrowser, describeJourney, findBarriers, sticksOut, visit } from '../support/runs/browser.ts';
import { until } from '../support/runs/patience.ts';

const tiles = temporaryFolder();
const file = join(tiles.folder, 'city.pmtiles');
const bytes = tilesFile();
writeFileSync(file, bytes);

let plain: Site;
let tiled: Site;
let event = '';
beforeAll(async () => {
  plain = await openSite();
  tiled = await openSite({ settings: { MARQUEE_TILES: file, MARQUEE_TILES_ATTRIBUTION: '© Port Alder surveyors <b>' } });
  const coming = plain.store.db.selectFrom('event').select(['slug']).where('state', '=', 'published');
  const { slug } = await coming.where('starts_at', '>', new Date(plain.now())).orderBy('id').executeTakeFirstOrThrow();
  event = `/events/${slug}`;
});
afterAll(async () => {
  await plain?.close();
  await tiled?.close();
  tiles.remove();
});

describe('the tiles of the operator', () => {
  const TILES = '/map/tiles.pmtiles';
  const get = (headers: Record<string, string> = {}, method = 'GET') => tiled.ask(TILES, { method, headers });
  const read = async (answer: Response) => new Uint8Array(await answer.arrayBuffer());

  test.each([
    ['bytes=0-126', 0, 127],
    ['bytes=130-', 130, bytes.length],
    ['bytes=-5', bytes.length - 5, bytes.length],
    ['bytes=100-99999999', 100, bytes.length],
  ])('are read in ranges: %s', async (range, from, to) => {
    const answer = await get({ range });
    expect(answer.status).toBe(206);
    expect(answer.headers.get('content-range')).toBe(`bytes ${from}-${to - 1}/${bytes.length}`);
    expect(await read(answer)).toEqual(bytes.slice(from, to));
  });

  test('are whole without a range, and for ranges that need not be understood', async () => {
    for (const range of ['', 'bytes=9-3', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=-', 'bytes=a-b']) {
      const answer = await get(range ? { range } : {});
      expect([answer.status, answer.headers.get('accept-ranges')]).toEqual([200, 'bytes']);
      expect(await read(answer)).toEqual(bytes);
    }
    const head = await get({}, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
  });

  test('end where the file ends', async () => {
    for (const range of [`bytes=${bytes.length}-`, 'bytes=-0']) {
      const answer = await get({ range });
      expect([answer.status, answer.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`]);
    }
  });

  test('have a tag that changes with the file', async () => {
    const tag = (await get()).headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[\w-]+"$/);
    expect((await get({ 'if-none-match': tag })).status).toBe(304);
    expect((await get({ 'if-range': tag, range: 'bytes=0-1' })).status).toBe(206);
    const { atime, mtime } = statSync(file);
    utimesSync(file, atime, new Date(mtime.getTime() + 5_000));
    expect((await get()).headers.get('etag')).not.toBe(tag);
    expect((await get({ 'if-range': tag, range: 'bytes=0-1' })).status).toBe(200);
  });

  test('are that file and no other, and are not there without the setting', async () => {
    expect((await plain.ask(TILES)).status).toBe(404);
    for (const path of ['/map/city.pmtiles', '/map/..%2fsecret', '/map/', '/map/tiles.pmtiles/0/0/0'])
      expect((await tiled.ask(path)).status).toBe(404);
    expect((await tiled.ask(TILES, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } })).status).toBe(405);
  });

  test.each([
    [
      'another kind of file',
      new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>'.repeat(9)),
      'PMTiles file, version 3',
    ],
    ['an older version', tilesFile({ version: 2 }), 'PMTiles file, version 3'],
    ['pictures', tilesFile({ type: 2 }), 'must contain vector tiles (MVT)'],
  ])('are refused at start if they are %s', (_title, content, words) => {
    const wrong = join(tiles.folder, 'wrong.pmtiles');
    writeFileSync(wrong, content);
    expect(() => readConfig({ MARQUEE_TILES: wrong })).toThrow(words);
  });
});

describe('the neighborhoods', () => {
  test('are a map’s base: their borders and a point for each name, with a tag', async () => {
    const answer = await plain.ask('/map/areas.json');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/geo+json']);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
    const { features } = (await answer.json()) as { features: { properties: { name: string }; geometry: { type: string } }[] };
    const names = await plain.store.db.selectFrom('neighborhood').select('name').execute();
    for (const type of ['MultiPolygon', 'Point']) {
      const shown = features.filter(({ geometry }) => geometry.type === type).map(({ properties }) => properties.name);
      expect(shown.sort()).toEqual(names.map(({ name }) => name).sort());
    }
    const tag = answer.headers.get('etag') ?? '';
    expect((await plain.ask('/map/areas.json', { headers: { 'if-none-match': tag } })).status).toBe(304);
  });
});

describe('the names of a map', () => {
  test('are placed around its marks: signs that nobody sees, above all other signs', () => {
    const colors = { land: '', green: '', water: '', road: '', building: '', border: '', text: '', halo: '' };
    const { layers, sources } = withMarks(
      areasStyle('/map/areas.json', colors),
      markPlaces([{ longitude: -87.8, latitude: 43.5 }]),
    );
    const [top, names] = [layers.at(-1), layers.find(({ id }) => id === 'names')];
    expect(top).toMatchObject({
      type: 'symbol',
      source: 'marks',
      layout: { 'text-allow-overlap': true },
      paint: { 'text-opacity': 0 },
    });
    expect(top?.layout).not.toHaveProperty('text-ignore-placement');
    expect(names?.layout).toHaveProperty('text-variable-anchor-offset');
    expect(names?.layout).not.toHaveProperty('text-allow-overlap');
    expect(sources.marks).toMatchObject({ data: { features: [{ geometry: { coordinates: [-87.8, 43.5] } }] } });
  });
});

describe('a page with a map', () => {
  test('shows the surroundings without scripts, and says where its script is', async () => {
    const page = await (await plain.ask(event, { headers: { accept: 'text/html' } })).text();
    expect(page).toMatch(/<city-map [^>]*class="city-map small-map"/);
    expect(page).toMatch(/<svg slot="preview"[^>]*role="img" aria-label="Map of [^"]+"><path/);
    const [, script = ''] = /<script[^>]* src="(\/assets\/city-map-[^"]+)"/.exec(page) ?? [];
    const loaded = await plain.ask(script);
    expect([loaded.status, loaded.headers.get('content-type')]).toEqual([200, 'application/javascript; charset=utf-8']);
    const answer = await plain.ask(event);
    expect(answer.headers.get('content-security-policy')).toContain("worker-src 'self'");
  });

  test('loads at most 350 kB of compressed JavaScript, the worker of the map included', async () => {
    const { client } = await buildPages();
    const { readdirSync } = await import('node:fs');
    const assets = join(client, 'assets');
    const ofMap = readdirSync(assets).filter((name) => /^(?:city-map|live-map|map-stage|maplibre)[\w-]*\.js\.br$/.test(name));
    expect(ofMap.length).toBeGreaterThanOrEqual(3);
    const total = ofMap.reduce((sum, name) => sum + statSync(join(assets, name)).size, 0);
    expect(total).toBeGreaterThan(200_000);
    expect(total).toBeLessThan(350_000);
  });
});

/** What a map draws near its corner, as a color. */
async function colorInside(page: Page): Promise<unknown> {
  const shot = await page.locator('city-map .live-frame').screenshot();
  return page.evaluate(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${shot.toString('base64')}';
    await image.decode();
    const context = document.createElement('canvas').getContext('2d');
    context.drawImage(image, 0, 0);
    return [...context.getImageData(30, 30, 1, 1).data].slice(0, 3).join(',');
  })()`);
}

const hasFocus = (page: Page) => page.evaluate(`document.querySelector('city-map').shadowRoot.activeElement?.tagName`);
const isLive = (page: Page) => page.locator('city-map[data-state="live"]').waitFor();

describeJourney('the live map for everybody', () => {
  test('is opened by the keyboard, shows the place, and asks no stranger', async () => {
    const { page, complaints, close } = await visit(plain.url);
    await page.goto(event);
    const button = page.getByRole('button', { name: 'Explore the map' });
    await button.focus();
    await button.press('Enter');
    await isLive(page);
    const mark = page.locator('city-map .live-mark');
    expect(await mark.count()).toBe(1);
    await mark.focus();
    await mark.press('Enter');
    const link = page.locator('city-map .live-card a');
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe(event);
    expect(await hasFocus(page)).toBe('A');
    expect(await findBarriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await link.waitFor({ state: 'detached' });
    expect(await hasFocus(page)).toBe('BUTTON');
    await page.getByRole('button', { name: 'Zoom out' }).click();
    expect(complaints()).toEqual([]);
    await close();
  });
});

describeInBrowser('the live map', () => {
  test('draws the operator’s tiles, with the colors of the page and the names of their makers as text', async () => {
    const { page, complaints, look, close } = await visit(tiled.url, { width: 390 });
    await page.goto(event);
    await page.getByRole('button', { name: 'Explore the map' }).click();
    await isLive(page);
    expect(await page.locator('city-map .live-credits').textContent()).toBe('© Port Alder surveyors <b>');
    await until(async () => expect(await colorInside(page)).toBe('213,227,234'));
    await look({ width: 390, dark: true });
    await until(async () => expect(await colorInside(page)).toBe('24,35,46'));
    expect(await sticksOut(page)).toBe(false);
    expect(complaints()).toEqual([]);
    await close();
  });

  test('is told to be missing where the browser cannot draw it; the drawn one stays', async () => {
    const { page, close } = await visit(plain.url);
    await page.goto(event);
    await page.evaluate('HTMLCanvasElement.prototype.getContext = () => null');
    await page.getByRole('button', { name: 'Explore the map' }).click();
    await page.getByText('The map cannot be drawn in this browser.').waitFor();
    expect(await page.getByRole('img', { name: /^Map of/ }).isVisible()).toBe(true);
    await close();
  });

  test('is a drawing without scripts', async () => {
    const { page, close } = await visit(plain.url, { scripts: false });
    await page.goto(event);
    expect(await page.getByRole('img', { name: /^Map of/ }).isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Explore the map' }).count()).toBe(0);
    await close();
  });
});
