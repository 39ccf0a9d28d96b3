/** The worker thread in which the embedded engine lives, from its first message (`ready` or `failed`) to `close`. */

import { fsyncSync, rmSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { readFileLimit } from '../../file-limit.ts';
import { printWarnings } from '../../log.ts';
import { NO_LIST_MARK, openCommitCount } from './commit-count.ts';
import { makeDatabase, markRunning } from './database-folder.ts';
import { openPglite, pgliteBackend } from './durable-pglite.ts';
import { runMaintenance } from './maintenance.ts';
import { openMultiplexer } from './multiplexer.ts';
import { isStatementBeginning } from './wire.ts';

export interface EngineWorkerData {
  databaseFolder: string;
  socketPath: string;
  /** See `commit-count.ts`. */
  commits: SharedArrayBuffer;
}

export type EngineReport =
  | { kind: 'ready' }
  | { kind: 'failed'; reason: string }
  | { kind: 'broken'; reason: string }
  | { kind: 'trouble'; reason: string };

/** Below `PLENTY` the engine closes tables that it has not read lately. */
const PLENTY = 512;
const FEW_FILES = 64;

printWarnings();
const { databaseFolder, socketPath, commits } = workerData as EngineWorkerData;
const commitCount = openCommitCount(commits);
let synced = false;
const report = (message: EngineReport) => parentPort?.postMessage(message);
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** A commit is synced before it is acknowledged, so a unit without a sync has committed nothing. */
function countCommit(unit: Buffer): void {
  if (synced && !isStatementBeginning(unit, NO_LIST_MARK)) commitCount.committed();
  synced = false;
}

/** A broken engine is given up at once, with its connections: whoever starts it again recovers from the log. */
function giveUp(reason: string): void {
  report({ kind: 'broken', reason });
  process.exit(1);
}

try {
  await makeDatabase(databaseFolder);
  const unmarkRunning = markRunning(databaseFolder);
  const db = await openPglite({
    directory: databaseFolder,
    maxFiles: (readFileLimit() ?? PLENTY) < PLENTY ? FEW_FILES : undefined,
    onAbort: () => giveUp('PostgreSQL stopped in a panic'),
    fsync(fileDescriptor) {
      fsyncSync(fileDescriptor);
      synced = true;
    },
  });
  rmSync(socketPath, { force: true });
  const multiplexer = await openMultiplexer({
    socketPath,
    onBroken: (error) => giveUp(reasonOf(error)),
    backend: pgliteBackend(db),
    onUnit: countCommit,
  });
  const endHousekeeping = runMaintenance({
    db,
    multiplexer,
    onError: (error) => report({ kind: 'trouble', reason: reasonOf(error) }),
  });
  parentPort?.once('message', async () => {
    await multiplexer.close();
    await endHousekeeping();
    await db.close();
    unmarkRunning();
    process.exit(0);
  });
  report({ kind: 'ready' });
} catch (error) {
  report({ kind: 'failed', reason: reasonOf(error) });
  process.exitCode = 1;
  parentPort?.close();
}
