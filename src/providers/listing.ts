/** What any provider's record is turned into: one untrusted shape. Texts are as the provider wrote them; what it does not say is null. */

export interface VenueListing {
  /** The provider's own id of the venue, when it has one. */
  externalId: string | null;
  name: string | null;
  type: string | null;
  address: string | null;
  /** WGS84 degrees. */
  latitude: number | null;
  longitude: number | null;
  capacityTier: string | null;
  /** How many people it holds; 0 is what unknown looks like. */
  capacity: number | null;
  isVerified: boolean | null;
  website: string | null;
  /** Slug or name of a neighborhood; only believed when the directory has it. */
  neighborhood: string | null;
  /** Where to look when there are no coordinates, best first. */
  hints: readonly PlaceHint[];
}

/** A venue known under another name, the middle of a neighborhood, or a point that stands for a larger place. */
export type PlaceHint =
  | { kind: 'venue'; name: string }
  | { kind: 'neighborhood'; name: string }
  | { kind: 'point'; latitude: number; longitude: number };

export interface EventListing {
  /** The provider's id of this one occurrence. Where one id covers several starts: `id@start`, with the start as the provider wrote it. */
  externalId: string | null;
  /** The provider's id without the occurrence; null when each id has one start. */
  seriesId: string | null;
  title: string | null;
  /** One of our categories, where the provider's own table leaves no doubt. */
  category: string | null;
  /** The provider's own words for what kind of event it is, the most specific first. */
  categoryWords: readonly string[];
  /** `YYYY-MM-DDThh:mm:ss[.fff]` with an offset, `Z`, or nothing (a wall clock), or `YYYY-MM-DD` where no time is given. */
  start: string | null;
  /** As `start`. A date alone is the last day, inclusive. */
  end: string | null;
  /** IANA zone of wall clocks; null: the venue's, which is the city's. */
  zone: string | null;
  /** The provider says that it lasts whole days; a date without this is a start whose time is unknown. */
  isAllDay: boolean;
  description: string | null;
  image: string | null;
  /** Its page at the provider. */
  url: string | null;
  isFree: boolean | null;
  priceMin: number | null;
  priceMax: number | null;
  /** The price in words, where there are no numbers: `$12 b4 11 / $19-30`. */
  priceText: string | null;
  status: string | null;
  performers: readonly string[];
  tags: readonly string[];
  /** Names of the providers it came from; empty means the source itself. */
  sources: readonly string[];
  organizer: string | null;
  organizerUrl: string | null;
  isOnline: boolean;
  venue: VenueListing;
}

export type Listing = { target: 'events'; event: EventListing } | { target: 'venues'; venue: VenueListing };

/** An event listing that says what is given and nothing else. */
export function eventListing(said: Partial<Omit<EventListing, 'venue'>> & { venue?: Partial<VenueListing> }): EventListing {
  return { ...NO_EVENT, ...said, venue: venueListing(said.venue ?? {}) };
}

export function venueListing(said: Partial<VenueListing>): VenueListing {
  return { ...NO_VENUE, ...said };
}

/**
 * `index` counts records from 1; the header line of a CSV file is none. `record` gives the record as the provider wrote it, and `draft`
 * what could be read of a refused one. Both are for a mapping that lies over the kind, and are gone when it was applied.
 */
export type ReadListing =
  | { ok: true; index: number; bytes: number; listing: Listing; record?: () => unknown }
  | {
      ok: false;
      index: number;
      bytes: number;
      field: string | null;
      reason: string;
      externalId: string | null;
      draft?: Listing;
      record?: () => unknown;
    }
  /** The mapping says that this record is not to be listed. */
  | { ok: 'dropped'; index: number; bytes: number };

/** A record as its format gives it, before any mapping. */
export type RawRecord = { index: number; bytes: number } & ({ ok: true; value: unknown } | { ok: false; reason: string });

const NO_VENUE: VenueListing = {
  externalId: null,
  name: null,
  type: null,
  address: null,
  latitude: null,
  longitude: null,
  capacityTier: null,
  capacity: null,
  isVerified: null,
  website: null,
  neighborhood: null,
  hints: [],
};
const NO_EVENT: Omit<EventListing, 'venue'> = {
  externalId: null,
  seriesId: null,
  title: null,
  category: null,
  categoryWords: [],
  start: null,
  end: null,
  zone: null,
  isAllDay: false,
  description: null,
  image: null,
  url: null,
  isFree: null,
  priceMin: null,
  priceMax: null,
  priceText: null,
  status: null,
  performers: [],
  tags: [],
  sources: [],
  organizer: null,
  organizerUrl: null,
  isOnline: false,
};
