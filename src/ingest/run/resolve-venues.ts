/** Where listings take place: coordinates of their own, those of a venue that is known, or where the hints lead. */

import { slugify } from '../../catalog/index.ts';
import { placeName } from '../../identity/index.ts';
import { placeOf } from '../../merge/index.ts';
import {
  chooseVenueType,
  isUncategorized,
  type NormalEvent,
  type NormalVenue,
  usualCategory,
  type VenueDraft,
  venueTypeFacts,
} from '../../normalize/index.ts';
import { areaNamesOf } from './area-names.ts';
import { createPlaceFinder, type KnownPlaces, type Located } from './find-place.ts';
import { markSharedPoints } from './shared-points.ts';

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
