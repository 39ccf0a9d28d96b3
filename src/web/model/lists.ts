/** Lists: what their pages show, and their addresses. */

import type { Category, VenueType } from '../../records/index.ts';
import type { AskPart, AskRelaxation } from '../../search/index.ts';
import type { ComingEvent, EventCard } from './records.ts';

/** A card with its neighborhood. */
export interface EventCardFacts extends EventCard {
  neighborhood: LinkedPlace | null;
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

interface PagedList extends ListPages {
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

/** Filters by the API's name, as the address says them. */
export type ListQuery = Readonly<Record<string, string>>;

export type EventView = (typeof EVENT_VIEWS)[number];

/** Beside the filters of a list. */
interface ListPlace {
  view?: EventView;
  /** `YYYY-MM`, of the calendar. */
  month?: string;
  /** From 1 on. */
  page?: number;
}

/** `/events/tonight`, `/events/concert?free=true`, `/events?when=next_7_days&sort=start`. */
export function eventsPath(query: ListQuery, { view = 'list', month, page = 1 }: ListPlace = {}): string {
  const { category, when, ...others } = query;
  const isWord = category !== undefined && !category.includes(',');
  const timeWord = isWord ? undefined : TIME_WORDS.find(([, value]) => value === when)?.[0];
  const word = isWord ? category : timeWord;
  const rest = {
    ...(category !== undefined && !isWord && { category }),
    ...(when !== undefined && timeWord === undefined && { when }),
    ...others,
    ...(view !== 'list' && { view }),
    ...(month !== undefined && { month }),
    ...(page > 1 && { page: String(page) }),
  };
  return withQuery(word === undefined ? '/events' : `/events/${word}`, rest);
}

/** `/venues/theater?neighborhood=harborfront` */
export function venuesPath({ type, ...others }: ListQuery, page = 1): string {
  const isWord = type !== undefined && !type.includes(',');
  const rest = { ...(type !== undefined && !isWord && { type }), ...others, ...(page > 1 && { page: String(page) }) };
  return withQuery(isWord ? `/venues/${type}` : '/venues', rest);
}

export const neighborhoodPath = (slug: string): string => `/neighborhoods/${slug}`;

/** The filters without some of them; what belongs to a filter goes with it. */
export function without(query: ListQuery, ...names: readonly string[]): ListQuery {
  const gone = new Set(names.flatMap((name) => [name, ...(BELONG[name] ?? [])]));
  const isGone = (name: string, value: string) => gone.has(name) || (name === 'sort' && gone.has('near') && value === 'distance');
  return Object.fromEntries(Object.entries(query).filter(([name, value]) => !isGone(name, value)));
}

/** Commas stay readable. */
function withQuery(path: string, query: ListQuery): string {
  const text = new URLSearchParams(query).toString().replaceAll('%2C', ',');
  return text === '' ? path : `${path}?${text}`;
}

/** Words of an address and what they mean for `when`; `today` is a day of the pages alone. */
export const TIME_WORDS = [
  ['today', 'today'],
  ['tonight', 'tonight'],
  ['tomorrow', 'tomorrow'],
  ['this-weekend', 'this_weekend'],
] as const;
/** How a list of events can be seen. Each needs its part in `pages/lists/events.tsx`. */
export const EVENT_VIEWS = ['list', 'map', 'calendar'] as const;
/** All that says when; an address names it once. */
export const TIME_NAMES = ['when', 'start_date', 'end_date', 'ongoing'] as const;

const BELONG: Readonly<Record<string, readonly string[]>> = { near: ['radius'], ask: ['sort'], q: ['sort'] };
