/** Opens what exports need in this process: their files, and the worker that writes them. */

import { join } from 'node:path';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import {
  createDownloadRoutes,
  createExportRunner,
  createLocalStorage,
  createS3Storage,
  createSigningKey,
  createUrlSigner,
  type ExportRunner,
  type ExportStorage,
} from '../exports/index.ts';
import { createFeeds } from '../feeds/index.ts';
import { beginSearch, type Search } from '../search/index.ts';
import type { Store } from '../store/index.ts';
import { tell } from '../webhooks/index.ts';

export interface ExportParts {
  store: Store;
  publicUrl: string;
  /** See `readSecret`. */
  secret: string;
}

/** The routes of downloads, once it is known how the server refuses. */
export function openDownloads({ config, log }: Context, { store, publicUrl, secret }: ExportParts) {
  return (refuse: Parameters<typeof createDownloadRoutes>[0]['refuse']) =>
    createDownloadRoutes({
      db: store.db,
      storage: storageOf(config),
      signer: createUrlSigner(secret),
      key: createSigningKey(secret),
      publicUrl,
      now: config.clocks.directory,
      log,
      refuse,
    });
}

/** `search`: of this process; null where it has none, and one is opened for each export. */
export function openExportRunner(
  { config, log }: Context,
  { store, publicUrl, secret }: ExportParts,
  search: (() => Promise<Search>) | null,
): ExportRunner {
  const now = config.clocks.directory;
  return createExportRunner({
    db: store.db,
    commitWatcher: store.createCommitWatcher(),
    async withSearch(work) {
      if (search) return await work(await search());
      const opened = await beginSearch({ dataDir: undefined, publicUrl, nowSetting: config.nowSetting, log }).open(store.address);
      return await work(opened).finally(opened.close);
    },
    feeds: createFeeds({ db: store.db, now }),
    storage: storageOf(config),
    workFolder: join(config.dataDir, 'exports', 'begun'),
    key: createSigningKey(secret),
    now,
    log,
    onReady: (trx, { accountId, exportId, rows, bytes }) =>
      tell(trx, accountId, { type: 'export.ready', data: { exportId, rows, bytes }, now: config.clocks.limits() }),
  });
}

function storageOf({ dataDir, exportPlace }: Config): ExportStorage {
  if (exportPlace) return createS3Storage(exportPlace, join(dataDir, 'exports', 'fetched'));
  return createLocalStorage(join(dataDir, 'exports', 'ready'));
}
