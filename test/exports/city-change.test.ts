/** An export is of one history of the change log: its records are printed as the epoch in its manifest says. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import {
  createExportRunner,
  createLocalStorage,
  createOwnExports,
  createSigningKey,
  type ExportRunner,
  type Manifest,
} from '../../src/exports/index.ts';
import { createFeeds } from '../../src/feeds/index.ts';
import { createLog } from '../../src/log.ts';
import { readLogState, recordChanges, writeCity } from '../../src/records/index.ts';
import { buildSearch, type Search } from '../../src/search/index.ts';
import { transact } from '../../src/store/index.ts';
import { createRandom, NOW, PUBLIC_URL, type RandomDirectory, randomDirectory } from '../search/random-directory.ts';
import { openTestStore, type TestStore, temporaryFolder } from '../support/database/store.ts';
import { EVERYTHING } from '../support/rigs/exports.ts';

let place: ReturnType<typeof temporaryFolder>;
let opened: TestStore;
let runner: ExportRunner;
beforeEach(async () => {
  place = temporaryFolder();
  opened = await openTestStore();
});
afterEach(async () => {
  await runner?.close();
  await opened.dispose();
  place.remove();
});

/** Writes the city; gives the directory as a read model shows it from then on. */
async function moveTo(timezone: string, rows: RandomDirectory): Promise<Pick<Search, 'current' | 'relay'>> {
  const { db } = opened.store;
  const city = { ...rows.city, timezone };
  await transact(db, async (trx) => recordChanges(trx, await writeCity(trx, city), NOW));
  const { head, history } = await readLogState(db);
  const built = buildSearch({ ...rows, city, seq: head }, NOW, PUBLIC_URL);
  return { ...built, current: () => Object.create(built.current(), { history: { value: history } }) };
}

it('starts over with the next read model if the city changes while one is being loaded', async () => {
  const { store } = opened;
  const { db } = store;
  const rows = randomDirectory(createRandom(1), 20);
  let search = await moveTo('America/New_York', rows);
  let next: typeof search | undefined;
  runner = createExportRunner({
    db,
    commitWatcher: store.createCommitWatcher(),
    withSearch: (work) =>
      work({
        current: () => search.current(),
        relay: (port) => search.relay(port),
        async caughtUp() {
          // The change comes when the export has asked how long the log is.
          if (!next) next = await moveTo('Asia/Tokyo', rows);
          else search = next;
        },
      }),
    feeds: createFeeds({ db }),
    storage: createLocalStorage(join(place.folder, 'ready')),
    workFolder: join(place.folder, 'begun'),
    key: createSigningKey('secret'),
    now: () => NOW,
    log: createLog('silent'),
  });
  const email = 'ada@exports.example';
  const account = await createAccounts({ db }).createAccount({ email, tier: 'enterprise' });
  if (!account.ok) throw new Error(account.detail);
  await createAccounts({ db }).createKey({ email });
  const own = createOwnExports({ db, feeds: createFeeds({ db }) });
  await own.create({ accountId: account.id, actor: { id: account.id, name: email } }, EVERYTHING);
  await runner.look();
  await runner.onIdle();

  const { id, state, attempts, manifest: text } = await db.selectFrom('export').selectAll().executeTakeFirstOrThrow();
  expect({ state, attempts }).toEqual({ state: 'ready', attempts: 1 });
  const manifest: Manifest = JSON.parse(text ?? '');
  const { epoch, head } = await readLogState(db);
  expect([manifest.epoch, manifest.sequence, manifest.city?.timezone]).toEqual([epoch, head, 'Asia/Tokyo']);
  const events = readFileSync(join(place.folder, 'ready', `${id}-1`, 'events-00001.ndjson'), 'utf8')
    .trimEnd()
    .split('\n');
  for (const event of events) expect(JSON.parse(event).startDatetime).toMatch(/\+09:00$/);
  expect(events.length).toBeGreaterThan(5);
});
