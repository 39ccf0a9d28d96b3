/** The work of the builder's thread: a directory that follows the catalog, and a new snapshot whenever it has changed. */

import { isDeepStrictEqual } from 'node:util';
import type { Kysely } from 'kysely';
import { loadChange, readCity } from '../../catalog/index.ts';
import type { Clock } from '../../clock.ts';
import { ALWAYS_LOOK, type CommitWatcher, type Database, type Follower, followList, limitQueries } from '../../store/index.ts';
import type { SnapshotData, TrendData } from '../snapshot-data.ts';
import { createWeights, sharedBytes } from '../structures/shared-memory.ts';
import type { Directory } from './directory.ts';
import { loadDirectory, takeChanges } from './follow-directory.ts';
import { readTrust } from './load.ts';
import { createSnapshotBuilder, type SnapshotBuilder } from './snapshot-builder.ts';
import { type Origin, type SavedDirectory, snapshotWriter } from './snapshot-file.ts';
import { refreshTrends } from './trends.ts';

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

export function createBuilder(options: BuilderOptions): Builder {
  const { db, commitWatcher = ALWAYS_LOOK, file, publicUrl, now, report, refreshMs = REFRESH_MS } = options;
  const weigh = createWeights();
  /** Of the snapshot and of the trends that were sent last: see `createWeights`. */
  const weights: { snapshot: ArrayBuffer[]; trends: ArrayBuffer[] } = { snapshot: [], trends: [] };
  const stopped = Promise.withResolvers<void>();
  let follower: Follower | undefined;
  /** What was loaded is of many moments; after its last change it is of one. */
  let afterFirstLook: (() => void) | undefined;
  /** Whether the directory is as it was when it was shown last. */
  let isPublished = false;
  let directory: Directory;
  let builder: SnapshotBuilder;
  let trendsAt = 0;
  let refreshing: { at: number; rest: Generator<void> } | null = null;
  let refreshedAt = Number.NEGATIVE_INFINITY;
  let lastSave: { seq: number; at: number } = { seq: 0, at: performance.now() };
  let saving: Promise<void> | null = null;
  let lastBuildMs = 0;

  const log = (level: 'info' | 'warn' | 'error', facts: object, message: string) =>
    report({ kind: 'log', level, facts, message });

  async function run(): Promise<void> {
    const begun = performance.now();
    const restored = await restore();
    if (!restored) await load();
    const begin = Promise.withResolvers<void>();
    follower = follow(begin.reject);
    afterFirstLook = () => {
      const readMs = Math.round(performance.now() - begun);
      const { events, seq } = directory;
      log('info', { seq, events: events.count, restored, readMs }, 'the read model is built');
      begin.resolve();
    };
    try {
      await begin.promise;
      await stopped.promise;
    } finally {
      await follower.close();
    }
    await saving;
    await save();
  }

  /** `failed` hears of every failure. */
  function follow(failed: (error: Error) => void): Follower {
    return followList({
      db,
      list: 'change',
      after: directory.seq,
      inTransaction: true,
      commitWatcher,
      pollMs: POLL_MS,
      batchSize: MAX_CHANGES,
      onHead: (seq) => report({ kind: 'head', seq }),
      async handler(changes, upTo, trx) {
        isPublished = false;
        return takeChanges(trx, directory, changes, upTo);
      },
      async startOver() {
        log('warn', { seq: directory.seq }, 'the read model is loading again from the start');
        await load();
        return directory.seq;
      },
      afterLook,
      onFailure(error, isFirst) {
        failed(error);
        if (isFirst) log('error', { reason: error.message }, 'the read model cannot follow the directory');
      },
      onRecovery: () => log('info', { seq: directory.seq }, 'the read model follows the directory again'),
    });
  }

  /** The directory is of one moment now. Gives the rest before the next look; none while there is more to do. */
  async function afterLook(): Promise<number> {
    afterFirstLook?.();
    afterFirstLook = undefined;
    if (!isPublished) publish();
    const more = await refresh();
    saveNowAndThen();
    return more ? 0 : Math.max(POLL_MS, Math.min(MAX_REST_MS, lastBuildMs * REST_SHARE));
  }

  /** From the file, when it is of this database. */
  async function restore(): Promise<boolean> {
    try {
      const held = await options.readSaved();
      if (!held) return false;
      const sameOrigin = isDeepStrictEqual(await originOf(db, held.origin.seq), held.origin);
      if (!sameOrigin || !isDeepStrictEqual(await readCity(db), held.directory.city))
        throw new Error('it belongs to another database');
      take(held.directory, held.trendsAt);
      // Whose addresses had to be changed is saved anew: the next start finds them as they are wanted.
      lastSave = { seq: held.publicUrl === publicUrl ? directory.seq : 0, at: performance.now() };
      directory.setTrust(await readTrust(db));
      return true;
    } catch (error) {
      log('warn', { file, reason: (error as Error).message }, 'cannot use the saved snapshot');
      return false;
    }
  }

  async function load(): Promise<void> {
    take(await loadDirectory(db, publicUrl), now());
    for (const _ of refreshTrends(directory, trendsAt));
    directory.changes.trendsAt.clear();
    refreshedAt = performance.now();
  }

  function take(fresh: Directory, at: number): void {
    directory = fresh;
    builder = createSnapshotBuilder(directory);
    isPublished = false;
    trendsAt = at;
    refreshing = null;
  }

  function publish(): void {
    const begun = performance.now();
    const moment = now();
    const { trendsAt: venues } = directory.changes;
    if (venues.size > 0) {
      for (const _ of refreshTrends(directory, moment, venues));
      trendsAt = moment;
      venues.clear();
    }
    directory.compact();
    const data = builder.build(moment, trendsAt);
    const bytes = sharedBytes([data.events, data.upcoming, data.trends]);
    lastBuildMs = performance.now() - begun;
    isPublished = true;
    report({ kind: 'snapshot', data, buildMs: lastBuildMs, sharedBytes: bytes });
    weights.snapshot = weigh(bytes);
    weights.trends = [];
  }

  /** Every minute the trends are computed anew, a slice at a time: a change never waits long for it. True while it goes on. */
  async function refresh(): Promise<boolean> {
    if (!refreshing && performance.now() - refreshedAt < refreshMs) return false;
    if (!refreshing) {
      directory.setTrust(await limitQueries(QUERY_MS, () => readTrust(db)));
      const at = now();
      refreshing = { at, rest: refreshTrends(directory, at) };
    }
    const { at, rest } = refreshing;
    const sliceEnd = performance.now() + SLICE_MS;
    while (performance.now() < sliceEnd) {
      if (!rest.next().done) continue;
      refreshing = null;
      refreshedAt = performance.now();
      trendsAt = Math.max(trendsAt, at);
      const trends = builder.trends(trendsAt);
      const bytes = sharedBytes(trends);
      report({ kind: 'trends', trends, sharedBytes: bytes });
      weights.trends = weigh(bytes);
      return false;
    }
    return true;
  }

  function saveNowAndThen(): void {
    if (saving || directory.seq === lastSave.seq || performance.now() - lastSave.at < SAVE_MS) return;
    saving = save().finally(() => {
      saving = null;
    });
  }

  async function save(): Promise<void> {
    if (file === undefined || directory.seq === lastSave.seq) return;
    try {
      const origin = await originOf(db, directory.seq);
      if (!origin) return;
      lastSave = { ...lastSave, at: performance.now() };
      await snapshotWriter(directory, origin, trendsAt)(file);
      lastSave = { ...lastSave, seq: origin.seq };
    } catch (error) {
      log('warn', { file, reason: (error as Error).message }, 'cannot save the snapshot');
    }
  }

  return {
    run,
    look: () => void follower?.catchUp().catch(() => {}),
    stop: () => stopped.resolve(),
  };
}

async function originOf(db: Kysely<Database>, seq: number): Promise<Origin | null> {
  const change = await loadChange(db, seq);
  return change && { seq, ...change };
}

const POLL_MS = 250;
/** While changes pour in, the builder rests as long as it builds, so that it never takes a whole processor. */
const REST_SHARE = 1;
const MAX_REST_MS = 1000;
/** On a server, as the follower's. */
const QUERY_MS = 4_000;
/** Bounds the transaction: some seconds of rows. */
const MAX_CHANGES = 20_000;
/** Decisions §2, "Trending": at least every minute. */
const REFRESH_MS = 55_000;
const SLICE_MS = 50;
const SAVE_MS = 30_000;
