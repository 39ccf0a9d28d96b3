/** A listing as the directory keeps it: what its source says now, and what it has become. */

import type { VenueDraft } from '../drafts.ts';
import type { EventFacts, PlaceFacts } from '../identity/compared-facts.ts';
import type { NormalEvent } from '../model.ts';
import type { Member } from './assign.ts';

/** What matching compares, kept beside the listing so that a run reads no descriptions. */
export type StoredFacts = Omit<EventFacts, 'id' | 'startsAt'> & {
  /** The venue record of the same source; null when the place has no coordinates of its own. */
  venueKey: string | null;
  /** Keys of what was dropped of its place as a default of the provider. */
  defaults?: string[];
};

/** An event record, light: the listing itself is read only where it is needed. */
export interface EventRecord extends Member {
  sourceId: string;
  externalId: string;
  contentHash: string;
  facts: StoredFacts;
  startsAt: number;
  /** `YYYY-MM-DD`. */
  night: string;
  /** Its source says it no longer; its event may find a successor. */
  isGone?: true;
  /** Of an imported bundle: the operator's own word. */
  isBundle?: true;
  /** Its night is over: it is here because somebody has spoken of it. */
  isOver?: true;
  /** Present when this run brought it, changed or new. */
  listing: NormalEvent | null;
}

export interface VenueRecord extends Member {
  sourceId: string;
  externalId: string;
  contentHash: string;
  listing: VenueDraft;
  /** Of an imported bundle: the operator's own word, never merged with another of its kind. */
  isBundle: boolean;
  isChanged: boolean;
}

export function eventFacts({ id, facts: { venueKey: _, defaults: __, ...facts }, startsAt, isBundle }: EventRecord): EventFacts {
  return { ...facts, id, startsAt, ...(isBundle ? { isOwnWord: true } : {}) };
}

export function placeFacts({ id, sourceId, listing }: VenueRecord): PlaceFacts & { id: string; provider: string } {
  return { id, provider: listing.provider ?? sourceId, ...placeOf(listing) };
}

/** What matching compares of a venue. */
export function placeOf({ name, address, latitude, longitude, isApproximate, area, quarter }: VenueDraft): PlaceFacts {
  const precision = {
    ...(isApproximate ? { isApproximate } : {}),
    ...(area === 'itself' ? { isArea: true } : {}),
    ...(quarter === undefined ? {} : { quarter }),
  };
  return { name, address, latitude, longitude, ...precision };
}
