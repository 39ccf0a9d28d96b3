/** Both engines: two processes write the digest of their secret at the same time. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { acceptSecret, checkStoredSecret } from '../../../src/accounts/index.ts';
import type { Log } from '../../../src/log.ts';
import { openTestStore, type TestStore } from '../../support/database/store.ts';

let rig: TestStore;
beforeAll(async () => {
  rig = await openTestStore();
});
afterAll(() => rig?.dispose());

const SECRETS = ['a'.repeat(40), 'b'.repeat(40)];
const options = (setting: string | undefined) => ({
  ...{ db: rig.store.db, dataDir: rig.options.dataDir, setting: setting ?? null },
});
const logged: string[] = [];
const log = { error: (line: string) => void logged.push(line) } as unknown as Log;
const check = () => Promise.allSettled(SECRETS.map((secret) => checkStoredSecret({ ...options(secret), isReplica: false, log })));

it('a replica without a setting gives the store no secret', async () => {
  await checkStoredSecret({ ...options(undefined), isReplica: true, log });
  expect(await rig.store.db.selectFrom('secret_digest').selectAll().execute()).toEqual([]);
});

it('of two processes that start at once with two secrets one is refused, and so it stays until the other one is accepted', async () => {
  const first = await check();
  expect(first.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect((await check()).map(({ status }) => status)).toEqual(first.map(({ status }) => status));
  const refused = SECRETS[first.findIndex(({ status }) => status === 'rejected')];
  expect([await acceptSecret(options(refused)), await acceptSecret(options(refused))]).toEqual([true, false]);
  expect((await check()).map(({ status }) => status)).toEqual(first.map(({ status }) => status).reverse());
});

it('a replica with a data folder of its own and no setting starts, and the log says what fails', async () => {
  await checkStoredSecret({ ...options(undefined), isReplica: true, log });
  expect(logged).toEqual([
    expect.stringMatching(/secret is missing: set the same MARQUEE_SECRET for all processes, or sessions/),
  ]);
  const withSetting = checkStoredSecret({ ...options('c'.repeat(40)), isReplica: true, log });
  await expect(withSetting).rejects.toThrow('MARQUEE_SECRET is not the secret of this database');
});

it('the store holds a salted digest, which is another one each time, and nothing of the secret', async () => {
  const read = () => rig.store.db.selectFrom('secret_digest').selectAll().executeTakeFirstOrThrow();
  const [one, other] = [await read(), await acceptSecret(options('c'.repeat(40))).then(read)];
  await acceptSecret(options(SECRETS[0]));
  await acceptSecret(options('c'.repeat(40)));
  const again = await read();
  expect(new Set([one, other, again].map(({ digest }) => digest.toString('hex'))).size).toBe(3);
  expect(Buffer.concat([other.salt, other.digest]).includes('ccc')).toBe(false);
});
