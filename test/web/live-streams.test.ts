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

async function listen(who: Person) {
  const leaving = new AbortController();
  closers.push(() => leaving.abort());
  const answer = await site.ask('/dashboard/usage/live', { headers: { cookie: who.cookie }, signal: leaving.signal });
  expect(answer.headers.get('content-type')).toContain('text/event-stream');
  const heard = { text: '', isOver: false };
  void (async () => {
    for await (const part of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) heard.text += part;
    heard.isOver = true;
  })().catch(() => undefined);
  return heard;
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

const ENDS: readonly (readonly [name: string, end: (who: Person) => Promise<unknown>])[] = [
  ['at sign-out', (who) => send('/sign-out', who, {})],
  [
    'when an operator suspends the account',
    async (who) => {
      const operator = await site.signIn({ email: 'stream-operator@example.org', operator: true });
      return send(`/desk/accounts/${who.accountId}`, operator, { intent: 'suspend', token: `suspend-${who.accountId}` });
    },
  ],
  ['after a password reset', resetPassword],
  [
    'when the account is deleted',
    async (who) => {
      const { status } = await send('/dashboard/account/delete', who, { current: PASSWORD });
      expect(status).toBe(302);
    },
  ],
  [
    'when another process ends the session',
    (who) => site.store.db.deleteFrom('session').where('account_id', '=', who.accountId).execute(),
  ],
  [
    'when another process closes the account',
    (who) => site.store.db.updateTable('account').set({ status: 'suspended' }).where('id', '=', who.accountId).execute(),
  ],
];

describe('an open stream', () => {
  test.each(ENDS)('ends %s, and tells nothing of what is asked after', async (_, end) => {
    const [who, other] = [await newPerson(), await newPerson()];
    const made = await createAccounts({ db: site.store.db, now: site.now }).createKey({ email: who.email, tier: 'growth' });
    const key = made.ok ? made.key : '';
    const [stream, untouched] = [await listen(who), await listen(other)];
    await expect.poll(() => stream.text).toContain('"used":0');
    await end(who);
    // Otherwise the stream would go on for ten minutes, which is longer than this waits.
    await expect.poll(() => stream.isOver).toBe(true);
    await fetch(`${site.url}/api/v1/events?limit=1`, { headers: { 'X-API-Key': key } });
    expect(stream.text).not.toContain('"used":1');
    expect(untouched.isOver).toBe(false);
    expect((await site.ask('/dashboard/usage/live', { headers: { cookie: who.cookie } })).status).toBe(302);
  });
});
