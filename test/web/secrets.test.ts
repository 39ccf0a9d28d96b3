/** A person's whole way through the service, and then a search for their secrets wherever the service writes (K12, K13). */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSite, type Site } from '../support/rigs/site.ts';

const EMAIL = 'canary@example.org';
const PASSWORD = 'canary-password-4711-\u00e4';
const WRONG = 'canary-wrong-password-0815';

let site: Site;
const cookies = new Map<string, string>();

beforeAll(async () => {
  site = await openSite({ settings: { LOG_LEVEL: 'trace' } });
});
afterAll(() => site.close());

async function go(path: string, form?: Record<string, string>): Promise<{ status: number; location: string; text: string }> {
  const answer = await site.ask(path, {
    method: form ? 'POST' : 'GET',
    ...(form && { body: new URLSearchParams(form) }),
    headers: {
      accept: 'text/html',
      'sec-fetch-site': 'same-origin',
      cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    },
  });
  for (const line of answer.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    cookies.set(name, value);
  }
  return { status: answer.status, location: answer.headers.get('location') ?? '', text: await answer.text() };
}

/** The link of the latest e-mail, as a path. */
async function lastLink(): Promise<string> {
  // E-mails are written after the answer; on this machine the page waits for them.
  await go('/check-mail');
  const folder = join(site.dataDir, 'mail');
  const [latest = ''] = readdirSync(folder)
    .map((file) => join(folder, file))
    .sort((left, right) => statSync(right).mtimeMs - statSync(left).mtimeMs || (left < right ? 1 : -1));
  const text = readFileSync(latest, 'utf8')
    .replace(/=\r?\n/g, '')
    .replace(/=3D/g, '=');
  const [link = ''] = new RegExp(`${site.url}/(?:verify|reset)\\?token=[^\\s"<]+`).exec(text) ?? [];
  return link.slice(site.url.length);
}

test('keys, passwords, sessions and links are written nowhere', async () => {
  // Without a mail server, e-mails are shown to the browser that opened this link alone.
  const link = readFileSync(join(site.dataDir, 'welcome-link'), 'utf8').trim();
  await go(link.slice(site.url.length));
  expect((await go('/sign-up', { email: EMAIL, password: PASSWORD })).status).toBe(302);
  const verify = await lastLink();
  const page = await go(verify);
  // Where opening the e-mail's link is not enough, its page has a button.
  expect(page.text).toContain('<form');
  const made = await go(verify, { token: new URLSearchParams(verify.split('?')[1]).get('token') ?? '' });
  const [key = ''] = /mq_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}/.exec(made.text) ?? [];
  expect(key).not.toBe('');
  expect((await go('/dashboard/keys')).text).not.toContain(key);

  const apiAnswers = await Promise.all([
    site.ask('/api/v1/events?limit=1', { headers: { 'X-API-Key': key } }),
    site.ask(`/api/v1/events?limit=${key}&key=${key}`, { headers: { 'X-API-Key': key } }),
    site.ask(`/api/v1/events?api_key=${key}`, { headers: { Authorization: `Bearer ${key}`, cookie: `key=${key}` } }),
    site.ask(`/api/v1/${key}`, { headers: { 'X-API-Key': key } }),
    site.ask('/api/v1/events', { headers: { 'X-API-Key': `${key.slice(0, -1)}x` } }),
    site.ask(`/nothing/${key}`),
    site.ask(`/dashboard/${key}`),
  ]);
  const answers = await Promise.all(apiAnswers.map((answer) => answer.text()));
  await go('/playground', { endpoint: 'listEvents', limit: '2', key });
  await go('/sign-in', { email: EMAIL, password: WRONG });
  await go('/forgot', { email: EMAIL });
  const reset = await lastLink();
  const resetToken = new URLSearchParams(reset.split('?')[1]).get('token') ?? '';
  await go(reset);
  const session = [...cookies].find(([name]) => name.includes('session'))?.[1] ?? '';
  expect([resetToken, session].map((each) => each.length > 20)).toEqual([true, true]);
  // Longer than the time that usage waits for its flush.
  await expect
    .poll(async () => (await site.store.db.selectFrom('usage_day').select('requests').execute()).length)
    .toBeGreaterThan(0);

  const secret = key.split('_').at(-1) ?? '';
  const welcomeToken = link.split('token=')[1] ?? '';
  expect(welcomeToken.length).toBeGreaterThan(20);
  const everywhere = [secret, PASSWORD, WRONG, resetToken, session, decodeURIComponent(session), welcomeToken];
  const sessionToken = session.split('.', 1)[0] ?? '';
  expect(sessionToken.length).toBeGreaterThan(20);
  const log = site.logged().join('');
  expect(log.length).toBeGreaterThan(1_000);
  expect(everywhere.filter((each) => log.includes(each))).toEqual([]);
  // The address that named the key as a bad value answers with it, cut; what it must not give is the whole.
  expect(answers.filter((text) => text.includes(secret))).toEqual([]);

  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(site.store.db);
  expect(rows.length).toBeGreaterThan(20);
  for (const { name } of rows) {
    const dump = await sql<{ row: string }>`select to_jsonb(t)::text as row from ${sql.table(name)} t`.execute(site.store.db);
    const text = dump.rows.map(({ row }) => row).join('\n');
    expect([...everywhere, sessionToken].filter((each) => text.includes(each))).toEqual([]);
  }
  const kept = (readdirSync(site.dataDir, { recursive: true, withFileTypes: true }) as import('node:fs').Dirent[])
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('mail') && entry.name !== 'secret')
    .map((entry) => join(entry.parentPath, entry.name));
  for (const file of kept) {
    const bytes = readFileSync(file);
    expect([secret, PASSWORD, WRONG].filter((each) => bytes.includes(each))).toEqual([]);
  }
});
