/** The work of the builder's thread: a directory that follows the records, and a new snapshot whenever it has changed. */

import type { Kysely } from 'kysely';
import type { Clock } from '../../clock.ts';
import { renewLostHistory } from '../../records/index.ts';
import {
  ALWAYS_LOOK,
  type CommitWatcher,
  type Database,
  type Follower,
  followList,
  type ListPosition,
} from '../../store/index.ts';
import type { Directory } from '../directory/directory.ts';
import { loadDirectory, takeChanges } from '../directory/follow-directory.ts';
import type { SnapshotData, TrendData } from '../snapshot-data.ts';
import { type BuiltDirectory, createPublisher, toBeBuilt } from './publisher.ts';
import { createSavedSnapshots } from './saved-snapshots.ts';
import type { SavedDirectory } from './snapshot-file.ts';
import { createTrendRefresh } from './trend-refresh.ts';

/** What the builder tells the serving thread. */
export type BuilderReport =
  | { kind: 'snapshot'; data: SnapshotData; buildMs: number; sharedBytes: number }
  /** For the snapshot that was sent last. */
  | { kind: 'trends'; trends: TrendData; sharedBytes: number }
  /** The list has come to this number; the snapshot will follow. */
  | { kind: 'head'; seq: number }
  | { kind: 'log'; level: 'info' | 'warn' | 'error'; facts: object; message: string };

export interface BuilderOptions {
  db: Kysely<Database>;
  /** Says when looking for changes would find none; without it every poll asks. */
  commitWatcher?: CommitWatcher;
  /** Where snapshots are kept; undefined: nowhere. */
  file: string | undefined;
  /** What was there; null: nothing. Rejects when it cannot be read. Called once, at the beginning. */
  readSaved(): Promise<SavedDirectory | null> | null;
  /** Without a slash at its end. */
  publicUrl: string;
  /** Directory clock. */
  now: Clock;
  report(report: BuilderReport): void;
  /** How old trends may get before they are computed anew. */
  refreshMs?: number;
}

export interface Builder {
  /** Looks for changes at once instead of at the next poll. */
  look(): void;
  /** Ends `run`. */
  stop(): void;
  /** Until it is stopped. Rejects when the first snapshot cannot be made; what fails later is logged and tried again. */
  run(): Promise<void>;
}

export type BuilderLog = (level: 'info' | 'warn' | 'error', facts: object, message: string) => void;

export function createBuilder(options: BuilderOptions): Builder {
  const { db, publicUrl, now, report } = options;
  const log: BuilderLog = (level, facts, message) => report({ kind: 'log', level, facts, message });
  const publisher = createPublisher(report, now);
  const trends = createTrendRefresh(now, options.refreshMs);
  const saves = createSavedSnapshots(options, log);
  const stopped = Promise.withResolvers<void>();
  let built: BuiltDirectory;
  let follower: Follower | undefined;
  /** What was loaded is of many moments; after its last change it is of one. */
  let afterFirstLook: (() => void) | undefined;

  async function run(): Promise<void> {
    const begun = performance.now();
    const saved = await saves.restore();
    if (saved) built = toBeBuilt(saved.directory, saved.trendsAt);
    else await load();
    const begin = Promise.withResolvers<void>();
    afterFirstLook = () => {
      const readMs = Math.round(performance.now() - begun);
      const { events, seq } = built.directory;
      log('info', { seq, events: events.count, restored: saved !== null, readMs }, 'the read model is built');
      begin.resolve();
    };
    follower = followDirectory(options, log, { built: () => built, load, afterLook, failed: begin.reject });
    try {
      await begin.promise;
      await stopped.promise;
    } finally {
      await follower.close();
    }
    await saves.saveLast(built.directory, built.trendsAt);
  }

  async function load(): Promise<void> {
    built = toBeBuilt(await loadDirectory(db, publicUrl), now());
    trends.reset();
    trends.computeAll(built.directory, built.trendsAt);
  }

  /** The directory is of one moment now. Gives the rest before the next look; none while there is more to do. */
  async function afterLook(): Promise<number> {
    afterFirstLook?.();
    afterFirstLook = undefined;
    if (!built.isPublished) publisher.publish(built);
    const refresh = trends.step(built.directory);
    if (refresh.kind === 'done') publisher.publishTrends(built, refresh.at);
    saves.saveNowAndThen(built.directory, built.trendsAt);
    if (refresh.kind === 'more') return 0;
    return Math.max(POLL_MS, Math.min(MAX_REST_MS, publisher.lastBuildMs() * REST_SHARE));
  }

  return {
    run,
    look: () => void follower?.catchUp().catch(() => {}),
    stop: () => stopped.resolve(),
  };
}

interface DirectorySteps {
  built(): BuiltDirectory;
  /** Loads everything again. */
  load(): Promise<void>;
  /** See `FollowOptions`. */
  afterLook(): Promise<number>;
  /** Hears of every failure. */
  failed(error: Error): void;
}

/** Takes over what the list of changes says. */
function followDirectory(
  { db, commitWatcher = ALWAYS_LOOK, report }: BuilderOptions,
  log: BuilderLog,
  { built, load, afterLook, failed }: DirectorySteps,
): Follower {
  return followList({
    db,
    list: 'change',
    after: placeOf(built().directory),
    inTransaction: true,
    commitWatcher,
    pollMs: POLL_MS,
    batchSize: MAX_CHANGES,
    onHead: (seq) => report({ kind: 'head', seq }),
    async handler(changes, upTo, trx) {
      built().isPublished = false;
      return takeChanges(trx, built().directory, changes, upTo);
    },
    async startOver({ isLoss, history }) {
      if (isLoss && (await renewLostHistory(db, history))) log('warn', { seq: built().directory.seq }, LOST_NUMBERS);
      log('warn', { seq: built().directory.seq }, 'the read model is loading again from the start');
      await load();
      return placeOf(built().directory);
    },
    afterLook,
    onFailure(error, isFirst) {
      failed(error);
      if (isFirst) log('error', { reason: error.message }, 'the read model cannot follow the directory');
    },
    onRecovery: () => log('info', { seq: built().directory.seq }, 'the read model follows the directory again'),
  });
}

const placeOf = ({ seq, history }: Directory): ListPosition => ({ seq, history });

const LOST_NUMBERS = 'the database has lost changes; the change log begins a new epoch';
const POLL_MS = 250;
/** While changes pour in, the builder rests as long as it builds, so that it never takes a whole processor. */
const REST_SHARE = 1;
const MAX_REST_MS = 1000;
/** Bounds the transaction: some seconds of rows. */
const MAX_CHANGES = 20_000;
