/** What a run says against what its source said before. */

import { nightOf } from '../../identity/index.ts';
import { type EventRecord, publicIdOf, recordIdOf, type StoredFacts, type VenueRecord } from '../../merge/index.ts';
import type { NormalEvent, VenueDraft } from '../../normalize/index.ts';
import { contentHash, type HeldRecord } from '../../sources/index.ts';

/** All that one source says now. */
export interface Said {
  events: readonly { listing: NormalEvent; venueKey: string | null }[];
  /** By their key. */
  venues: ReadonlyMap<string, VenueDraft>;
  /** External ids of records that are there but could not be read: they have not vanished. */
  unreadable: ReadonlySet<string>;
  /** Whether the whole answer was read; only then is silence a sign. */
  isComplete: boolean;
}

export interface Staged {
  /** New, changed or back after an absence. */
  events: EventRecord[];
  venues: VenueRecord[];
  /** Present until now and said no longer, though still to come. */
  vanished: { id: string; externalId: string; targetId: string | null; night: string | null; startsAt: number }[];
  unchanged: number;
  unchangedVenues: number;
  /** How many of the events are new, and how many start at another time than before. */
  created: number;
  createdVenues: number;
  moved: number;
  /** How many records that are still to come the source had. */
  upcomingBefore: number;
}

export interface StageContext {
  source: { id: string; name: string };
  /** Milliseconds. */
  now: number;
  held: { events: ReadonlyMap<string, HeldRecord>; venues: ReadonlyMap<string, HeldRecord> };
}

/** Of two listings with one external id the first in the order of their content counts, whichever came first. */
export function stage(said: Said, { source, now, held }: StageContext): Staged {
  const events: EventRecord[] = [];
  const seen = new Set<string>();
  let created = 0;
  let moved = 0;
  let unchanged = 0;
  for (const { listing, venueKey } of said.events) {
    const { externalId } = listing;
    seen.add(externalId);
    const before = held.events.get(externalId);
    const digest = contentHash({ listing, venueKey });
    // One that has no place yet is tried again: its venue may be known by now.
    if (before && !before.isGone && before.contentHash === digest && before.targetId !== null) {
      unchanged++;
      continue;
    }
    if (!before) created++;
    else if (isMoved(before, listing) && (before.startsAt ?? 0) >= now) moved++;
    const id = before?.id ?? recordIdOf('event', source.name, externalId);
    const firstSeenAt = before?.firstSeenAt ?? now;
    const facts = storedFacts(listing, venueKey, source.name);
    const night = nightOf({ ...facts, id, startsAt: listing.startsAt });
    const hasGoneOn = before?.night != null && before.night !== night && listing.precision !== 'time';
    events.push({
      id,
      sourceId: source.id,
      externalId,
      ownId: before?.ownId ?? publicIdOf(id, firstSeenAt),
      targetId: before?.targetId ?? null,
      firstSeenAt,
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
  const vanished = said.isComplete
    ? upcoming.filter(({ externalId }) => !seen.has(externalId) && !said.unreadable.has(externalId))
    : [];
  return {
    events,
    vanished,
    unchanged,
    created,
    moved,
    upcomingBefore: upcoming.length,
    ...stageVenues(said, source, now, held.venues),
  };
}

/** Where the rules of the zone have changed, the clock on the wall shows the same at another instant. */
function isMoved(before: HeldRecord, { startsAt, localStart }: NormalEvent): boolean {
  return before.startsAt !== null && before.startsAt !== startsAt && before.localStart !== localStart;
}

function stageVenues(
  said: Said,
  source: { id: string; name: string },
  now: number,
  held: ReadonlyMap<string, HeldRecord>,
): Pick<Staged, 'venues' | 'unchangedVenues' | 'createdVenues'> {
  const venues: VenueRecord[] = [];
  let unchangedVenues = 0;
  let createdVenues = 0;
  for (const [externalId, listing] of said.venues) {
    const before = held.get(externalId);
    const digest = contentHash(listing);
    if (before && !before.isGone && before.contentHash === digest && before.targetId !== null) {
      unchangedVenues++;
      continue;
    }
    if (!before) createdVenues++;
    const id = before?.id ?? recordIdOf('venue', source.name, externalId);
    const firstSeenAt = before?.firstSeenAt ?? now;
    venues.push({
      id,
      sourceId: source.id,
      externalId,
      ownId: before?.ownId ?? publicIdOf(id, firstSeenAt),
      targetId: before?.targetId ?? null,
      firstSeenAt,
      contentHash: digest,
      listing,
      isBundle: false,
      isChanged: true,
    });
  }
  return { venues, unchangedVenues, createdVenues };
}

function storedFacts(listing: NormalEvent, venueKey: string | null, sourceName: string): StoredFacts {
  const { externalId, seriesId, title, category, endsAt, precision, localStart, place, performers, url, sources } = listing;
  const { name, address, latitude, longitude } = place;
  return {
    provider: sources[0] ?? sourceName,
    externalId,
    seriesId,
    title,
    category,
    endsAt,
    precision,
    localStart,
    place: { name, address, latitude, longitude },
    performers,
    url,
    venueKey,
  };
}
