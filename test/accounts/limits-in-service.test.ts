/** The limits of a whole service, asked through HTTP. */

import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { openSite, type Site } from '../support/rigs/site.ts';

const DAY_MS = 86_400_000;
/** UTC. */
const MIDNIGHT = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS;

let site: Site;
let wall = MIDNIGHT - 1_000;
beforeAll(async () => {
  site = await openSite({ demo: false, limitsClock: () => wall });
});
afterAll(() => site?.close());

async function makeKey(email: string): Promise<{ key: string; id: string; subscriptionId: string }> {
  const accounts = createAccounts({ db: site.store.db, now: site.now });
  await accounts.createAccount({ email, tier: 'starter' });
  const made = await accounts.createKey({ email });
  if (!made.ok) throw new Error(made.detail);
  return made;
}

async function ask(key: string) {
  const { status, headers } = await site.ask('/api/v1/events', { headers: { 'X-API-Key': key } });
  return {
    status,
    remaining: Number(headers.get('X-RateLimit-Remaining')),
    resetsAt: Date.parse(headers.get('X-RateLimit-Reset') ?? ''),
  };
}

describe('a service whose wall clock is set', () => {
  it('back by two seconds over midnight, keeps the new day and goes on counting it', async () => {
    const { key } = await makeKey('two-seconds@marquee.example');
    expect(await ask(key)).toEqual({ status: 200, remaining: 999, resetsAt: MIDNIGHT });
    wall = MIDNIGHT + 500;
    expect(await ask(key)).toEqual({ status: 200, remaining: 999, resetsAt: MIDNIGHT + DAY_MS });
    for (const [index, moment] of [MIDNIGHT - 1_500, MIDNIGHT - 1, MIDNIGHT, MIDNIGHT + 900].entries()) {
      wall = moment;
      expect(await ask(key)).toEqual({ status: 200, remaining: 998 - index, resetsAt: MIDNIGHT + DAY_MS });
    }
  });

  it('ahead by a year and right again, resets at the next midnight, with what was used before, met before or not', async () => {
    const met = await makeKey('met@marquee.example');
    const used = await makeKey('used@marquee.example');
    const day = new Date(wall).toISOString().slice(0, 10);
    // Counted by a process that has ended.
    await site.store.db.insertInto('usage_day').values({ subscription_id: used.subscriptionId, day, requests: '40' }).execute();
    expect((await ask(met.key)).remaining).toBe(999);
    wall += 365 * DAY_MS;
    for (const { key } of [met, used]) {
      expect(await ask(key)).toEqual({ status: 200, remaining: 999, resetsAt: MIDNIGHT + 366 * DAY_MS });
    }
    wall -= 365 * DAY_MS;
    expect(await ask(met.key)).toEqual({ status: 200, remaining: 998, resetsAt: MIDNIGHT + DAY_MS });
    expect(await ask(used.key)).toEqual({ status: 200, remaining: 959, resetsAt: MIDNIGHT + DAY_MS });
  });
});

describe('a key that is revoked while requests with it are in flight', () => {
  it('refuses them soon, and admits none that is sent after the first that was refused', async () => {
    const { key, id } = await makeKey('revoked@marquee.example');
    let admitted = 0;
    let refused = 0;
    const late: number[] = [];
    const asking = Array.from({ length: 10 }, async () => {
      while (refused < 50) {
        const isLate = refused > 0;
        const { status } = await site.ask('/api/v1/usage', { headers: { 'X-API-Key': key } });
        if (status === 401) refused += 1;
        else admitted += 1;
        if (isLate && status !== 401) late.push(status);
        await pause(1);
      }
    });
    await expect.poll(() => admitted).toBeGreaterThan(20);
    await createAccounts({ db: site.store.db, now: site.now }).revokeKey(id);
    await Promise.all(asking);
    expect(late).toEqual([]);
  });
});
