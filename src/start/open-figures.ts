/** The figures of a process: for Prometheus on a listener of their own, and for a collector if one is set. */

import type { RedisLimits } from '../accounts/index.ts';
import { createMetrics, type Metrics } from '../api/index.ts';
import { loadBackupState } from '../backup/index.ts';
import type { Config } from '../config.ts';
import { listSources } from '../ingest/index.ts';
import type { Search } from '../search/index.ts';
import { refusedPort } from '../server/index.ts';
import type { Services } from '../services.ts';
import { limitQueries, type Store } from '../store/index.ts';

/** `search` and `redis`: of an API process. */
export async function openFigures(services: Services, search: Search | null, redis: RedisLimits | null): Promise<Metrics> {
  const { config, store, telemetry, onClose } = services;
  const metrics = createMetrics({
    ...(search && { freshness: search.freshness }),
    sources: () => limitQueries(READ_MS, () => listSources({ store })),
    isDamaged: () => store.damage.last() !== null,
    backups: backupFigures(config, store),
    limits: redis?.figures,
  });
  await listenForMetrics(services, metrics);
  onClose(metrics.close);
  telemetry.sendMetrics(metrics.readAll);
  return metrics;
}

function backupFigures({ backups, clocks }: Config, { db }: Store) {
  if (!backups) return undefined;
  const { placeName, everyMs } = backups;
  return async () => ({ ...(await limitQueries(READ_MS, () => loadBackupState(db, placeName, clocks.limits()))), everyMs });
}

/** The default port may be taken by another service on this machine; one that was asked for may not. */
async function listenForMetrics({ config, log }: Services, metrics: Metrics): Promise<void> {
  if (!config.metrics) return;
  const { port, fixed } = config.metrics;
  const listening = metrics.listen(port).catch((error: unknown) => {
    if (fixed) throw refusedPort(error, '127.0.0.1', port, 'MARQUEE_METRICS_PORT');
    return metrics.listen(0);
  });
  log.info({ port: await listening }, 'metrics on loopback');
}

/** On a server: the next reading goes over another connection than one that a silent network has lost. */
const READ_MS = 2_500;
