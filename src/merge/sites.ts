/** Venues that are one by more than their names and points: people have said so, or sources list the same events there. */

import type { VenuePlan } from './plan-venues.ts';
import type { EventRecord, VenueRecord } from './record.ts';

/**
 * Which site the place of an event record is; undefined for all other places. Both names of a pair are of its site, whichever source
 * lists them; rooms of the venue under names of their own are not.
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
