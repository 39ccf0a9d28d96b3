/**
 * Every page, every form and every address of the API while the database is away, seen from outside.
 * Both engines: a server goes away otherwise than an engine of this process.
 */

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { refuseWrites, takeWrites } from '../support/database/refuse-writes.ts';
import { openSite, type Person, type Site } from '../support/rigs/site.ts';
import { until } from '../support/runs/patience.ts';
import { EXAMPLES, type Example, type Facts, plantCanaries } from './all-pages.ts';

let site: Site;
let people: { developer: Person; operator: Person };
let facts: Facts;
let key: string;

beforeAll(async () => {
  site = await openSite({ faulty: true });
  people = {
    developer: await site.signIn({ email: 'developer@example.org', password: PASSWORD }),
    operator: await site.signIn({ email: 'operator@example.org', operator: true }),
  };
  facts = await plantCanaries(site, people.developer);
  const made = await createAccounts({ db: site.store.db, now: site.now }).createKey({
    email: people.developer.email,
    tier: 'enterprise',
  });
  key = made.ok ? made.key : '';
  // The key and its use are known, as of any key that is in use.
  for (const path of API) await callApi(path);
});
afterAll(() => site?.close());

/** What was seen of one address. */
interface Seen {
  what: string;
  status: number;
  type: string;
  retryAfter: string | null;
  location: string | null;
  text: string;
}

const cookieOf = (reader: Example['reader']): string => (reader === 'anyone' ? '' : people[reader].cookie);

async function see(path: string, init: RequestInit = {}): Promise<Seen> {
  const answer = await site.ask(path, { ...init, headers: { accept: 'text/html', ...init.headers } });
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream');
  if (isStream) await answer.body?.cancel();
  return {
    what: `${init.method ?? 'GET'} ${path} ${String(init.body ?? '')}`.trim(),
    status: answer.status,
    type: answer.headers.get('content-type') ?? '',
    retryAfter: answer.headers.get('retry-after'),
    location: answer.headers.get('location'),
    text: isStream ? '' : await answer.text(),
  };
}

const send = (path: string, reader: Example['reader'], fields: Record<string, string>): Promise<Seen> =>
  see(path, {
    method: 'POST',
    body: new URLSearchParams({ token: `t-${Math.random()}`, ...fields }),
    headers: { 'sec-fetch-site': 'same-origin', cookie: cookieOf(reader) },
  });

const callApi = (path: string) => see(path, { headers: { accept: 'application/json', 'x-api-key': key } });

const eachPage = (): Promise<Seen[]> =>
  Promise.all(Object.values(EXAMPLES).map(({ path, reader }) => see(path(facts), { headers: { cookie: cookieOf(reader) } })));
/** One after the other, and again where a busy machine's database was late. */
async function eachPageInTurn(): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const { path, reader } of Object.values(EXAMPLES)) {
    const page = await until(async () => {
      const tried = await see(path(facts), { headers: { cookie: cookieOf(reader) } });
      expect([tried.what, tried.status]).not.toEqual([tried.what, 503]);
      return tried;
    });
    seen.push(page);
  }
  return seen;
}
const eachForm = (forms = FORMS): Promise<Seen[]> =>
  Promise.all(forms.map(([path, reader, fields]) => send(path(facts), reader, fields)));

const API = [
  '/api/v1/events?limit=3',
  '/api/v1/venues?limit=3',
  '/api/v1/neighborhoods',
  '/api/v1/trending',
  '/api/v1/usage',
  '/openapi.json',
  '/healthz',
  '/readyz',
];

/** Nothing broke: what cannot be done now says so, and when to try again. */
function expectNothingBroke(seen: readonly Seen[]): void {
  for (const { what, status, retryAfter, type, text } of seen) {
    expect([what, status >= 500 && status !== 503], text.slice(0, 300)).toEqual([what, false]);
    if (status !== 503) continue;
    expect([what, retryAfter]).toEqual([what, expect.stringMatching(/^\d+$/)]);
    if (type.startsWith('text/html')) expect(text).toMatch(/<h1>This page is unavailable right now<\/h1>/);
  }
}

describe('while the database is frozen', () => {
  beforeAll(() => site.database?.freeze());
  afterAll(async () => {
    site.database?.thaw();
    await eachPageInTurn();
  });

  test('public pages show the read model, and no page breaks', async () => {
    const seen = await eachPage();
    expectNothingBroke(seen);
    for (const path of [
      '/',
      '/developers',
      '/events',
      '/venues',
      '/neighborhoods',
      '/pricing',
      '/playground',
      `/events/${facts.eventSlug}`,
      `/venues/${facts.venueSlug}`,
      '/docs',
    ])
      expect([path, (await see(path)).status]).toEqual([path, 200]);
    const rooms = seen.filter(({ what }) => /GET \/(?:dashboard|desk)/.test(what));
    expect(rooms.length).toBeGreaterThan(15);
    expect(rooms.filter(({ status }) => status !== 503)).toEqual([]);
  });

  test('a page of the dashboard says so soon, with the colors of its reader and the city', async () => {
    const headers = { cookie: `${people.developer.cookie}; theme=dark` };
    // The page waits two seconds. A query without a limit of its own waits for twenty.
    const query = { isOver: false };
    void site.store.ping().then(
      () => Object.assign(query, { isOver: true }),
      () => Object.assign(query, { isOver: true }),
    );
    const { status, text, retryAfter } = await see('/dashboard/keys', { headers });
    expect([status, retryAfter]).toEqual([503, '5']);
    expect(text).toContain('data-theme="dark"');
    expect(text).toMatch(/Marquee for (?:<!-- -->)?Port Alder/);
    expect(query.isOver).toBe(false);
    expect((await see('/dashboard/keys.data', { headers })).status).toBe(503);
  });

  test('no form breaks, and none says that it was done', async () => {
    const seen = await eachForm();
    expectNothingBroke(seen);
    expect(seen.filter(({ status }) => status !== 503).map(({ what }) => what.split(' ')[1])).toEqual(['/theme']);
  });

  test('the API answers, and the process counts as alive and ready', async () => {
    for (const path of API) expect([path, (await callApi(path)).status]).toEqual([path, 200]);
  });
});

describe.each([
  ['is full', '53100'],
  ['can only be read', '25006'],
])('while the database %s', (_, code) => {
  beforeAll(() => refuseWrites(site.store, code));
  afterAll(() => takeWrites(site.store));

  test('every page is read as ever, and what writes says 503', async () => {
    expectNothingBroke(await eachPage());
    expectNothingBroke(await eachPageInTurn());
    const forms = await eachForm();
    expectNothingBroke(forms);
    // On a busy machine, the page may say that undoing a run goes on, before it fails.
    const taken = forms.filter(({ status, location }) => status < 400 && !location?.endsWith('said=undoing'));
    expect(taken.map(({ what }) => what).filter((what) => !what.startsWith('POST /theme'))).toEqual([]);
    for (const path of API) expect([path, (await callApi(path)).status]).toEqual([path, 200]);
  });

  test('a refused form remembers who is signed in', async () => {
    const { status, text } = await send('/dashboard/account', 'developer', { intent: 'name', name: 'Somebody' });
    expect(status).toBe(503);
    expect(text).toContain('href="/dashboard"');
    expect(text).not.toContain('href="/sign-in"');
  });
});

/** On the embedded engine a transaction that stays open holds up all others. */
describe('while a table is locked', () => {
  const unlock = Promise.withResolvers<void>();
  let locked: Promise<unknown>;
  beforeAll(async () => {
    const holds = Promise.withResolvers<void>();
    locked = site.store.db.transaction().execute(async (trx) => {
      await sql`lock table session, account in access exclusive mode`.execute(trx);
      holds.resolve();
      await unlock.promise;
    });
    await holds.promise;
  });
  afterAll(() => unlock.resolve());

  test('no page and no form breaks, and the API answers', async () => {
    const seen = [...(await eachPage()), ...(await eachForm())];
    expectNothingBroke(seen);
    expect(seen.filter(({ status }) => status === 503).length).toBeGreaterThan(20);
    for (const path of API) expect([path, (await callApi(path)).status]).toEqual([path, 200]);
    unlock.resolve();
    await locked;
    await eachPageInTurn();
  });
});

test('a download that breaks off before its first byte is sent says so', async () => {
  const unlock = Promise.withResolvers<void>();
  const holds = Promise.withResolvers<void>();
  const locked = site.store.db.transaction().execute(async (trx) => {
    await sql`lock table usage_detail in access exclusive mode`.execute(trx);
    holds.resolve();
    await unlock.promise;
  });
  await holds.promise;
  const seen = await see('/dashboard/usage.csv', { headers: { cookie: people.developer.cookie } });
  unlock.resolve();
  await locked;
  expect(seen.status).toBe(503);
  expectNothingBroke([seen]);
  await eachPageInTurn();
});

describe('while the database is stopped', () => {
  beforeAll(() => site.database?.stop());
  afterAll(async () => {
    await site.database?.start();
    await eachPageInTurn();
  });

  test('no page and no form breaks, and the API answers', async () => {
    const seen = [...(await eachPage()), ...(await eachForm())];
    expectNothingBroke(seen);
    expect(seen.filter(({ status }) => status === 503).length).toBeGreaterThan(20);
    for (const path of [
      '/',
      '/developers',
      '/events',
      '/venues',
      '/neighborhoods',
      '/pricing',
      '/playground',
      `/events/${facts.eventSlug}`,
      `/venues/${facts.venueSlug}`,
      '/docs',
    ])
      expect([path, (await see(path)).status]).toEqual([path, 200]);
    for (const path of API) expect([path, (await callApi(path)).status]).toEqual([path, 200]);
  });
});

describe('when whoever runs the database is killed', () => {
  test('no page and no form breaks, the API answers, and all is served again', async () => {
    // Some of them are done, so those that end an account are left out.
    const forms = FORMS.filter(
      ([path, , { intent }]) => path(facts) === '/sign-in' || path(facts) === '/forgot' || intent === 'name',
    );
    const asked = [eachPage(), eachForm(forms)];
    await site.database?.kill();
    expectNothingBroke((await Promise.all([...asked, eachPage(), eachForm(forms)])).flat());
    for (const path of API) expect([path, (await callApi(path)).status]).toEqual([path, 200]);
    await eachPageInTurn();
    expect((await send('/dashboard/account', 'developer', { intent: 'name', name: 'Somebody' })).status).toBe(302);
  });
});

const PASSWORD = 'a long enough sentence';
type Path = (facts: Facts) => string;
const at =
  (path: string): Path =>
  () =>
    path;
const FORMS: readonly (readonly [path: Path, reader: Example['reader'], fields: Record<string, string>])[] = [
  [at('/theme'), 'anyone', { theme: 'dark', next: '/' }],
  [at('/sign-up'), 'anyone', { email: 'new@example.org', password: PASSWORD }],
  [at('/sign-in'), 'anyone', { email: 'developer@example.org', password: PASSWORD }],
  [at('/forgot'), 'anyone', { email: 'developer@example.org' }],
  [at('/reset'), 'anyone', { token: 'made-up-made-up-made-up', password: PASSWORD }],
  [at('/sign-out'), 'developer', {}],
  [at('/passkeys/options'), 'developer', { for: 'add' }],
  [at('/dashboard/keys'), 'developer', { intent: 'create', name: 'late', plan: 'free' }],
  [at('/dashboard/keys'), 'developer', { intent: 'revoke', id: 'x' }],
  [at('/dashboard/plans'), 'developer', { intent: 'choose-growth', plan: 'x' }],
  [at('/dashboard/account'), 'developer', { intent: 'name', name: 'Somebody' }],
  [at('/dashboard/account/delete'), 'developer', { current: PASSWORD }],
  [({ accountId }) => `/desk/accounts/${accountId}`, 'operator', { intent: 'suspend' }],
  [({ eventId }) => `/desk/events/${eventId}`, 'operator', { intent: 'hide' }],
  [({ venueId }) => `/desk/venues/${venueId}`, 'operator', { intent: 'hide' }],
  [({ sourceId }) => `/desk/sources/${sourceId}`, 'operator', { intent: 'pause' }],
  [({ runId }) => `/desk/runs/${runId}`, 'operator', { intent: 'undo' }],
];
