// One engine is enough: what the forms write is tested on both without a browser.
import { generateKeyPairSync, sign } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { openSite, type Person, type Site } from '../support/rigs/site.ts';
import { describeInBrowser, findBarriers, sticksOut, visit } from '../support/runs/browser.ts';
import { until } from '../support/runs/patience.ts';

const scanner = generateKeyPairSync('ec', { namedCurve: 'P-256' });
let site: Site;
beforeAll(async () => {
  const pem = String(scanner.publicKey.export({ type: 'spki', format: 'pem' }));
  site = await openSite({ settings: { MARQUEE_SCANNER_KEYS: pem.replaceAll('\n', '\\n') } });
});
afterAll(() => site.close());

let people = 0;
const person = (tier?: string): Promise<Person> => site.signIn({ email: `keys-${people++}@example.org`, ...(tier && { tier }) });

async function withKey(tier = 'growth') {
  const someone = await person(tier);
  const created = await createAccounts({ db: site.store.db, now: site.now }).createKey({ email: someone.email, name: 'shop' });
  if (!created.ok) throw new Error(created.detail);
  return { ...someone, key: created.key, keyId: created.id, plan: created.subscriptionId };
}

const read = async (who: Person, path: string) => {
  const answer = await site.ask(path, { headers: { cookie: who.cookie, accept: 'text/html' } });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};
const send = async (who: Person, fields: Record<string, string>) => {
  const answer = await site.ask('/dashboard/keys', {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { cookie: who.cookie, 'sec-fetch-site': 'same-origin', accept: 'text/html' },
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};
const callApi = async (key: string, path = '/events?limit=1') => {
  const answer = await fetch(`${site.url}/api/v1${path}`, { headers: { 'X-API-Key': key } });
  await answer.arrayBuffer();
  return { status: answer.status, remaining: answer.headers.get('x-ratelimit-remaining') };
};
const keysIn = (html: string): string[] => [...new Set(html.match(KEY) ?? [])];
const KEY = /mq_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}/g;
const listed = (who: Person) => createAccounts({ db: site.store.db, now: site.now }).own.list(who.accountId);

describe('the form for a new key', () => {
  test('offers no trial to a mailbox that had its own, and neither does the page of plans', async () => {
    const who = await person();
    const again = await site.signIn({ email: who.email.replace('@', '+again@') });
    const offers = async () => [
      (await read(again, '/dashboard/keys')).text.includes('-day trial'),
      (await read(again, '/dashboard/plans')).text.includes('Its trial ends'),
    ];
    expect(await offers()).toEqual([true, true]);
    await send(who, { intent: 'create', token: 'had', name: 'My site', plan: 'free' });
    expect(await offers()).toEqual([false, false]);
  });

  test('shows the key in its own answer, which nobody stores, and never after', async () => {
    const who = await person();
    const created = await send(who, { intent: 'create', token: 'one', name: 'My site', plan: 'free' });
    const [key = ''] = keysIn(created.text);
    expect([created.status, created.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    expect((await callApi(key)).status).toBe(200);
    for (const path of ['/dashboard', '/dashboard/keys', '/dashboard/usage']) {
      const { headers, text } = await read(who, path);
      expect(headers.get('cache-control')).toContain('no-store');
      expect(keysIn(text)).toEqual([]);
    }
    expect(site.logged().join('')).not.toContain(key.slice(21));
  });

  test('sent twenty times at once makes one key, and each answer shows it', async () => {
    const who = await person();
    const fields = { intent: 'create', token: crypto.randomUUID(), name: 'once', plan: 'free' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(who, fields)));
    expect(new Set(answers.flatMap(({ text }) => keysIn(text))).size).toBe(1);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await listed(who)).toHaveLength(1);
  });

  test('says what is wrong beside the field and keeps what was typed', async () => {
    const who = await person();
    const wrong = await send(who, { intent: 'create', token: 'a', name: 'x'.repeat(101), plan: 'tier:growth' });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('has 1 to 100 characters');
    expect(wrong.text).toContain('x'.repeat(101));
    expect((await send(who, { intent: 'create', token: 'b', name: 'a', plan: 'tier:gold' })).status).toBe(400);
    expect(await listed(who)).toEqual([]);
  });

  test('gives nothing that was not offered: fields beside its own change nothing', async () => {
    const who = await person();
    const fields = { tier: 'enterprise', status: 'active', trialEndsAt: '2099-01-01', isOperator: 'true', accountId: 'x' };
    await send(who, { intent: 'create', token: 'c', name: 'a', plan: 'free', ...fields });
    expect(await listed(who)).toMatchObject([{ tier: 'starter', plan: 'trialing' }]);
    await send(who, { intent: 'create', token: 'd', name: 'b', plan: 'tier:enterprise', ...fields });
    expect((await listed(who))[1]).toMatchObject({ tier: 'enterprise', plan: 'inactive' });
  });

  test('makes an active key if its plan is active, and else one that is listed without an active plan', async () => {
    const who = await person();
    await send(who, { intent: 'create', token: 'e', name: 'paid later', plan: 'tier:enterprise' });
    await send(who, { intent: 'create', token: 'f', name: 'on trial', plan: 'free' });
    const { text } = await read(who, '/dashboard/keys');
    const [, active = '', closed = ''] = text.split(/<h2 id="(?:working|closed)">/);
    const named = (part: string) => [...part.matchAll(/<h3[^>]*>([^<]*)</g)].map(([, name]) => name);
    expect([named(active), named(closed)]).toEqual([['on trial'], ['paid later']]);
    expect(closed).toMatch(/^Keys without an active plan</);
  });
});

describe('the keys and the usage of others', () => {
  const acts = [
    ['rename', {}],
    ['rotate', { grace: '0', token: 't' }],
    ['revoke', {}],
  ] as const;

  test.each(acts)('are out of reach of the form to %s: there is no such key', async (intent, fields) => {
    const mine = await withKey();
    const other = await withKey();
    const answer = await send(other, { intent, id: mine.keyId, name: 'stolen', ...fields });
    expect(answer.status).toBe(404);
    expect(keysIn(answer.text)).toEqual([]);
    expect(await listed(mine)).toMatchObject([{ name: 'shop', state: 'active', expiresAt: null }]);
    expect((await callApi(mine.key)).status).toBe(200);
  });

  test('take no new key', async () => {
    const mine = await withKey();
    const other = await person();
    await createAccounts({ db: site.store.db, now: site.now }).revokeKey(mine.keyId);
    expect((await send(other, { intent: 'create', token: 'e', name: 'a', plan: `subscription:${mine.plan}` })).status).toBe(404);
  });

  test.each(['/dashboard', '/dashboard/keys', '/dashboard/usage', '/dashboard/usage?keys=all', '/dashboard/usage.csv'])(
    'are not in %s',
    async (path) => {
      const mine = await withKey();
      const other = await withKey();
      await callApi(mine.key);
      expect((await read(mine, path)).text).toContain(path === '/dashboard' ? 'shop' : mine.keyId);
      const theirs = (await read(other, path)).text;
      for (const id of [mine.keyId, mine.plan, mine.accountId]) expect(theirs).not.toContain(id);
    },
  );
});

describe('the usage of one key', () => {
  test('is a page and a table of it alone, and of nobody else’s key', async () => {
    const mine = await withKey();
    const second = await send(mine, { intent: 'rotate', id: mine.keyId, grace: '24h', token: 'r' });
    const [next = ''] = keysIn(second.text);
    for (const path of ['/events?limit=1', '/nowhere']) await callApi(mine.key, path);
    await callApi(next, '/venues?limit=1');
    const page = `/dashboard/usage?days=7&key=${mine.keyId}`;
    const all = (await read(mine, '/dashboard/usage?days=7')).text;
    expect(all).toContain(`?days=7&amp;key=${mine.keyId}"`);
    const { status, text } = await read(mine, page);
    expect(status).toBe(200);
    for (const words of [
      '/events',
      '404 not found',
      `usage.csv?days=7&amp;key=${mine.keyId}"`,
      `?days=90&amp;key=${mine.keyId}"`,
    ])
      expect(text).toContain(words);
    for (const words of ['>/venues<', 'By key'])
      expect([words, all.includes(words), text.includes(words)]).toEqual([words, true, false]);
    const table = (await read(mine, page.replace('usage', 'usage.csv'))).text;
    expect(table.trim().split('\r\n').slice(1)).toHaveLength(2);
    const other = await withKey();
    for (const key of [mine.keyId, 'x', `${mine.keyId}'`])
      for (const path of ['/dashboard/usage', '/dashboard/usage.csv'])
        expect([path, key, (await read(other, `${path}?key=${encodeURIComponent(key)}`)).status]).toEqual([path, key, 404]);
    expect((await read(other, '/dashboard/usage?key=')).status).toBe(200);
  });
});

describe('a key that a scanner found', () => {
  test('is refused, and its owner gets an e-mail', async () => {
    const who = await withKey();
    expect((await callApi(who.key)).status).toBe(200);
    const body = JSON.stringify([{ token: who.key, type: 'marquee_api_key', url: 'https://code.example/x' }]);
    const signature = sign('sha256', Buffer.from(body), scanner.privateKey).toString('base64');
    const headers = { 'content-type': 'application/json', 'github-public-key-signature': signature };
    const answer = await site.ask('/secret-scanning', { method: 'POST', body, headers });
    expect(await answer.json()).toMatchObject([{ label: 'true_positive' }]);
    await expect.poll(async () => (await callApi(who.key)).status).toBe(401);
    const folder = join(site.dataDir, 'mail');
    // It is written after the key is revoked.
    const email = await until(() => {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
        statSync(join(folder, file)).isFile(),
      );
      const texts = files.map((file) => readFileSync(join(folder, file), 'utf8')).filter((text) => text.includes(who.keyId));
      expect(texts.join()).toContain('revoked the key immediately');
      return texts.join();
    });
    expect(email).not.toContain(who.key.slice(21));
  });
});

describe('the figures', () => {
  /** What a stream has told so far, by plan. */
  async function watchLive(who: Person) {
    const leaving = new AbortController();
    const answer = await site.ask('/dashboard/usage/live', { headers: { cookie: who.cookie }, signal: leaving.signal });
    const told: Record<string, { day: { used: number; remaining: number }; minute: { used: number } }> = {};
    const reading = (async () => {
      let text = '';
      for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        for (const [, data = '{}'] of text.matchAll(/^data: (.*)$/gm)) Object.assign(told, JSON.parse(data));
      }
    })().catch(() => undefined);
    const end = async () => {
      leaving.abort();
      await reading;
    };
    return { answer, told, end };
  }

  test('are told as they change, as the headers and GET /usage say them, to their owner alone', async () => {
    const mine = await withKey();
    const other = await withKey();
    const [live, elsewhere] = [await watchLive(mine), await watchLive(other)];
    expect(live.answer.headers.get('content-type')).toContain('text/event-stream');
    await expect.poll(() => live.told[mine.plan]?.day.used).toBe(0);
    let remaining: string | null = null;
    for (const path of ['/events', '/venues', '/nowhere', '/events?limit=0', '/events'])
      ({ remaining } = await callApi(mine.key, path));
    await expect.poll(() => live.told[mine.plan]?.day).toMatchObject({ used: 5, remaining: Number(remaining) });
    expect(Object.keys(live.told)).toEqual([mine.plan]);
    expect(Object.keys(elsewhere.told)).not.toContain(mine.plan);
    await Promise.all([live.end(), elsewhere.end()]);
    const usage = await fetch(`${site.url}/api/v1/usage`, { headers: { 'X-API-Key': mine.key } });
    const { data } = (await usage.json()) as { data: { day: { used: number }; days: { requests: number }[] } };
    expect([data.day.used, data.days.at(-1)?.requests]).toEqual([5, 5]);
    const rows = (await read(mine, '/dashboard/usage.csv?days=7')).text.trim().split('\r\n').slice(1);
    expect(rows.map((row) => row.split(',').slice(3).join(' ')).sort()).toEqual([
      '/api/v1/* 404 1',
      '/api/v1/events 200 2',
      '/api/v1/events 400 1',
      '/api/v1/venues 200 1',
    ]);
  });

  test('are streamed to so many windows of one person, and no more', async () => {
    const who = await withKey();
    const streams = await Promise.all(Array.from({ length: 21 }, () => watchLive(who)));
    expect(streams.map(({ answer }) => answer.status).sort()).toEqual([...Array(20).fill(200), 429]);
    for (const { end } of streams) await end();
    await expect
      .poll(async () => {
        const again = await watchLive(who);
        await again.end();
        return again.answer.status;
      })
      .toBe(200);
  });
});

describeInBrowser('a developer with a browser', () => {
  async function open(who: Person, options: Parameters<typeof visit>[1] = {}) {
    const opened = await visit(site.url, options);
    await opened.context.addCookies(who.cookies);
    return opened;
  }
  const shownKey = async (page: Page) => ((await page.locator('.new-key pre').first().textContent()) ?? '').trim();
  const createKey = async (page: Page, name: string) => {
    await page.goto('/dashboard/keys');
    await page.getByLabel('Name', { exact: true }).last().fill(name);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.locator('.new-key').waitFor();
    return shownKey(page);
  };

  test('creates a key, calls with it and sees the first request arrive', async () => {
    const { page, complaints, close } = await open(await person());
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'Create key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('first');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.locator('.new-key').waitFor();
    expect(await page.evaluate("document.activeElement.classList.contains('new-key')")).toBe(true);
    expect(await findBarriers(page)).toEqual([]);
    const key = await shownKey(page);
    expect(await page.locator('.new-key pre').nth(1).textContent()).toContain(`X-API-Key: ${key}`);
    await page.getByRole('link', { name: 'See the request arrive' }).click();
    await page.locator('.live-mark.live').waitFor();
    expect((await callApi(key)).status).toBe(200);
    await page.locator('[data-live=day]', { hasText: /^1$/ }).waitFor();
    await page.getByText('1 request, by hour, UTC.').waitFor();
    await page.goto('/dashboard/usage');
    await page.locator('.live-mark.live').waitFor();
    for (const path of ['/events', '/nowhere']) await callApi(key, path);
    await page.locator('[data-live=day]', { hasText: /^3$/ }).waitFor();
    await page.getByRole('region', { name: 'By status' }).getByText('404 not found').waitFor();
    expect(complaints()).toEqual([]);
    await close();
  });

  test('has the key on the page once: not after loading again, going back or leaving', async () => {
    const { page, close } = await open(await person());
    const key = await createKey(page, 'once');
    await page.goto('/dashboard/usage');
    await page.goBack();
    await page.getByRole('heading', { name: 'Active keys' }).waitFor();
    expect(await page.content()).not.toContain(key);
    await page.reload();
    expect(await page.content()).not.toContain(key);
    await close();
  });

  test('rotates: the old key goes on for its grace, counts together with the new one, and ends', async () => {
    const who = await withKey();
    const { page, close } = await open(who);
    await page.goto('/dashboard/keys');
    await page.getByText('Rotate', { exact: false }).first().click();
    await page.getByLabel('Old key expires').selectOption('1h');
    expect(await findBarriers(page)).toEqual([]);
    await page.getByRole('button', { name: 'Rotate key' }).click();
    await page.locator('.new-key').waitFor();
    await page.getByText('works for one more hour').waitFor();
    const next = await shownKey(page);
    expect((await callApi(who.key)).status).toBe(200);
    expect(await callApi(next)).toEqual({ status: 200, remaining: '9998' });
    site.pass(3_600_000);
    expect((await callApi(who.key)).status).toBe(401);
    expect((await callApi(next)).status).toBe(200);
    await close();
  });

  test('revokes, and the API refuses the key', async () => {
    const who = await withKey();
    expect((await callApi(who.key)).status).toBe(200);
    const { page, close } = await open(who, { width: 390, dark: true });
    await page.goto('/dashboard/keys');
    await page.locator('summary', { hasText: 'Revoke' }).click();
    expect(await sticksOut(page)).toBe(false);
    await page.getByRole('button', { name: 'Revoke key permanently' }).click();
    await page.getByText('shop is revoked.').waitFor();
    await expect.poll(async () => (await callApi(who.key)).status).toBe(401);
    await page.getByText('Past keys (1)').waitFor();
    await page.getByText('which has no key').waitFor();
    await close();
  });

  test('is told when the trial is over, and where to go', async () => {
    const who = await person();
    const { page, close } = await open(who);
    const key = await createKey(page, 'trial');
    site.pass(7 * 86_400_000);
    await page.goto('/dashboard/keys');
    await page.getByText('The trial is over.').waitFor();
    await page.goto('/dashboard');
    await page.getByRole('link', { name: 'Trial ended' }).waitFor();
    expect((await callApi(key)).status).toBe(402);
    await close();
  });

  test('does all of it without scripts', async () => {
    const { page, close } = await open(await person(), { scripts: false });
    const key = await createKey(page, 'plain');
    await callApi(key);
    await page.goto('/dashboard/usage?days=7');
    expect(await page.locator('[data-live=day]').textContent()).toBe('1');
    await page.getByText('Requests by day as a table').click();
    expect(await page.getByRole('region', { name: 'Requests by day' }).isVisible()).toBe(true);
    await page.goto('/dashboard/keys');
    await page.locator('summary', { hasText: 'Rename' }).click();
    await page.getByLabel('New name').fill('renamed');
    await page.getByRole('button', { name: 'Rename key' }).click();
    await page.getByText('The key is now called renamed.').waitFor();
    await page.locator('summary', { hasText: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke key permanently' }).click();
    await page.getByText('renamed is revoked.').waitFor();
    await close();
  });
});
