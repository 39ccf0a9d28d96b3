import { expect, it } from 'vitest';
import { createLog } from '../../../src/log.ts';
import { cleanUp } from '../../../src/retention/index.ts';
import { NOON, openSignInRig, PASSWORD } from '../../support/rigs/sign-in.ts';

it('what nobody can use any more goes, and nothing else', async () => {
  const rig = await openSignInRig();
  const { db } = rig.testStore.store;
  const cleanUpAfter = (days: number) => {
    const moments = { directory: NOON + days * 86_400_000, limits: NOON, machine: Date.now() };
    return cleanUp({ db, dataDir: rig.folder, log: createLog('silent'), moments, pauseMs: 0 });
  };
  const [old, living] = [await rig.join('ada@example.org'), await rig.join('grace@example.org')];
  await rig.signIn.signUp(rig.openBrowser(), { email: 'never@example.org', password: PASSWORD });
  await rig.signIn.requestReset(rig.openBrowser(), { email: 'grace@example.org' });
  const { sessionId = '' } = (await rig.signIn.readSession(old.headers)) ?? {};
  await db
    .updateTable('session')
    .set({ expires_at: new Date(Date.now() - 1) })
    .where('id', '=', sessionId)
    .execute();
  const emails = async () =>
    (await db.selectFrom('account').select('email').orderBy('email').execute()).map(({ email }) => email);
  await cleanUpAfter(6);
  expect(await db.selectFrom('session').select('id').execute()).toHaveLength(1);
  expect(await db.selectFrom('verification').select('id').execute()).toHaveLength(1);
  expect(await emails()).toEqual(['ada@example.org', 'grace@example.org', 'never@example.org']);
  await cleanUpAfter(8);
  expect(await emails()).toEqual(['ada@example.org', 'grace@example.org']);
  expect(await rig.signIn.readSession(living.headers)).not.toBeNull();
  await rig.dispose();
});
