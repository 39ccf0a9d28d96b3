/**
 * Stripe and scanners for leaked keys send again what is answered 503: nothing of theirs is lost while the database is away.
 * PostgreSQL is quicker.
 */

import { generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { refuseWrites, takeWrites } from '../support/database/refuse-writes.ts';
import { openStripeStub, type StripeStub } from '../support/fakes/stripe.ts';
import { openSite, type Site } from '../support/rigs/site.ts';

const scanner = generateKeyPairSync('ec', { namedCurve: 'P-256' });
let stub: StripeStub;
let site: Site;
beforeAll(async () => {
  stub = await openStripeStub();
  const { secretKey, webhookSecret, prices } = stub.settings;
  site = await openSite({
    demo: false,
    faulty: true,
    settings: {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_PRICE_STARTER: prices.starter,
      STRIPE_PRICE_GROWTH: prices.growth,
      STRIPE_PRICE_ENTERPRISE: prices.enterprise,
      STRIPE_API_URL: stub.url,
      MARQUEE_SCANNER_KEYS: String(scanner.publicKey.export({ type: 'spki', format: 'pem' })),
    },
    // Stripe signs with real time.
    limitsClock: Date.now,
  });
  stub.webhookUrl = `${site.url}/billing/stripe`;
});
afterAll(async () => {
  await site?.close();
  await stub?.close();
});

const isLaterOf = ({ status, headers }: Response) => [status, headers.get('retry-after')];

async function deliver(id: string) {
  const object = { object: 'customer', id: 'cus_gone' };
  return isLaterOf(await stub.send({ id, type: 'customer.deleted', object }));
}

async function report(token: string) {
  const body = JSON.stringify([{ token, type: 'marquee_api_key', url: 'https://code.example/.env' }]);
  const signature = sign('sha256', Buffer.from(body), scanner.privateKey).toString('base64');
  const headers = { 'content-type': 'application/json', 'github-public-key-signature': signature };
  return isLaterOf(await site.ask('/secret-scanning', { method: 'POST', headers, body }));
}

const FAULTS: Record<string, { begin(): unknown; end(): unknown }> = {
  'is frozen': { begin: () => site.database?.freeze(), end: () => site.database?.thaw() },
  'is stopped': { begin: () => site.database?.stop(), end: () => site.database?.start() },
  'is full': { begin: () => refuseWrites(site.store, '53100'), end: () => takeWrites(site.store) },
  'can only be read': { begin: () => refuseWrites(site.store, '25006'), end: () => takeWrites(site.store) },
};

test.each(Object.keys(FAULTS))(
  'what comes while the database %s is answered 503, and taken when it comes again',
  async (fault) => {
    const accounts = createAccounts({ db: site.store.db, now: site.now });
    const email = `ada-${fault.replaceAll(' ', '-')}@example.org`;
    await accounts.createAccount({ email, tier: 'growth' });
    const made = await accounts.createKey({ email });
    if (!made.ok) throw new Error(made.detail);
    const event = `evt_${fault.replaceAll(' ', '')}`;

    await FAULTS[fault]?.begin();
    try {
      expect(await Promise.all([deliver(event), report(made.key)])).toEqual([
        [503, expect.stringMatching(/^\d+$/)],
        [503, expect.stringMatching(/^\d+$/)],
      ]);
    } finally {
      await FAULTS[fault]?.end();
    }
    await expect.poll(() => deliver(event)).toEqual([200, null]);
    await expect.poll(() => report(made.key)).toEqual([200, null]);
    const listed = await accounts.listKeys(email);
    expect(listed.ok && listed.keys.find(({ id }) => id === made.id)?.state).toBe('revoked');
  },
);
