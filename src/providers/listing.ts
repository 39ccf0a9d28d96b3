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
  externalId: string | null;
  title: string | null;
  category: string | null;
  /** `YYYY-MM-DDThh:mm:ss[.fff]` with an offset, `Z`, or nothing: the city's wall clock. */
  start: string | null;
  end: string | null;
  description: string | null;
  image: string | null;
  isFree: boolean | null;
  priceMin: number | null;
  priceMax: number | null;
  status: string | null;
  performers: readonly string[];
  tags: readonly string[];
  /** Names of the providers it came from; empty means the source itself. */
  sources: readonly string[];
  venue: VenueListing;
}

export type Listing = { target: 'events'; event: EventListing } | { target: 'venues'; venue: VenueListing };

/** `index` counts records from 1; for CSV it is the line on which the record ends. */
export type ReadListing =
  | { ok: true; index: number; bytes: number; listing: Listing }
  | { ok: false; index: number; bytes: number; field: string | null; reason: string; externalId: string | null }
  /** The mapping says that this record is not to be listed. */
  | { ok: 'dropped'; index: number; bytes: number };

/** A record as its format gives it, before any mapping. */
export type RawRecord = { index: number; bytes: number } & ({ ok: true; value: unknown } | { ok: false; reason: string });
