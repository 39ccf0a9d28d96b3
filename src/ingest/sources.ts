/** The registered sources: where listings come from, how they are read, how far they are trusted. */

import { randomUUIDv7 } from 'node:crypto';
import { basename, extname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Kysely, sql } from 'kysely';
import { type Change, recordChanges, removeEvents, removeVenues } from '../catalog/index.ts';
import { compileMapping, PROVIDER_KINDS, type ProviderKind } from '../providers/index.ts';
import { type Database, transact } from '../store/index.ts';
import { markGone, presentRecords, type RecordKind } from './records.ts';

type Store = { db: Kysely<Database> };

export interface Source {
  id: string;
  name: string;
  kind: string;
  /** Absolute path of a file. */
  location: string;
  mapping: object;
  everySeconds: number | null;
  /** 0–1. */
  trust: number;
  lastRunAt: number | null;
  lastError: string | null;
}

export interface NewSource {
  store: Store;
  kind: string;
  /** A file, or its `file:` address. */
  location: string;
  /** Parsed, untrusted content of a mapping file (docs/providers.md). */
  mapping: unknown;
  /** Default: the file's name without its ending. */
  name?: string | undefined;
  everySeconds?: number | undefined;
  trust?: number | undefined;
  now?: () => number;
  newId?: () => string;
}

/** Registers a source; a mapping is checked before the first record is read. The refusal is one sentence. */
export async function addSource(source: NewSource): Promise<{ ok: true; source: Source } | { ok: false; reason: string }> {
  const { store, kind, mapping, everySeconds = null, trust = DEFAULT_TRUST, now = Date.now, newId = randomUUIDv7 } = source;
  if (!isProviderKind(kind))
    return refused(`wanted a kind of source (${PROVIDER_KINDS.join(', ')}), got ${JSON.stringify(kind)}`);
  const location = fileOf(source.location);
  if (location === null) return refused(`wanted a file or a file: address, got ${source.location}`);
  const compiled = compileMapping(mapping);
  if (!compiled.ok) return refused(`the mapping is not valid: ${compiled.field}: ${compiled.reason}`);
  const name = source.name ?? basename(location, extname(location));
  if (!/^[^\p{Cc}]{1,100}$/u.test(name) || name.trim() !== name)
    return refused('wanted a name of 1 to 100 characters without blanks around');
  if (name === BUNDLE_SOURCE) return refused(`the name ${BUNDLE_SOURCE} stands for imported bundles`);
  if (!(trust >= 0 && trust <= 1)) return refused(`wanted a trust from 0 to 1, got ${trust}`);
  if (everySeconds !== null && !(Number.isInteger(everySeconds) && everySeconds > 0 && everySeconds <= MOST_SECONDS)) {
    return refused('wanted a whole number of seconds, at most 366 days');
  }
  const added = await store.db
    .insertInto('source')
    .values({
      id: newId(),
      name,
      kind,
      location,
      mapping: JSON.stringify(mapping),
      every_seconds: everySeconds,
      trust,
      created_at: new Date(now()),
    })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!added) return refused(`there is a source named ${JSON.stringify(name)} already`);
  const found = await findSource(store, name);
  return found ? { ok: true, source: found } : refused(`the source ${JSON.stringify(name)} was removed at once`);
}

/** All sources by name, but the one that stands for bundles. */
export async function listSources({ store }: { store: Store }): Promise<Source[]> {
  const rows = await store.db.selectFrom('source').selectAll().where('kind', '<>', BUNDLE_SOURCE).orderBy('name').execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    kind: row.kind,
    location: row.location ?? '',
    mapping: row.mapping ?? {},
    everySeconds: row.every_seconds,
    trust: row.trust,
    lastRunAt: row.last_run_at?.getTime() ?? null,
    lastError: row.last_error,
  }));
}

export async function findSource(store: Store, name: string): Promise<Source | null> {
  const sources = await listSources({ store });
  return sources.find((source) => source.name === name) ?? null;
}

/**
 * Removes a source and what only it has brought: its events, and its venues where no other event is held. They answer "gone"
 * from now on. Null when there is no such source. May be stopped at any moment and run again.
 */
export async function removeSource(options: {
  store: Store;
  name: string;
  now?: () => number;
}): Promise<{ events: number; venues: number } | null> {
  const { db } = options.store;
  const now = (options.now ?? Date.now)();
  const source = await findSource(options.store, options.name);
  if (!source) return null;
  const events = await withdraw(db, source.id, 'event', now);
  const venues = await withdraw(db, source.id, 'venue', now);
  await db.deleteFrom('source').where('id', '=', source.id).execute();
  return { events, venues };
}

/** Returns how many records of the directory went with those of the source. */
async function withdraw(db: Kysely<Database>, sourceId: string, kind: RecordKind, now: number): Promise<number> {
  let count = 0;
  for (let after = ''; ; ) {
    const page = await presentRecords(db, sourceId, kind, after);
    const last = page.at(-1);
    if (!last) return count;
    after = last.externalId;
    count += await transact(db, async (trx) => {
      const ids = page.map(({ targetId }) => targetId);
      const kept = await stillNeeded(trx, sourceId, kind, ids);
      const free = ids.filter((id) => !kept.has(id));
      const changes: Change[] = kind === 'event' ? await removeEvents(trx, free, now) : await removeVenues(trx, free, now);
      const records = page.map(({ recordId }) => recordId);
      await markGone(trx, records, now);
      await recordChanges(trx, changes, now);
      return changes.length;
    });
  }
}

/** Those of the ids that another source lists too, or (venues) where a present event is held. */
async function stillNeeded(
  db: Kysely<Database>,
  sourceId: string,
  kind: RecordKind,
  ids: readonly string[],
): Promise<Set<string>> {
  const target = sql.ref(`${kind}_id`);
  const { rows } = await sql<{ id: string }>`
    select ${target} as id from record where ${target} = any(${ids}::uuid[]) and source_id <> ${sourceId} and gone_at is null
    union
    select venue_id from event where ${kind} = 'venue' and state = 'published' and venue_id = any(${ids}::uuid[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
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

/** Trust (0–1) by name of the source. */
export async function readTrusts(db: Kysely<Database>): Promise<Map<string, number>> {
  const rows = await db.selectFrom('source').select(['name', 'trust']).execute();
  return new Map(rows.map(({ name, trust }) => [name, trust]));
}

export function isProviderKind(kind: string): kind is ProviderKind {
  return PROVIDER_KINDS.some((known) => known === kind);
}

/** The absolute path of a file given as path or `file:` address; null for other addresses. */
function fileOf(location: string): string | null {
  if (!/^[a-z][a-z0-9+.-]+:/i.test(location)) return location === '' ? null : resolve(location);
  try {
    return fileURLToPath(location);
  } catch {
    return null;
  }
}

const refused = (reason: string): { ok: false; reason: string } => ({ ok: false, reason });

/** Name and kind of the source that stands for `import`. */
const BUNDLE_SOURCE = 'bundle';
const DEFAULT_TRUST = 0.5;
const MOST_SECONDS = 366 * 86_400;
