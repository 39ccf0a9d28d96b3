/** Which venue an event is at, by what its records say of their places. */

import { createPlaceIndex } from '../identity/place-index.ts';
import type { Word } from './merge-event.ts';
import type { EventGroup } from './plan-events.ts';
import type { VenuePlan } from './plan-venues.ts';
import { type EventRecord, placeFacts, type VenueRecord } from './record.ts';

function approximateAmong(records: readonly VenueRecord[]): Set<string> {
  return new Set(
    records.flatMap(({ sourceId, externalId, listing }) => (listing.isApproximate ? [`${sourceId} ${externalId}`] : [])),
  );
}

/**
 * The places that a name of a source may lead to, as its run has seen them: what is listed with a point or an address, and
 * what an answer has placed for itself. What is only known to be in an area is no such place. Null: without answers.
 */
function createSourceIndexes(records: readonly VenueRecord[]) {
  const known = records.filter(({ listing }) => listing.area === undefined);
  const placers = new Set(known.flatMap(({ sourceId, listing }) => (listing.placedBy === 'answer' ? [sourceId] : [])));
  const indexes = new Map<string | null, ReturnType<typeof createPlaceIndex>>();
  return (sourceId: string | null) => {
    const source = sourceId !== null && placers.has(sourceId) ? sourceId : null;
    const open = () =>
      createPlaceIndex(
        known.filter(({ sourceId: from, listing }) => listing.placedBy !== 'answer' || from === source).map(placeFacts),
      );
    const index = indexes.get(source) ?? open();
    indexes.set(source, index);
    return index;
  };
}

/** The venue of the most trusted record that knows one; exact points before approximate ones. */
export function venueFinder({
  venueRecords,
  venues,
  approximate = approximateAmong(venueRecords),
}: {
  venueRecords: readonly VenueRecord[];
  venues: Pick<VenuePlan, 'venueOf' | 'venueOfKey'>;
  /** Source and key of those whose point stands for a larger place. */
  approximate?: ReadonlySet<string>;
}): (group: Pick<EventGroup, 'members'>, words: readonly Word[]) => string | undefined {
  const indexOf = createSourceIndexes(venueRecords);
  const found = new Map<string, string | undefined>();
  const byName = ({ sourceId, facts: { place } }: EventRecord): string | undefined => {
    const key = JSON.stringify([sourceId, place.name, place.address]);
    if (found.has(key)) return found.get(key);
    const named = { ...place, latitude: null, longitude: null };
    const place_ = (indexOf(sourceId).find(named) ?? indexOf(null).find(named))?.place.id;
    const venueId = place_ === undefined ? undefined : venues.venueOf(place_);
    found.set(key, venueId);
    return venueId;
  };
  return ({ members }, words) => {
    const trustOf = new Map(words.map(({ recordId, trust }) => [recordId, trust]));
    const rank = ({ sourceId, facts: { venueKey } }: EventRecord): number =>
      venueKey === null ? 1 : approximate.has(`${sourceId} ${venueKey}`) ? 2 : 0;
    const ordered = [...members].sort(
      (a, b) => rank(a) - rank(b) || (trustOf.get(b.id) ?? 0) - (trustOf.get(a.id) ?? 0) || (a.id < b.id ? -1 : 1),
    );
    for (const member of ordered) {
      const { venueKey } = member.facts;
      const venueId = venueKey === null ? byName(member) : venues.venueOfKey(member.sourceId, venueKey);
      if (venueId !== undefined) return venueId;
    }
    return undefined;
  };
}

/**
 * Venues that are one by more than their names and points: people have said so, or sources list the same events there. Which site the
 * place of an event record is; undefined for all other places. Both names of a pair are of its site, whichever source lists them; rooms of
 * the venue under names of their own are not.
 *
 * @param pairs of venue records that are one.
 */
export function sitesOf(
  records: readonly VenueRecord[],
  pairs: readonly { left: string; right: string }[],
  { venueOf }: Pick<VenuePlan, 'venueOf'>,
): (record: EventRecord) => string | undefined {
  const byId = new Map(records.map((record) => [record.id, record]));
  const names = new Set<string>();
  for (const { left, right } of pairs) {
    const site = venueOf(left);
    if (site === undefined || site !== venueOf(right)) continue;
    for (const id of [left, right]) names.add(nameAt(site, byId.get(id)));
  }
  if (names.size === 0) return () => undefined;
  const sites = new Map<string, string>();
  for (const record of records) {
    const site = venueOf(record.id);
    if (site !== undefined && names.has(nameAt(site, record))) sites.set(`${record.sourceId} ${record.externalId}`, site);
  }
  return ({ sourceId, facts: { venueKey } }) => (venueKey === null ? undefined : sites.get(`${sourceId} ${venueKey}`));
}

const nameAt = (site: string, record: VenueRecord | undefined): string =>
  `${site} ${record?.listing.name.normalize('NFKC').toLowerCase().trim()}`;
