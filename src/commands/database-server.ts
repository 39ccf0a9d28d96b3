/** `doctor`: whether a PostgreSQL server is set up as Marquee needs it. */

import { countServingProcesses } from '../accounts/index.ts';
import { probeServer, readServerFacts, readStandbys, type ServerFacts, type StandbyFacts, type Store } from '../store/index.ts';
import { parseDatabaseUrl } from '../values/database-url.ts';

/** Lines to print: a name, and what there is to say. What is wrong is in capital letters. None for an embedded database. */
export async function describeDatabaseServer({ db, kind }: Store, databaseUrl: string | null): Promise<[string, string][]> {
  if (kind === 'embedded' || databaseUrl === null) return [];
  const facts = await readServerFacts(db);
  const { all } = await countServingProcesses(db);
  const servers = parseDatabaseUrl(databaseUrl);
  const urls = typeof servers === 'string' ? [] : servers.urls;
  return [
    ['server', describeServer(facts)],
    ['clock', describeClock(facts.clockAheadMs)],
    ['connections', describeConnections(facts, all)],
    ['checksums', describeChecksums(facts)],
    ['commits', describeCommits(facts, urls.length > 1)],
    ['standbys', describeStandbys(await readStandbys(db))],
    ...(urls.length > 1 ? [['servers', await describeServers(urls)] as [string, string]] : []),
  ];
}

export function describeServer({
  version,
  isStandby,
  replayAgeSeconds,
  defaultReadOnly,
  idleSessionTimeoutMs,
}: ServerFacts): string {
  const faults = [
    isStandby && `IS A STANDBY, ${(replayAgeSeconds ?? 0).toFixed(0)} s behind; Marquee needs the primary`,
    !isStandby && defaultReadOnly && 'default_transaction_read_only IS ON; nothing can be written',
    idleSessionTimeoutMs > 0 &&
      idleSessionTimeoutMs < POOL_IDLE_MS &&
      `idle_session_timeout is ${idleSessionTimeoutMs / 1000} s; sessions are opened again more often than needed`,
  ];
  return [`PostgreSQL ${version}`, ...faults.filter((fault) => fault !== false)].join('; ');
}

export function describeClock(aheadMs: number): string {
  const seconds = Math.abs(aheadMs) / 1000;
  const skew = `${seconds.toFixed(1)} s ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine`;
  return seconds < MAX_SKEW_SECONDS ? `of the server: ${skew}` : `of the server IS ${skew}; set both by NTP`;
}

export function describeConnections({ maxConnections, openConnections }: ServerFacts, serving: number): string {
  const needed = Math.max(1, serving) * API_CONNECTIONS + WORKER_CONNECTIONS;
  const facts = `${openConnections} open of ${maxConnections}; ${Math.max(1, serving)} serving and 1 worker open up to ${needed}`;
  return needed <= maxConnections ? facts : `${facts}; max_connections IS TOO SMALL`;
}

export function describeCommits({ fsync, synchronousCommit, synchronousStandbys }: ServerFacts, hasSeveral: boolean): string {
  if (!fsync) return 'fsync IS OFF; a crash of the machine loses or damages data';
  if (synchronousCommit === 'off') return 'synchronous_commit IS OFF; a crash loses the last acknowledged writes';
  const waitsForStandby = synchronousStandbys !== '' && synchronousCommit !== 'local';
  if (waitsForStandby) return `are on disk, and wait for standbys (${synchronousStandbys})`;
  return `are on disk${hasSeveral ? '; they wait for NO STANDBY, so a failover may lose the last ones' : ''}`;
}

export function describeChecksums({ hasChecksums, checksumFailures }: ServerFacts): string {
  if (!hasChecksums) return 'ARE OFF; damage to files is not noticed (pg_checksums --enable while the server is stopped)';
  return checksumFailures === 0
    ? 'are on; no page failed'
    : `are on; ${checksumFailures} PAGES FAILED: run marquee doctor --deep`;
}

export function describeStandbys(standbys: readonly StandbyFacts[]): string {
  return standbys.map(describeStandby).join('; ') || 'none';
}

function describeStandby({ name, syncState, lagBytes, lagSeconds }: StandbyFacts): string {
  if (syncState === null || lagBytes === null) return `${name}, lag visible only with the role pg_monitor`;
  const lag = `${(lagBytes / 1_048_576).toFixed(1)} MB, ${(lagSeconds ?? 0).toFixed(1)} s behind`;
  return `${name} (${syncState}), ${(lagSeconds ?? 0) < MAX_LAG_SECONDS ? lag : `${lag}: IT LAGS`}`;
}

async function describeServers(urls: readonly string[]): Promise<string> {
  const described = urls.map(async (url) => {
    const state = await probeServer(url).catch(() => null);
    const said = state
      ? state.acceptsWrites
        ? `primary (timeline ${state.timeline || 'unknown'})`
        : 'standby'
      : 'NOT REACHABLE';
    return { said, acceptsWrites: state?.acceptsWrites === true, host: new URL(url).host };
  });
  const servers = await Promise.all(described);
  const fault =
    servers.filter(({ acceptsWrites }) => acceptsWrites).length > 1 ? '; SEVERAL ACCEPT WRITES: stop the old primary' : '';
  return servers.map(({ host, said }) => `${host} ${said}`).join(', ') + fault;
}

/** As `docs/operations.md` says of processes. */
const API_CONNECTIONS = 25;
const WORKER_CONNECTIONS = 10;
/** After so long our pools close idle connections themselves. */
const POOL_IDLE_MS = 30_000;
/** Expiry of keys and leases of processes are told by clocks. */
const MAX_SKEW_SECONDS = 1;
const MAX_LAG_SECONDS = 10;
