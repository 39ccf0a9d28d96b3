/**
 * Problems that readers report, from the form to the desk and the e-mail about the outcome.
 * Both engines: two workers take the same row at once, and the database stops.
 */

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../src/log.ts';
import { type Mailer, openMailer } from '../../src/mail/index.ts';
import { listReports, reportProblem, sendReportOutcomes } from '../../src/reports/index.ts';
import { wordOutcome } from '../../src/web/index.ts';
import { openSite, type Person, type Site } from '../support/rigs/site.ts';
import { describeInBrowser, findBarriers, sticksOut, visit } from '../support/runs/browser.ts';
import { PATIENCE_MS, until } from '../support/runs/patience.ts';

let site: Site;
let operator: Person;
let event: { id: string; slug: string; title: string };
let venue: { id: string; slug: string };

beforeAll(async () => {
  // A proxy in front, so that a test may come from many networks.
  const settings = { MARQUEE_TRUST_PROXY: 'loopback' };
  // The database is stopped here, and never silent.
  site = await openSite({ faulty: true, pagesPatienceMs: PATIENCE_MS, settings });
  operator = await site.signIn({ email: 'operator@example.org', operator: true });
  const { db } = site.store;
  event = await db
    .selectFrom('event')
    .select(['id', 'slug', 'title'])
    .where('starts_at', '>', new Date(site.now()))
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  venue = await db.selectFrom('venue').select(['id', 'slug']).orderBy('id').limit(1).executeTakeFirstOrThrow();
});
afterAll(() => site?.close());
let isStopped = false;
afterEach(async () => {
  if (!isStopped) await site.store.db.deleteFrom('problem_report').execute();
});

let networks = 0;
/** A network that nobody has used before. */
const newNetwork = () => `198.${18 + Math.floor(++networks / 65_536)}.${Math.floor(networks / 256) % 256}.${networks % 256}`;

interface Sending {
  from?: string;
  path?: string;
  language?: string;
}

const send = (fields: Record<string, string>, { from = newNetwork(), path, language = 'en' }: Sending = {}) =>
  site.ask(path ?? `/report?event=${event.id}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: {
      'sec-fetch-site': 'same-origin',
      accept: 'text/html',
      'accept-language': language,
      'x-forwarded-for': from,
      'x-forwarded-proto': 'http',
      'x-forwarded-host': new URL(site.url).host,
    },
  });
const readOpen = async () =>
  (await listReports(site.store.db, { state: 'open', kind: null, entity: null })).reports.map(
    ({ entity, recordId, kind, reporters, words, waiting }) => ({
      about: `${entity} ${recordId}`,
      kind,
      reporters,
      words: words.map(({ text }) => text),
      waiting,
    }),
  );

test('every event and venue leads to a form that needs no account and no script', async () => {
  for (const [kind, { id, slug }] of [
    ['event', event],
    ['venue', venue],
  ] as const) {
    const page = await (await site.ask(`/${kind}s/${slug}`, { headers: { accept: 'text/html' } })).text();
    expect(page).toContain(`href="/report?${kind}=${id}"`);
    const form = await site.ask(`/report?${kind}=${id}`, { headers: { accept: 'text/html' } });
    const text = await form.text();
    expect([form.status, text.includes('<script')]).toEqual([200, false]);
    expect(text).toContain('name="token"');
    expect(text).toContain('content="noindex"');
  }
  const unknown = await site.ask('/report?event=01900000-0000-7000-8000-00000000ffff', { headers: { accept: 'text/html' } });
  expect(unknown.status).toBe(404);
  expect((await site.ask('/report?event=nonsense', { headers: { accept: 'text/html' } })).status).toBe(404);
});

test('the same problem reported by many is one question with a count; another problem of the record is another', async () => {
  for (const words of ['It starts at 9.', '', 'At nine!']) expect((await send({ kind: 'wrong_time', words })).status).toBe(302);
  await send({ kind: 'cancelled' });
  await send({ kind: 'closed' }, { path: `/report?venue=${venue.id}` });
  expect(await readOpen()).toEqual([
    { about: `event ${event.id}`, kind: 'wrong_time', reporters: 3, words: ['At nine!', 'It starts at 9.'], waiting: 0 },
    expect.objectContaining({ reporters: 1 }),
    expect.objectContaining({ reporters: 1 }),
  ]);
});

test('a form that is sent twice, and a network that reports the same again, count once', async () => {
  const from = newNetwork();
  const token = crypto.randomUUID();
  const both = await Promise.all([1, 2].map(() => send({ kind: 'duplicate', token }, { from })));
  expect(both.map(({ status, headers }) => [status, headers.get('location')])).toEqual(
    Array(2).fill([302, `/report?event=${event.id}&sent`]),
  );
  await send({ kind: 'duplicate' }, { from });
  // Two addresses of one IPv6 household.
  await send({ kind: 'duplicate' }, { from: '2001:db8:7:1::1' });
  await send({ kind: 'duplicate' }, { from: '2001:db8:7:1::2' });
  expect(await readOpen()).toMatchObject([{ kind: 'duplicate', reporters: 2 }]);
  const stored = await site.store.db.selectFrom('problem_reporter').select('sender').execute();
  expect(stored.map(({ sender }) => sender.length)).toEqual([32, 32]);
});

test('a flood from one network is limited, also from many addresses of one IPv6 customer', async () => {
  const flood = async (addressOf: (i: number) => string) => {
    const answers = [];
    for (let i = 0; i < 30; i += 1) answers.push(await send({ kind: 'other', words: `flood ${i}` }, { from: addressOf(i) }));
    return answers.filter(({ status }) => status === 429);
  };
  const refused = [...(await flood(() => '203.0.113.77')), ...(await flood((i) => `2001:db8:9:${i.toString(16)}::1`))];
  expect(refused.length).toBeGreaterThanOrEqual(25 + 8);
  for (const answer of refused) {
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(await answer.text()).toContain('There were many reports from your network');
  }
});

test('a program that fills the hidden field is thanked, and nothing is stored', async () => {
  const answer = await send({ kind: 'cancelled', website: 'https://spam.example' });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, `/report?event=${event.id}&sent`]);
  expect(await readOpen()).toEqual([]);
});

test.each([
  [{ kind: 'other' }, 'Describe what is wrong.'],
  [{ kind: 'nonsense' }, 'Choose what is wrong.'],
  [{}, 'Choose what is wrong.'],
  [{ kind: 'closed', words: 'x'.repeat(1_001) }, 'Write at most 1,000 characters.'],
  [{ kind: 'closed', email: 'no address' }, 'This is not an email address.'],
])('%j is rejected with a sentence beside its field', async (fields: Record<string, string>, sentence) => {
  const answer = await send(fields);
  expect(answer.status).toBe(400);
  const text = await answer.text();
  expect(text).toContain(sentence);
  expect(await readOpen()).toEqual([]);
});

test('a form of another site is rejected', async () => {
  const answer = await site.ask(`/report?event=${event.id}`, {
    method: 'POST',
    body: new URLSearchParams({ kind: 'cancelled' }),
    headers: { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  });
  expect(answer.status).toBe(403);
  expect(await readOpen()).toEqual([]);
});

describe('at the desk', () => {
  const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(1)</script>\u0000\u001b[31m \u202eevil`;
  const asOperator = { headers: { cookie: '', accept: 'text/html' } };
  const readDesk = async (query = '') => {
    const answer = await site.ask(`/desk/reports${query}`, { headers: { ...asOperator.headers, cookie: operator.cookie } });
    return { status: answer.status, text: await answer.text() };
  };
  const answer = (fields: Record<string, string>) =>
    site.ask('/desk/reports', {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { 'sec-fetch-site': 'same-origin', cookie: operator.cookie, accept: 'text/html' },
    });
  const idOfOpen = async () => {
    const { reports } = await listReports(site.store.db, { state: 'open', kind: null, entity: null });
    return reports[0]?.id ?? '';
  };

  test('hostile words are text, and lead to the forms of the record', async () => {
    await send({ kind: 'other', words: HOSTILE });
    const { text } = await readDesk();
    expect(text).toContain('&lt;script&gt;alert(1)');
    expect(text).not.toContain('<img src=x');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must be gone.
    expect(text).not.toMatch(/[\u0000\u001b]/);
    expect(text).toContain(`href="/desk/events/${event.id}"`);
    const overview = await site.ask('/desk', { headers: { cookie: operator.cookie, accept: 'text/html' } });
    expect(await overview.text()).toContain('1 open report<');
    expect((await readDesk('?state=fixed')).text).toContain('No reports');
    expect((await readDesk('?kind=cancelled')).text).toContain('No open reports');
    expect((await readDesk('?entity=event&kind=other')).text).toContain('&lt;script&gt;alert(1)');
  });

  test('an answer closes the question once, is in the audit log, and the next report opens a new one', async () => {
    await send({ kind: 'wrong_time' });
    const report = await idOfOpen();
    expect((await answer({ report, intent: 'fixed', note: 'The hour was wrong.' })).status).toBe(302);
    const again = await answer({ report, intent: 'kept', note: '' });
    expect([again.status, (await again.text()).includes('Somebody else answered this report first')]).toEqual([400, true]);
    const entry = await site.store.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'report.fixed')
      .where('subject_id', '=', report)
      .executeTakeFirstOrThrow();
    expect(entry).toMatchObject({ actor: 'operator@example.org', detail: { kind: 'wrong_time', event: event.id } });
    await send({ kind: 'wrong_time' });
    expect(await readOpen()).toMatchObject([{ kind: 'wrong_time', reporters: 1 }]);
    expect((await readDesk('?state=fixed')).text).toContain('The hour was wrong.');
  });

  test('whoever left an address is told the outcome once, in the language of the page; the address is deleted and never in the log', async () => {
    await send({ kind: 'cancelled', email: 'Reader@Example.net' });
    await send({ kind: 'cancelled', email: 'leser@example.net' }, { language: 'de' });
    await send({ kind: 'cancelled' });
    const report = await idOfOpen();
    const mailer = openMailer({
      smtpUrl: null,
      from: 'desk@example.org',
      dataDir: site.dataDir,
      log: createLog('info', { write: (line: string) => void site.logged().push(line) } as never),
    });
    const tell = () =>
      sendReportOutcomes({ db: site.store.db, mailer, wordOutcome, publicUrl: site.url, log: createLog('silent') });
    expect(await tell()).toBe(0);
    await answer({ report, intent: 'kept', note: 'The venue says it takes place.' });
    expect(await tell()).toBe(2);
    expect(await tell()).toBe(0);
    const written = mailer.recent();
    await mailer.close();
    expect(readdirSync(join(site.dataDir, 'mail')).filter((name) => name.endsWith('.eml'))).toHaveLength(2);
    const textTo = (address: string) => written.find(({ to }) => to === address)?.text;
    expect(textTo('reader@example.net')).toContain('the entry is right as far as we know.');
    for (const address of ['reader@example.net', 'leser@example.net']) {
      expect(textTo(address)).toContain('The venue says it takes place.');
      expect(textTo(address)).toContain(`/events/${event.slug}`);
    }
    const left = await site.store.db.selectFrom('problem_reporter').select('email').execute();
    expect(left.map(({ email }) => email)).toEqual([null, null, null]);
    expect(site.logged().join('')).not.toMatch(/(?:reader|leser)@example\.net/i);
    const german = written.find(({ to }) => to === 'leser@example.net');
    expect(german?.subject).toBe('Zu dem Problem, das du gemeldet hast');
    expect(german?.text).toMatch(/Wir haben ihn geprüft.+\n\nAnmerkung: The venue/);
    expect(german?.html).toMatch(/<html lang="de">.+Oder öffne diese Adresse:/s);
    expect(german?.html).not.toMatch(/address|entry/);
  });
});

describe('an outcome', () => {
  const place = { log: createLog('silent'), publicUrl: 'https://a.example', wordOutcome };
  const answerOne = async () => {
    await send({ kind: 'closed', email: 'reader@example.net' });
    await site.store.db
      .updateTable('problem_report')
      .set({ state: 'fixed', answered_at: new Date(site.now()), answered_by: 'x' })
      .execute();
  };
  const mailerOf = (send: () => Promise<{ id: string }>) => ({ send }) as unknown as Mailer;

  test('that could not be handed over is sent later: the address stays until then', async () => {
    await answerOne();
    const { db } = site.store;
    const dying = mailerOf(() => Promise.reject(new Error('the process ends here')));
    await expect(sendReportOutcomes({ ...place, db, mailer: dying })).rejects.toThrow('the process ends here');
    let sent = 0;
    const mailer = mailerOf(async () => ({ id: String(++sent) }));
    expect(await sendReportOutcomes({ ...place, db, mailer })).toBe(1);
    expect(await sendReportOutcomes({ ...place, db, mailer })).toBe(0);
    expect(sent).toBe(1);
  });

  test('is sent once by two workers', async () => {
    await answerOne();
    let sent = 0;
    const mailer = mailerOf(async () => ({ id: String(++sent) }));
    const both = await Promise.all([1, 2].map(() => sendReportOutcomes({ ...place, db: site.store.db, mailer })));
    expect([sent, both.sort()]).toEqual([1, [0, 1]]);
  });
});

test('nobody can have the mailbox of somebody else filled', async () => {
  const place = { db: site.store.db, now: site.now, secret: 'a secret of this test' };
  const ids = await site.store.db.selectFrom('event').select('id').orderBy('id').limit(8).execute();
  for (const [i, { id }] of ids.entries()) {
    const input = { entity: 'event' as const, recordId: id, kind: 'closed', words: '', language: 'en' };
    await reportProblem(place, { ...input, email: 'victim@example.org', address: `192.0.2.${i}` });
  }
  const { count } = await site.store.db
    .selectFrom('problem_reporter')
    .select(({ fn }) => fn.count<string>('email').as('count'))
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(5);
});

describe('while the database is stopped', () => {
  beforeAll(async () => {
    isStopped = true;
    await site.database?.stop();
  });
  afterAll(async () => {
    await site.database?.start();
    isStopped = false;
    await until(async () => expect((await send({ kind: 'closed' })).status).toBe(302));
  });

  test('the form is there, and a report gets 503 with Retry-After', async () => {
    const form = await site.ask(`/report?event=${event.id}`, { headers: { accept: 'text/html' } });
    expect(form.status).toBe(200);
    const answer = await send({ kind: 'cancelled' });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    expect(await answer.text()).toContain('This page is unavailable right now');
  });
});

describeInBrowser('the form in a browser', () => {
  test.each([
    ['en', false, 1280],
    ['de', true, 390],
    ['fr', true, 1280],
    ['es', false, 390],
  ])('meets no barrier in %s (dark: %s, %i wide), and is sent without scripts', async (language, dark, width) => {
    const reader = await visit(site.url, { width, dark });
    await reader.page.goto(`/report?event=${event.id}&lang=${language}`);
    expect(await reader.page.locator('html').getAttribute('lang')).toBe(language);
    expect(await findBarriers(reader.page)).toEqual([]);
    expect(await sticksOut(reader.page)).toBe(false);
    await reader.page.goto(`/report?event=${event.id}&lang=${language}&sent`);
    expect(await findBarriers(reader.page)).toEqual([]);
    expect(reader.complaints()).toEqual([]);
    await reader.close();
    const plain = await visit(site.url, { width, dark, scripts: false });
    await plain.page.goto(`/report?event=${event.id}`);
    await plain.page.locator('.report input[value="closed"]').check();
    await plain.page.locator('.report button.primary').click();
    await plain.page.locator('.report .notice.good').waitFor();
    await plain.close();
  });
});
