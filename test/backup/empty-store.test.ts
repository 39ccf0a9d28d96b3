// One engine is enough: which tables count does not depend on it.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countServingProcesses } from '../../src/accounts/index.ts';
import { findContents } from '../../src/backup/database/tables.ts';
import { type GateRig, openGateRig } from '../support/rigs/gate.ts';

let rig: GateRig;
beforeAll(async () => {
  rig = await openGateRig();
});
afterAll(() => rig.dispose());

test('a store that a service only started on counts as empty, also if the service was killed', async () => {
  const { db } = rig.testStore.store;
  const query = async (text: string) => (await sql.raw<Record<string, unknown>>(text).execute(db)).rows;
  // It has not signed off.
  expect((await countServingProcesses(db)).all).toBe(1);
  expect(await findContents(query)).toEqual([]);
  await rig.createKey();
  expect(await findContents(query)).toEqual(['access_change', 'account', 'api_key', 'subscription']);
});
