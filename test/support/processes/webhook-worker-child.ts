/** A worker that sends webhooks, in a process of its own: it is killed. Takes `{ store, hosts, secret, publicUrl }` as JSON. */

import { createLog } from '../../../src/log.ts';
import { openOutbound } from '../../../src/outbound/index.ts';
import { loadDirectory } from '../../../src/search/directory/follow-directory.ts';
import { openSnapshot } from '../../../src/search/open-snapshot.ts';
import { createSnapshotBuilder } from '../../../src/search/snapshot/snapshot-builder.ts';
import { openStore, type StoreOptions } from '../../../src/store/index.ts';
import { openWebhooks, WEBHOOK_LIMITS } from '../../../src/webhooks/index.ts';

const { options, hosts, secret, publicUrl, leaseMs, journalFolder } = JSON.parse(process.argv[2] ?? '') as {
  options: StoreOptions;
  hosts: string[];
  secret: string;
  publicUrl: string;
  leaseMs: number;
  /** Where results are noted. */
  journalFolder: string;
};
const log = createLog('error');
const store = await openStore({ ...options, log });
const snapshot = openSnapshot(createSnapshotBuilder(await loadDirectory(store.db, publicUrl)).build(Date.now(), Date.now()));
const clocks = { directory: Date.now, limits: Date.now };
const outbound = openOutbound({ allowedHosts: hosts, limits: WEBHOOK_LIMITS });
await openWebhooks({
  store,
  outbound,
  search: async () => ({ current: () => snapshot }),
  secret,
  publicUrl,
  clocks,
  dataDir: journalFolder,
  log,
  leaseMs,
});
process.send?.('sending');
// It must not outlive the test that started it.
process.on('disconnect', () => process.exit());
setInterval(() => {}, 60_000);
