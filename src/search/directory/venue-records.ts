/** Venues in the builder's directory: rendered once, and known by what their events repeat of them. */

import { CAPACITY_TIERS, LOCATION_PRECISIONS, VENUE_TYPES } from '../../records/index.ts';
import type { VenueRow } from '../rows.ts';
import { createRangeSums } from '../structures/range-sums.ts';
import { hashSlug } from '../structures/slug-index.ts';
import type { DirectoryArenas } from './arenas.ts';
import { contentTag } from './content-tag.ts';
import type { DirectoryChanges } from './directory-changes.ts';
import type { NeighborhoodNumbers } from './neighborhood-numbers.ts';
import { ABSENT, NO_NEIGHBORHOOD, STATES, UNKNOWN_CAPACITY, type VenueColumns } from './record-columns.ts';
import { setLifecycle, type VenueRecordTable } from './record-table.ts';
import { renderVenue, renderVenueCard, type VenueCard } from './render-venue.ts';
import type { TermSequences } from './term-sequences.ts';

export type VenueRecords = ReturnType<typeof createVenueRecords>;

export interface VenueRecordsOptions {
  /** May hold venues that were saved. */
  table: VenueRecordTable;
  arenas: DirectoryArenas;
  sequences: TermSequences;
  neighborhoods: NeighborhoodNumbers;
  changes: DirectoryChanges;
  /** Without a slash at its end. */
  publicUrl: string;
}

export function createVenueRecords({ table, arenas, sequences, neighborhoods, changes, publicUrl }: VenueRecordsOptions) {
  const { ids, columns, claim } = table;
  const { at } = columns;
  const learned = createLearnedVenues(sequences);

  function keepBytes(slot: number, venue: VenueRow): void {
    const { json } = arenas;
    json.garbage += at.baseBytes[slot]! + at.metadataBytes[slot]! + at.otherNamesBytes[slot]!;
    const { base, metadata } = renderVenue(venue, publicUrl);
    at.baseBytes[slot] = Buffer.byteLength(base);
    at.metadataBytes[slot] = Buffer.byteLength(metadata);
    const others = venue.otherNames?.length ? JSON.stringify(venue.otherNames) : '';
    at.otherNamesBytes[slot] = Buffer.byteLength(others);
    const bytes = at.baseBytes[slot]! + at.metadataBytes[slot]! + at.otherNamesBytes[slot]!;
    const place = json.appendText(base + metadata + others, bytes);
    at.chunk[slot] = place.chunk;
    at.offset[slot] = place.offset;
    [at.tagHigh[slot], at.tagLow[slot]] = contentTag(`${base}${metadata}}`);
  }

  learnSaved(learned, columns, arenas);
  const sums = createRangeSums(ids, columns, STATES.published);

  return {
    names: learned.names,
    terms: learned.terms,
    sums,
    address: learned.address,
    aliases: learned.aliases,
    card: learned.card,
    isHidden: (slot: number): boolean => at.state[slot] === STATES.hidden,
    /** True when events show something of it that has changed: they have to be put again. */
    put(venue: VenueRow): boolean {
      const slot = claim(venue.id);
      const before = learned.card(slot);
      const wasHidden = at.state[slot] === STATES.hidden;
      sums.remove(slot);
      setLifecycle(at, slot, venue, claim);
      learned.put(slot, venue, venue.otherNames ?? []);
      sequences.putVenue(at, slot, learned.terms[slot]!);
      setFacts(at, slot, venue, neighborhoods);
      keepBytes(slot, venue);
      sums.add(slot);
      changes.venues += 1;
      const after = learned.card(slot);
      const isShownOtherwise = wasHidden !== (venue.state === 'hidden');
      return before !== undefined && (isShownOtherwise || before.list !== after?.list || before.detail !== after.detail);
    },
    /** Its row is there no more. */
    forget(id: string): void {
      const slot = claim(id);
      sums.remove(slot);
      at.state[slot] = ABSENT;
      changes.venues += 1;
    },
  };
}

/** What is known of venues beside their columns: their names, and what their events repeat of them. */
function createLearnedVenues(sequences: TermSequences) {
  /** By slot: what its events repeat of it. */
  const cards: (VenueCard | undefined)[] = [];
  const names: string[] = [];
  const terms: Uint32Array[] = [];
  const addresses: string[] = [];
  /** By slot, of those that have some. */
  const otherNames = new Map<number, readonly string[]>();

  return {
    names,
    terms,
    address: (slot: number): string => addresses[slot] ?? '',
    aliases: (slot: number): readonly string[] => otherNames.get(slot) ?? [],
    /** Undefined: there is no such venue. */
    card: (slot: number): VenueCard | undefined => cards[slot],
    put(slot: number, venue: Parameters<typeof renderVenueCard>[0], others: readonly string[]): void {
      if (others.length > 0) otherNames.set(slot, others);
      else otherNames.delete(slot);
      cards[slot] = renderVenueCard(venue);
      names[slot] = venue.name;
      terms[slot] = sequences.ofName(venue.name);
      addresses[slot] = venue.address ?? '';
    },
  };
}

/** Venues that were saved are in the columns and arenas already: they are read from their JSON. */
function learnSaved(
  learned: ReturnType<typeof createLearnedVenues>,
  { at, count }: VenueRecordTable['columns'],
  { json }: DirectoryArenas,
): void {
  for (let slot = 0; slot < count; slot += 1) {
    const { chunk, offset, baseBytes, metadataBytes, otherNamesBytes } = at;
    if (baseBytes[slot] === 0) continue;
    const saved = (from: number, bytes: number): string =>
      Buffer.from(json.chunks[chunk[slot]!]!, offset[slot]! + from, bytes).toString();
    const others = saved(baseBytes[slot]! + metadataBytes[slot]!, otherNamesBytes[slot]!);
    learned.put(slot, JSON.parse(`${saved(0, baseBytes[slot]!)}}`), others === '' ? [] : JSON.parse(others));
  }
}

function setFacts(at: VenueColumns, slot: number, venue: VenueRow, neighborhoods: NeighborhoodNumbers): void {
  at.slug[slot] = hashSlug(venue.slug);
  at.type[slot] = VENUE_TYPES.indexOf(venue.type);
  at.capacity[slot] = venue.capacityTier === null ? UNKNOWN_CAPACITY : CAPACITY_TIERS.indexOf(venue.capacityTier);
  at.verified[slot] = Number(venue.isVerified);
  at.precision[slot] = LOCATION_PRECISIONS.indexOf(venue.locationPrecision ?? 'exact');
  at.neighborhood[slot] = venue.neighborhood === null ? NO_NEIGHBORHOOD : neighborhoods.claim(venue.neighborhood);
  at.latitude[slot] = venue.latitude;
  at.longitude[slot] = venue.longitude;
}
