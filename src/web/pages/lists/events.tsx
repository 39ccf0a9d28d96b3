import { data, Link, type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router';
import { Markup } from '../../design/markup.tsx';
import { useCanonical, useLanguage, useText } from '../../design/use-language.ts';
import { useRoot } from '../../design/use-root.ts';
import { EVENT_VIEWS, type EventsFacts, eventsPath, type ListQuery, TIME_NAMES, without } from '../../model/lists.ts';
import type { PageLanguage } from '../../model/page-language.ts';
import { readEventsList } from '../../server/events-list.ts';
import { readLanguage } from '../../server/languages.ts';
import { tidyAddress } from '../../server/list-search.ts';
import { writeListBlocks } from '../../server/markup.ts';
import { rooms } from '../../server/rooms.ts';
import { Chip, Chips } from '../cards/chips.tsx';
import { EventList } from '../cards/event-list.tsx';
import { CalendarView } from './calendar-view.tsx';
import { describeFilter, filterName } from './describe-filter.ts';
import { EventsMap } from './events-map.tsx';
import { ListForm } from './list-form.tsx';
import { EmptyList, ListPager, ListProblems } from './list-parts.tsx';
import '../cards/cards.css';
import './lists.css';

export const handle = { isStatic: true };

export function loader({ context, request }: LoaderFunctionArgs) {
  const url = new URL(request.url);
  const tidy = tidyAddress(url);
  if (tidy !== null) throw redirect(tidy);
  const [, , word] = url.pathname.split('/');
  const language = readLanguage(request);
  const { search, publicUrl } = context.get(rooms);
  const found = readEventsList(context.get(rooms), { url, word, language: language.code });
  const urls = found.events.map(({ slug }) => `${publicUrl}/events/${slug}`);
  const name = describeList(language, found, search.current().city.name);
  const facts = { ...found, markup: writeListBlocks(name, found.canonical, urls) };
  return facts.problems.length > 0 ? data(facts, { status: 400 }) : data(facts);
}

export default function EventsPage() {
  const facts = useLoaderData<typeof loader>();
  const language = useLanguage();
  const { text } = language;
  const city = useRoot()?.city.name ?? text('site.yourCity');
  const canonical = useCanonical(facts.canonical);
  const { query, view, total, page, pages, calendar } = facts;
  const heading = describeList(language, facts, city);
  return (
    <div className="column gap list-page">
      <title>{page > 1 ? `${heading} · ${text('lists.page', { page, pages })}` : `${heading} · Marquee`}</title>
      <meta name="description" content={text('events.description', { heading, count: total })} />
      <link rel="canonical" href={canonical} />
      <Markup blocks={facts.markup} />
      {facts.isIndexed ? null : <meta name="robots" content="noindex, follow" />}
      <FeedLinks feeds={facts.feeds} heading={heading} />
      <header className="stack">
        <h1>{heading}</h1>
        <FilterBar {...facts} />
        <ActiveFilters {...facts} />
      </header>
      <ListProblems problems={facts.problems} />
      <div className="list-head">
        <p role="status" className="list-total">
          {calendar ? null : describeTotal(language, facts)}
        </p>
        <ListModes query={query} view={view} />
      </div>
      {calendar ? <CalendarView calendar={calendar} today={facts.today} /> : <Results facts={facts} heading={heading} />}
      {facts.feeds ? (
        <p className="small quiet list-feeds">
          {text('events.follow')} <a href={facts.feeds.ics}>{text('events.asCalendar')}</a>{' '}
          <a href={facts.feeds.rss}>{text('events.asFeed')}</a>
        </p>
      ) : null}
    </div>
  );
}

function Results({ facts, heading }: { facts: EventsFacts; heading: string }) {
  const { text } = useLanguage();
  const { query, pageSize, view, total, page, pages, events, isByDay, today, asked, relaxations, neighborhood, map } = facts;
  if (total === 0) {
    const words = (asked?.relaxations ?? []).map(({ without, ask, total: count }) => ({
      part: without,
      total: count,
      path: eventsPath({ ...query, ask }, { view }),
    }));
    const isFiltered = Object.keys(query).length > 0;
    return (
      <EmptyList kind="events" isFiltered={isFiltered} relaxations={relaxations} neighborhood={neighborhood} words={words} />
    );
  }
  if (map) {
    return (
      <>
        <EventsMap label={heading} events={map} />
        {total > map.length ? <p className="small quiet">{text('events.mapped', { shown: map.length, count: total })}</p> : null}
      </>
    );
  }
  return (
    <>
      {events.length === 0 ? <p className="empty">{text('lists.pastEnd')}</p> : null}
      <EventList events={events} isByDay={isByDay} today={today} />
      <ListPager total={total} page={page} pages={pages} pathOf={(to) => eventsPath({ ...query, ...pageSize }, { page: to })} />
    </>
  );
}

/** Where programs find the same list. */
function FeedLinks({ feeds, heading }: { feeds: EventsFacts['feeds']; heading: string }) {
  if (feeds === null) return null;
  return (
    <>
      <link rel="alternate" type="application/rss+xml" title={heading} href={feeds.rss} />
      <link rel="alternate" type="text/calendar" title={heading} href={feeds.ics} />
    </>
  );
}

/** `Concerts in Harbor Point: tonight` */
export function describeList(
  language: PageLanguage,
  { query, neighborhood, venue }: Pick<EventsFacts, 'query' | 'neighborhood' | 'venue'>,
  city: string,
): string {
  const { text, formats } = language;
  const { category, when, start_date: start, end_date: end, ask } = query;
  const place = venue?.name ?? neighborhood?.name ?? city;
  if (ask !== undefined) return text('events.headingAsk', { ask, place });
  const isDay = start !== undefined && start === end;
  const time = when ? describeFilter(language, 'when', when) : isDay ? formats.day(start) : null;
  if (category === undefined) {
    return time === null ? text('events.heading', { place }) : text('events.headingTime', { time, place });
  }
  const what = describeFilter(language, 'category', category);
  if (time === null) return text('events.headingWhat', { what, place });
  return text('events.headingWhatTime', { what, time, place });
}

function describeTotal({ text }: PageLanguage, { total, query, asked, today: _ }: EventsFacts): string {
  if (asked && total > 0 && asked.complete < total) {
    if (asked.complete === 0) return text('search.mostWords', { count: total });
    return text('search.someComplete', { count: total, complete: asked.complete });
  }
  const isOpen = query.when === undefined && query.start_date === undefined && query.end_date === undefined;
  return text(isOpen && !asked ? 'events.countMonth' : 'events.count', { count: total });
}

type FilterFacts = Pick<EventsFacts, 'query' | 'view' | 'neighborhood' | 'venue' | 'asked'>;

/** What counts and no chip shows, with the words of a text that were understood. Each can be taken away. */
function ActiveFilters({ query, view, neighborhood, venue, asked }: FilterFacts) {
  const words = useLanguage();
  const { text } = words;
  const parts = (asked?.parts ?? []).map(({ kind, from, means, without: rest }) => ({
    key: `part ${from}`,
    name: text(`search.kind.${kind}`),
    value: means,
    path: eventsPath(rest === '' ? without(query, 'ask') : { ...query, ask: rest }, { view }),
  }));
  const filters = NAMED.flatMap((name) => {
    const value = query[name];
    if (value === undefined) return [];
    const shown = describeFilter(words, name, value, { neighborhood, venue });
    return [{ key: name, name: filterName(text, name), value: shown, path: eventsPath(without(query, name), { view }) }];
  });
  if (parts.length + filters.length === 0) return null;
  return (
    <ul className="chips" aria-label={text('events.chosen')}>
      {[...parts, ...filters].map(({ key, name, value, path }) => (
        <li key={key}>
          <Link className="chip taken" to={path} aria-label={text('search.remove', { kind: name, part: value })}>
            <span className="quiet">{name}</span> {value} <span aria-hidden="true">×</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

type FilterBarFacts = Pick<EventsFacts, 'query' | 'view' | 'categories' | 'neighborhoods'>;

/** All that chooses events: words, time, category, and the rest in a form that opens. */
function FilterBar({ query, view, categories, neighborhoods }: FilterBarFacts) {
  const { text, formats } = useLanguage();
  const pathOf = (next: ListQuery) => eventsPath(next, { view });
  const anyTime = without(query, ...TIME_NAMES);
  const anyCategory = without(query, 'category');
  const isTimed = TIME_NAMES.some((name) => query[name] !== undefined);
  const isFree = query.free === 'true' || query.free === '1';
  return (
    <div className="filter-bar">
      <ListForm query={query} view={view} neighborhoods={neighborhoods} />
      {view === 'calendar' ? null : (
        <Chips label={text('filter.when')}>
          <Chip to={pathOf(anyTime)} isOn={!isTimed}>
            {text('when.any')}
          </Chip>
          {TIMES.map((when) => (
            <Chip key={when} to={pathOf({ ...anyTime, when })} isOn={query.when === when}>
              {text(`when.${when}`)}
            </Chip>
          ))}
          <Chip to={pathOf(isFree ? without(query, 'free') : { ...query, free: 'true' })} isOn={isFree}>
            {text('price.free')}
          </Chip>
        </Chips>
      )}
      <Chips label={text('filter.category')}>
        <Chip to={pathOf(anyCategory)} isOn={query.category === undefined}>
          {text('categories.all')}
        </Chip>
        {categories.map(({ value, count }) => (
          <Chip
            key={value}
            to={pathOf({ ...query, category: value })}
            isOn={query.category === value}
            count={formats.number(count)}
          >
            {text(`categories.${value}`)}
          </Chip>
        ))}
      </Chips>
    </div>
  );
}

/** Order and view of a list of events. */
function ListModes({ query, view }: Pick<EventsFacts, 'query' | 'view'>) {
  const text = useText();
  const first: Sort = query.ask === undefined ? 'score' : 'relevance';
  const sort = query.sort ?? first;
  const others: Sort[] = [...(query.q ? (['relevance'] as const) : []), ...SORTS, ...(query.near ? (['distance'] as const) : [])];
  const sorts = [...new Set([first, ...others])];
  return (
    <div className="list-modes">
      {view === 'list' ? (
        <ul className="modes" aria-label={text('events.order')}>
          {sorts.map((each) => (
            <li key={each}>
              <Link
                to={eventsPath(each === first ? without(query, 'sort') : { ...query, sort: each })}
                aria-current={sort === each ? 'true' : undefined}
              >
                {text(`sort.${each}`)}
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
      <ul className="modes" aria-label={text('events.view')}>
        {EVENT_VIEWS.map((each) => (
          <li key={each}>
            <Link to={eventsPath(query, { view: each })} aria-current={view === each ? 'true' : undefined}>
              {text(`view.${each}`)}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

type Sort = 'score' | 'start' | 'relevance' | 'distance';

/** Chips show all others. */
const NAMED = [
  ...['q', 'neighborhood', 'venue_id', 'start_date', 'end_date', 'price_max', 'tags'],
  ...['near', 'bbox', 'status', 'updated_since', 'ongoing'],
];
/** As people say it; all other times are named by dates. */
const TIMES = ['today', 'tonight', 'tomorrow', 'this_weekend', 'next_7_days', 'next_weekend'] as const;
const SORTS = ['score', 'start'] as const;
