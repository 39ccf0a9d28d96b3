/** The process of a run. Started by `runInProcess`; is told a `ProcessTask`. */

import { openGeocoder } from '../addresses/index.ts';
import { createClocks } from '../clock.ts';
import { openOutbound } from '../outbound/index.ts';
import { openReader } from '../providers/index.ts';
import { openStore, type Store, StoreError } from '../store/index.ts';
import { serveTask, type TaskFailure } from '../task-process.ts';
import { noteQuery } from '../telemetry/index.ts';
import { answerHere, findAddress } from './curation/answer-places.ts';
import { doManualWork } from './curation/manual-merge.ts';
import { applyUnlessBusy } from './curation/review-candidates.ts';
import { IngestError } from './ingest-error.ts';
import { runSource } from './run/run-source.ts';
import type { ProcessTask, RunNews } from './run-in-process.ts';
import { undoRun } from './undo-run.ts';

function failureOf(error: unknown): TaskFailure {
  const { message } = error as Error;
  // What stops a run has no full stop at its end.
  if (error instanceof StoreError) return { code: 'store_refused', message: message.replace(/\.$/, '') };
  return { code: error instanceof IngestError ? error.code : null, message };
}

async function perform(task: ProcessTask, store: Store, tell: (news: RunNews) => void) {
  const { directory: now, limits } = createClocks(task.nowSetting);
  if ('undo' in task) return undoRun({ store, id: task.undo, now });
  if ('decisions' in task) return applyUnlessBusy({ store, now });
  if ('here' in task) return answerHere({ ...task.here, store, now: now() });
  if ('address' in task) return findAddress({ db: store.db }, task.address);
  if ('hand' in task) return doManualWork(task.hand, { store, now, patienceMs: task.patienceMs });
  const outbound = openOutbound({ allowedHosts: task.allowedHosts, userAgent: task.userAgent });
  const { geocoder: address, userAgent } = task;
  const geocoder = address && openGeocoder({ db: store.db, address, userAgent, now: limits });
  const reader = openReader();
  try {
    return await runSource({
      store,
      name: task.name,
      outbound,
      read: reader.read,
      readPage: reader.readPage,
      geocoder,
      now,
      keyOf: (setting) => task.providerKeys[setting] ?? null,
      onProgress: (progress) => tell({ progress }),
      ...(task.isTraced && { onStep: (step) => tell({ step }) }),
    });
  } finally {
    await reader.close();
    await geocoder?.close();
    await outbound.close();
  }
}

serveTask<ProcessTask, RunNews>(async (task, tell) => {
  const isTraced = 'isTraced' in task && task.isTraced;
  const store = await openStore({ ...task.store, onOlder: 'refuse', ...(isTraced && { onQuery: noteQuery }) });
  try {
    return await perform(task, store, tell);
  } finally {
    await store.close();
  }
}, failureOf);
