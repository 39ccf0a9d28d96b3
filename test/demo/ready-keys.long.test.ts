// PostgreSQL is quicker.
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { ensureDemo } from '../../src/commands/index.ts';
import { readConfig } from '../../src/config.ts';
import { createContext } from '../../src/context.ts';
import { DEMO_CITY } from '../../src/demo/index.ts';
import { createLog } from '../../src/log.ts';
import { writeCity } from '../../src/records/index.ts';
import { openTestStore, type TestStore, temporaryFolder } from '../support/database/store.ts';
import { keysIn } from '../support/rigs/service.ts';

let test: TestStore;
let place: ReturnType<typeof temporaryFolder>;
beforeEach(async () => {
  test = await openTestStore();
  place = temporaryFolder();
  remarks.length = 0;
});
afterEach(async () => {
  place.remove();
  await test.dispose();
});

const remarks: string[] = [];
const err = { write: (text: string) => remarks.push(text) > 0 } as unknown as NodeJS.WriteStream;
const ensure = () => {
  const config = readConfig({ MARQUEE_DATA_DIR: place.folder });
  return ensureDemo(createContext(config, createLog('silent'), { out: err, err }), test.store);
};
const events = async () => {
  const { count } = await test.store.db
    .selectFrom('event')
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
};

it('a demo city whose loading was stopped is loaded to the end by the next start, and then left alone', async () => {
  // The city is the first thing that a loading commits.
  const { center, ...city } = DEMO_CITY;
  await test.store.db.transaction().execute((trx) => writeCity(trx, { ...city, ...center }));
  const keys = await ensure();
  expect(await events()).toBe(1_500);
  expect(remarks).toHaveLength(1);
  expect(await ensure()).toEqual(keys);
  expect(remarks).toHaveLength(1);
});

it('two services that begin at one moment have the same keys, and no others are left', async () => {
  const [one, other] = await Promise.all([ensure(), ensure()]);
  expect(other).toEqual(one);
  expect(keysIn(place.folder)).toEqual(one);
  const listed = await createAccounts({ db: test.store.db }).listKeys('demo@marquee.example');
  const active = listed.ok ? listed.keys.filter(({ state }) => state === 'active') : [];
  expect(active.map(({ id }) => id).sort()).toEqual(
    Object.values(one)
      .map((key) => key.slice(8, 20))
      .sort(),
  );
});

it('keys that do not count any more are replaced, in a file for its owner alone', async () => {
  const keys = await ensure();
  await createAccounts({ db: test.store.db }).revokeKey(keys.growth.slice(8, 20));
  const renewed = await ensure();
  expect(renewed.growth).not.toBe(keys.growth);
  expect(JSON.parse(readFileSync(`${place.folder}/demo-keys.json`, 'utf8'))).toEqual(renewed);
});
