/** Waiting places at the desk. One engine is enough: an answer is one row. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { importAddressFile, openAddressFile } from '../../src/addresses/index.ts';
import { temporaryFolder } from '../support/database/store.ts';
import { openSite, type Person, type Site } from '../support/rigs/site.ts';
import { describeJourney, findBarriers, sticksOut, visit } from '../support/runs/browser.ts';

let site: Site;
let ann: Person;

beforeAll(async () => {
  site = await openSite();
  ann = await site.signIn({ email: 'ann@desk.example', operator: true });
  await addUnnamed();
});
afterAll(() => site.close());

const ask = (form?: Record<string, string>) =>
  site.ask('/desk/places', {
    ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    headers: { 'sec-fetch-site': 'same-origin', cookie: ann.cookie, accept: 'text/html' },
  });

test('an operator says where a name is, sees the answer, and takes it back', async () => {
  const here = { intent: 'here', token: 'one', name: 'Gull Hall', address: '5 Quay', point: '40.02,-73.95' };
  expect((await ask(here)).headers.get('location')).toBe('/desk/places?done=here');
  expect(await (await ask()).text()).toContain('Gull Hall');
  const row = await site.store.db.selectFrom('audit').select(['action', 'detail']).where('action', '=', 'venue.here').execute();
  expect(row).toMatchObject([{ detail: { name: 'Gull Hall', latitude: 40.02 } }]);
  expect((await ask({ intent: 'undo', token: 'two', name: 'Gull Hall' })).status).toBe(302);
  expect(await (await ask()).text()).not.toContain('Gull Hall');
});

test('an answer that cannot be followed is refused with its reason', async () => {
  const refused = await ask({ intent: 'same', token: 'three', name: 'Gull Hall', venue: 'gull' });
  expect(refused.status).toBe(400);
  const address = await ask({ intent: 'here', token: 'five', name: 'Gull Hall', address: '1 Nowhere Rd' });
  expect([address.status, await address.text()]).toEqual([400, expect.stringContaining('nobody knows where')]);
  const point = await ask({ intent: 'here', token: 'four', name: 'Gull Hall', point: 'there' });
  expect(point.status).toBe(400);
});

test('an address is found without scripts: its point is in the form, with how sure it is', async () => {
  await importHouse();
  const found = await (await ask({ intent: 'find', token: 'six', name: 'source:heronry', address: '31 Quarry St' })).text();
  expect(found).toContain('Found: the house itself. The pin is at 40.03,-73.96.');
  expect(found).toMatch(/name="placed"[^>]*value="40.03,-73.96"|value="40.03,-73.96"[^>]*name="placed"/);
  const unknown = await ask({ intent: 'find', token: 'seven', name: 'source:heronry', address: '1 Nowhere Rd' });
  expect([unknown.status, await unknown.text()]).toEqual([200, expect.stringContaining('nobody knows where')]);
});

test('an imported house that is likely becomes the venue by one button', async () => {
  expect(await (await ask()).text()).toMatch(/Heronry Annex.*a similar name in houses.json/s);
  const [house] = await site.store.db.selectFrom('address_name').select(['id']).execute();
  const form = { intent: 'here', token: 'eight', name: 'source:heronry', house: house?.id ?? '' };
  expect((await ask(form)).headers.get('location')).toBe('/desk/places?done=here');
  const [answer] = await site.store.db.selectFrom('place_answer').selectAll().where('revoked_at', 'is', null).execute();
  expect(answer).toMatchObject({ venue_name: 'Heronry Annex', address: '31 Quarry Street', latitude: 40.03, longitude: -73.96 });
  await ask({ intent: 'undo', token: 'nine', name: 'source:heronry' });
});

/** One house with a name. */
async function importHouse(): Promise<void> {
  const { folder, remove } = temporaryFolder();
  const path = join(folder, 'houses.json');
  const tags = { 'addr:housenumber': '31', 'addr:street': 'Quarry Street', name: 'Heronry Annex' };
  writeFileSync(path, JSON.stringify({ version: 0.6, elements: [{ type: 'node', id: 1, lat: 40.03, lon: -73.96, tags }] }));
  const file = await openAddressFile(path);
  await importAddressFile(site.store.db, file, { name: 'houses.json', credit: 'Town', now: site.now() });
  remove();
}

/** A listing of a library that names no place. */
async function addUnnamed(): Promise<void> {
  const { db } = site.store;
  const at = new Date(site.now() + 86_400_000);
  const listing = JSON.stringify({ title: 'Story time', localStart: '2026-06-20T10:00', place: { name: '', address: null } });
  await sql`insert into source (id, name, kind, location, created_at)
    values (gen_random_uuid(), 'heronry', 'ical', 'https://library.example/events.ics', ${at})`.execute(db);
  await sql`insert into record (id, source_id, kind, external_id, content_hash, listing, facts, first_seen_at, last_seen_at, starts_at)
    select gen_random_uuid(), id, 'event', '1', 'x', ${listing}::jsonb, ${listing}::jsonb, ${at}, ${at}, ${at}
    from source where name = 'heronry'`.execute(db);
}

describeJourney('the pin of a new venue', () => {
  test('is set by a click, is moved by arrow keys, and its point is the answer', async () => {
    const { page, context, complaints, look, close } = await visit(site.url);
    await context.addCookies(ann.cookies);
    await page.goto('/desk/places');
    const row = page.getByRole('article', { name: 'No place named: heronry' });
    await row.getByLabel('Name of the venue').fill('Town Library');
    await row.getByRole('button', { name: 'Explore the map' }).click();
    await page.locator('city-map[data-state="live"]').waitFor();
    await row.locator('.live-canvas canvas').click({ position: { x: 120, y: 100 } });
    const field = row.getByLabel('Point');
    const clicked = await field.inputValue();
    expect(clicked).toMatch(/^\d+\.\d{6},-\d+\.\d{6}$/);
    await row.getByRole('button', { name: /^Pin of the venue/ }).press('ArrowUp');
    const [before = 0, after = 0] = [clicked, await field.inputValue()].map((text) => Number(text.split(',')[0]));
    expect(after).toBeGreaterThan(before);
    expect(await findBarriers(page)).toEqual([]);
    for (const width of [320, 768, 1280]) {
      await look({ width });
      expect([width, await sticksOut(page)]).toEqual([width, false]);
    }
    const status = row.getByRole('status').first();
    await row.getByLabel('Address').fill('31 Quarry St');
    await row.getByLabel('Address').press('Tab');
    await expect.poll(() => status.textContent()).toContain('Found: the house itself');
    expect(await field.inputValue()).toBe('40.03,-73.96');
    await row.getByLabel('Address').fill('1 Nowhere Rd');
    await row.getByRole('button', { name: 'Find the address' }).press('Enter');
    await expect.poll(() => status.textContent()).toContain('nobody knows where');
    expect([await field.inputValue(), await row.getByLabel('Name of the venue').inputValue()]).toEqual(['', 'Town Library']);
    await field.fill('40.031,-73.95');
    await look({ width: 390 });
    expect([await findBarriers(page), await sticksOut(page)]).toEqual([[], false]);
    const point = await field.inputValue();
    await row.getByRole('button', { name: 'New venue here' }).click();
    await page.waitForURL(/done=here/);
    const [answer] = await site.store.db.selectFrom('place_answer').selectAll().where('revoked_at', 'is', null).execute();
    expect(answer).toMatchObject({ name: 'source:heronry', venue_name: 'Town Library', latitude: Number(point.split(',')[0]) });
    expect(complaints()).toEqual([]);
    await close();
  });

  test('stays where it was set while the address was looked for', async () => {
    await ask({ intent: 'undo', token: 'ten', name: 'source:heronry' });
    const { page, context, close } = await visit(site.url);
    await context.addCookies(ann.cookies);
    await page.goto('/desk/places');
    const row = page.getByRole('article', { name: 'No place named: heronry' });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(/desk\/places/, async (route) => {
      if (route.request().method() === 'POST') await released;
      await route.continue();
    });
    await row.getByLabel('Address').fill('31 Quarry St');
    await row.getByLabel('Address').press('Tab');
    const status = row.getByRole('status').first();
    await expect.poll(() => status.textContent()).toContain('Looking for the address');
    await row.getByLabel('Point').fill('40.031,-73.95');
    release();
    await expect.poll(() => status.textContent()).toContain('Your pin stays');
    expect(await row.getByLabel('Point').inputValue()).toBe('40.031,-73.95');
    await close();
  });
});
