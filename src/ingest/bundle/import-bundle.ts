/** `importBundle`: a city bundle into the directory, in batches that are each all or nothing, as often as one likes. */

import { randomUUIDv7 } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import {
  bundleWord,
  collectRejects,
  createEventParser,
  type EventDraft,
  isPlainObject,
  parseVenue,
  type Reject,
} from '../../facts/index.ts';
import { loadNextListed } from '../../records/index.ts';
import type { Database } from '../../store/index.ts';
import { createCityTime } from '../../values/city-time.ts';
import { loadVenuesByExternalId } from '../records/load-others.ts';
import { listedContexts, type ShownEvent } from '../scores/listed-events.ts';
import { settleScoresInSteps } from '../scores/score-events.ts';
import { bundleSource } from '../sources/sources.ts';
import type { Counts } from '../stored-runs/run-report.ts';
import { type EventPreview, NOTHING, type RunContext } from './context.ts';
import { importCity, importNeighborhoods } from './import-city.ts';
import { type FileNotes, importLines, type LinesOptions } from './import-lines.ts';
import { BUNDLE_FILES, type Bundle, type OpenBundle, openBundle, openBundleFolder } from './open-bundle.ts';
import { pruneEvents, pruneNeighborhoods, pruneVenues } from './prune.ts';
import type { ReadLine } from './read-ndjson.ts';
import { eventListing, saveEvents } from './save-events.ts';
import { relocateVenues, saveVenues, venueListing } from './save-venues.ts';

export interface ImportOptions {
  store: { db: Kysely<Database> };
  /** A folder, or the same parts in memory. */
  folder?: string;
  bundle?: Bundle;
  /** The directory's clock, in milliseconds since 1970 UTC. */
  now?: () => number;
  newId?: () => string;
  /** Writes nothing and reports what the same import in earnest would. */
  dryRun?: boolean;
  /** Removes what earlier bundles brought and this one lacks. A part that is absent from the bundle is left alone. */
  prune?: boolean;
  onProgress?: (progress: ImportProgress) => void;
  /** Told each rejected line as it comes; the report keeps the first `MAX_KEPT_REJECTS` only. */
  onReject?: (reject: Reject) => void;
}

export interface ImportProgress {
  file: string;
  lines: number;
  /** Bytes read of both line files, and all of them; 0 when unknown. */
  bytes: number;
  totalBytes: number;
}

export interface ImportReport {
  /** Slugs, where the bundle's city is another than the directory had; else null. */
  city: { before: string; after: string } | null;
  venues: Counts;
  events: Counts;
  neighborhoods: Counts;
  /** What `prune` took out of the directory. */
  removed: { venues: number; events: number; neighborhoods: number };
  /** At most `MAX_KEPT_REJECTS`; `rejectedCount` counts all. */
  rejected: Reject[];
  rejectedCount: number;
  /** One sentence each: what was taken as it is, though it is likely wrong. */
  warnings: string[];
}

/**
 * The rules of a bundle are those of docs/bundle.md. May be stopped at any moment and run again. Rejects with an `IngestError`
 * when there is no bundle to read, its city is not valid, or it has none and the directory has none yet.
 */
export async function importBundle(options: ImportOptions): Promise<ImportReport> {
  const { store, now: clock = Date.now, newId = randomUUIDv7, dryRun = false, prune = false } = options;
  const now = clock();
  const bundle = options.folder === undefined ? openBundle(options.bundle ?? {}) : await openBundleFolder(options.folder);
  const rejects = collectRejects(options.onReject);
  const base = { db: store.db, now, newId, dryRun };

  const { city, replaced, warnings } = await importCity(base, bundle);
  const areas = await importNeighborhoods(base, bundle, prune, rejects.add);
  const context: RunContext = {
    ...base,
    sourceId: await bundleSource(base),
    cityTime: createCityTime(city.timezone),
    locate: areas.locate,
    neighborhoods: areas.slugs,
  };

  const report = emptyReport(replaced === null ? null : { before: replaced, after: city.slug }, areas.counts, rejects.kept);
  let bytesBefore = 0;
  const progress = (file: string) => (lines: number, bytes: number) =>
    options.onProgress?.({ file, lines, bytes: bytesBefore + bytes, totalBytes: bundle.totalBytes });

  let venues: FileNotes | null = null;
  if (bundle.venues) {
    venues = await importLines({
      file: BUNDLE_FILES.venues,
      lines: bundle.venues,
      parse: parseVenue,
      listing: (draft) => venueListing(draft, context),
      save: (entries, onWriting) => saveVenues({ ...context, onWriting }, entries),
      onReject: rejects.add,
      onProgress: progress(BUNDLE_FILES.venues),
    });
    report.venues = venues.counts;
    bytesBefore = venues.bytes;
  }
  // Also when the polygons are as they were: an import that changed them may have been stopped before it came to this.
  if (bundle.neighborhoods !== undefined) {
    const moved = await relocateVenues(context, (externalId) => venues?.accepted(externalId) ?? false);
    report.venues = { ...report.venues, updated: report.venues.updated + moved };
  }

  let events: EventNotes | null = null;
  const visited = new Set<string>();
  if (bundle.events) {
    events = await importEvents({
      context,
      lines: bundle.events,
      linesAgain: bundle.readEventsAgain,
      willHaveVenue: (externalId) => dryRun && (venues?.accepted(externalId) ?? false),
      // In a dry run the store does not know yet which venues the events of this bundle are at.
      onAccepted: (venue) => dryRun && prune && visited.add(venue),
      onReject: rejects.add,
      onProgress: progress(BUNDLE_FILES.events),
    });
    report.events = events.counts;
  }

  if (prune) {
    if (events) report.removed.events = await pruneEvents(context, events, rejects.add);
    if (venues) report.removed.venues = await pruneVenues(context, venues, events, visited, rejects.add);
    report.removed.neighborhoods = await pruneNeighborhoods(context, areas.lacking, venues, rejects.add);
  }
  // Also when no event differs: the import that wrote them may have been stopped before it came to this.
  await settle(context, events, rejects.count);
  return { ...report, rejectedCount: rejects.count, warnings };
}

interface EventNotes extends FileNotes {
  isPreviewed: boolean;
}

interface EventsOptions extends Pick<LinesOptions<EventDraft>, 'lines' | 'onReject' | 'onProgress'> {
  context: RunContext;
  linesAgain: OpenBundle['readEventsAgain'];
  willHaveVenue: (externalId: string) => boolean;
  /** Told the venue of each accepted event. */
  onAccepted: (venue: string) => unknown;
}

async function importEvents({ willHaveVenue, onAccepted, linesAgain, ...options }: EventsOptions): Promise<EventNotes> {
  const previews = await previewEvents(options.context, linesAgain?.());
  const context = previews ? { ...options.context, previews } : options.context;
  const notes = await importLines({
    ...options,
    file: BUNDLE_FILES.events,
    parse: createEventParser(context.cityTime),
    listing: eventListing,
    async save(entries, onWriting) {
      const outcome = await saveEvents({ ...context, onWriting }, entries, willHaveVenue);
      const accepted = new Set(outcome.accepted);
      for (const { draft } of entries) if (accepted.has(draft.externalId)) onAccepted(draft.venue);
      return outcome;
    },
  });
  return { ...notes, isPreviewed: previews !== null && previews.size > 0 };
}

/** What was previewed and taken whole is settled already. */
async function settle({ db, now, dryRun, cityTime }: RunContext, events: EventNotes | null, rejected: number): Promise<void> {
  if (!events || dryRun || (events.isPreviewed && rejected === 0)) return;
  await settleScoresInSteps(db, { now, day: cityTime.day(now) });
}

function emptyReport(city: ImportReport['city'], neighborhoods: Counts, rejected: Reject[]): ImportReport {
  const removed = { venues: 0, events: 0, neighborhoods: 0 };
  return { city, venues: NOTHING, events: NOTHING, neighborhoods, removed, rejected, rejectedCount: 0, warnings: [] };
}

/**
 * By external id. Null where it cannot be said beforehand: the directory has events already, or the bundle has too many. The venues of
 * the bundle must be in the directory.
 */
async function previewEvents(
  { db, sourceId, now, newId, cityTime, dryRun }: RunContext,
  lines: AsyncIterable<ReadLine> | undefined,
): Promise<ReadonlyMap<string, EventPreview> | null> {
  if (dryRun || !lines || (await loadNextListed(db, { since: 0, after: FIRST_ID, limit: 1 })).length > 0) return null;
  const parse = createEventParser(cityTime);
  const drafts = new Map<string, ShownEvent>();
  for await (const read of lines) {
    if (read.line % LINES_AT_ONCE === 0) await turn();
    const parsed = read.ok ? parse(withoutTexts(read.value)) : null;
    if (!parsed?.ok || drafts.has(parsed.value.externalId)) continue;
    if (drafts.size >= MAX_EVENTS) return null;
    drafts.set(parsed.value.externalId, shownEvent(parsed.value, parsed.value.id ?? newId()));
  }
  const names = [...drafts.values()].map(({ venueId }) => venueId);
  const venues = await loadVenuesByExternalId(db, sourceId, names);
  const events = [...drafts.values()].flatMap((event) => {
    const venue = venues.get(event.venueId);
    return venue ? [{ ...event, venueId: venue.id }] : [];
  });
  const facts = new Map([...venues.values()].map(({ id, ...venue }) => [id, venue]));
  const contexts = listedContexts(events, facts, now, cityTime);
  return new Map(
    [...drafts].flatMap(([externalId, { id }]) => {
      const context = contexts.get(id);
      return context ? [[externalId, { id, context }] as const] : [];
    }),
  );
}

/** Long texts take most of the time of parsing, and say nothing about others. */
const withoutTexts = (value: unknown): unknown =>
  isPlainObject(value) ? { ...value, description: null, signals: undefined } : value;

/** Its venue is an external id yet. */
const shownEvent = (draft: EventDraft, id: string): ShownEvent => ({ ...bundleWord(draft), id, venueId: draft.venue });

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const LINES_AT_ONCE = 20;
/** All of them are in memory at once. */
const MAX_EVENTS = 300_000;
