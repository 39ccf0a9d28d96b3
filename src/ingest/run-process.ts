/** The thread of a run. Started by URL with `ThreadOptions`; answers with one `ThreadReport` and ends. */

import { parentPort, workerData } from 'node:worker_threads';
import { createClocks } from '../clock.ts';
import { openOutbound } from '../outbound/index.ts';
import { openReader } from '../providers/index.ts';
import { connectStore } from '../store/index.ts';
import { IngestError } from './ingest-error.ts';
import { runSource } from './run/run-source.ts';
import type { ThreadOptions, ThreadReport } from './run-in-thread.ts';

const { address, name, nowSetting, allowedHosts, providerKeys } = workerData as ThreadOptions;
const connection = connectStore(address);
const outbound = openOutbound({ allowedHosts });
const reader = openReader();
const tell = (report: ThreadReport) => parentPort?.postMessage(report);
try {
  const report = await runSource({
    store: connection,
    name,
    outbound,
    read: reader.read,
    keyOf: (setting) => providerKeys[setting] ?? null,
    now: createClocks(nowSetting).directory,
  });
  tell({ report });
} catch (error) {
  tell({ code: error instanceof IngestError ? error.code : null, message: (error as Error).message });
} finally {
  await reader.close();
  await outbound.close();
  await connection.close();
}
