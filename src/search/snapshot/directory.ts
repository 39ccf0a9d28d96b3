/**
 * The builder's copy of the directory: every record rendered once, kept by slot, changed in place. From it snapshots are built.
 * A slot is a number that an id keeps for ever. Nothing here is an object for each event.
 */

import { CAPACITY_TIERS, CATEGORIES, type City, EVENT_STATUSES, VENUE_TYPES } from '../../catalog/index.ts';
import { createCityTime } from '../../city/index.ts';
import { isSteady, type Peers } from '../../ranking/index.ts';
import { DAY_MS } from '../../values/duration.ts';
import type { EventRow, Lifecycle, NeighborhoodRow, SourceTrust, VenueRow } from '../rows.ts';
import { Arena } from '../structures/arena.ts';
import { createColumns } from '../structures/columns.ts';
import { isWasteful, moveBytes, moveSequences, type SequenceColumns } from '../structures/compact.ts';
import { createRangeSums } from '../structures/range-sums.ts';
import { hashSlug } from '../structures/slug-index.ts';
import { UuidTable } from '../structures/uuid-table.ts';
import { createDictionaryBuilder, type DictionaryParts } from '../text/dictionary.ts';
import { words } from '../text/words.ts';
import { contentTag } from './content-tag.ts';
import { EVENT_CLOSINGS, type RenderedEvent, renderEvent } from './render-event.ts';
import { renderVenue, renderVenueCard, type VenueCard } from './render-venue.ts';
import { rewriteUrls } from './rewrite-urls.ts';
import { tagTerm } from './tag-terms.ts';

/** What outlives a process: see `snapshot-file.ts`. */
export interface HeldDirectory {
  seq: number;
  publicUrl: string;
  neighborhoods: NeighborhoodRow[];
  neighborhoodSlugs: string[];
  trust: SourceTrust[];
  eventIds: Uint32Array;
  venueIds: Uint32Array;
  events: { count: number; bytes: ReadonlyMap<string, Uint8Array> };
  venues: { count: number; bytes: ReadonlyMap<string, Uint8Array> };
  json: Arena;
  sequences: Arena;
  dictionary: DictionaryParts;
}

export type Directory = ReturnType<typeof createDirectory>;

/** `publicUrl` without a slash at its end. A city's zone is in every rendered date: another city needs another directory. */
export function createDirectory(city: City | null, publicUrl: string, held?: HeldDirectory) {
  const cityTime = createCityTime(city?.timezone ?? 'UTC');
  const eventIds = new UuidTable(held?.eventIds);
  const venueIds = new UuidTable(held?.venueIds);
  const events = createColumns(EVENT_COLUMNS, held?.events);
  const venues = createColumns(VENUE_COLUMNS, held?.venues);
  const dictionary = createDictionaryBuilder(held?.dictionary);
  /** Neighborhoods keep their number while the process lives; one that is gone keeps it unused. */
  const neighborhoodSlugs = held?.neighborhoodSlugs ?? [];
  const numberOfNeighborhood = new Map(neighborhoodSlugs.map((slug, number) => [slug, number]));
  let neighborhoods: readonly NeighborhoodRow[] = held?.neighborhoods ?? [];
  let trust: readonly SourceTrust[] = held?.trust ?? [];
  let json = held?.json ?? new Arena();
  let sequences = held?.sequences ?? new Arena();
  /** How often something of venues has changed, and at which venues (slots) something that may move trends. */
  const changes = { venues: 0, trendsAt: new Set<number>() };
  /** By venue slot: what its events repeat of it. */
  const cards: (VenueCard | undefined)[] = [];
  const venueNames: string[] = [];
  const venueTerms: Uint32Array[] = [];
  /** By term: the last record it was seen in. */
  let seenBy = new Uint32Array(0);
  let round = 0;
  const learnVenue = (slot: number, venue: Parameters<typeof renderVenueCard>[0]): void => {
    cards[slot] = renderVenueCard(venue);
    venueNames[slot] = venue.name;
    venueTerms[slot] = dictionary.termIdsOf(words(venue.name));
  };

  function putVenue(venue: VenueRow): boolean {
    const slot = claimVenue(venue.id);
    const at = venues.at;
    const before = cards[slot];
    const wasHidden = at.state[slot] === STATES.hidden;
    sums.venue.remove(slot);
    stand(at, slot, venue, claimVenue);
    const isShownOtherwise = wasHidden !== (venue.state === 'hidden');
    learnVenue(slot, venue);
    keepSequence(at, slot, markRepeated(venueTerms[slot]!.slice()));
    changes.venues += 1;
    at.slug[slot] = hashSlug(venue.slug);
    at.type[slot] = VENUE_TYPES.indexOf(venue.type);
    at.capacity[slot] = venue.capacityTier === null ? UNKNOWN_CAPACITY : CAPACITY_TIERS.indexOf(venue.capacityTier);
    at.verified[slot] = Number(venue.isVerified);
    at.neighborhood[slot] = venue.neighborhood === null ? NO_NEIGHBORHOOD : claimNeighborhood(venue.neighborhood);
    at.latitude[slot] = venue.latitude;
    at.longitude[slot] = venue.longitude;
    json.garbage += at.baseBytes[slot]! + at.metadataBytes[slot]!;
    const { base, metadata } = renderVenue(venue, publicUrl);
    at.baseBytes[slot] = Buffer.byteLength(base);
    at.metadataBytes[slot] = Buffer.byteLength(metadata);
    const place = json.appendText(base + metadata, at.baseBytes[slot]! + at.metadataBytes[slot]!);
    at.chunk[slot] = place.chunk;
    at.offset[slot] = place.offset;
    [at.tagHigh[slot], at.tagLow[slot]] = contentTag(`${base}${metadata}}`);
    sums.venue.add(slot);
    const after = cards[slot];
    return before !== undefined && (isShownOtherwise || before.list !== after?.list || before.detail !== after.detail);
  }

  function putEvent(event: EventRow): void {
    const slot = claimEvent(event.id);
    sums.event.remove(slot);
    fillEvent(slot, event);
    sums.event.add(slot);
  }

  function fillEvent(slot: number, event: EventRow): void {
    const at = events.at;
    leave(slot);
    stand(at, slot, event, claimEvent);
    const venue = venueIds.find(event.venueId);
    const card = cards[venue];
    if (event.state !== 'published' && event.state !== 'unlisted') return;
    // What takes place at a venue that nobody is to see is not to be seen either: it would name the place.
    if (venues.at.state[venue] === STATES.hidden) {
      at.state[slot] = STATES.hidden;
      return;
    }
    if (!card) throw new Error(`event ${event.id} takes place at venue ${event.venueId}, which is not there`);
    at.slug[slot] = hashSlug(event.slug);
    at.score[slot] = event.discoveryScore;
    at.category[slot] = CATEGORIES.indexOf(event.category);
    at.status[slot] = event.state === 'unlisted' ? UNLISTED : EVENT_STATUSES.indexOf(event.status);
    at.free[slot] = Number(event.isFree);
    at.ownImage[slot] = Number(event.imageUrl?.startsWith('/') ?? false);
    at.start[slot] = event.startsAt;
    at.end[slot] = event.endsAt ?? Number.NaN;
    at.updated[slot] = event.updatedAt;
    at.price[slot] = event.priceMin ?? event.priceMax ?? Number.NaN;
    const day = cityTime.day(event.startsAt);
    at.latest[slot] = event.precision === 'time' ? event.startsAt : cityTime.dayBounds(day).last;
    at.day[slot] = Date.parse(day) / DAY_MS;
    at.venue[slot] = venue;
    const [first, last] = [event.scores[0], event.scores.at(-1)];
    at.isSteady[slot] = Number(isSteady(event));
    at.coverage[slot] = first?.score ?? Number.NaN;
    at.since[slot] = first ? Date.parse(first.day) / DAY_MS : 0;
    at.until[slot] = last ? Date.parse(last.day) / DAY_MS : 0;
    at.trend[slot] = 0;
    changes.trendsAt.add(venue);
    keepBytes(slot, renderEvent(event, card, cityTime, publicUrl));
    keepSequence(at, slot, sequenceOf(event, venueTerms[venue]!));
  }

  function keepBytes(slot: number, { compact, list, detail, extras }: RenderedEvent): void {
    const at = events.at;
    at.compactBytes[slot] = Buffer.byteLength(compact);
    at.listBytes[slot] = at.compactBytes[slot]! + Buffer.byteLength(list);
    at.detailBytes[slot] = at.listBytes[slot]! + Buffer.byteLength(detail);
    at.extrasBytes[slot] = Buffer.byteLength(extras);
    const place = json.appendText(compact + list + detail + extras, at.detailBytes[slot]! + at.extrasBytes[slot]!);
    at.chunk[slot] = place.chunk;
    at.offset[slot] = place.offset;
    [at.tagHigh[slot], at.tagLow[slot]] = contentTag(compact + list + detail + EVENT_CLOSINGS.detail);
  }

  function markRepeated(terms: Uint32Array): Uint32Array {
    if (seenBy.length < dictionary.termCount()) seenBy = new Uint32Array(dictionary.termCount() * 2);
    round += 1;
    for (let i = 0; i < terms.length; i += 1) {
      const term = terms[i]!;
      if (seenBy[term] === round) terms[i] = (term | REPEATED) >>> 0;
      else if (term !== FIELD_GAP) seenBy[term] = round;
    }
    return terms;
  }

  /** Title, venue, description and tags as terms; a gap between them, so that no phrase spans two fields. */
  function sequenceOf(event: EventRow, venueTerms: Uint32Array): Uint32Array {
    const title = dictionary.termIdsOf(words(event.title));
    const description = dictionary.termIdsOf(words(event.description ?? ''));
    const tags = dictionary.termIdsOf(event.tags.map(tagTerm));
    const terms = new Uint32Array(title.length + venueTerms.length + description.length + tags.length + 3).fill(FIELD_GAP);
    terms.set(title, 0);
    terms.set(venueTerms, title.length + 1);
    terms.set(description, title.length + venueTerms.length + 2);
    terms.set(tags, title.length + venueTerms.length + description.length + 3);
    return markRepeated(terms);
  }

  function keepSequence(at: SequenceColumns, slot: number, terms: Uint32Array): void {
    sequences.garbage += at.sequenceTerms[slot]! * 4;
    const place = sequences.appendWords(terms, terms.length);
    at.sequenceChunk[slot] = place.chunk;
    at.sequenceOffset[slot] = place.offset;
    at.sequenceTerms[slot] = terms.length;
  }

  /** Takes an event out as it was. */
  function leave(slot: number): void {
    const at = events.at;
    if (at.state[slot] === STATES.published) changes.trendsAt.add(at.venue[slot]!);
    json.garbage += at.detailBytes[slot]! + at.extrasBytes[slot]!;
    sequences.garbage += at.sequenceTerms[slot]! * 4;
    at.detailBytes[slot] = 0;
    at.extrasBytes[slot] = 0;
    at.sequenceTerms[slot] = 0;
  }

  const claimEvent = (id: string): number => {
    const slot = eventIds.claim(id);
    events.grow(slot + 1);
    return slot;
  };
  const claimVenue = (id: string): number => {
    const slot = venueIds.claim(id);
    venues.grow(slot + 1);
    return slot;
  };
  const claimNeighborhood = (slug: string): number => {
    const known = numberOfNeighborhood.get(slug);
    if (known !== undefined) return known;
    numberOfNeighborhood.set(slug, neighborhoodSlugs.length);
    return neighborhoodSlugs.push(slug) - 1;
  };

  /** Bytes that nothing points at are left behind when they are more than half. Snapshots keep the old arenas. */
  function compact(): void {
    if (isWasteful(json)) {
      const fresh = new Arena();
      moveBytes(json, fresh, venues, (at, slot) => at.baseBytes[slot]! + at.metadataBytes[slot]!);
      moveBytes(json, fresh, events, (at, slot) => at.detailBytes[slot]! + at.extrasBytes[slot]!);
      json = fresh;
      changes.venues += 1;
    }
    if (isWasteful(sequences)) {
      const fresh = new Arena();
      moveSequences(sequences, fresh, venues);
      moveSequences(sequences, fresh, events);
      sequences = fresh;
      changes.venues += 1;
    }
  }

  if (held) restoreVenues(held.publicUrl);
  function restoreVenues(heldUrl: string): void {
    if (heldUrl !== publicUrl) json = rewriteUrls(json, events, venues, heldUrl, publicUrl);
    for (let slot = 0; slot < venues.count; slot += 1) {
      const { chunk, offset, baseBytes } = venues.at;
      if (baseBytes[slot] === 0) continue;
      const base = Buffer.from(json.chunks[chunk[slot]!]!, offset[slot]!, baseBytes[slot]!).toString();
      learnVenue(slot, JSON.parse(`${base}}`));
    }
  }
  const sums = {
    event: createRangeSums(eventIds, events, STATES.published),
    venue: createRangeSums(venueIds, venues, STATES.published),
  };

  return {
    seq: held?.seq ?? 0,
    /** What is usual in each category, as of when all trends were last computed. */
    peers: new Map() as Peers,
    city,
    cityTime,
    publicUrl,
    events,
    venues,
    eventIds,
    venueIds,
    venueNames,
    venueTerms,
    neighborhoodSlugs,
    dictionary,
    get neighborhoods() {
      return neighborhoods;
    },
    get trust() {
      return trust;
    },
    get json() {
      return json;
    },
    get sequences() {
      return sequences;
    },
    setNeighborhoods(rows: readonly NeighborhoodRow[]) {
      neighborhoods = rows;
      for (const { slug } of rows) claimNeighborhood(slug);
    },
    setTrust(sources: readonly SourceTrust[]) {
      trust = sources;
    },
    hasVenue: (id: string) => cards[venueIds.find(id)] !== undefined,
    /** True when events show something of it that has changed: they have to be put again. */
    putVenue,
    /** Its venue must have been put before. */
    putEvent,
    /** Their rows are there no more. */
    forgetEvent(id: string) {
      const slot = claimEvent(id);
      sums.event.remove(slot);
      leave(slot);
      events.at.state[slot] = ABSENT;
    },
    forgetVenue(id: string) {
      const slot = claimVenue(id);
      sums.venue.remove(slot);
      venues.at.state[slot] = ABSENT;
      changes.venues += 1;
    },
    compact,
    changes,
    sums,
  };
}

function stand(
  at: { state: Uint8Array; mergedInto: Uint32Array },
  slot: number,
  { state, mergedInto }: Lifecycle,
  claim: (id: string) => number,
): void {
  const survivor = mergedInto === null ? 0 : claim(mergedInto);
  at.state[slot] = STATES[state];
  at.mergedInto[slot] = survivor;
}

/** Everything by slot. A `chunk` and an `offset` point into the arena of rendered bytes. */
const EVENT_COLUMNS = {
  state: 'u8',
  /** Its hash. */
  slug: 'u32',
  score: 'u8',
  category: 'u8',
  status: 'u8',
  free: 'u8',
  /** Its image is one of ours, named by a path. */
  ownImage: 'u8',
  /** Then `coverage`, `since` and `until` say all there is to know of its momentum. */
  isSteady: 'u8',
  /** NaN: never noted. */
  coverage: 'f64',
  /** Days since 1970-01-01 on which its coverage was first and last noted. */
  since: 'i32',
  until: 'i32',
  start: 'f64',
  /** Until when it may start: of a day whose hour is unknown, or that is meant as a whole, its last millisecond. */
  latest: 'f64',
  /** NaN: unknown. */
  end: 'f64',
  updated: 'f64',
  /** The cheapest way in. NaN: unknown. */
  price: 'f64',
  trend: 'f64',
  /** Days since 1970-01-01 in the city's calendar. */
  day: 'i32',
  venue: 'u32',
  mergedInto: 'u32',
  chunk: 'u32',
  offset: 'u32',
  /** Each counts from the beginning: compact ⊂ list ⊂ detail. Extras follow the detail. */
  compactBytes: 'u32',
  listBytes: 'u32',
  detailBytes: 'u32',
  extrasBytes: 'u32',
  tagHigh: 'u32',
  tagLow: 'u32',
  sequenceChunk: 'u32',
  sequenceOffset: 'u32',
  sequenceTerms: 'u32',
} as const;
const VENUE_COLUMNS = {
  state: 'u8',
  /** Its hash. */
  slug: 'u32',
  type: 'u8',
  capacity: 'u8',
  verified: 'u8',
  latitude: 'f64',
  longitude: 'f64',
  neighborhood: 'u32',
  mergedInto: 'u32',
  chunk: 'u32',
  offset: 'u32',
  baseBytes: 'u32',
  metadataBytes: 'u32',
  tagHigh: 'u32',
  tagLow: 'u32',
  sequenceChunk: 'u32',
  sequenceOffset: 'u32',
  sequenceTerms: 'u32',
} as const;

export const ABSENT = 0;
/** An unlisted event answers by its id like a published one; only its status, which no list asks for, keeps it out of them. */
export const STATES = { published: 1, merged: 2, removed: 3, unlisted: 1, hidden: 4 } as const;
/** In the place of a status: no list shows it. */
const UNLISTED = EVENT_STATUSES.length;
const UNKNOWN_CAPACITY = 255;
const NO_NEIGHBORHOOD = 0xffffffff;
/** Set on a term that stood in the same record before, so that nobody has to remember which did. */
const REPEATED = 0x80000000;
/** Stands for no term. */
const FIELD_GAP = 0xffffffff;
