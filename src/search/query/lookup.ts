/** Ids found in an index of them. */

import { type IdIndex, LEADS_TO, MERGED_FROM } from '../snapshot-data.ts';
import { findSorted, formatUuid } from '../structures/uuid-table.ts';

export type Lead = { item: number } | { into: string } | 'removed' | 'unknown';

/** Where an id leads: to an item, to the id that took it over, or nowhere. */
export function follow({ ids, leads }: IdIndex, id: string): Lead {
  const place = findSorted(ids, id);
  const lead = place < 0 ? LEADS_TO.unknown : leads[place]!;
  if (lead >= 0) return { item: lead };
  if (lead === LEADS_TO.unknown) return 'unknown';
  return lead === LEADS_TO.removed ? 'removed' : { into: formatUuid(ids, (MERGED_FROM - lead) * 4) };
}

/** The item of an id or of its survivor; -1 when there is none. */
export function publishedItem({ ids, leads }: IdIndex, id: string): number {
  const place = findSorted(ids, id);
  const lead = place < 0 ? -1 : leads[place]!;
  return lead <= MERGED_FROM ? leads[MERGED_FROM - lead]! : Math.max(-1, lead);
}
