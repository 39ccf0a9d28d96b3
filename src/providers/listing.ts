/** What any provider's record is turned into: one untrusted shape. Texts are as the provider wrote them; what it does not say is null. */

/** By kind: what a field of a listing holds. */
interface ListedKinds {
  text: string | null;
  url: string | null;
  texts: readonly string[];
  number: number | null;
  flag: boolean | null;
  /** A flag that is false unless the provider says otherwise. */
  mark: boolean;
  /** `YYYY-MM-DDThh:mm:ss[.fff]` with an offset, `Z`, or nothing (a wall clock), or `YYYY-MM-DD` where no time is given. */
  moment: string | null;
  hints: readonly PlaceHint[];
}
export type ListedKind = keyof ListedKinds;
type ListedTable = Readonly<Record<string, ListedKind>>;
type Listed<T> = { [F in keyof T]: T[F] extends ListedKind ? ListedKinds[T[F]] : never };

/** The fields of a venue as providers list them, by kind. */
export const VENUE_LISTING = {
  /** The provider's own id of the venue, when it has one. */
  externalId: 'text',
  name: 'text',
  type: 'text',
  address: 'text',
  /** WGS84 degrees. */
  latitude: 'number',
  longitude: 'number',
  /** How many people it holds; 0 is what unknown looks like. */
  capacity: 'number',
  capacityTier: 'text',
  isVerified: 'flag',
  website: 'url',
  /** Slug or name of a neighborhood; only believed when the directory has it. */
  neighborhood: 'text',
  /** Where to look when there are no coordinates, best first. */
  hints: 'hints',
} as const satisfies ListedTable;
export interface VenueListing extends Listed<typeof VENUE_LISTING> {}

/** A venue known under another name, the middle of a neighborhood, or a point that stands for a larger place. */
export type PlaceHint =
  | { kind: 'venue'; name: string }
  | { kind: 'neighborhood'; name: string }
  | { kind: 'point'; latitude: number; longitude: number };

/** The fields of an event as providers list them, by kind; its place stands beside them. */
export const EVENT_LISTING = {
  /** The provider's id of this one occurrence. Where one id covers several starts: `id@start`, with the start as the provider wrote it. */
  externalId: 'text',
  /** The provider's id without the occurrence; null when each id has one start. */
  seriesId: 'text',
  title: 'text',
  /** One of our categories, where the provider's own table leaves no doubt. */
  category: 'text',
  /** The provider's own words for what kind of event it is, the most specific first. */
  categoryWords: 'texts',
  start: 'moment',
  /** A date alone is the last day, inclusive. */
  end: 'moment',
  /** IANA zone of wall clocks; null: the venue's, which is the city's. */
  zone: 'text',
  /** The provider says that it lasts whole days; a date without this is a start whose time is unknown. */
  isAllDay: 'mark',
  description: 'text',
  image: 'url',
  /** Its page at the provider. */
  url: 'url',
  isFree: 'flag',
  priceMin: 'number',
  priceMax: 'number',
  /** The price in words, where there are no numbers: `$12 b4 11 / $19-30`. */
  priceText: 'text',
  status: 'text',
  performers: 'texts',
  tags: 'texts',
  /** Names of the providers it came from; empty means the source itself. */
  sources: 'texts',
  organizer: 'text',
  organizerUrl: 'url',
  isOnline: 'mark',
} as const satisfies ListedTable;
export interface EventListing extends Listed<typeof EVENT_LISTING> {
  venue: VenueListing;
}

export type Listing = { target: 'events'; event: EventListing } | { target: 'venues'; venue: VenueListing };

/** The fields that a provider says. */
export type PartialEvent = Partial<Omit<EventListing, 'venue'>> & { venue?: Partial<VenueListing> };

/** An event listing that says what is given and nothing else. */
export function eventListing(said: PartialEvent): EventListing {
  return { ...NO_EVENT, ...said, venue: venueListing(said.venue ?? {}) };
}

/** Words of the provider that say what kind of event it is, and serve as tags as well. `more` are tags alone. */
export function kindAndTags(words: readonly string[], more: readonly string[] = []) {
  return { categoryWords: words, tags: [...new Set([...words, ...more])] };
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

const NOTHING: Readonly<ListedKinds> = {
  text: null,
  url: null,
  texts: [],
  number: null,
  flag: null,
  mark: false,
  moment: null,
  hints: [],
};
const nothingOf = <T extends ListedTable>(table: T) =>
  Object.fromEntries(Object.entries(table).map(([field, kind]) => [field, NOTHING[kind]])) as Listed<T>;
const NO_VENUE = nothingOf(VENUE_LISTING);
const NO_EVENT = nothingOf(EVENT_LISTING);
