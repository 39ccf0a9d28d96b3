/** What a normalized listing is, and the fixed words for why one was refused or what was repaired in it. docs/normalizing.md lists them. */

import type { PlaceHint } from '../providers/index.ts';
import type { EventFields, VenueFields, VenueType } from '../records/index.ts';
import type { TicketKind } from './titles/title-endings.ts';

/** What is known where a listing is read. */
export interface NormalContext {
  city: CityFacts;
  sourceName: string;
  /** Milliseconds since 1970 UTC; absent: what is long over is not refused. */
  now?: number;
  /** Keys of points and texts of the provider that stand for no place. */
  defaults?: ReadonlySet<string>;
}

export interface CityFacts {
  /** IANA zone. */
  timezone: string;
  name: string;
  /** BCP 47. */
  locale: string;
  /** The box around its neighborhoods. */
  bounds?: Bounds | null;
  /** The border of a city that has no box, or of which an operator has set it. Without both every point is believed to be in the city. */
  circle?: CityCircle | null;
}

/** WGS84 degrees. */
export interface CityCircle {
  latitude: number;
  longitude: number;
  radiusKm: number;
}

/** WGS84 degrees. */
export interface Bounds {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** Clean texts, within the store's limits; instants in milliseconds since 1970 UTC; amounts in the city's currency. Unknown is null. */
export interface NormalEvent extends Omit<EventFields, 'venueId' | 'links'> {
  externalId: string;
  seriesId: string | null;
  /** 0–1: how sure the category is. */
  categoryConfidence: number;
  /** One sentence: what it was concluded from. */
  categoryReason: string;
  /** The city's clock at the start, `YYYY-MM-DDThh:mm`. */
  localStart: string;
  url: string | null;
  /** A listing of a kind of ticket; absent for a listing of the event itself. */
  ticket?: TicketKind;
  place: NormalVenue;
  repairs: RepairCode[];
}

/** A venue, or the place of an event. Both coordinates are known or none is. The name is '' of an event that names no place. */
export interface NormalVenue extends Pick<VenueFields, 'name' | 'address' | 'capacityTier' | 'isVerified' | 'website'> {
  externalId: string | null;
  /** As the provider lists it. */
  type: VenueType | null;
  latitude: number | null;
  longitude: number | null;
  /** As the provider names it. */
  neighborhood: string | null;
  hints: PlaceHint[];
  /** The point stands for a larger place. */
  isApproximate?: true;
  /** Keys of its point and its text, where they are defaults of the provider: they were dropped. */
  defaults?: string[];
}

export type RefusalCode = keyof typeof REFUSALS;
export type RepairCode = keyof typeof REPAIRS;
/** Notes what was repaired. */
export type Fix = (code: RepairCode) => void;

export interface Rejected {
  ok: false;
  field: string;
  code: RefusalCode;
  /** One sentence for the operator. */
  reason: string;
}
export type NormalizedEvent = { ok: true; event: NormalEvent } | Rejected;
export type NormalizedVenue = { ok: true; venue: NormalVenue; repairs: RepairCode[] } | Rejected;

export function refused(field: string, code: RefusalCode, reason: string): Rejected {
  return { ok: false, field, code, reason };
}

/** Why a listing is kept out. */
export const REFUSALS = {
  no_id: 'it has no id, or one of more than 500 characters: the next run could not know it again',
  no_title: 'it has no title, or one that says nothing, such as `TBA`',
  garbled: 'characters of its title or of its venue’s name were lost before it came: they are `\ufffd`',
  not_published: 'the provider says that it is a draft, private or deleted',
  private: 'a private party, a reserved picnic ground or pitch, a school’s own day',
  not_an_event:
    'an article, a closure, a session that does not take place, a film shoot, a testing site, the daily admission of a museum',
  ticket_package: 'a season ticket, an add-on, a gift card or a parking space: its title names no event, or it is no ticket',
  lottery: 'a lottery for tickets that names no event',
  online: 'it takes place online only',
  no_start: 'it has no start, or one that stands for unknown, such as `1900-01-01`',
  bad_start: 'its start is no date that exists',
  too_long_ago: 'it was over more than a year ago',
  too_far_ahead: 'it starts more than five years from now',
  too_long: 'it would last more than 1 830 days, as permanent exhibitions do',
  no_venue:
    'an event is at a secret place or in several, such as `Secret location` or `Various venues`; a venue of a list of venues has no name',
  outside_city:
    'its coordinates are more than 20 km outside the box around the neighborhoods, or outside the circle around the center of a city without any',
} as const;

/** What was repaired. */
export const REPAIRS = {
  status_from_title: 'a mark such as `CANCELED:` or `(SOLD OUT)` was taken out of the title and became the status',
  age_from_title: 'a remark such as `(21+)` or `All Ages` was taken out of the title and became a tag',
  city_cut: 'the city’s name was cut off the end of the title',
  venue_cut: 'the venue’s name was cut off the end of the title',
  ticket_kind_cut: 'the kind of ticket (`2 Day Pass`, `General Admission`) was cut off the title',
  day_cut: 'the day of the event was cut off its title',
  case_softened: 'the title was all capitals',
  text_cut: 'a text was longer than its limit and was cut at a word',
  end_next_day: 'the end stood before the start and was moved on by a day',
  end_dropped: 'the end stood at or before the start and is unknown',
  time_adjusted: 'the local time does not exist (clocks go forward): it takes the offset before the gap, so 02:30 is 03:30',
  zone_ignored: 'the zone is none that exists: the city’s is taken',
  offset_ignored: 'the offset from UTC is none that exists: the wall clock alone is taken',
  midnight_unknown: 'a start at 00:00 with no end is a day whose hour is unknown',
  midnight_all_day: 'from 00:00 to midnight is the whole day',
  placeholder_time: 'the provider is known to print this hour when it knows none',
  price_from_text: 'the price was read from words',
  price_dropped: 'an amount was negative or absurd and is unknown',
  prices_exchanged: 'the lowest price was above the highest',
  free_corrected: 'it was called free beside a price',
  address_dropped: 'the address of a page or picture was not of http or https',
  coordinates_swapped: 'latitude and longitude were exchanged: that puts the place into the city',
  coordinates_dropped:
    'the coordinates are on no map, far from the city that the name or the address names, or the same for unrelated listings',
  venue_suffix_cut: 'a state or the city was cut off the venue’s name',
  venue_list_cut: 'of a list of rooms the first was kept, of a name said twice one',
  venue_default_dropped:
    'the text in place of a venue is a default of the provider: many unrelated listings have it, and it is none of their houses',
  venue_case_softened: 'the venue’s name was all capitals',
  venue_from_address: 'the venue has no name and is called by its address',
  venue_from_area: 'the venue has no name and is called by its area, or by the city',
} as const;
