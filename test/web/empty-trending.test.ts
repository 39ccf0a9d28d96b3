/** What is said where nothing trends, or is listed. One engine is enough: trends are computed in memory. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { importBundle } from '../../src/ingest/index.ts';
import { smallBundle } from '../support/records/bundle.ts';
import { openSite, type Person, type Site } from '../support/rigs/site.ts';
import { until } from '../support/runs/patience.ts';

let site: Site;
let ann: Person;
let key = '';
beforeAll(async () => {
  site = await openSite({ demo: false });
  ann = await site.signIn({ email: 'ann@desk.example', operator: true });
  const accounts = createAccounts({ db: site.store.db });
  await accounts.createAccount({ email: 'api@desk.example', tier: 'growth' });
  const made = await accounts.createKey({ email: 'api@desk.example', name: 'test', tier: 'growth' });
  if (made.ok) key = made.key;
});
afterAll(() => site.close());

interface Trending {
  data: { events: unknown[]; venues: unknown[] };
  meta: Record<string, string | null>;
}
const read = async (query: string) => {
  const answer = await site.ask(`/api/v1/trending${query}`, { headers: { 'X-API-Key': key } });
  return { status: answer.status, etag: answer.headers.get('etag'), json: (await answer.json()) as Trending };
};
const reasonNow = async () => (await read('?include=reason')).json.meta.reason;
const overview = async () => {
  const answer = await site.ask('/desk', { headers: { cookie: ann.cookie, accept: 'text/html' } });
  return answer.text();
};
const told = () => site.logged().filter((line) => line.includes('nothing is trending'));

test('lists of a new directory say that nothing is listed yet, and name no filters', async () => {
  for (const [path, sentence] of [
    ['/events', 'No events are listed yet.'],
    ['/venues', 'No venues are listed yet.'],
  ] as const) {
    const page = await (await site.ask(path, { headers: { accept: 'text/html' } })).text();
    expect(page).toContain(sentence);
    expect(page).not.toContain('match these filters');
  }
});

test('a directory without trends says why: behind include=reason, at the desk and once in the log', async () => {
  expect(await reasonNow()).toBe('no_events');
  expect(told()).toEqual([]);
  const { city, neighborhoods, venues, events } = smallBundle();
  const load = (day: string) =>
    importBundle({
      store: site.store,
      bundle: { city, neighborhoods, venues, events: events.map((event) => ({ ...event, startDatetime: `${day}T20:00` })) },
      now: site.now,
    });
  await load('2026-12-05');
  await until(async () => expect(await reasonNow()).toBe('no_signals'));
  await load('2026-12-06');
  await until(async () => expect(told().length).toBeGreaterThan(0));
  const plain = await read('');
  const asked = await read('?include=reason');
  expect(Object.keys(plain.json.meta)).toEqual(['generatedAt', 'window']);
  expect(Object.keys(asked.json.meta)).toEqual(['generatedAt', 'window', 'reason']);
  expect([plain.json.data, asked.json.data]).toEqual(Array(2).fill({ events: [], venues: [] }));
  expect(asked.etag).not.toBe(plain.etag);
  expect(await overview()).toContain('Nothing is trending');
  expect(told()).toHaveLength(1);
  expect(JSON.parse(told()[0] ?? '{}')).toMatchObject({ reason: 'no_signals' });
  const refused = await read('?include=reasons');
  expect([refused.status, JSON.stringify(refused.json)]).toEqual([400, expect.stringContaining('reason')]);
});
