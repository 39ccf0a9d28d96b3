import { useId } from 'react';
import { data, type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router';
import { Markup } from '../../design/markup.tsx';
import { useCanonical, useLanguage } from '../../design/use-language.ts';
import { useRoot } from '../../design/use-root.ts';
import { type VenuesFacts, venuesPath, without } from '../../model/lists.ts';
import type { PageLanguage } from '../../model/page-language.ts';
import { readLanguage } from '../../server/languages.ts';
import { tidyAddress } from '../../server/list-search.ts';
import { writeListBlocks } from '../../server/markup.ts';
import { rooms } from '../../server/rooms.ts';
import { readVenuesList } from '../../server/venues-list.ts';
import { Chip, Chips } from '../cards/chips.tsx';
import { VenueGrid } from '../cards/venue-card.tsx';
import { describeFilter } from './describe-filter.ts';
import { EmptyList, ListPager, ListProblems } from './list-parts.tsx';
import '../cards/cards.css';
import './lists.css';

export const handle = { isStatic: true };

export function loader({ context, request }: LoaderFunctionArgs) {
  const url = new URL(request.url);
  const tidy = tidyAddress(url);
  if (tidy !== null) throw redirect(tidy);
  const [, , word] = url.pathname.split('/');
  const { search, publicUrl } = context.get(rooms);
  const found = readVenuesList(context.get(rooms), { url, word });
  const urls = found.venues.map(({ slug }) => `${publicUrl}/venues/${slug}`);
  const name = describeVenues(readLanguage(request), found, search.current().city.name);
  const facts = { ...found, markup: writeListBlocks(name, found.canonical, urls) };
  return facts.problems.length > 0 ? data(facts, { status: 400 }) : data(facts);
}

export default function VenuesPage() {
  const facts = useLoaderData<typeof loader>();
  const language = useLanguage();
  const { text, formats } = language;
  const city = useRoot()?.city.name ?? text('site.yourCity');
  const { query, pageSize, total, page, pages, venues, types, neighborhood, relaxations, problems } = facts;
  const heading = describeVenues(language, facts, city);
  return (
    <div className="column gap list-page">
      <title>{page > 1 ? `${heading} · ${text('lists.page', { page, pages })}` : `${heading} · Marquee`}</title>
      <meta name="description" content={text('venues.description', { heading, count: total })} />
      <link rel="canonical" href={useCanonical(facts.canonical)} />
      <Markup blocks={facts.markup} />
      {facts.isIndexed ? null : <meta name="robots" content="noindex, follow" />}
      <header className="stack">
        <h1>{heading}</h1>
        <div className="filter-bar">
          <VenueForm {...facts} />
          <Chips label={text('filter.type')}>
            <Chip to={venuesPath(without(query, 'type'))} isOn={query.type === undefined}>
              {text('venueTypes.all')}
            </Chip>
            {types.map(({ value, count }) => (
              <Chip
                key={value}
                to={venuesPath({ ...query, type: value })}
                isOn={query.type === value}
                count={formats.number(count)}
              >
                {text(`venueTypes.${value}`)}
              </Chip>
            ))}
          </Chips>
        </div>
      </header>
      <ListProblems problems={problems} />
      {total === 0 ? (
        <EmptyList
          kind="venues"
          isFiltered={Object.keys(query).length > 0}
          relaxations={relaxations}
          neighborhood={neighborhood}
        />
      ) : (
        <>
          <p role="status" className="list-total">
            {text('venues.count', { count: total })}
          </p>
          {venues.length === 0 ? (
            <p className="empty">{text('lists.pastEnd')}</p>
          ) : (
            <VenueGrid venues={venues} level={2} isFirst />
          )}
          <ListPager total={total} page={page} pages={pages} pathOf={(to) => venuesPath({ ...query, ...pageSize }, to)} />
        </>
      )}
    </div>
  );
}

function describeVenues(
  language: PageLanguage,
  { query, neighborhood }: Pick<VenuesFacts, 'query' | 'neighborhood'>,
  city: string,
): string {
  const place = neighborhood?.name ?? city;
  if (query.type === undefined) return language.text('venues.heading', { place });
  return language.text('venues.headingWhat', { what: describeFilter(language, 'type', query.type), place });
}

function VenueForm({ query, neighborhoods }: Pick<VenuesFacts, 'query' | 'neighborhoods'>) {
  const id = useId();
  const { text, formats } = useLanguage();
  return (
    <search>
      <form action="/venues" className="list-form">
        {Object.entries(without(query, 'q', 'neighborhood')).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <div className="list-fields">
          <div className="field wide">
            <label htmlFor={`${id}-q`}>{text('venues.name')}</label>
            <input id={`${id}-q`} name="q" type="search" maxLength={200} autoComplete="off" defaultValue={query.q ?? ''} />
          </div>
          <div className="field">
            <label htmlFor={`${id}-neighborhood`}>{text('filter.neighborhood')}</label>
            <select id={`${id}-neighborhood`} name="neighborhood" defaultValue={query.neighborhood ?? ''}>
              <option value="">{text('filter.anywhere')}</option>
              {neighborhoods.map(({ value, name, count }) => (
                <option key={value} value={value}>{`${name} (${formats.number(count)})`}</option>
              ))}
            </select>
          </div>
          <button type="submit" className="button primary">
            {text('search.button')}
          </button>
        </div>
      </form>
    </search>
  );
}
