/** Where listings take place: coordinates of their own, those of a venue that is known, or where the hints lead. */

import { slugify } from '../../catalog/index.ts';
import { createPlaceIndex, type PlaceFacts, placeName } from '../../identity/index.ts';
import type { PlaceHint } from '../../providers/index.ts';
import type { VenueDraft } from '../drafts.ts';
import type { NormalEvent, NormalVenue } from '../normalize/index.ts';

export interface Settled {
  events: { listing: NormalEvent; venueKey: string | null }[];
  venues: Map<string, VenueDraft>;
  /** Names of places that nobody knows, with how many listings wait for them. */
  waiting: Map<string, number>;
}

export interface KnownPlaces {
  /** Present venues of the directory. */
  places: readonly (PlaceFacts & { id: string; provider: string })[];
  /** By slug or name, a point inside it; null when there is none such. */
  neighborhood(name: string): { slug: string; latitude: number; longitude: number } | null;
}

/**
 * The places of one source's listings. What a listing says of a place is taken from all listings of it together, so their order does
 * not matter. A listing without coordinates whose place is known to nobody waits: it is kept, and tried again in every run.
 */
export function settlePlaces(
  events: readonly NormalEvent[],
  venues: readonly NormalVenue[],
  known: KnownPlaces,
  sourceId: string,
): Settled {
  const drafts = new Map<string, VenueDraft>();
  const note = (place: NormalVenue, at: Located): string => {
    const key = keyOf(place, at);
    const draft = draftOf(place, key, at, known);
    const before = drafts.get(key);
    drafts.set(key, before ? fuller(before, draft) : draft);
    return key;
  };
  for (const venue of venues) if (isLocated(venue)) note(venue, venue);
  const keys = events.map(({ place }) => (isLocated(place) ? note(place, place) : null));

  markStandIns(drafts);
  const lost = events.filter((_, index) => keys[index] === null);
  const waiting = new Map<string, number>();
  if (lost.length === 0)
    return { events: events.map((listing, index) => ({ listing, venueKey: keys[index] ?? null })), venues: drafts, waiting };

  const own = [...drafts].map(([id, draft]) => ({ ...placeOf(draft), id: `own ${id}`, provider: sourceId }));
  const index = createPlaceIndex([...known.places, ...own]);
  const answers = new Map<string, string | null>();
  const settle = (place: NormalVenue): string | null => {
    const found = index.find({ name: place.name, address: place.address, latitude: null, longitude: null });
    if (found) return null;
    const at = follow(place.hints, index, known);
    if (at) return note(place, at);
    waiting.set(place.name, (waiting.get(place.name) ?? 0) + 1);
    return null;
  };
  const settled = events.map((listing, at) => {
    const { place } = listing;
    if (keys[at] !== null) return { listing, venueKey: keys[at] ?? null };
    const name = JSON.stringify([place.externalId, place.name, place.address, place.hints]);
    const answer = answers.has(name) && !waiting.has(place.name) ? (answers.get(name) ?? null) : settle(place);
    answers.set(name, answer);
    return { listing, venueKey: answer };
  });
  return { events: settled, venues: drafts, waiting };
}

interface Located {
  latitude: number;
  longitude: number;
  isApproximate?: true;
}

function isLocated<T extends NormalVenue>(place: T): place is T & Located {
  return place.latitude !== null && place.longitude !== null;
}

function follow(hints: readonly PlaceHint[], index: ReturnType<typeof createPlaceIndex>, known: KnownPlaces): Located | null {
  for (const hint of hints) {
    if (hint.kind === 'point') return { latitude: hint.latitude, longitude: hint.longitude, isApproximate: true };
    if (hint.kind === 'neighborhood') {
      const area = known.neighborhood(hint.name);
      if (area) return { latitude: area.latitude, longitude: area.longitude };
      continue;
    }
    const found = index.find({ name: hint.name, address: null, latitude: null, longitude: null })?.place;
    if (found && found.latitude !== null && found.longitude !== null) {
      const { latitude, longitude, isApproximate } = found;
      return { latitude, longitude, ...(isApproximate ? { isApproximate } : {}) };
    }
  }
  return null;
}

/** The provider's id, or the name with the point: one name at two points is two places until they are compared. */
function keyOf(place: NormalVenue, { latitude, longitude }: Located): string {
  if (place.externalId !== null) return place.externalId;
  const name = slugify(place.name) || place.name.normalize('NFKC').toLowerCase();
  return `${name.slice(0, MOST_KEY_CHARS)}@${latitude.toFixed(4)},${longitude.toFixed(4)}`;
}

function draftOf(place: NormalVenue, externalId: string, at: Located, known: KnownPlaces): VenueDraft {
  // `Brooklyn` is no venue: its point is somewhere in the middle.
  const isApproximate = at.isApproximate ?? place.isApproximate ?? placeName(place.name).kind === 'nowhere';
  return {
    externalId,
    id: null,
    name: place.name,
    type: place.type,
    address: place.address,
    latitude: at.latitude,
    longitude: at.longitude,
    capacityTier: place.capacityTier,
    isVerified: place.isVerified,
    neighborhood: place.neighborhood === null ? null : (known.neighborhood(place.neighborhood)?.slug ?? null),
    website: place.website,
    parking: null,
    transitNearby: [],
    openingHours: null,
    ...(isApproximate ? { isApproximate } : {}),
  };
}

function placeOf({ name, address, latitude, longitude, isApproximate }: VenueDraft): PlaceFacts {
  return { name, address, latitude, longitude, ...(isApproximate ? { isApproximate } : {}) };
}

/** A ticket seller that cannot find a theatre puts it in the middle of its postal code, and the next one, too. */
function markStandIns(drafts: ReadonlyMap<string, VenueDraft>): void {
  for (const there of Map.groupBy(drafts.values(), ({ latitude, longitude }) => `${latitude},${longitude}`).values()) {
    const houses = new Set(there.map(({ name }) => placeName(name).house));
    if (houses.size >= SHARED_BY) for (const draft of there) draft.isApproximate = true;
  }
}

/** The draft that says more; between equals an order that does not depend on which came first. */
function fuller(a: VenueDraft, b: VenueDraft): VenueDraft {
  const said = (draft: VenueDraft) => Object.values(draft).filter((value) => value !== null).length;
  const more = said(a) - said(b);
  if (more !== 0) return more > 0 ? a : b;
  return JSON.stringify(a) <= JSON.stringify(b) ? a : b;
}

const MOST_KEY_CHARS = 200;
/** Houses at one point: two may be one under two names. */
const SHARED_BY = 3;
