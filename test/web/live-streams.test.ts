/** A stream of live figures ends with the session that opened it. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { PASSWORD } from '../support/rigs/sign-in.ts';
import { type Person, type Site, sharedSite } from '../support/rigs/site.ts';

let site: Site;
beforeAll(async () => {
  site = await sharedSite();
});

let count = 0;
const newPerson = () => site.signIn({ email: `listener-${count++}@example.org`, tier: 'growth', password: PASSWORD });
const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** `ended` resolves with the milliseconds from `since()` until the service ended the stream. */
async function listen(who: Person) {
  const leaving = new AbortController();
  closers.push(() => leaving.abort());
  const answer = await site.ask('/dashboard/usage/live', { headers: { cookie: who.cookie }, signal: leaving.signal });
  expect(answer.headers.get('content-type')).toContain('text/event-stream');
  const heard = { text: '', isOver: false, endedAt: 0 };
  const ended = (async () => {
    for await (const part of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) heard.text += part;
    heard.isOver = true;
    heard.endedAt = performance.now();
  })().catch(() => undefined);
  return { heard, ended };
}

const send = (path: string, who: Person, fields: Record<string, string>) =>
  site.ask(path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { cookie: who.cookie, accept: 'text/html', 'sec-fetch-site': 'same-origin' },
  });

/** By the link of an e-mail, in another browser. */
async function resetPassword({ email }: Person): Promise<void> {
  const stranger = { accountId: '', email, cookie: 'x=y', cookies: [] };
  expect((await send('/forgot', stranger, { email })).status).toBe(302);
  const mail = join(site.dataDir, 'mail');
  const sent = () =>
    readdirSync(mail)
      .filter((name) => name.endsWith('.eml'))
      .map((name) => readFileSync(join(mail, name), 'utf8'))
      .find((text) => text.includes(`To: ${email}`) && text.includes('/reset?token'));
  await expect.poll(sent).toBeDefined();
  const plain =
    sent()
      ?.replace(/=\r?\n/g, '')
      .replace(/=3D/g, '=') ?? '';
  const token = /reset\?token=([^\s"<]+)/.exec(plain)?.[1] ?? '';
  expect((await send('/reset', stranger, { token, password: 'another long sentence' })).status).toBe(302);
}

const ENDS: readonly (readonly [name: string, withinMs: number, end: (who: Person) => Promise<unknown>])[] = [
  ['at sign-out', 1_000, (who) => send('/sign-out', who, {})],
  [
    'when an operator suspends the account',
    1_000,
    async (who) => {
      const operator = await site.signIn({ email: 'stream-operator@example.org', operator: true });
      return send(`/desk/accounts/${who.accountId}`, operator, { intent: 'suspend', token: `suspend-${who.accountId}` });
    },
  ],
  ['after a password reset', 1_000, resetPassword],
  [
    'when the account is deleted',
    1_000,
    async (who) => {
      const { status } = await send('/dashboard/account/delete', who, { current: PASSWORD });
      expect(status).toBe(302);
    },
  ],
  [
    'when another process ends the session',
    5_000,
    (who) => site.store.db.deleteFrom('session').where('account_id', '=', who.accountId).execute(),
  ],
  [
    'when another process closes the account',
    5_000,
    (who) => site.store.db.updateTable('account').set({ status: 'suspended' }).where('id', '=', who.accountId).execute(),
  ],
];

describe('an open stream', () => {
  test.each(ENDS)('ends %s, and tells nothing of what is asked after', async (_, withinMs, end) => {
    const [who, other] = [await newPerson(), await newPerson()];
    const made = await createAccounts({ db: site.store.db, now: site.now }).createKey({ email: who.email, tier: 'growth' });
    const key = made.ok ? made.key : '';
    const [stream, untouched] = [await listen(who), await listen(other)];
    await expect.poll(() => stream.heard.text).toContain('"used":0');
    const began = performance.now();
    await end(who);
    await stream.ended;
    expect(stream.heard.isOver).toBe(true);
    // Else it would go on for ten minutes: the rest is room for a machine that does other things.
    expect(stream.heard.endedAt - began).toBeLessThan(withinMs * 60);
    await fetch(`${site.url}/api/v1/events?limit=1`, { headers: { 'X-API-Key': key } });
    expect(stream.heard.text).not.toContain('"used":1');
    expect(untouched.heard.isOver).toBe(false);
    expect((await site.ask('/dashboard/usage/live', { headers: { cookie: who.cookie } })).status).toBe(302);
  });
});
