/** What a source lists now, compared with what it listed before. */

import {
  type EventRecord,
  type NormalEvent,
  type NormalVenue,
  nightOf,
  publicIdOf,
  recordIdOf,
  type StoredFacts,
  type VenueDraft,
  type VenueRecord,
} from '../../facts/index.ts';
import type { HeldRecord } from '../records/read-records.ts';
import { contentHash } from '../records/records.ts';

/** All that one source lists now. */
export interface Listed {
  events: readonly { listing: NormalEvent; venueKey: string | null; place?: NormalVenue }[];
  /** By their key. */
  venues: ReadonlyMap<string, VenueDraft>;
  /** External ids of records that are there but could not be read: they are not missing. */
  unreadable: ReadonlySet<string>;
  /** Whether the whole answer was read; only then can a listing be missing. */
  isComplete: boolean;
}

export interface Diff {
  /** New, changed or back after an absence. */
  events: EventRecord[];
  venues: VenueRecord[];
  /** Listed until now and no longer, though still to come. */
  missing: { id: string; externalId: string; targetId: string | null; night: string | null; startsAt: number }[];
  unchanged: number;
  unchangedVenues: number;
  /** How many of the events are new, and how many start at another time than before. */
  created: number;
  createdVenues: number;
  moved: number;
  /** How many records that are still to come the source had. */
  upcomingBefore: number;
}

export interface DiffContext {
  source: { id: string; name: string };
  /** Milliseconds. */
  now: number;
  held: { events: ReadonlyMap<string, HeldRecord>; venues: ReadonlyMap<string, HeldRecord> };
}

/** Of two listings with one external id the first in the order of their content counts, whichever came first. */
export function diffListings(listed: Listed, { source, now, held }: DiffContext): Diff {
  const events: EventRecord[] = [];
  const seen = new Set<string>();
  let created = 0;
  let moved = 0;
  let unchanged = 0;
  for (const { listing, venueKey, place } of listed.events) {
    const { externalId } = listing;
    const venue = standing(listing, place);
    seen.add(externalId);
    const before = held.events.get(externalId);
    const precision = precisionOf(venue, listed.venues.get(venueKey ?? ''));
    const digest = contentHash({ listing, venueKey, ...precision, place });
    // One that has no place yet is tried again: its venue may be known by now.
    if (before && !before.isGone && before.contentHash === digest && before.targetId !== null) {
      unchanged++;
      continue;
    }
    if (!before) created++;
    else if (isMoved(before, listing) && (before.startsAt ?? 0) >= now) moved++;
    const identity = identityOf('event', externalId, before, source, now);
    const { id } = identity;
    const facts = storedFacts({ ...listing, place: venue }, venueKey, precision, source.name);
    const night = nightOf({ ...facts, id, startsAt: listing.startsAt });
    const hasGoneOn = before?.night != null && before.night !== night && listing.precision !== 'time';
    events.push({
      ...identity,
      contentHash: digest,
      facts,
      startsAt: listing.startsAt,
      night,
      listing,
      ...(hasGoneOn ? { hasGoneOn } : {}),
    });
  }
  const upcoming = [...held.events].flatMap(([externalId, { id, targetId, night, startsAt, isGone }]) =>
    !isGone && startsAt !== null && startsAt >= now ? [{ id, externalId, targetId, night, startsAt }] : [],
  );
  const missing = listed.isComplete
    ? upcoming.filter(({ externalId }) => !seen.has(externalId) && !listed.unreadable.has(externalId))
    : [];
  return {
    events,
    missing,
    unchanged,
    created,
    moved,
    upcomingBefore: upcoming.length,
    ...diffVenues(listed, source, now, held.venues),
  };
}

const standing = ({ place }: NormalEvent, known: NormalVenue | undefined): NormalVenue => known ?? place;

/** Where the rules of the zone have changed, the clock on the wall shows the same at another instant. */
function isMoved(before: HeldRecord, { startsAt, localStart }: NormalEvent): boolean {
  return before.startsAt !== null && before.startsAt !== startsAt && before.localStart !== localStart;
}

function diffVenues(
  listed: Listed,
  source: { id: string; name: string },
  now: number,
  held: ReadonlyMap<string, HeldRecord>,
): Pick<Diff, 'venues' | 'unchangedVenues' | 'createdVenues'> {
  const venues: VenueRecord[] = [];
  let unchangedVenues = 0;
  let createdVenues = 0;
  for (const [externalId, listing] of listed.venues) {
    const before = held.get(externalId);
    const digest = contentHash(listing);
    if (before && !before.isGone && before.contentHash === digest && before.targetId !== null) {
      unchangedVenues++;
      continue;
    }
    if (!before) createdVenues++;
    venues.push({
      ...identityOf('venue', externalId, before, source, now),
      contentHash: digest,
      listing,
      isBundle: false,
      isChanged: true,
    });
  }
  return { venues, unchangedVenues, createdVenues };
}

/** Of a record: its ids, those that it had before if it was there. */
function identityOf(
  kind: 'event' | 'venue',
  externalId: string,
  before: HeldRecord | undefined,
  source: DiffContext['source'],
  now: number,
): Pick<EventRecord, 'id' | 'sourceId' | 'externalId' | 'ownId' | 'targetId' | 'firstSeenAt'> {
  const id = before?.id ?? recordIdOf(kind, source.name, externalId);
  const firstSeenAt = before?.firstSeenAt ?? now;
  const ownId = before?.ownId ?? publicIdOf(id, firstSeenAt);
  return { id, sourceId: source.id, externalId, ownId, targetId: before?.targetId ?? null, firstSeenAt };
}

type PointPrecision = Pick<StoredFacts['place'], 'isApproximate' | 'isArea' | 'quarter'>;

/** What is known of the point of a listing's venue, beside the listing itself. */
function precisionOf(place: NormalVenue, draft: VenueDraft | undefined): PointPrecision {
  return {
    ...(draft?.isApproximate && place.latitude !== null ? { isApproximate: true } : {}),
    ...(draft?.area === 'itself' ? { isArea: true } : {}),
    ...(draft?.quarter === undefined ? {} : { quarter: draft.quarter }),
  };
}

function storedFacts(
  listing: NormalEvent,
  venueKey: string | null,
  pointPrecision: PointPrecision,
  sourceName: string,
): StoredFacts {
  const { externalId, seriesId, title, category, endsAt, precision, localStart, place, performers, url, sources } = listing;
  const { name, address, latitude, longitude, defaults } = place;
  const { ticket, status } = listing;
  return {
    provider: sources[0] ?? sourceName,
    externalId,
    seriesId,
    title,
    category,
    endsAt,
    precision,
    localStart,
    place: { name, address, latitude, longitude, ...pointPrecision },
    performers,
    url,
    venueKey,
    ...(defaults ? { defaults } : {}),
    ...(ticket ? { ticket } : {}),
    ...(status === 'cancelled' ? { isCancelled: true } : {}),
  };
}
