/** A snapshot as it is asked: the built data of another thread behind the contract of `query.ts`. Opening costs microseconds. */

import { openAsk } from './ask/open-ask.ts';
import { createEventFilters } from './query/event-filters.ts';
import { createExtras, createLifecycles, createVenueExtras } from './query/extras.ts';
import { follow } from './query/lookup.ts';
import { createNeighborhoods } from './query/neighborhoods.ts';
import { formatTag } from './query/page-tag.ts';
import { createEventQueries } from './query/query-events.ts';
import { createVenueQueries, venueTag } from './query/query-venues.ts';
import { createSlugs } from './query/read-slugs.ts';
import { createRecordFacts, createRecordLists } from './query/record-list.ts';
import { createTextSearch, type TermSequence } from './query/text-search.ts';
import { createTrending } from './query/trending.ts';
import { NEWLINE, writeEvents, writeVenues } from './query/write-json.ts';
import type { RecordLookup, Snapshot } from './query.ts';
import { RECORD, type SnapshotData, VENUE_RECORD } from './snapshot-data.ts';
import { contains } from './structures/rank-set.ts';
import { findSlug } from './structures/slug-index.ts';
import { createUpcoming, listedOf } from './structures/upcoming.ts';
import { openDictionary } from './text/dictionary.ts';

let editions = 0;

export function openSnapshot(data: SnapshotData): Snapshot {
  const { events, venues, city } = data;
  const json = data.json.map((chunk) => Buffer.from(chunk));
  const sequences = data.sequences.map((chunk) => new Uint32Array(chunk, 0, chunk.byteLength >>> 2));
  const listed = listedOf(events);
  const upcomingAt = createUpcoming(data, listed);
  const readSequence = createSequenceReader(sequences, events.records, RECORD);
  const searchEvents = createTextSearch(data.dictionary, events.byTerm, readSequence);
  const searchVenues = createTextSearch(
    data.dictionary,
    venues.byTerm,
    createSequenceReader(sequences, venues.records, VENUE_RECORD),
  );
  const { termOf } = openDictionary(data.dictionary, events.byTerm.sizes);
  const matchEvents = createEventFilters(data, listed, searchEvents, termOf);
  const queries = createEventQueries(data, matchEvents, (query, text, matching) => asking().byRelevance(query, text, matching));
  const queryEvents = queries.answer;
  const asking = once(() => {
    return openAsk({ data, match: matchEvents, queries, sequenceOf: readSequence, readVenue, readEvent });
  });
  const queryVenues = createVenueQueries(data, searchVenues);
  const readEvent = (rank: number) => JSON.parse(writeEvents(events.records, json, [rank], 'detail', '', '').toString());
  const readVenue = (slot: number) =>
    JSON.parse(writeVenues(venues.records, json, [slot], 'list', data.upcoming.venues, '', '').toString());
  const trending = createTrending(data, listed, readEvent, readVenue);
  const neighborhoods = createNeighborhoods(data);
  const slugOf = createSlugs(data, json);

  return {
    edition: ++editions,
    seq: data.seq,
    history: data.history,
    city: { slug: city.slug, name: city.name, timezone: city.timezone, currency: city.currency, locale: city.locale },
    counts: { events: events.n, venues: venues.published, neighborhoods: data.neighborhoods.length },
    events: queryEvents,
    ask: (query) => asking().events(query),
    suggest: (text, now) => asking().suggest(text, now),
    venueEvents: (venueId, now, limit, offset) =>
      queryEvents({ venueId, from: now, to: Number.POSITIVE_INFINITY, limit, offset }),
    venues: (query, now) => queryVenues(query, upcomingAt(now)),
    event(id): RecordLookup {
      const lead = follow(events.lookup, id);
      if (lead === 'removed' || lead === 'unknown') return { found: lead };
      if ('into' in lead) return { found: 'merged', into: lead.into };
      const record = lead.item * RECORD.words;
      const tag = formatTag(events.records[record + RECORD.tagHigh]!, events.records[record + RECORD.tagLow]!);
      return { found: 'published', item: lead.item, tag };
    },
    venue(id, now): RecordLookup {
      const lead = follow(venues.lookup, id);
      if (lead === 'removed' || lead === 'unknown') return { found: lead };
      if ('into' in lead) return { found: 'merged', into: lead.into };
      return { found: 'published', item: lead.item, tag: venueTag(venues.records, lead.item, upcomingAt(now)) };
    },
    eventBySlug: (slug) => findSlug(events.bySlug, slug, (rank) => slugOf('event', rank)),
    venueBySlug: (slug) => findSlug(venues.bySlug, slug, (slot) => slugOf('venue', slot)),
    slug: slugOf,
    neighborhoods: (now) => neighborhoods(upcomingAt(now)),
    neighborhood(id, now) {
      const slug = data.neighborhoods.find((row) => row.id === id)?.slug;
      const found = slug === undefined ? undefined : neighborhoods(upcomingAt(now)).items.find((item) => item.slug === slug);
      return found ? JSON.stringify(found) : null;
    },
    isAmong: (query, item) => contains(matchEvents(query).events, item),
    checksums: (kind) => data.checksums[kind],
    trending: (type, limit, now) => trending(type, limit, now, upcomingAt(now)),
    writeEvents: (items, form, head, tail) => writeEvents(events.records, json, items, form, head, tail),
    writeVenues: (items, form, now, head, tail) =>
      writeVenues(venues.records, json, items, form, upcomingAt(now).venues, head, tail),
    writeLines: createLineWriter(data, json, upcomingAt),
    extras: createExtras(data, json),
    venueExtras: createVenueExtras(data),
    facts: createRecordFacts(data, json),
    records: createRecordLists(data),
    lifecycle: createLifecycles(data, json),
  };
}

function createLineWriter(
  { events, venues }: SnapshotData,
  json: readonly Buffer[],
  upcomingAt: ReturnType<typeof createUpcoming>,
): Snapshot['writeLines'] {
  return (kind, items, now, allocate = Buffer.allocUnsafe) => {
    const tail = items.length > 0 ? '\n' : '';
    const lines = { separator: NEWLINE, allocate };
    if (kind === 'event') return writeEvents(events.records, json, items, 'detail', '', tail, lines);
    return writeVenues(venues.records, json, items, 'detail', upcomingAt(now).venues, '', tail, lines);
  };
}

/** Reads which terms an item has, in their order. */
function createSequenceReader(
  sequences: readonly Uint32Array[],
  records: Uint32Array,
  layout: { words: number; sequenceChunk: number; sequenceOffset: number; sequenceTerms: number },
): (item: number, into: TermSequence) => void {
  return (item, into) => {
    const record = item * layout.words;
    into.chunk = sequences[records[record + layout.sequenceChunk]!]!;
    into.first = records[record + layout.sequenceOffset]! >>> 2;
    into.end = into.first + records[record + layout.sequenceTerms]!;
  };
}

/** Made when it is first asked for. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
