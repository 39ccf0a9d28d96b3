import { generateKeyPairSync, sign } from 'node:crypto';
import { fastify } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Accounts, createAccounts, listAudit } from '../../src/accounts/index.ts';
import { createSecretScanning } from '../../src/api/index.ts';
import { ConfigError, readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { openTestStore, type TestStore } from '../support/database/store.ts';

const scanner = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const WHERE = 'https://code.example/somebody/project/blob/main/.env';

let opened: TestStore;
let accounts: Accounts;
const app = fastify();
const told: string[] = [];
beforeAll(async () => {
  opened = await openTestStore();
  accounts = createAccounts({ db: opened.store.db });
  await accounts.createAccount({ email: 'ann@example.org', tier: 'growth' });
  app.register(
    createSecretScanning(
      [scanner.publicKey],
      async (token, where) => {
        const { isOurs, owner } = await accounts.reportLeak(token, where);
        if (owner) told.push(`${owner.email} ${owner.keyId}`);
        return { isOurs };
      },
      createLog('silent'),
    ),
  );
});
afterAll(async () => {
  await app.close();
  await opened.dispose();
});

async function createKey() {
  const created = await accounts.createKey({ email: 'ann@example.org' });
  if (!created.ok) throw new Error(created.detail);
  return created;
}

async function report(findings: unknown, { by = scanner, signature }: { by?: typeof scanner; signature?: string } = {}) {
  const body = typeof findings === 'string' ? findings : JSON.stringify(findings);
  const answer = await app.inject({
    method: 'POST',
    url: '/secret-scanning',
    headers: {
      'content-type': 'application/json',
      'github-public-key-identifier': 'any',
      'github-public-key-signature': signature ?? sign('sha256', Buffer.from(body), by.privateKey).toString('base64'),
    },
    body,
  });
  return { status: answer.statusCode, labels: answer.json() };
}
const found = (token: string) => ({ token, type: 'marquee_api_key', url: WHERE, source: 'content' });
const stateOf = async (id: string) => {
  const listed = await accounts.listKeys('ann@example.org');
  return listed.ok ? listed.keys.find((key) => key.id === id)?.state : undefined;
};

describe('a report of leaked keys', () => {
  test('revokes what is ours, tells its owner once and is on record', async () => {
    const { key, id } = await createKey();
    const noise = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
    const { status, labels } = await report([found(key), found(noise), found('AKIA0000')]);
    expect(status).toBe(200);
    expect(labels).toEqual([
      { token_raw: key, token_type: 'marquee_api_key', label: 'true_positive' },
      { token_raw: noise, token_type: 'marquee_api_key', label: 'false_positive' },
      { token_raw: 'AKIA0000', token_type: 'marquee_api_key', label: 'false_positive' },
    ]);
    expect(await stateOf(id)).toBe('revoked');
    expect((await report([found(key)])).labels).toMatchObject([{ label: 'true_positive' }]);
    expect(told).toEqual([`ann@example.org ${id}`]);
    const { rows } = await listAudit(opened.store.db, { subject: 'key', subjectId: id, action: 'key.revoke' });
    expect(rows).toMatchObject([{ actor: 'secret scanning', detail: { found: WHERE } }]);
    expect(JSON.stringify(rows)).not.toContain(key.slice(21));
  });

  test('of a well-formed key that is not ours revokes nothing', async () => {
    const { key, id } = await createKey();
    const elsewhere = await openTestStore();
    const other = createAccounts({ db: elsewhere.store.db });
    expect(await other.reportLeak(key, WHERE)).toEqual({ isOurs: false, owner: null });
    await elsewhere.dispose();
    expect(await stateOf(id)).toBe('active');
  });

  test.each([
    ['a stranger', { by: stranger }],
    ['nobody', { signature: '' }],
    ['noise', { signature: 'bm9pc2U=' }],
  ])('signed by %s is refused and revokes nothing', async (_, by) => {
    const { key, id } = await createKey();
    expect((await report([found(key)], by)).status).toBe(401);
    expect(await stateOf(id)).toBe('active');
  });

  test.each(['', '{}', 'null', '[1]', '[{"token":7}]', '[null]', '[['])('that says %j is refused', async (body) => {
    expect((await report(body)).status).toBe(400);
  });
});

describe('the keys of scanners', () => {
  const pem = String(scanner.publicKey.export({ type: 'spki', format: 'pem' }));
  const read = (text: string) => readConfig({ MARQUEE_SCANNER_KEYS: text }).scannerKeys.length;

  test('are read from the setting, on one line or several', () => {
    expect(readConfig({}).scannerKeys).toEqual([]);
    expect(read(pem)).toBe(1);
    expect(read((pem + pem).replaceAll('\n', '\\n'))).toBe(2);
  });

  test.each([
    ['a file that is not there', './no-such-file.pem'],
    ['a block that is no key', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----'],
    [
      'another curve',
      String(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ type: 'spki', format: 'pem' })),
    ],
    ['nothing', '-----BEGIN'],
  ])('refuse %s at the start', (_, text) => {
    expect(() => read(text)).toThrow(ConfigError);
  });
});
