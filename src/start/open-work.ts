/** Opens what works by the clock in this process: exports, webhooks, and the table of jobs. */

import { join } from 'node:path';
import type { Config } from '../config.ts';
import {
  createExportRunner,
  createLocalStorage,
  createS3Storage,
  createSigningKey,
  type ExportRunner,
  type ExportStorage,
} from '../exports/index.ts';
import { createFeeds } from '../feeds/index.ts';
import { applyDecisionsInProcess, createDecisionJob, type SourceJobs } from '../ingest/index.ts';
import { startSubscriptionSender } from '../mcp/index.ts';
import { openOutbound } from '../outbound/index.ts';
import { runPlace } from '../run-place.ts';
import { beginSearch, type Search } from '../search/index.ts';
import { startJobs } from '../server/index.ts';
import type { Services } from '../services.ts';
import { wordOutcome } from '../web/index.ts';
import { lookAfterWebhooks, openWebhooks, tell, WEBHOOK_LIMITS } from '../webhooks/index.ts';

export async function openWork(services: Services, sources: SourceJobs): Promise<void> {
  const { config, store, onClose } = services;
  const exports = openExportRunner(services);
  onClose(exports.close);
  await openSending(services);
  const applyDecisions = createDecisionJob({
    store,
    apply: (signal) => applyDecisionsInProcess(runPlace(config), { signal }),
  });
  onClose(startJobs({ ...services, sources, applyDecisions, exports, wordOutcome }));
}

/** A process without a read model opens one for each export. */
function openExportRunner({ config, log, store, publicUrl, secret, openSearch }: Services): ExportRunner {
  const now = config.clocks.directory;
  return createExportRunner({
    db: store.db,
    commitWatcher: store.createCommitWatcher(),
    async withSearch(work) {
      if (openSearch) return await work(await openSearch());
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

/** Where the files of exports are. */
export function storageOf({ dataDir, exportPlace }: Config): ExportStorage {
  if (exportPlace) return createS3Storage(exportPlace, join(dataDir, 'exports', 'fetched'));
  return createLocalStorage(join(dataDir, 'exports', 'ready'));
}

/** What sends webhooks. A process without a read model opens one when there is somebody to tell. */
async function openSending({ config, log, store, mailer, publicUrl, secret, telemetry, openSearch, onClose }: Services) {
  const { allowedHosts, userAgent, clocks, nowSetting, dataDir } = config;
  const outbound = openOutbound({ allowedHosts, userAgent, limits: WEBHOOK_LIMITS, now: clocks.limits });
  let own: Promise<Search> | null = null;
  const openOwn = (): Promise<Search> => {
    if (own) return own;
    const opening = beginSearch({ dataDir: undefined, publicUrl, nowSetting, log }).open(store.address);
    own = opening;
    // One that could not be opened is tried again.
    opening.catch(() => {
      own = null;
    });
    return opening;
  };
  const parts = { store, outbound, publicUrl, clocks, log, secret, search: openSearch ?? openOwn };
  const lookAfter = () => lookAfterWebhooks({ db: store.db, mailer, publicUrl, clocks, log });
  const webhooks = await openWebhooks({
    ...parts,
    dataDir,
    tracing: telemetry.tracing,
    onDisabled: () => void lookAfter().catch((err: unknown) => log.error({ err }, 'cannot maintain the webhooks')),
  }).catch(async (error: unknown) => {
    await outbound.close();
    throw error;
  });
  const subscriptions = startSubscriptionSender(parts);
  onClose(async () => {
    await subscriptions.close();
    await webhooks.close();
    await outbound.close();
    await (await own?.catch(() => null))?.close();
  });
}
