/** The work of the builder's thread: a directory that follows the catalog, and a new snapshot whenever it has changed. */

import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { readCity } from '../catalog/index.ts';
import type { Clock } from '../clock.ts';
import { ALWAYS_LOOK, type Database, type Lookout, limitQueries } from '../store/index.ts';
import type { Directory } from './directory.ts';
import { type Followed, followChanges, loadDirectory } from './follow-directory.ts';
import { readTrust } from './load.ts';
import { createWeights, sharedBytes } from './shared-memory.ts';
import { createSnapshotBuilder, type SnapshotBuilder } from './snapshot-builder.ts';
import type { SnapshotData, TrendData } from './snapshot-data.ts';
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
  lookout?: Lookout;
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
  const { db, lookout = ALWAYS_LOOK, file, publicUrl, now, report, refreshMs = REFRESH_MS } = options;
  const weigh = createWeights();
  /** Of the snapshot and of the trends that were sent last: see `createWeights`. */
  const weights: { snapshot: ArrayBuffer[]; trends: ArrayBuffer[] } = { snapshot: [], trends: [] };
  let stopping = false;
  let wake = new AbortController();
  let directory: Directory;
  let builder: SnapshotBuilder;
  let trendsAt = 0;
  let refreshing: { at: number; rest: Generator<void> } | null = null;
  let refreshedAt = Number.NEGATIVE_INFINITY;
  let lastSave: { seq: number; at: number } = { seq: 0, at: performance.now() };
  let saving: Promise<void> | null = null;
  let failures = 0;
  /** Whether the turn that runs has had an answer. */
  let seenHead = false;
  /** Turns that failed after one: a busy database gets longer for the larger questions. */
  let lateTurns = 0;
  let lastBuildMs = 0;

  const log = (level: 'info' | 'warn' | 'error', facts: object, message: string) =>
    report({ kind: 'log', level, facts, message });

  async function run(): Promise<void> {
    await begin();
    while (!stopping) {
      const begun = performance.now();
      seenHead = false;
      try {
        const busy = await turn();
        if (failures > 0) log('info', { seq: directory.seq }, 'the read model follows the directory again');
        failures = 0;
        lateTurns = 0;
        if (!busy) await idle(Math.max(POLL_MS, Math.min(MOST_REST_MS, lastBuildMs * REST_SHARE)));
      } catch (error) {
        failures += 1;
        if (seenHead) lateTurns += 1;
        if (failures === 1) log('error', { reason: (error as Error).message }, 'the read model cannot follow the directory');
        // Counted from the beginning of the turn: one that has waited for an answer need not wait once more.
        const rest = Math.min(MOST_BACKOFF_MS, POLL_MS * 2 ** failures) - (performance.now() - begun);
        await idle(Math.max(POLL_MS, rest));
      }
    }
    await saving;
    await save();
  }

  /** One look at the changes and what follows from it. True when there is more to do at once. */
  async function turn(): Promise<boolean> {
    const outcome = await follow();
    if (outcome === 'behind') return true;
    if (outcome === 'broken') {
      log('warn', { seq: directory.seq }, 'the read model is loaded anew');
      await load();
      await catchUp();
      publish();
      return false;
    }
    if (outcome === 'changed') publish();
    const more = await refresh();
    saveNowAndThen();
    return more;
  }

  async function follow(): Promise<Followed> {
    if (failures === 0 && lookout.nothingNew()) return 'same';
    const sawAll = lookout.begin();
    const queryMs = Math.min(MOST_QUERY_MS, QUERY_MS * 2 ** lateTurns);
    const onHead = (seq: number) => {
      seenHead = true;
      report({ kind: 'head', seq });
    };
    const outcome = await followChanges(db, directory, { onHead, headMs: QUERY_MS, queryMs });
    if (outcome === 'same' || outcome === 'changed') sawAll();
    return outcome;
  }

  async function begin(): Promise<void> {
    const begun = performance.now();
    const restored = await restore();
    if (!restored) await load();
    await catchUp();
    const readMs = Math.round(performance.now() - begun);
    log(
      'info',
      { seq: directory.seq, events: directory.events.count, restored, readMs },
      'the read model has read the directory',
    );
    publish();
  }

  /** What was loaded is of many moments; after its last change it is of one. */
  async function catchUp(): Promise<void> {
    for (;;) {
      const outcome = await followChanges(db, directory);
      if (outcome === 'broken') await load();
      else if (outcome !== 'behind') return;
    }
  }

  /** From the file, when it is of this database. */
  async function restore(): Promise<boolean> {
    try {
      const held = await options.readSaved();
      if (!held) return false;
      const sameOrigin = isDeepStrictEqual(await originOf(db, held.origin.seq), held.origin);
      if (!sameOrigin || !isDeepStrictEqual(await readCity(db), held.directory.city))
        throw new Error('it is of another database');
      take(held.directory, held.trendsAt);
      // Whose addresses had to be changed is saved anew: the next start finds them as they are wanted.
      lastSave = { seq: held.publicUrl === publicUrl ? directory.seq : 0, at: performance.now() };
      directory.setTrust(await readTrust(db));
      return true;
    } catch (error) {
      log('warn', { file, reason: (error as Error).message }, 'the saved snapshot is of no use');
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
      log('warn', { file, reason: (error as Error).message }, 'the snapshot could not be saved');
    }
  }

  async function idle(ms: number): Promise<void> {
    if (stopping) return;
    await pause(ms, undefined, { signal: wake.signal }).catch(() => {});
    wake = new AbortController();
  }

  return {
    run,
    look: () => wake.abort(),
    stop() {
      stopping = true;
      wake.abort();
    },
  };
}

async function originOf(db: Kysely<Database>, seq: number): Promise<Origin | null> {
  const { rows } = await sql<{ at: number; kind: string; entity: string; entity_id: string | null }>`
    select extract(epoch from at)::float8 * 1000 as at, kind, entity, entity_id from change where seq = ${seq}`.execute(db);
  const [row] = rows;
  return row ? { seq, at: row.at, kind: row.kind, entity: row.entity, entityId: row.entity_id } : null;
}

const POLL_MS = 250;
/** While changes pour in, the builder rests as long as it builds, so that it never takes a whole processor. */
const REST_SHARE = 1;
const MOST_REST_MS = 1000;
const MOST_BACKOFF_MS = 1000;
/** On a server. As the gate's: a silent network is noticed, and what changed since is read over another connection, within 5 s. */
const QUERY_MS = 4_000;
/** As `statement_timeout`. */
const MOST_QUERY_MS = 60_000;
/** Decisions §2, "Trending": at least every minute. */
const REFRESH_MS = 55_000;
const SLICE_MS = 50;
const SAVE_MS = 30_000;
