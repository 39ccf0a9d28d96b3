/** Where listings take place: coordinates of their own, those of a venue that is known, or where the hints lead. */

import { slugify } from '../../catalog/index.ts';
import { createPlaceIndex, type PlaceFacts, placeName } from '../../identity/index.ts';
import type { NormalEvent, NormalVenue, VenueDraft } from '../../normalize/index.ts';
import type { PlaceHint } from '../../providers/index.ts';
import { compareText } from '../../values/compare-text.ts';

export interface ResolvedVenues {
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
export function resolveVenues(
  events: readonly NormalEvent[],
  venues: readonly NormalVenue[],
  known: KnownPlaces,
  sourceId: string,
): ResolvedVenues {
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
  const waiting = new Map<string, number>();
  const whereIs = finder(drafts, known, sourceId);
  const resolved = events.map((listing, index) => {
    const { place } = listing;
    const key = keys[index] ?? null;
    if (key !== null) return { listing, venueKey: key };
    const at = whereIs(place);
    if (at === 'nowhere') waiting.set(place.name, (waiting.get(place.name) ?? 0) + 1);
    return { listing, venueKey: typeof at === 'string' ? null : note(place, at) };
  });
  voteOnTypes(resolved, new Set(venues.flatMap((venue) => (isLocated(venue) ? keyOf(venue, venue) : []))), drafts);
  return { events: resolved, venues: drafts, waiting };
}

/** Where a place without coordinates is; `known` when a venue of its name has them. */
function finder(
  drafts: ReadonlyMap<string, VenueDraft>,
  known: KnownPlaces,
  sourceId: string,
): (place: NormalVenue) => Located | 'known' | 'nowhere' {
  const own = [...drafts].map(([id, draft]) => ({ ...placeOf(draft), id: `own ${id}`, provider: sourceId }));
  let index: ReturnType<typeof createPlaceIndex> | undefined;
  const answers = new Map<string, Located | 'known' | 'nowhere'>();
  return ({ name, address, hints }) => {
    const key = JSON.stringify([name, address, hints]);
    const told = answers.get(key);
    if (told !== undefined) return told;
    index ??= createPlaceIndex([...known.places, ...own]);
    const found = index.find({ name, address, latitude: null, longitude: null });
    const answer = found ? 'known' : (follow(hints, index, known) ?? 'nowhere');
    answers.set(key, answer);
    return answer;
  };
}

/** A type is often guessed by what happens there, so that of most events counts. */
function voteOnTypes(
  events: ResolvedVenues['events'],
  listed: ReadonlySet<string>,
  drafts: ReadonlyMap<string, VenueDraft>,
): void {
  const there = Map.groupBy(events, ({ venueKey }) => venueKey);
  for (const [key, here] of there) {
    const draft = key === null || listed.has(key) ? undefined : drafts.get(key);
    if (!draft) continue;
    const votes = Map.groupBy(here, ({ listing }) => listing.place.type);
    const [most] = [...votes].sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || compareText(a, b));
    if (most) draft.type = most[0];
  }
}

interface Located {
  latitude: number;
  longitude: number;
  isApproximate?: true;
}

function isLocated<T extends NormalVenue>(place: T): place is T & Located {
  return place.latitude !== null && place.longitude !== null;
}

type PlaceIndex = ReturnType<typeof createPlaceIndex>;

function follow(hints: readonly PlaceHint[], index: PlaceIndex, known: KnownPlaces): Located | null {
  for (const hint of hints) {
    const at = followHint(hint, index, known);
    if (at) return at;
  }
  return null;
}

function followHint(hint: PlaceHint, index: PlaceIndex, known: KnownPlaces): Located | null {
  if (hint.kind === 'point') return { latitude: hint.latitude, longitude: hint.longitude, isApproximate: true };
  // A large park is a neighborhood of its own.
  return (hint.kind === 'neighborhood' ? null : venueNamed(hint.name, index)) ?? middleOf(hint.name, known);
}

function venueNamed(name: string, index: PlaceIndex): Located | null {
  const found = index.find({ name, address: null, latitude: null, longitude: null })?.place;
  if (!found || found.latitude === null || found.longitude === null) return null;
  const { latitude, longitude, isApproximate } = found;
  return { latitude, longitude, ...(isApproximate ? { isApproximate } : {}) };
}

function middleOf(name: string, known: KnownPlaces): Located | null {
  const area = known.neighborhood(name);
  return area && { latitude: area.latitude, longitude: area.longitude };
}

/** The provider's id, or the name with the point: one name at two points is two places until they are compared. */
function keyOf(place: NormalVenue, { latitude, longitude }: Located): string {
  if (place.externalId !== null) return place.externalId;
  const name = slugify(place.name) || place.name.normalize('NFKC').toLowerCase();
  return `${name.slice(0, MAX_KEY_CHARS)}@${latitude.toFixed(4)},${longitude.toFixed(4)}`;
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

/**
 * A ticket seller that cannot find a theatre puts it in the middle of its postal code, and the next one, too. Where all have one street
 * and number, it is a house of several names.
 */
function markStandIns(drafts: ReadonlyMap<string, VenueDraft>): void {
  for (const there of Map.groupBy(drafts.values(), ({ latitude, longitude }) => `${latitude},${longitude}`).values()) {
    const houses = new Set(there.map(({ name }) => placeName(name).house));
    const [address, ...others] = new Set(there.map((draft) => draft.address));
    const isOneHouse = others.length === 0 && /^\d+\p{L}?\s/u.test(address ?? '');
    if (houses.size >= SHARED_BY && !isOneHouse) for (const draft of there) draft.isApproximate = true;
  }
}

/** The draft that says more; between equals an order that does not depend on which came first. */
function fuller(a: VenueDraft, b: VenueDraft): VenueDraft {
  const said = (draft: VenueDraft) => Object.values(draft).filter((value) => value !== null).length;
  const more = said(a) - said(b);
  if (more !== 0) return more > 0 ? a : b;
  return JSON.stringify(a) <= JSON.stringify(b) ? a : b;
}

const MAX_KEY_CHARS = 200;
/** Houses at one point: two may be one under two names. */
const SHARED_BY = 3;
