/** An export that is cancelled while it is written. */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { afterAll, expect, it } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { readLogState } from '../../src/catalog/index.ts';
import { createExportRunner, createLocalStorage, createOwnExports, createSigningKey } from '../../src/exports/index.ts';
import { createFeeds } from '../../src/feeds/index.ts';
import { createLog } from '../../src/log.ts';
import { buildSnapshot } from '../../src/search/index.ts';
import { createRandom, NOW, PUBLIC_URL, randomDirectory } from '../search/random-directory.ts';
import { openTestStore, temporaryFolder } from '../support/database/store.ts';
import { EVERYTHING, until } from '../support/rigs/exports.ts';

const { folder, remove } = temporaryFolder();
afterAll(remove);

it('stops within a second, and leaves no file', async () => {
  const { store, dispose } = await openTestStore();
  const { db } = store;
  const made = buildSnapshot(randomDirectory(createRandom(1), 20), NOW, PUBLIC_URL);
  const { history } = await readLogState(db);
  const snapshot: typeof made = Object.create(made, { history: { value: history } });
  const feeds = createFeeds({ db });
  const begun: MessagePort[] = [];
  const runner = createExportRunner({
    db,
    commitWatcher: store.createCommitWatcher(),
    // The thread never gets a snapshot: this export takes for ever.
    withSearch: (work) => work({ current: () => snapshot, relay: (port) => void begun.push(port), caughtUp: async () => {} }),
    parseQuery: () => ({ ok: false, errors: [] }),
    feeds,
    storage: createLocalStorage(join(folder, 'ready')),
    workFolder: join(folder, 'begun'),
    key: createSigningKey('secret'),
    now: Date.now,
    log: createLog('silent'),
  });
  try {
    const email = 'ada@exports.example';
    const account = await createAccounts({ db }).createAccount({ email, tier: 'enterprise' });
    if (!account.ok) throw new Error(account.detail);
    await createAccounts({ db }).createKey({ email });
    const ada = { accountId: account.id, actor: { id: account.id, name: email } };
    const own = createOwnExports({ db, feeds });
    await own.create(ada, EVERYTHING);
    await runner.look();
    const id = await until(async () => {
      const [newest] = (await own.list(account.id, { limit: 1, offset: 0 })).exports;
      return begun.length > 0 && newest?.state === 'running' && newest.id;
    });
    await own.cancel(ada, id);
    const cancelledAt = performance.now();
    await runner.onIdle();
    // One second is promised, on a machine that has time. Else it would go on for ever.
    expect(performance.now() - cancelledAt).toBeLessThan(60_000);
    expect(readdirSync(join(folder, 'begun'))).toEqual([]);
    expect(existsSync(join(folder, 'ready'))).toBe(false);
    expect((await own.list(account.id, { limit: 1, offset: 0 })).exports[0]?.state).toBe('cancelled');
  } finally {
    await runner.close();
    await dispose();
  }
});
