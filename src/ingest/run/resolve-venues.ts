/** Where listings take place: coordinates of their own, those of a venue that is known, or where the hints lead. */

import {
  chooseVenueType,
  compareAddresses,
  isUncategorized,
  type NormalEvent,
  type NormalVenue,
  placeName,
  placeNameOf,
  placeOf,
  readAddress,
  usualCategory,
  type VenueDraft,
  venueTypeFacts,
} from '../../facts/index.ts';
import { slugify } from '../../records/index.ts';
import { distanceInCity, type Point } from '../../values/distance.ts';
import { areaNamesOf, createPlaceFinder, type KnownPlaces, type Located } from './find-place.ts';

export interface ResolvedVenues {
  events: { listing: NormalEvent; venueKey: string | null }[];
  venues: Map<string, VenueDraft>;
  /** Names of places that nobody knows, with how many listings wait for them. */
  waiting: Map<string, number>;
}

/**
 * The places of one source's listings. What a listing says of a place is taken from all listings of it together, so their order does
 * not matter. A listing without coordinates whose place is known to nobody waits: it is kept, and tried again in every run.
 *
 * @param known `earlier`: the places that the source has listed before, and that are present.
 */
export function resolveVenues(
  events: readonly NormalEvent[],
  venues: readonly NormalVenue[],
  known: KnownPlaces & { earlier: readonly VenueDraft[] },
  sourceId: string,
): ResolvedVenues {
  const drafts = new Map<string, VenueDraft>();
  const note = (place: NormalVenue, at: Located, provider?: string): string => {
    const key = keyOf(place, at);
    const draft = { ...draftOf(place, key, at, known), ...(provider === undefined ? {} : { provider }) };
    const before = drafts.get(key);
    drafts.set(key, before ? fuller(before, draft) : draft);
    return key;
  };
  for (const venue of venues) if (isLocated(venue)) note(venue, venue);
  const keys = events.map(({ place, sources }) => (isLocated(place) ? note(place, place, sources[0]) : null));

  markSharedPoints(drafts, known.earlier, known.areas.city);
  const waiting = new Map<string, number>();
  const own = [...drafts].map(([id, draft]) => ({ ...placeOf(draft), id: `own ${id}`, provider: sourceId }));
  const areaNames = areaNamesOf(events);
  const whereIs = createPlaceFinder(own, known, (name) => areaNames.has(name));
  const resolved = events.map((listing, index) => {
    const { place } = listing;
    const key = keys[index] ?? null;
    if (key !== null) return { listing, venueKey: key };
    const at = whereIs(place);
    if (at === 'nowhere') waiting.set(place.name, (waiting.get(place.name) ?? 0) + 1);
    return { listing, venueKey: typeof at === 'string' ? null : note(place, at) };
  });
  const sorted = sortUnknown(resolved);
  noteTypes(sorted, drafts);
  return { events: sorted, venues: drafts, waiting };
}

/** An event of which nothing says what kind it is has the kind of most others at its venue. */
function sortUnknown(events: ResolvedVenues['events']): ResolvedVenues['events'] {
  const kinds = Map.groupBy(
    events.filter(({ listing }) => !isUncategorized(listing)),
    ({ listing }) => listing.place.name,
  );
  return events.map((event) => {
    if (!isUncategorized(event.listing)) return event;
    const usual = usualCategory((kinds.get(event.listing.place.name) ?? []).map(({ listing }) => listing.category));
    return usual ? { ...event, listing: { ...event.listing, ...usual } } : event;
  });
}

/** What the events of a venue tell of its type, beside what the provider lists. */
function noteTypes(events: ResolvedVenues['events'], drafts: ReadonlyMap<string, VenueDraft>): void {
  const there = Map.groupBy(events, ({ venueKey }) => venueKey);
  for (const [key, draft] of drafts) {
    const here = (there.get(key) ?? []).map(({ listing }) => listing);
    const facts = venueTypeFacts(draft.typeFacts?.listed ?? null, here);
    draft.typeFacts = facts;
    draft.type = chooseVenueType({
      names: [draft.name],
      facts: [facts],
      capacityTier: draft.capacityTier,
      isArea: draft.area === 'itself',
    }).type;
  }
}

function isLocated<T extends NormalVenue>(place: T): place is T & Located {
  return place.latitude !== null && place.longitude !== null;
}

/** The provider's id, or the name with the point: one name at two points is two places until they are compared. */
function keyOf(place: NormalVenue, { latitude, longitude }: Located): string {
  if (place.externalId !== null) return place.externalId;
  const name = slugify(place.name) || place.name.normalize('NFKC').toLowerCase();
  return `${name.slice(0, MAX_KEY_CHARS)}@${latitude.toFixed(4)},${longitude.toFixed(4)}`;
}

function draftOf(place: NormalVenue, externalId: string, at: Located, known: KnownPlaces): VenueDraft {
  // `Brooklyn` is no venue: its point is somewhere in the middle.
  const isArea = placeName(place.name).kind === 'nowhere';
  const isApproximate = at.isApproximate ?? place.isApproximate ?? isArea;
  const area = at.area ?? (isArea ? 'itself' : undefined);
  const quarter = known.areas.quarterOf(place.name);
  return {
    externalId,
    id: null,
    name: place.name,
    type: place.type ?? 'theater',
    typeFacts: venueTypeFacts(place.type, []),
    address: place.address,
    latitude: at.latitude,
    longitude: at.longitude,
    capacityTier: place.capacityTier,
    isVerified: place.isVerified,
    neighborhood:
      at.neighborhood ?? (place.neighborhood === null ? null : (known.neighborhood(place.neighborhood)?.slug ?? null)),
    website: place.website,
    parking: null,
    transitNearby: [],
    openingHours: null,
    ...(isApproximate ? { isApproximate } : {}),
    ...(isApproximate && area ? { area } : {}),
    ...(quarter === null ? {} : { quarter }),
  };
}

/** The draft that says more; between equals an order that does not depend on which came first. */
function fuller(a: VenueDraft, b: VenueDraft): VenueDraft {
  const said = (draft: VenueDraft) => Object.values(draft).filter((value) => value !== null).length;
  const more = said(a) - said(b);
  if (more !== 0) return more > 0 ? a : b;
  return JSON.stringify(a) <= JSON.stringify(b) ? a : b;
}

const MAX_KEY_CHARS = 200;

/**
 * A ticket seller that cannot find a theatre puts it in the middle of its postal code, and the next one, too: a point that several houses
 * share, in this answer and earlier ones, stands for an area. Where all have one street and number, it is a house of several names.
 * The middle of the city is the point of what is somewhere in it.
 */
function markSharedPoints(drafts: ReadonlyMap<string, VenueDraft>, earlier: readonly VenueDraft[], center: Point): void {
  const held = earlier.filter(({ externalId, area }) => !drafts.has(externalId) && area === undefined);
  const listed = [...drafts.values()];
  for (const [point, there] of Map.groupBy(listed, pointOf)) {
    const [first] = there;
    const all = [...there, ...held.filter((draft) => pointOf(draft) === point)];
    const houses = new Set(all.map((draft) => placeNameOf(draft).house));
    const isShared = houses.size >= SHARED_BY && !haveOneAddress(all);
    const isCenter = first !== undefined && distanceInCity(first, center) <= CENTER_METERS && !there.some(hasNumber);
    if (isShared || isCenter) for (const draft of there) draft.isApproximate = true;
  }
}

const pointOf = ({ latitude, longitude }: VenueDraft): string => `${latitude},${longitude}`;

/** `801-849 Washington Blvd` is the address of each house in it, whichever is listed first. */
function haveOneAddress(drafts: readonly VenueDraft[]): boolean {
  const addresses = [...new Set(drafts.map(({ address }) => address))].map(readAddress);
  return addresses.some((one) => addresses.every((other) => compareAddresses(one, other) === 'same'));
}

const hasNumber = ({ address }: VenueDraft): boolean => /\d/.test(address ?? '');

/** Houses at one point: two may be one under two names. */
const SHARED_BY = 3;
/** Cities are given by four decimals, which are good for ten meters. */
const CENTER_METERS = 15;
