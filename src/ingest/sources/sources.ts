/** The registered sources: where listings come from, how they are read, how far they are trusted. */

import { type Kysely, sql, type Updateable } from 'kysely';
import type { Database } from '../../store/index.ts';

type Store = { db: Kysely<Database> };

export interface Source {
  id: string;
  name: string;
  kind: string;
  /** A web address, a `file:` address, or what the kind documents. */
  location: string;
  mapping: object | null;
  everySeconds: number | null;
  /** 0–1. */
  trust: number;
  /** `held`: its last answer looked broken and waits for the operator's word. */
  state: 'active' | 'paused' | 'held';
  lastRunAt: number | null;
  /** When it was last read whole. */
  lastOkAt: number | null;
  /** When it last listed a venue, or an event that was still to come; null: never. */
  listedAt: number | null;
  createdAt: number;
  lastError: string | null;
  /** In a row. */
  failures: number;
  /** Not before; null: at its ordinary time. */
  retryAt: number | null;
  /** When an operator asked for a run that has not begun yet. */
  wantedAt: number | null;
  /** The operator lets its next answer pass, whatever it looks like. */
  isReleased: boolean;
  /** The line that its data is shown with, as its operator gave it. */
  licence: string | null;
  /** Of the last answer, for a conditional request. */
  etag: string | null;
  lastModified: string | null;
}

/** All sources by name, but the one that stands for bundles. */
export async function listSources({ store }: { store: Store }): Promise<Source[]> {
  const rows = await store.db.selectFrom('source').selectAll().where('kind', '<>', BUNDLE_SOURCE).orderBy('name').execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    kind: row.kind,
    location: row.location ?? '',
    mapping: row.mapping,
    everySeconds: row.every_seconds,
    trust: row.trust,
    state: row.state as Source['state'],
    lastRunAt: row.last_run_at?.getTime() ?? null,
    lastOkAt: row.last_ok_at?.getTime() ?? null,
    listedAt: row.listed_at?.getTime() ?? null,
    createdAt: row.created_at.getTime(),
    lastError: row.last_error,
    failures: row.failures,
    retryAt: row.retry_at?.getTime() ?? null,
    wantedAt: row.wanted_at?.getTime() ?? null,
    isReleased: row.release,
    licence: row.licence,
    etag: row.etag,
    lastModified: row.last_modified,
  }));
}

export async function findSource(store: Store, name: string): Promise<Source | null> {
  const sources = await listSources({ store });
  return sources.find((source) => source.name === name) ?? null;
}

/** The source that all bundles share, made when missing; in a dry run one that has no records. Returns its id. */
export async function bundleSource(context: {
  db: Kysely<Database>;
  now: number;
  newId: () => string;
  dryRun: boolean;
}): Promise<string> {
  const find = () => context.db.selectFrom('source').select('id').where('name', '=', BUNDLE_SOURCE).executeTakeFirst();
  const held = await find();
  if (held) return held.id;
  const id = context.newId();
  if (context.dryRun) return id;
  await context.db
    .insertInto('source')
    .values({ id, name: BUNDLE_SOURCE, kind: BUNDLE_SOURCE, created_at: new Date(context.now) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  return (await find())?.id ?? id;
}

/** The id of a source by its name, whatever its kind; null where no source has the name. */
export async function loadSourceId(db: Kysely<Database>, name: string): Promise<string | null> {
  const found = await db.selectFrom('source').select('id').where('name', '=', name).executeTakeFirst();
  return found?.id ?? null;
}

/** How far the values of a source count against those of others. */
export interface TrustedSource {
  name: string;
  /** 0–1. */
  trust: number;
  /** When it was last read whole, milliseconds. */
  confirmedAt: number;
}

/** By id. */
export async function loadTrustedSources(db: Kysely<Database>): Promise<Map<string, TrustedSource>> {
  const rows = await db.selectFrom('source').select(['id', 'name', 'trust', 'last_ok_at', 'created_at']).execute();
  return new Map(
    rows.map((row) => [row.id, { name: row.name, trust: row.trust, confirmedAt: (row.last_ok_at ?? row.created_at).getTime() }]),
  );
}

/** With all its records and runs. */
export async function deleteSource(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom('source').where('id', '=', id).execute();
}

/**
 * A paused source runs only when it is told to. What is active again while its last answer is held stays held. The state that it is in
 * then; null when there is no such source.
 */
export async function setSourceState({
  store,
  name,
  state,
}: {
  store: Store;
  name: string;
  state: 'active' | 'paused';
}): Promise<Source['state'] | null> {
  const resumed = sql<string>`case when not release and ${LAST_IS_HELD} then 'held' else 'active' end`;
  const row = await store.db
    .updateTable('source')
    .set({ state: state === 'paused' ? state : resumed, retry_at: null })
    .where('name', '=', name)
    .where('kind', '<>', BUNDLE_SOURCE)
    .returning('state')
    .executeTakeFirst();
  return (row?.state as Source['state'] | undefined) ?? null;
}

/**
 * The operator's word that the next answer of a held source is right, whatever it looks like. One that is paused besides stays paused.
 * A source that is not held keeps its guard.
 */
export async function releaseSource({
  store,
  name,
}: {
  store: Store;
  name: string;
}): Promise<{ ok: true } | { ok: false; code: 'unknown' | 'not_held' }> {
  const row = await store.db
    .updateTable('source')
    .set({
      state: sql<string>`case when state = 'paused' then state else 'active' end`,
      release: true,
      retry_at: null,
      etag: null,
      last_modified: null,
    })
    .where('name', '=', name)
    .where(sql<boolean>`(state = 'held' or state = 'paused' and not release and ${LAST_IS_HELD})`)
    .returning('id')
    .executeTakeFirst();
  if (row) return { ok: true };
  return { ok: false, code: (await findSource(store, name)) ? 'not_held' : 'unknown' };
}

/** Asks for a run now: whichever worker looks next does it, by the clock or not. False when there is no such source. */
export function wantRun({ store, name, now = Date.now }: { store: Store; name: string; now?: () => number }): Promise<boolean> {
  return update(store, name, { wanted_at: new Date(now()) });
}

/** The source was fetched; one that came after `asked` stands. */
export async function markFetched(store: Store, name: string, asked: number): Promise<void> {
  await store.db
    .updateTable('source')
    .set({ wanted_at: null })
    .where('name', '=', name)
    .where('wanted_at', '<=', new Date(asked))
    .execute();
}

async function update(store: Store, name: string, values: Updateable<Database['source']>): Promise<boolean> {
  const { numUpdatedRows } = await store.db
    .updateTable('source')
    .set(values)
    .where('name', '=', name)
    .where('kind', '<>', BUNDLE_SOURCE)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Name and kind of the source that stands for `import`. */
export const BUNDLE_SOURCE = 'bundle';
/** Whether the last answer of a `source` was held; a run that failed has no answer. */
const LAST_IS_HELD = sql<boolean>`coalesce((
  select run.state = 'held' from run
  where run.source_id = source.id and run.kind = 'ingest' and run.state not in ('running', 'failed')
  order by run.started_at desc, run.id desc limit 1), false)`;
