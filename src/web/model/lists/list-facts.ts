/** What the pages of lists show. */

import type { Category, EventStatus, VenueType } from '../../../records/index.ts';
import type { AskPart, AskRelaxation } from '../../../search/index.ts';
import type { ComingEvent } from '../records.ts';
import type { EventView, ListQuery } from './list-paths.ts';

export interface EventCardFacts extends ComingEvent {
  category: Category;
  status: EventStatus;
  isFree: boolean;
  priceMin: number | null;
  priceMax: number | null;
  /** ISO 4217. */
  currency: string;
  venue: { name: string; slug: string };
  neighborhood: LinkedPlace | null;
  picture: CardPictureFacts;
}

/** A file of this service, 4:3. */
export interface CardPictureFacts {
  src: string;
  srcSet: string | null;
  width: number;
  height: number;
}

export interface LinkedPlace {
  slug: string;
  name: string;
}

export interface VenueCardFacts extends LinkedPlace {
  id: string;
  type: VenueType;
  neighborhood: LinkedPlace | null;
  address: string | null;
  upcoming: number;
  /** The best of what is on there; null where nothing is. */
  next: EventCardFacts | null;
}

/** How many events a choice has. */
export interface ListChoice<Value extends string = string> {
  value: Value;
  name: string;
  count: number;
}

/** A part of the address that could not be used. */
export interface ListProblem {
  name: string;
  value: string;
  /** In English, as the API says it. */
  detail: string;
  /** What was meant, perhaps. */
  suggestion: { value: string; path: string } | null;
}

/** What would be found without a filter. */
export interface ListRelaxation {
  name: string;
  value: string;
  total: number;
  path: string;
}

export interface ListPages {
  total: number;
  /** From 1 on. */
  page: number;
  pages: number;
}

export interface PagedList extends ListPages {
  /** `limit`, if the address has one: the other pages are as long. */
  pageSize: ListQuery;
}

export interface EventsFacts extends PagedList {
  /** What counts, by the API's names. */
  query: ListQuery;
  view: EventView;
  events: EventCardFacts[];
  /** Days as headings: the list is in the order of time. */
  isByDay: boolean;
  /** The city's day, `YYYY-MM-DD`. */
  today: string;
  categories: ListChoice<Category>[];
  neighborhoods: ListChoice[];
  /** Of the chosen ones. */
  neighborhood: LinkedPlace | null;
  venue: LinkedPlace | null;
  problems: ListProblem[];
  relaxations: ListRelaxation[];
  /** How a free text was understood. */
  asked: { parts: AskPart[]; complete: number; relaxations: AskRelaxation[] } | null;
  calendar: CalendarFacts | null;
  /** The first that match, at their places; null in other views. */
  map: MappedEvent[] | null;
  /** Absolute. */
  canonical: string;
  /** Whether search engines may list the page. */
  isIndexed: boolean;
  /** Addresses of the same list for readers and calendars; null for a list that has none. */
  feeds: { rss: string; ics: string } | null;
}

/** An event at its place. */
export interface MappedEvent extends ComingEvent {
  category: Category;
  venue: string;
  latitude: number;
  longitude: number;
}

export interface CalendarFacts {
  /** The first and the last month that are shown, `YYYY-MM`. */
  month: string;
  until: string;
  previous: CalendarStep | null;
  next: CalendarStep | null;
  /** Seven places each; null: a day of another month. */
  weeks: (CalendarDay | null)[][];
}

export interface CalendarStep {
  /** `YYYY-MM` */
  month: string;
  path: string;
}

export interface CalendarDay {
  /** `YYYY-MM-DD` */
  date: string;
  count: number;
  /** The best of the day. */
  titles: string[];
  path: string;
}

export interface VenuesFacts extends PagedList {
  query: ListQuery;
  venues: VenueCardFacts[];
  types: ListChoice<VenueType>[];
  neighborhoods: ListChoice[];
  neighborhood: LinkedPlace | null;
  problems: ListProblem[];
  relaxations: ListRelaxation[];
  canonical: string;
  isIndexed: boolean;
}

export interface NeighborhoodCard extends LinkedPlace {
  events: number;
  venues: number;
  topCategories: Category[];
}

export interface NeighborhoodFacts extends NeighborhoodCard {
  description: string | null;
  /** The best of the next thirty days. */
  best: EventCardFacts[];
  total: number;
  categories: ListChoice<Category>[];
  houses: VenueCardFacts[];
  /** The best, at their places. */
  mapped: MappedEvent[];
  latitude: number;
  longitude: number;
  near: NeighborhoodCard[];
  canonical: string;
}

export interface FrontFacts {
  /** The best of seven days. */
  best: EventCardFacts[];
  tonight: EventCardFacts[];
  weekend: EventCardFacts[];
  counts: { tonight: number; weekend: number; week: number };
  categories: ListChoice<Category>[];
  neighborhoods: NeighborhoodCard[];
  venues: VenueCardFacts[];
}
