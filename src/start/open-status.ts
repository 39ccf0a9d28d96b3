/** Opens what tells the public how this process is doing. */

import { API_PREFIX } from '../api/index.ts';
import { backupDelay, loadBackupState } from '../backup/index.ts';
import type { BackupPlan } from '../backup-plan.ts';
import { loadExportDelay } from '../exports/index.ts';
import { loadCredits, overseeSources } from '../ingest/index.ts';
import { loadMailDelay } from '../mail/index.ts';
import { loadLastChangeTime } from '../records/index.ts';
import type { ApiServices } from '../services.ts';
import { type BackupAge, openStatus, type ServiceStatus, type SourceFreshness, type SurfaceName } from '../status/index.ts';
import type { Store } from '../store/index.ts';
import { loadDeliveryDelay } from '../webhooks/index.ts';

export function openServiceStatus({ config, log, store, search, metrics, redis }: ApiServices): ServiceStatus {
  const { db } = store;
  const { clocks, backups } = config;
  return openStatus({
    db,
    clocks,
    log,
    readTotals: (surface) => metrics.totals(ROUTES_OF[surface]),
    readDirectory() {
      const { counts } = search.current();
      const { builtAt, seq, headSeq } = search.freshness();
      return { events: counts.events, venues: counts.venues, builtAt, behind: Math.max(0, headSeq - seq) };
    },
    ...(redis && { sharesLimits: () => redis.figures().isShared }),
    damagedSince: () => store.damage.last()?.since ?? null,
    loadChangedAt: () => loadLastChangeTime(db),
    loadCredits: () => loadCredits(db),
    loadSources: () => loadFreshness(store, clocks.directory()),
    ...(backups && { loadBackups: () => loadBackupAge(db, backups, clocks.limits()) }),
    delays: {
      ...(backups && { backups: () => loadBackupDelay(db, backups, clocks.limits()) }),
      mail: () => loadMailDelay(config, Date.now()),
      webhooks: () => loadDeliveryDelay(db, clocks.limits()),
      exports: () => loadExportDelay(db, clocks.directory()),
    },
  });
}

async function loadBackupAge(db: Store['db'], { placeName, everyMs }: BackupPlan, now: number): Promise<BackupAge> {
  const { newestAt } = await loadBackupState(db, placeName, now);
  const ageSeconds = newestAt === null ? null : Math.max(0, Math.round((now - newestAt) / 1000));
  return { newestAt, ageSeconds, everySeconds: everyMs / 1000 };
}

const loadBackupDelay = async (db: Store['db'], { placeName, everyMs }: BackupPlan, now: number): Promise<number> =>
  backupDelay(await loadBackupState(db, placeName, now), everyMs, now);

/** Names are the operator's; addresses and errors stay at the desk. */
async function loadFreshness(store: Store, now: number): Promise<SourceFreshness[]> {
  const sources = await overseeSources({ store, now });
  return sources
    .map(
      ({ name, condition, lastOkAt, everySeconds }): SourceFreshness => ({
        name,
        state: condition === 'well' || condition === 'running' || condition === 'waiting' ? 'current' : condition,
        readAt: lastOkAt,
        ageSeconds: lastOkAt === null ? null : Math.max(0, Math.round((now - lastOkAt) / 1000)),
        everySeconds,
      }),
    )
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

const ROUTES_OF: Readonly<Record<SurfaceName, (route: string) => boolean>> = {
  api: (route) => route.startsWith(`${API_PREFIX}/`),
  pages: (route) => route === '/' || route === '/*',
  mcp: (route) => route === '/mcp',
};
