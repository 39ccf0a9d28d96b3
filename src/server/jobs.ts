/** Everything a worker does by the clock, in one table, and what runs it. docs/operations.md has the same table; a test compares both. */

import { cleanUpUsage, sendTrialEmails } from '../accounts/index.ts';
import { makeDueBackup } from '../backup/index.ts';
import type { ExportRunner } from '../exports/index.ts';
import { rescore, type SourceJobs, unlistSilent } from '../ingest/index.ts';
import { sendReportOutcomes, type WordOutcome } from '../reports/index.ts';
import { cleanUp } from '../retention/index.ts';
import type { Services } from '../services.ts';
import { limitQueries } from '../store/index.ts';
import { traceWork } from '../telemetry/index.ts';
import { withTimeout } from '../values/waiting/with-timeout.ts';
import { lookAfterWebhooks } from '../webhooks/index.ts';

/** Jobs that must run once among many workers take turns by a lease of their own in the database. */
export interface Job {
  name: string;
  /** In seconds. */
  every: number;
  /** One sentence for operators. */
  does: string;
  /** Also runs once when the process starts: what is due must not wait. */
  atStart?: true;
  run(parts: JobParts): Promise<unknown>;
}

export interface JobParts extends Services {
  sources: SourceJobs;
  /** What operators have decided in review. */
  applyDecisions(signal: AbortSignal): Promise<unknown>;
  exports: ExportRunner;
  wordOutcome: WordOutcome;
  /** When the process ends. */
  signal: AbortSignal;
}

export const JOBS: readonly Job[] = [
  {
    name: 'run due sources',
    every: 15,
    does: 'Starts a run of each source that is due.',
    run: ({ sources }) => sources.look(),
  },
  {
    name: 'write exports',
    every: 2,
    does: 'Starts exports that wait or are due, continues exports of processes that died, and deletes expired files.',
    run: ({ exports }) => exports.look(),
  },
  {
    name: 'apply decisions',
    every: 2,
    does: 'Merges and splits events and venues as operators have decided in review.',
    run: ({ applyDecisions, signal }) => applyDecisions(signal),
  },
  {
    name: 'rescore',
    every: 3600,
    does: 'Computes the scores of all upcoming events again, because scores depend on the time until the start.',
    run: ({ store, config }) => rescore({ store, now: config.clocks.directory }),
  },
  {
    name: 'unlist stale events',
    every: 3600,
    does: 'Removes events from the lists that no source has listed for three days.',
    run: ({ store, config }) => unlistSilent({ store, now: config.clocks.directory }),
  },
  {
    name: 'add up usage',
    every: 600,
    does: 'Adds finished hours to days.',
    run: ({ store, config }) => cleanUpUsage({ db: store.db, now: config.clocks.limits }),
  },
  {
    name: 'send emails about trials',
    every: 300,
    does: 'Tells accounts three days and one day before their trial ends, and when it has ended.',
    atStart: true,
    run: ({ store, mailer, publicUrl, config, log }) =>
      sendTrialEmails({ db: store.db, mailer, publicUrl, now: config.clocks.directory, log }),
  },
  {
    name: 'end payments of closed accounts',
    every: 60,
    does: 'Cancels the payments of closed accounts.',
    run: ({ billing }) => billing.releaseClosed(),
  },
  {
    name: 'check payments',
    every: 60,
    does: 'Compares plans with the payments.',
    run: ({ billing }) => billing.reconcile(),
  },
  {
    name: 'check webhooks',
    every: 60,
    does: 'Warns owners of failing endpoints, and disables them after five days. Stops endpoints whose plan has ended. Reports quotas and expiring keys.',
    run: ({ store, mailer, publicUrl, config, log }) =>
      lookAfterWebhooks({ db: store.db, mailer, publicUrl, clocks: config.clocks, log }),
  },
  {
    name: 'send outcomes of reports',
    every: 60,
    does: 'Tells readers who left an address what became of the problem that they reported, and deletes the address.',
    run: ({ store, mailer, wordOutcome, publicUrl, log }) =>
      sendReportOutcomes({ db: store.db, mailer, wordOutcome, publicUrl, log }),
  },
  {
    name: 'back up',
    every: 60,
    does: 'Makes a backup if one is due, reads it again where it was written, and deletes old ones (with `MARQUEE_BACKUP_URL`).',
    atStart: true,
    run: backUpIfDue,
  },
  {
    name: 'clean up',
    every: 3600,
    does: 'Deletes data that is older than its retention rule allows.',
    run: cleanUpNow,
  },
];

async function backUpIfDue({ config, log, store: { db }, secret, signal }: JobParts): Promise<void> {
  const { backups: plan, dataDir, databaseUrl, clocks } = config;
  if (!plan) return;
  const store = { dataDir, databaseUrl: databaseUrl ?? undefined };
  await makeDueBackup({ db, plan, store, secret, now: clocks.limits, log }, signal);
}

/** A clock that was set ahead of time deletes nothing early. */
function cleanUpNow({ config, log, store: { db }, signal }: JobParts) {
  const { dataDir, clocks } = config;
  const machine = Date.now();
  const moments = { machine, directory: Math.min(clocks.directory(), machine), limits: Math.min(clocks.limits(), machine) };
  return cleanUp({ db, dataDir, moments, log, signal });
}

/**
 * Each process that works runs each job by its own timer. A job waits for its last run; a failed run is logged and tried again at its
 * next time. Gives what ends them, after their last runs. One that waits for a silent network is left behind: nothing of it was committed.
 */
export function startJobs(parts: Omit<JobParts, 'signal'>): () => Promise<void> {
  const ending = new AbortController();
  const { log, telemetry } = parts;
  const stops = JOBS.map(({ name, every, atStart, run }) => {
    let running: Promise<unknown> | null = null;
    const span = { name: `job ${name}`, attributes: { 'marquee.job': name } };
    const runJob = () => {
      const work = () => Promise.try(run, { ...parts, signal: ending.signal });
      running ??= limitQueries(QUERY_MS, () => traceWork(telemetry.tracing, span, work))
        .catch((err: unknown) => log.error({ err, job: name }, 'a job failed'))
        .finally(() => {
          running = null;
        });
    };
    const timer = setInterval(runJob, every * 1000);
    if (atStart) runJob();
    return async () => {
      clearInterval(timer);
      if (running) await withTimeout(running, END_MS, () => {});
    };
  });
  return async () => {
    ending.abort();
    await Promise.all(stops.map((stop) => stop()));
  };
}

/** On a server: longer than any statement of a job takes. */
const QUERY_MS = 30_000;
const END_MS = 10_000;
