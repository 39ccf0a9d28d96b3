/** `runSource`: the listings of a registered source into the directory, with the rules of an import. */

import { randomUUIDv7 } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import type { Kysely } from 'kysely';
import { createCityTime, readCity, readNeighborhoods } from '../catalog/index.ts';
import { compileMapping, type Listing, type Mapping, ProviderError, type ReadListing, readListings } from '../providers/index.ts';
import type { Database } from '../store/index.ts';
import type { Checked } from './checks.ts';
import { addCounts, type Counts, type Entry, NOTHING, type Outcome, type RunContext } from './context.ts';
import type { Reject, VenueDraft } from './drafts.ts';
import { importLines } from './import-lines.ts';
import { IngestError } from './ingest-error.ts';
import { createLocator } from './locate.ts';
import { createNormalizer, type SourceEvent } from './normalize.ts';
import { openPlaceBook, type PlaceBook } from './place-book.ts';
import type { ReadLine } from './read-ndjson.ts';
import { collectRejects } from './rejects.ts';
import { saveEvents } from './save-events.ts';
import { saveVenues } from './save-venues.ts';
import { findSource, isProviderKind, readTrusts, type Source } from './sources.ts';

export interface RunOptions {
  store: { db: Kysely<Database> };
  name: string;
  now?: () => number;
  newId?: () => string;
  dryRun?: boolean;
  onProgress?: (progress: { file: string; lines: number; bytes: number; totalBytes: number }) => void;
  onReject?: (reject: Reject) => void;
}

export interface SourceReport {
  source: string;
  venues: Counts;
  events: Counts;
  /** Records that the mapping drops on purpose. */
  dropped: number;
  /** `file` is the source's name, `line` the record's number, or for CSV its line. At most `MOST_KEPT_REJECTS`. */
  rejected: Reject[];
  rejectedCount: number;
}

/**
 * Runs a source once. The same answer twice changes nothing. Rejects with an `IngestError` when there is no such source, its file
 * cannot be read or is not of its kind, or the directory has no city yet; the source remembers why its last run failed.
 */
export async function runSource(options: RunOptions): Promise<SourceReport> {
  const { store, name, now: clock = Date.now, dryRun = false } = options;
  const source = await findSource(store, name);
  if (!source) throw new IngestError('source_unknown', `there is no source named ${JSON.stringify(name)}`);
  const now = clock();
  try {
    const report = await run(source, now, options);
    if (!dryRun) await remember(store.db, source, now, null);
    return report;
  } catch (error) {
    if (!(error instanceof ProviderError) && !(error instanceof IngestError)) throw error;
    if (!dryRun) await remember(store.db, source, now, error.message);
    if (error instanceof IngestError) throw error;
    throw new IngestError('source_unreadable', `${source.name}: ${error.message}`, { cause: error });
  }
}

/** What a run would do, without doing it, and the first listings as they were understood. */
export async function testSource(options: Omit<RunOptions, 'dryRun'>): Promise<SourceReport & { sample: object[] }> {
  const sample: object[] = [];
  const report = await run(await known(options), (options.now ?? Date.now)(), { ...options, dryRun: true }, (draft) => {
    if (sample.length < SAMPLE_SIZE) sample.push(draft);
  });
  return { ...report, sample };
}

async function known({ store, name }: { store: RunOptions['store']; name: string }): Promise<Source> {
  const source = await findSource(store, name);
  if (!source) throw new IngestError('source_unknown', `there is no source named ${JSON.stringify(name)}`);
  return source;
}

async function run(
  source: Source,
  now: number,
  options: RunOptions,
  onDraft: (draft: object) => void = () => {},
): Promise<SourceReport> {
  const { db } = options.store;
  const compiled = compileMapping(source.mapping);
  if (!compiled.ok)
    throw new IngestError('source_unreadable', `${source.name}: the mapping is not valid: ${compiled.field}: ${compiled.reason}`);
  const { mapping } = compiled;
  const city = await readCity(db);
  if (!city) throw new IngestError('city_missing', 'the directory has no city yet: import a bundle with a city.json first');
  const neighborhoods = await readNeighborhoods(db);
  const context: RunContext = {
    db,
    sourceId: source.id,
    now,
    newId: options.newId ?? randomUUIDv7,
    dryRun: options.dryRun ?? false,
    cityTime: createCityTime(city.timezone),
    locate: createLocator(neighborhoods),
    neighborhoods: new Set(neighborhoods.map(({ slug }) => slug)),
    trusts: await readTrusts(db),
  };
  const totalBytes = await sizeOf(source);
  const rejects = collectRejects(options.onReject);
  const places = await openPlaceBook(db, source.id);
  const normalizer = createNormalizer({ sourceName: source.name, cityTime: context.cityTime, places });
  const stream = { dropped: 0 };
  const common = {
    file: source.name,
    lines: toLines(listings(source, mapping), stream),
    onReject: rejects.add,
    onProgress: (lines: number, bytes: number) => options.onProgress?.({ file: source.name, lines, bytes, totalBytes }),
  };
  const noted = <T extends object>(checked: Checked<T>): Checked<T> => {
    if (checked.ok) onDraft(checked.value);
    return checked;
  };

  let venues = NOTHING;
  let events = NOTHING;
  if (mapping.target === 'venues') {
    const parse = (listing: unknown) => noted(normalizer.venue(asVenue(listing as Listing)));
    venues = (await importLines<VenueDraft>({ ...common, parse, save: (entries) => saveVenues(context, entries) })).counts;
  } else {
    await notePlaces(listings(source, mapping), places);
    const saver = createEventSaver(context);
    const parse = (listing: unknown) => noted(normalizer.event(asEvent(listing as Listing)));
    events = (await importLines<SourceEvent>({ ...common, parse, save: saver.save })).counts;
    venues = saver.venues();
  }
  return { source: source.name, venues, events, dropped: stream.dropped, rejected: rejects.kept, rejectedCount: rejects.count };
}

/** Events with the venues they bring along: each venue is saved once a run, before its first event. */
function createEventSaver(context: RunContext) {
  const submitted = new Set<string>();
  const seen = new Set<string>();
  let venues = NOTHING;
  return {
    venues: (): Counts => ({ ...venues, unchanged: venues.unchanged + [...seen].filter((id) => !submitted.has(id)).length }),
    async save(entries: Entry<SourceEvent>[]): Promise<Outcome> {
      const drafts: Entry<VenueDraft>[] = [];
      for (const { line, draft } of entries) {
        seen.add(draft.venueId);
        if (!draft.venue || submitted.has(draft.venueId)) continue;
        submitted.add(draft.venueId);
        drafts.push({ line, draft: draft.venue });
      }
      if (drafts.length > 0) venues = addCounts(venues, await saveVenues(context, drafts));
      const events = entries.map(({ line, draft }) => ({ line, draft: draft.event }));
      return saveEvents(context, events, (externalId) => context.dryRun && submitted.has(externalId));
    },
  };
}

/** A first reading: a venue may be given coordinates by a later record than the one that lacks them. */
async function notePlaces(records: AsyncIterable<ReadListing>, places: PlaceBook): Promise<void> {
  for await (const record of records) {
    if (record.ok !== true || record.listing.target !== 'events') continue;
    const { name, latitude, longitude, externalId } = record.listing.event.venue;
    if (name !== null && latitude !== null && longitude !== null && externalId === null)
      places.note(name, { latitude, longitude });
  }
}

async function* toLines(records: AsyncIterable<ReadListing>, stream: { dropped: number }): AsyncGenerator<ReadLine> {
  for await (const record of records) {
    const { index: line, bytes } = record;
    if (record.ok === 'dropped') stream.dropped++;
    else if (record.ok) yield { line, bytes, ok: true, value: record.listing };
    else yield { line, bytes, ok: false, reason: record.reason, field: record.field, externalId: record.externalId };
  }
}

function listings(source: Source, mapping: Mapping): AsyncIterable<ReadListing> {
  if (!isProviderKind(source.kind))
    throw new IngestError('source_unreadable', `${source.name} is of an unknown kind, ${source.kind}`);
  return readListings(source.kind, createReadStream(source.location), mapping);
}

async function sizeOf(source: Source): Promise<number> {
  const found = await stat(source.location).catch(() => null);
  const readable = await access(source.location, constants.R_OK).then(
    () => true,
    () => false,
  );
  if (found?.isFile() && readable) return found.size;
  throw new IngestError('source_unreadable', `${source.name}: ${source.location} is not a file that can be read`);
}

async function remember(db: Kysely<Database>, source: Source, now: number, error: string | null): Promise<void> {
  await db
    .updateTable('source')
    .set({ last_run_at: new Date(now), last_error: error })
    .where('id', '=', source.id)
    .execute();
}

const asVenue = (listing: Listing) => (listing.target === 'venues' ? listing.venue : listing.event.venue);
const asEvent = (listing: Listing) => {
  if (listing.target === 'events') return listing.event;
  throw new TypeError('a mapping of venues gives no events');
};

const SAMPLE_SIZE = 5;
