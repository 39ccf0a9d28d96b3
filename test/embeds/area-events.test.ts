/** An event of which only the area is known, where one event is shown: nobody takes the point of the area for that of a house. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordChanges } from '../../src/records/index.ts';
import { callTool } from '../support/rigs/mcp.ts';
import { openSite, type Site } from '../support/rigs/site.ts';
import { until } from '../support/runs/patience.ts';

// biome-ignore lint/suspicious/noExplicitAny: an event as the API lists it.
type Listed = any;

let site: Site;
let key = '';
let inArea: Listed;
let exact: Listed;
beforeAll(async () => {
  site = await openSite();
  key = JSON.parse(readFileSync(join(site.dataDir, 'demo-keys.json'), 'utf8')).enterprise;
  const events: Listed[] = (await api('/events?limit=50&sort=start')).data;
  inArea = events[0];
  exact = events.find(({ venue }) => venue.id !== inArea.venue.id);
  await site.store.db.transaction().execute(async (trx) => {
    await trx.updateTable('venue').set({ location_precision: 'area' }).where('id', '=', inArea.venue.id).execute();
    await recordChanges(trx, [{ kind: 'updated', entity: 'venue', entityId: inArea.venue.id }], site.now());
  });
  await until(async () =>
    expect((await api(`/events/${inArea.id}?include=locationPrecision`)).data.locationPrecision).toBe('area'),
  );
});
afterAll(() => site.close());

const api = async (path: string): Promise<Listed> => (await site.ask(`/api/v1${path}`, { headers: { 'X-API-Key': key } })).json();
const call = (name: string, args: object) => callTool(site.url, name, args, key);

it('The MCP server says so in one event and in lists', async () => {
  const one = (await call('get_event', { id: inArea.id })).structuredContent;
  expect(JSON.stringify(one)).toContain('"isInArea":true');
  expect(JSON.stringify((await call('get_event', { id: exact.id })).structuredContent)).not.toContain('isInArea');
  const found = (await call('search_events', { q: inArea.title, limit: 20 })).structuredContent;
  const venues = found.events.map(({ id, venue }: Listed) => [id, venue.isInArea]);
  expect(venues).toContainEqual([inArea.id, true]);
});

it('An embed says so, and so its map has no dot there', async () => {
  const owner = await site.signIn({ email: 'areas@example.org', tier: 'starter' });
  const made = await site.ask('/dashboard/embeds/new', {
    method: 'POST',
    body: new URLSearchParams({ intent: 'save', feed_name: 'All', layout: 'map', q: inArea.title }),
    headers: { cookie: owner.cookie, 'sec-fetch-site': 'same-origin', accept: 'text/html' },
  });
  const [, id] = /\/dashboard\/embeds\/(\w+)\?created/.exec(String(made.headers.get('location'))) ?? [];
  const { events } = (await (await site.ask(`/embed/v1/${id}.json`)).json()) as Listed;
  const shown = events.filter(({ title }: Listed) => title === inArea.title);
  expect(shown.map(({ venue }: Listed) => venue.isInArea)).toContain(true);
  expect(events.filter(({ venue }: Listed) => venue.isInArea && venue.id !== inArea.venue.id)).toEqual([]);
});

it('Its own calendar file and its page have no point', async () => {
  const fileOf = async ({ slug }: Listed) => (await site.ask(`/events/${slug}/event.ics`)).text();
  expect(await fileOf(inArea)).toMatch(/^LOCATION/m);
  expect(await fileOf(inArea)).not.toMatch(/^GEO/m);
  expect(await fileOf(exact)).toMatch(/^GEO/m);
  const page = await (await site.ask(`/events/${inArea.slug}`)).text();
  expect(page).toContain('application/ld+json');
  expect(page).not.toContain('GeoCoordinates');
});
