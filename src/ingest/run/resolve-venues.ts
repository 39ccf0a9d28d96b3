/** Where listings take place: coordinates of their own, those of a venue that is known, where their address lies, or their area. */

import {
  type AreaIndex,
  chooseVenueType,
  compareAddresses,
  isUncategorized,
  type NormalEvent,
  type NormalVenue,
  nameKey,
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
import { type PlaceAnswer, UNNAMED_KEY } from '../decisions/place-answers.ts';
import { areaNamesOf, createPlaceFinder, findByText, followAnswer, type KnownPlaces, type Located } from './find-place.ts';
import { knownHouse } from './known-houses.ts';

export interface ResolvedVenues {
  /** `place`: what the place is, if a person has said it or the point of the listing says nothing; absent: what the listing says. */
  events: { listing: NormalEvent; venueKey: string | null; place?: NormalVenue }[];
  venues: Map<string, VenueDraft>;
  /** Names of places of which nobody knows the street, with how many listings wait for somebody to know it. */
  waiting: Map<string, number>;
}

/**
 * The places of one source's listings. What a listing says of a place is taken from all listings of it together, so their order does
 * not matter. Every listing that names a place gets one: what nobody knows is in its area or in the city, and is tried again in every
 * run. What names none waits until a person has answered for its source.
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
  const note = (key: string, place: NormalVenue, at: Located, provider?: string): string => {
    const draft = { ...draftOf(place, key, at, known), ...(provider === undefined ? {} : { provider }) };
    const before = drafts.get(key);
    drafts.set(key, before ? fuller(before, draft) : draft);
    return key;
  };
  const places = [...venues, ...events.map(({ place }) => place).filter(isNamed)];
  const keyOf = createKeys(places);
  const judge = createPointJudge(places, known, keyOf);
  const noteOwn = (place: NormalVenue, provider?: string): string | null => {
    const at = judge(place);
    return at === null ? null : note(keyOf(place, at), place, at, provider);
  };
  for (const venue of venues) noteOwn(venue);
  const keys = events.map(({ place, sources }) => (isNamed(place) ? noteOwn(place, sources[0]) : null));

  const ownPlaces = () => [...drafts].map(([id, draft]) => ({ ...placeOf(draft), id: `own ${id}`, provider: sourceId }));
  const areaNames = areaNamesOf(events);
  const createFinder = () => createPlaceFinder(ownPlaces(), known, (name) => areaNames.has(name));
  const waiting = new Map<string, number>();
  const resolved: ResolvedVenues['events'] = events.map((listing, index) => ({ listing, venueKey: keys[index] ?? null }));
  const place = (whereIs: ReturnType<typeof createFinder>, index: number, listing: NormalEvent): void => {
    const bare = withoutPoint(listing.place);
    const at = whereIs(bare);
    const named = at === 'known' ? bare : answeredPlace(bare, at.answer);
    const venueKey = at === 'known' ? null : note(keyOf(bare, null), named, at);
    if (at !== 'known' && isWaiting(bare.name, at, known.areas)) waiting.set(bare.name, (waiting.get(bare.name) ?? 0) + 1);
    resolved[index] = { listing, venueKey, ...(named === listing.place ? {} : { place: named }) };
  };
  // What an address places is known by its name to the listings that have the name alone.
  const open = [...events.entries()].filter(([index, { place }]) => keys[index] === null && isNamed(place));
  const [addressed, others] = partition(open, ([, listing]) => findByText(listing.place, known) !== null);
  const firstFinder = createFinder();
  for (const [index, listing] of addressed) place(firstFinder, index, listing);
  const whereIs = addressed.length > 0 ? createFinder() : firstFinder;
  for (const [index, listing] of others) place(whereIs, index, listing);
  // A venue that is listed for its own sake, at a point that says nothing, is where its events are.
  for (const venue of venues) {
    const at = isLocated(venue) && judge(venue) === null ? whereIs(withoutPoint(venue)) : 'known';
    if (at !== 'known') note(keyOf(venue, null), answeredPlace(withoutPoint(venue), at.answer), at);
  }
  const { unnamed } = known;
  for (const [index, listing] of events.entries()) {
    if (isNamed(listing.place) || unnamed === null || isFar(judge(listing.place), unnamed)) continue;
    const named = answeredPlace(listing.place, unnamed);
    const at = followAnswer(unnamed);
    resolved[index] = { listing, venueKey: note(UNNAMED_KEY, named, at), place: named };
  }
  const sorted = sortUnknown(resolved);
  noteTypes(sorted, drafts);
  return { events: sorted, venues: drafts, waiting };
}

function partition<T>(all: readonly T[], fits: (each: T) => boolean): [T[], T[]] {
  return [all.filter(fits), all.filter((each) => !fits(each))];
}

/** Whether a better place of the name may be known one day: of an area itself, and of the city, there is none. */
export function isWaiting(name: string, { area }: Pick<Located, 'area'>, areas: AreaIndex): boolean {
  return area !== undefined && placeName(name).kind !== 'nowhere' && areas.find(name)?.isItself !== true;
}

/** A point of its own far away is another place, which nobody has named yet. */
const isFar = (own: Located | null, answer: PlaceAnswer): boolean =>
  own !== null && distanceInCity(own, answer) > MAX_HOUSE_METERS;

const isNamed = ({ name }: NormalVenue): boolean => name !== '';

const withoutPoint = (place: NormalVenue): NormalVenue =>
  place.latitude === null ? place : { ...place, latitude: null, longitude: null };

/** The place as a person has named it: the venue that it is, or the address that it has. */
function answeredPlace(place: NormalVenue, answer: PlaceAnswer | undefined): NormalVenue {
  if (answer === undefined) return place;
  const { latitude, longitude, isApproximate } = answer;
  const point = isApproximate ? {} : { latitude, longitude };
  if (answer.act === 'same') return { ...place, ...point, name: answer.name, address: answer.address };
  return { ...place, ...point, name: answer.name ?? place.name, address: answer.address ?? place.address };
}

/** An event of which nothing says what kind it is has the kind of most others at its venue. */
function sortUnknown(events: ResolvedVenues['events']): ResolvedVenues['events'] {
  const kinds = Map.groupBy(
    events.filter(({ listing }) => isNamed(listing.place) && !isUncategorized(listing)),
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

export function isLocated<T extends NormalVenue>(place: T): place is T & Located {
  return place.latitude !== null && place.longitude !== null;
}

type KeyOf = (place: NormalVenue, at: Located | null) => string;

/**
 * The provider's id, or the name with the point: one name at two points is two places until they are compared. Without a point the name
 * with its street and number, or with its area: so it stays the same when its point becomes known. A provider that gives two houses one
 * id gives none: then the name counts, too.
 */
function createKeys(places: readonly NormalVenue[]): KeyOf {
  const byId = Map.groupBy(places, ({ externalId }) => externalId);
  const ambiguous = new Set<string>();
  for (const [id, there] of byId) {
    if (id === null || there.length === 1) continue;
    const houses = [...new Map(there.map((place) => [`${place.name}\n${place.address}`, place])).values()];
    if (houses.length > MAX_HOUSES) continue;
    if (houses.some((one) => houses.some((other) => isOtherHouse(one, other)))) ambiguous.add(id);
  }
  return (place, at) => {
    if (place.externalId === null) return keyOfName(place, at);
    return ambiguous.has(place.externalId) ? `${place.externalId} ${keyOfName(place, at)}` : place.externalId;
  };
}

/** Another name at another street or number. */
function isOtherHouse(a: NormalVenue, b: NormalVenue): boolean {
  const relation = compareAddresses(readAddress(a.address), readAddress(b.address));
  return placeNameOf(a).house !== placeNameOf(b).house && (relation === 'near' || relation.startsWith('different'));
}

function keyOfName(place: NormalVenue, at: Located | null): string {
  const name = (slugify(place.name) || place.name.normalize('NFKC').toLowerCase()).slice(0, MAX_KEY_CHARS);
  if (at) return `${name}@${at.latitude.toFixed(4)},${at.longitude.toFixed(4)}`;
  const address = readAddress(place.address);
  const door = address?.from == null ? '' : `${address.from} ${address.street}`;
  return `${name}@${door || slugify(place.neighborhood ?? '')}`;
}

function draftOf(place: NormalVenue, externalId: string, at: Located, known: KnownPlaces): VenueDraft {
  // `Brooklyn` is no venue: its point is somewhere in the middle.
  const isArea = at.answer === undefined && placeName(place.name).kind === 'nowhere';
  const isApproximate = at.isApproximate ?? place.isApproximate ?? isArea;
  const area = at.area ?? (isArea ? 'itself' : undefined);
  const quarter = known.areas.quarterOf(place.name);
  return {
    externalId,
    id: null,
    name: place.name,
    type: place.type ?? 'theater',
    typeFacts: venueTypeFacts(place.type, []),
    address: at.address ?? place.address,
    latitude: at.latitude,
    longitude: at.longitude,
    capacityTier: place.capacityTier,
    isVerified: place.isVerified && area === undefined,
    neighborhood: at.neighborhood ?? namedNeighborhood(place.neighborhood, isApproximate, known),
    website: place.website,
    parking: null,
    transitNearby: [],
    openingHours: null,
    ...(isApproximate ? { isApproximate } : {}),
    ...(isApproximate && area ? { area } : {}),
    ...(at.answer ? { placedBy: 'answer' as const } : at.isByAddress ? { placedBy: 'address' as const } : {}),
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
/** An id with more names and addresses is that of a default, which a shared point tells. */
const MAX_HOUSES = 50;

/** Beside an approximate point any name of an area counts; an exact point is in the area that has it, unless exactly that is named. */
function namedNeighborhood(text: string | null, isApproximate: boolean, { neighborhood, areas }: KnownPlaces): string | null {
  if (text === null) return null;
  return neighborhood(text)?.slug ?? (isApproximate ? (areas.find(text)?.slug ?? null) : null);
}

/**
 * Judges the points that listings have. A ticket seller that cannot find a theatre puts it in the middle of its postal code, and the next
 * one, too: a point that several houses or addresses share, in this answer and earlier ones, stands for an area, unless the text of the
 * address says better. Where all have one street and number, it is a house of several names. The middle of the city is the point of what
 * is somewhere in it: it says nothing, and null is answered as for a place without a point.
 */
function createPointJudge(
  places: readonly NormalVenue[],
  known: KnownPlaces & { earlier: readonly VenueDraft[] },
  keyOf: KeyOf,
): (place: NormalVenue) => Located | null {
  const located = places.filter(isLocated);
  const keys = new Set(located.map((place) => keyOf(place, place)));
  const held = known.earlier.filter(({ externalId, area }) => !keys.has(externalId) && area === undefined);
  const heldAt = Map.groupBy(held, pointOf);
  const shared = new Set(
    [...Map.groupBy(located, pointOf)]
      .filter(([point, there]) => isSharedPoint([...there, ...(heldAt.get(point) ?? [])], known.areas))
      .map(([point]) => point),
  );
  const venues = new Set(known.places.map(({ name }) => nameKey(name)));
  const isVenue = ({ name }: NormalVenue): boolean => venues.has(nameKey(name));
  return (place) => {
    if (!isLocated(place) || isAtCenter(place, known.areas)) return null;
    const { latitude, longitude, isApproximate } = place;
    const isShared = shared.has(pointOf(place));
    if (!isShared && !isApproximate) return { latitude, longitude };
    // Whether a point is shared depends on what else is listed: a name alone moves only what says itself that it is approximate.
    const named = isApproximate && !isVenue(place) ? knownHouse(place, known) : null;
    return named ?? (isShared ? findByText(place, known) : null) ?? { latitude, longitude, isApproximate: true };
  };
}

/** The middle of the city says nothing of a place. */
export const isAtCenter = (place: Point, { city }: { city: Point }): boolean => distanceInCity(place, city) <= CENTER_METERS;

type PlaceAtPoint = Pick<NormalVenue, 'name' | 'address'>;

/** Counted by listings: one name with several addresses is as many places. */
function isSharedPoint(there: readonly PlaceAtPoint[], areas: AreaIndex): boolean {
  if (there.length < SHARED_BY) return false;
  const houses = new Set(
    there.map(({ name }) => {
      const quarter = areas.quarterOf(name);
      return placeNameOf(quarter === null ? { name } : { name, quarter }).house;
    }),
  );
  const addresses = [...new Set(there.map(({ address }) => address))].sort().map(readAddress);
  if (houses.size < SHARED_BY && countApart(addresses) < SHARED_BY) return false;
  return !haveOneAddress(addresses);
}

/** How many addresses are clearly different houses; more than `SHARED_BY` are not counted. */
function countApart(addresses: readonly StreetAddress[]): number {
  const apart: StreetAddress[] = [];
  for (const one of addresses) {
    if (apart.length === SHARED_BY) break;
    if (one !== null && apart.every((other) => compareAddresses(one, other).startsWith('different'))) apart.push(one);
  }
  return apart.length;
}

type StreetAddress = ReturnType<typeof readAddress>;

const pointOf = ({ latitude, longitude }: Located): string => `${latitude},${longitude}`;

/** `801-849 Washington Blvd` is the address of each house in it, whichever is listed first. */
const haveOneAddress = (addresses: readonly StreetAddress[]): boolean =>
  addresses.some((one) => addresses.every((other) => compareAddresses(one, other) === 'same'));

/** Houses at one point: two may be one under two names. */
const SHARED_BY = 3;
/** Cities are given by four decimals, which are good for ten meters. */
const CENTER_METERS = 15;
/** From here on a point without a name is not at the house that was named. */
const MAX_HOUSE_METERS = 1_000;
