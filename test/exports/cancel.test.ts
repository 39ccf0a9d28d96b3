/**
 * Exports that are cancelled while they are written, or while they wait for something.
 * Both engines: a row is changed by one connection while another one works for it.
 */

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import {
  createExportRunner,
  createLocalStorage,
  createOwnExports,
  createSigningKey,
  type ExportRunner,
  type ExportStorage,
  type OwnExports,
} from '../../src/exports/index.ts';
import { createFeeds } from '../../src/feeds/index.ts';
import { createLog } from '../../src/log.ts';
import { readLogState } from '../../src/records/index.ts';
import { buildSnapshot } from '../../src/search/index.ts';
import { createRandom, NOW, PUBLIC_URL, randomDirectory } from '../search/random-directory.ts';
import { DEFAULT_ENGINE, openTestStore, type TestStore, temporaryFolder } from '../support/database/store.ts';
import { type Customer, EVERYTHING, until } from '../support/rigs/exports.ts';

const { folder, remove } = temporaryFolder();
afterAll(remove);

let opened: TestStore;
let runner: ExportRunner;
let own: OwnExports;
let ada: Owner;
/** What threads were to get a snapshot through. None does: an export that has begun to write takes for ever. */
let begun: MessagePort[];
let epoch: string;
beforeEach(async () => {
  opened = await openTestStore();
  const { db } = opened.store;
  begun = [];
  ({ epoch } = await readLogState(db));
  own = createOwnExports({ db, feeds: createFeeds({ db }) });
  ada = await createOwner('ada');
});
afterEach(async () => {
  await runner.close();
  await opened.dispose();
});

type Owner = Omit<Customer, 'key'>;

async function createOwner(name: string): Promise<Owner> {
  const { db } = opened.store;
  const email = `${name}@exports.example`;
  const account = await createAccounts({ db }).createAccount({ email, tier: 'enterprise' });
  if (!account.ok) throw new Error(account.detail);
  await createAccounts({ db }).createKey({ email });
  return { accountId: account.id, actor: { id: account.id, name: email } };
}

async function openRunner({ caughtUp = async () => {}, fetch }: { caughtUp?(): Promise<void>; fetch?: ExportStorage['fetch'] }) {
  const { store } = opened;
  const { db } = store;
  const made = buildSnapshot(randomDirectory(createRandom(1), 20), NOW, PUBLIC_URL);
  const { history } = await readLogState(db);
  const snapshot: typeof made = Object.create(made, { history: { value: history } });
  const storage = createLocalStorage(join(folder, 'ready'));
  runner = createExportRunner({
    db,
    commitWatcher: store.createCommitWatcher(),
    withSearch: (work) => work({ current: () => snapshot, relay: (port) => void begun.push(port), caughtUp }),
    feeds: createFeeds({ db }),
    storage: { ...storage, ...(fetch && { fetch }) },
    workFolder: join(folder, 'begun'),
    key: createSigningKey('secret'),
    now: Date.now,
    log: createLog('silent'),
  });
}

/** When `isThere` says so, the export that runs is cancelled. Resolves when the runner has nothing to do any more. */
async function cancelWhen(isThere: () => boolean): Promise<void> {
  await runner.look();
  const id = await until(async () => {
    const [newest] = (await own.list(ada.accountId, { limit: 1, offset: 0 })).exports;
    return isThere() && newest?.state === 'running' && newest.id;
  });
  await own.cancel(ada, id);
  await runner.onIdle();
  expect((await own.list(ada.accountId, { limit: 1, offset: 0 })).exports[0]?.state).toBe('cancelled');
}

it('stops, and leaves no file', async () => {
  await openRunner({});
  await own.create(ada, EVERYTHING);
  // Without the cancellation, the export would go on forever.
  await cancelWhen(() => begun.length > 0);
  expect(readdirSync(join(folder, 'begun'))).toEqual([]);
  expect(existsSync(join(folder, 'ready'))).toBe(false);
});

it('does not wait for a read model that stays behind', async () => {
  let isWaiting = false;
  await openRunner({
    caughtUp() {
      isWaiting = true;
      return new Promise(() => {});
    },
  });
  await own.create(ada, EVERYTHING);
  await cancelWhen(() => isWaiting);
  // It would have begun to write when its patience was over.
  expect(begun.length).toBe(0);
});

it('does not wait for a storage that is silent', async () => {
  let isWaiting = false;
  await openRunner({
    fetch(_folder, _name, signal) {
      isWaiting = true;
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
  });
  const created = await own.create(ada, { ...EVERYTHING, repeat: 'hourly' });
  if (!created.ok) throw new Error(created.detail);
  // What the increment follows.
  await opened.store.db
    .insertInto('export')
    .values({
      ...{ id: '01890a5d-ac96-774b-bcce-b302099a8057', request_id: created.requestId, account_id: ada.accountId },
      ...{
        state: 'ready',
        queued_at: new Date(),
        finished_at: new Date(),
        is_full: true,
        expires_at: new Date(Date.now() + 60_000),
      },
      manifest: JSON.stringify({ epoch, query: null, sequence: 0 }),
    })
    .execute();
  await cancelWhen(() => isWaiting);
});

it('is written beside one other at most, also where two ends are noticed at once', async () => {
  await openRunner({});
  for (const owner of [ada, await createOwner('ben'), await createOwner('eve')]) await own.create(owner, EVERYTHING);
  await Promise.all([runner.look(), runner.look()]);
  const running = await opened.store.db.selectFrom('export').select('id').where('state', '=', 'running').execute();
  expect(running).toHaveLength(2);
});

// The embedded engine has one connection: there nobody claims while another one changes.
if (DEFAULT_ENGINE === 'postgres') {
  it.each(['cancelled', 'ready'])('is not begun by a worker that sees it waiting while it becomes %s', async (state) => {
    const { db } = opened.store;
    await openRunner({});
    await own.create(ada, EVERYTHING);
    // Its worker was away for longer than its lease.
    if (state === 'ready')
      await db
        .updateTable('export')
        .set({ state: 'running', lease_until: new Date(0) })
        .execute();
    let looking: Promise<void> | undefined;
    await db.transaction().execute(async (trx) => {
      await trx.updateTable('export').set({ state }).execute();
      looking = runner.look();
      await until(async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(trx);
        return rows.length > 0;
      });
    });
    await looking;
    expect((await db.selectFrom('export').select(['state', 'attempts']).execute())[0]).toEqual({ state, attempts: 0 });
    expect(begun).toEqual([]);
  });
}
