/** What a list of events shows: the answer of the API’s search to the same filters, with what else could be chosen. */

import { EVENT_SEARCH_NAMES } from '../../query/index.ts';
import { CATEGORIES } from '../../records/index.ts';
import { NAMED_WINDOWS } from '../../values/named-window.ts';
import {
  type CalendarDay,
  type CalendarFacts,
  type CalendarStep,
  type EventsFacts,
  eventsPath,
  type ListProblem,
  type ListQuery,
  TIME_NAMES,
  TIME_WORDS,
  without,
} from '../model/lists.ts';
import { readEventCards, readMappedEvents } from './cards.ts';
import { eventFeedPaths } from './event-feeds.ts';
import { readEventChoices, readVenueName } from './list-choices.ts';
import {
  askLeniently,
  countEvents,
  itemsOf,
  type ListPlaces,
  nearestValue,
  OWN_NAMES,
  openListPlace,
  type PagePlace,
  pagesOf,
  readPagePlace,
  readSent,
  readWindow,
  relaxList,
  searchList,
} from './list-search.ts';
import type { Rooms } from './rooms.ts';

export interface ListRequest {
  url: URL;
  /** What stands behind `/events/` or `/venues/`. */
  word: string | undefined;
  /** Of the reader. */
  language: string;
}

export function readEventsList(
  rooms: Pick<Rooms, 'search' | 'clocks' | 'publicUrl'>,
  { url, word, language }: ListRequest,
): EventsFacts {
  const place = openListPlace(rooms);
  const sent = readSent(url.searchParams, { known: EVENT_SEARCH_NAMES, own: OWN_NAMES, lists: LIST_NAMES });
  const wanted = { ...readWord(word), ...sent.query };
  const { found, query, problems: faults } = askLeniently(wanted, (each) => searchList(place, each));
  const problems: ListProblem[] = faults.map((fault) => ({ ...fault, suggestion: suggest(fault, wanted) }));
  const at = readPagePlace(sent.own, problems);
  const window = readWindow(query, at);
  const filters = without(query, 'limit', 'offset');
  const { total } = found.page;
  const calendar = at.view === 'calendar' ? readCalendar(place, filters, { month: at.month, language, problems }) : null;
  const map = at.view === 'map' ? readMappedEvents(place, itemsOf(searchList(place, { ...query, ...MAP_WINDOW }))) : null;
  // The first page is found already.
  const pageQuery = { ...query, limit: String(window.limit), offset: String(window.offset) };
  const items = calendar || map ? [] : at.page > 1 ? itemsOf(searchList(place, pageQuery)) : found.page.items;
  return {
    query: filters,
    pageSize: query.limit === undefined ? {} : { limit: query.limit },
    view: at.view,
    total,
    ...pagesOf(total, window),
    events: readEventCards(place, items),
    isByDay: filters.sort === 'start',
    today: place.city.day(place.now),
    ...readEventChoices(place, filters),
    neighborhood: place.neighborhood(filters.neighborhood),
    venue: readVenueName(place, filters.venue_id),
    problems,
    relaxations: total === 0 ? relax(place, filters, at) : [],
    asked: found.asked,
    calendar,
    map,
    canonical: place.publicUrl + eventsPath(without(filters, 'sort'), { page: at.page }),
    isIndexed: problems.length === 0 && items.length > 0 && isPlain(filters, at),
    feeds: eventFeedPaths(filters),
  };
}

function readWord(word: string | undefined): ListQuery {
  if (word === undefined) return {};
  const when = TIME_WORDS.find(([path]) => path === word)?.[1];
  return when === undefined ? { category: word } : { when };
}

function relax(place: ListPlaces, filters: ListQuery, { view }: PagePlace) {
  return relaxList(filters, { count: (rest) => countEvents(place, rest), pathOf: (rest) => eventsPath(rest, { view }) });
}

/** A near value of a closed set, for what was none. */
function suggest({ name, value }: Omit<ListProblem, 'suggestion'>, query: ListQuery): ListProblem['suggestion'] {
  const known = CLOSED_SETS[name];
  const near = known ? nearestValue(value, known) : null;
  return near === null ? null : { value: near, path: eventsPath({ ...query, [name]: near }) };
}

/** Lists that people look for by name; all others are one of too many. */
function isPlain(filters: ListQuery, { page, view }: PagePlace): boolean {
  const names = Object.keys(filters);
  const isKnown = names.length <= 2 && names.every((name) => INDEXED_NAMES.has(name));
  return isKnown && view === 'list' && page <= MAX_INDEXED_PAGE;
}

/**
 * Days of a list as a calendar: how many events each has, and the best of them. `month`: `YYYY-MM`. Without one the weeks that come: the end of a month alone would be an empty page. A month that is over or too far
 * off is a problem of the address.
 */
function readCalendar(
  place: ListPlaces,
  filters: ListQuery,
  { month, language, problems }: { month: string | undefined; language: string; problems: ListProblem[] },
): CalendarFacts {
  const query = without(filters, ...TIME_NAMES, 'sort');
  const today = Temporal.PlainDate.from(place.city.day(place.now));
  const chosen = readMonth(month, today, problems);
  const weekStart = firstWeekday(language);
  const span = chosen ? wholeMonth(chosen) : comingWeeks(today, weekStart);
  const leading = (span.first.dayOfWeek - weekStart + DAYS_A_WEEK) % DAYS_A_WEEK;
  const places = [...Array.from<null>({ length: leading }).fill(null), ...readDays(place, query, span, today)];
  while (places.length % DAYS_A_WEEK > 0) places.push(null);
  const firstShown = Temporal.PlainDate.compare(span.first, today) < 0 ? today : span.first;
  return {
    month: firstShown.toPlainYearMonth().toString(),
    until: span.last.toPlainYearMonth().toString(),
    ...stepsOf(filters, chosen, span, today),
    weeks: weeksOf(places, today.toString()),
  };
}

interface DaySpan {
  first: Temporal.PlainDate;
  last: Temporal.PlainDate;
}

const wholeMonth = (first: Temporal.PlainDate): DaySpan => ({ first, last: first.with({ day: first.daysInMonth }) });

/** From the week of today on. */
function comingWeeks(today: Temporal.PlainDate, weekStart: number): DaySpan {
  const first = today.subtract({ days: (today.dayOfWeek - weekStart + DAYS_A_WEEK) % DAYS_A_WEEK });
  return { first, last: first.add({ days: COMING_WEEKS * DAYS_A_WEEK - 1 }) };
}

/** Months before and after; this month is left to the weeks that come. */
function stepsOf(
  filters: ListQuery,
  chosen: Temporal.PlainDate | null,
  { last }: DaySpan,
  today: Temporal.PlainDate,
): Pick<CalendarFacts, 'previous' | 'next'> {
  const current = today.toPlainYearMonth();
  const stepTo = (month: Temporal.PlainYearMonth): CalendarStep | null => {
    const ahead = month.since(current, { largestUnit: 'months' }).months;
    if (ahead < 0 || ahead > MAX_MONTHS) return null;
    const path = eventsPath(filters, { view: 'calendar', ...(ahead > 0 && { month: month.toString() }) });
    return { month: month.toString(), path };
  };
  const next = stepTo(last.add({ days: 1 }).toPlainYearMonth());
  return { previous: chosen && stepTo(chosen.toPlainYearMonth().subtract({ months: 1 })), next };
}

/** Without the weeks that are over. */
function weeksOf(places: readonly (CalendarDay | null)[], today: string): (CalendarDay | null)[][] {
  const weeks = Array.from({ length: places.length / DAYS_A_WEEK }, (_, week) =>
    places.slice(week * DAYS_A_WEEK, (week + 1) * DAYS_A_WEEK),
  );
  return weeks.filter((week) => week.some((day) => day !== null && day.date >= today));
}

/** Its first day. */
function readMonth(month: string | undefined, today: Temporal.PlainDate, problems: ListProblem[]): Temporal.PlainDate | null {
  const current = today.with({ day: 1 });
  if (month === undefined) return null;
  const first = MONTH.test(month) ? Temporal.PlainDate.from(`${month}-01`) : null;
  const isShown =
    first !== null &&
    Temporal.PlainDate.compare(first, current) >= 0 &&
    Temporal.PlainDate.compare(first, current.add({ months: MAX_MONTHS })) <= 0;
  if (isShown) return first;
  const wanted = `${current.toPlainYearMonth()} to ${current.add({ months: MAX_MONTHS }).toPlainYearMonth()}`;
  problems.push({ name: 'month', value: month, detail: `month must be YYYY-MM, from ${wanted}`, suggestion: null });
  return null;
}

/** What is over has no events: a list begins now. */
function readDays(place: ListPlaces, query: ListQuery, { first, last }: DaySpan, today: Temporal.PlainDate): CalendarDay[] {
  const isCurrent = Temporal.PlainDate.compare(first, today) <= 0;
  const range = { ...(!isCurrent && { start_date: first.toString() }), end_date: last.toString() };
  const found = searchList(place, { ...query, ...range, limit: '1' }, ['day']);
  const counts = new Map(found.ok ? found.page.facets?.day?.map(({ value, count }) => [value, count]) : []);
  return Array.from({ length: first.until(last).days + 1 }, (_, day) => {
    const date = first.add({ days: day }).toString();
    const onDay = dayQuery(query, date, today.toString());
    return {
      date,
      count: counts.get(date) ?? 0,
      titles: counts.has(date) ? readTitles(place, onDay) : [],
      path: eventsPath(onDay),
    };
  });
}

function dayQuery(query: ListQuery, date: string, today: string): ListQuery {
  return date === today ? { ...query, when: 'today' } : { ...query, start_date: date, end_date: date };
}

function readTitles(place: ListPlaces, query: ListQuery): string[] {
  const items = itemsOf(searchList(place, { ...query, limit: String(TITLES) }));
  const events = JSON.parse(place.snapshot.writeEvents(items, 'compact', '[', ']').toString()) as { title: string }[];
  return events.map(({ title }) => title);
}

/** As weeks begin where the language is spoken most. */
function firstWeekday(language: string): number {
  return new Intl.Locale(language).maximize().getWeekInfo().firstDay;
}

const CLOSED_SETS: Readonly<Record<string, readonly string[]>> = { category: CATEGORIES, when: [...NAMED_WINDOWS, 'today'] };
/** A form sends a list as several values. */
const LIST_NAMES = ['category', 'tags', 'status'];
const INDEXED_NAMES: ReadonlySet<string> = new Set(['category', 'neighborhood', 'when', 'free']);
const MAX_INDEXED_PAGE = 50;
/** As many as the API gives at once, and as a map can show. */
const MAP_WINDOW = { limit: '100', offset: '0' };
const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;
/** Listings of a year are known at most. */
const MAX_MONTHS = 12;
const DAYS_A_WEEK = 7;
const COMING_WEEKS = 5;
const TITLES = 2;
