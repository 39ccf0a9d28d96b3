/** What the room answers, and what it must be given. */

/** From the surest to the least sure: `exact` is the house itself, `city` only says that it is in the city. */
export type PlacePrecision = 'exact' | 'interpolated' | 'corner' | 'street' | 'area' | 'city';

/** What placed a text. */
export type PlaceSource =
  | 'venue'
  | 'house number'
  | 'interpolation'
  | 'corner'
  | 'street'
  | 'postcode'
  | 'neighborhood'
  | 'city'
  | 'geocoder';

export interface PlacedText {
  /** Degrees of WGS 84. */
  latitude: number;
  longitude: number;
  precision: PlacePrecision;
  via: PlaceSource;
}

export interface AddressPlacer {
  /**
   * Where a text is: an address, a corner, a street, a postcode, an area or the city, with a name of a house before it or words behind.
   * Null if it names another town, or no place at all.
   */
  find(text: string): PlacedText | null;
}

export interface PlacerContext {
  city: { name: string; latitude: number; longitude: number; locale: string };
  /** The area that a text names, such as `createAreaIndex` of `facts` finds it; the whole city has no slug. */
  areas: { find(text: string): { slug: string | null; latitude: number; longitude: number } | null };
  /** Known venues with an exact point. */
  venues: readonly { name: string; address: string | null; latitude: number; longitude: number }[];
}
