/** The answers of the room, and what it must be given. */

import type { HouseNumber } from './house-number.ts';

/** From the surest to the least sure: `exact` is the house itself, `city` only says that it is in the city. */
export type PlacePrecision = (typeof PRECISIONS)[number];
export const PRECISIONS = ['exact', 'interpolated', 'corner', 'street', 'area', 'city'] as const;

/** The source that placed a text. */
export type PlaceSource =
  | 'venue'
  | 'house number'
  | 'house name'
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
  /** The question to a geocoder about a text that nothing here places better than an area; null if it names another town, or no place. */
  questionOf(text: string): GeocoderQuestion | null;
}

export interface GeocoderQuestion {
  /** The question to the service: the address alone, with its town. */
  text: string;
  /** The words of the text, as `spell` gives them: only what they name can be the answer. */
  words: readonly string[];
  number: HouseNumber | null;
  /** The town that the answer must be in, folded. */
  town: string;
}

/** The answers of a geocoder so far. */
export interface KnownAnswers {
  find(question: GeocoderQuestion): PlacedText | null;
}

export interface PlacerContext {
  city: { name: string; latitude: number; longitude: number; locale: string };
  /** The area that a text names, such as `createAreaIndex` of `facts` finds it; the whole city has no slug. */
  areas: { find(text: string): { slug: string | null; latitude: number; longitude: number } | null };
  /** Known venues with an exact point. */
  venues: readonly { name: string; address: string | null; latitude: number; longitude: number }[];
  /** Absent without a geocoder. */
  answers?: KnownAnswers;
}
