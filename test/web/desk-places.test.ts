/** Waiting places at the desk. One engine is enough: an answer is one row. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSite, type Person, type Site } from '../support/rigs/site.ts';

let site: Site;
let ann: Person;

beforeAll(async () => {
  site = await openSite();
  ann = await site.signIn({ email: 'ann@desk.example', operator: true });
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
