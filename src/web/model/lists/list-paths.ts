/** Addresses of the public lists. The names and values of the filters are those of the API; a path of words stands for the commonest. */

/** Filters by the API's name, as the address says them. */
export type ListQuery = Readonly<Record<string, string>>;

export type EventView = (typeof EVENT_VIEWS)[number];

/** Beside the filters of a list. */
export interface ListPlace {
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
