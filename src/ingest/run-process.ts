/** The process of a run. Started by `runInProcess`; is told `ProcessOptions`, tells `ProcessReport`s, and ends with its parent. */

import { createClocks } from '../clock.ts';
import { openOutbound } from '../outbound/index.ts';
import { openReader } from '../providers/index.ts';
import { openStore } from '../store/index.ts';
import { IngestError } from './ingest-error.ts';
import { runSource } from './run/run-source.ts';
import type { ProcessOptions, ProcessReport } from './run-in-process.ts';

const tell = (report: ProcessReport) => process.send?.(report);
process.on('disconnect', () => process.exit());
// A signal of the terminal reaches the whole group; the parent decides what it means.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
// Listening keeps the process until the parent lets go: a report that is still under way is not lost.
process.on('message', async ({ store: place, name, nowSetting, allowedHosts, providerKeys }: ProcessOptions) => {
  const outbound = openOutbound({ allowedHosts });
  const reader = openReader();
  try {
    const store = await openStore(place);
    try {
      const report = await runSource({
        ...{ store, name, outbound, read: reader.read },
        keyOf: (setting) => providerKeys[setting] ?? null,
        now: createClocks(nowSetting).directory,
        onProgress: (progress) => tell({ kind: 'progress', progress }),
      });
      tell({ kind: 'done', report });
    } finally {
      await store.close();
    }
  } catch (error) {
    tell({ kind: 'failed', code: error instanceof IngestError ? error.code : null, message: (error as Error).message });
  } finally {
    await reader.close();
    await outbound.close();
  }
});
tell({ kind: 'ready' });
