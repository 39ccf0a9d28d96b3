import type { ReactNode } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { useCanonical, useLanguage, useText } from '../design/use-language.ts';
import { useRoot } from '../design/use-root.ts';
import { eventsPath, type FrontFacts } from '../model/lists.ts';
import { readFront } from '../server/front.ts';
import { rooms } from '../server/rooms.ts';
import { Chip, Chips } from './cards/chips.tsx';
import { EventCard } from './cards/event-card.tsx';
import { CardGrid } from './cards/event-list.tsx';
import { NeighborhoodCards } from './cards/neighborhood-cards.tsx';
import { VenueGrid } from './cards/venue-card.tsx';
import './cards/cards.css';
import './front.css';

export const handle = { isStatic: true };

export const loader = ({ context }: LoaderFunctionArgs) => readFront(context.get(rooms));

export default function FrontPage() {
  const facts = useLoaderData<typeof loader>();
  const { text } = useLanguage();
  const { city, publicUrl } = useRoot() ?? { city: { name: text('site.yourCity') }, publicUrl: '' };
  const { best, tonight, weekend, counts, neighborhoods, venues } = facts;
  const place = city.name;
  return (
    <>
      <title>{text('front.title', { city: place })}</title>
      <meta name="description" content={text('front.description', { city: place, count: counts.week })} />
      <link rel="canonical" href={useCanonical(`${publicUrl}/`)} />
      <link rel="alternate" type="application/rss+xml" title={text('events.heading', { place })} href="/events.rss" />
      <link rel="alternate" type="text/calendar" title={text('events.heading', { place })} href="/events.ics" />
      <FrontHead place={place} counts={counts} />
      {best.length === 0 ? (
        <section className="column gap">
          <p className="empty">{text('front.nothing', { city: place })}</p>
        </section>
      ) : (
        <Row title={text('front.best')} more={eventsPath({ when: 'next_7_days' })} count={counts.week}>
          <ol className="front-best">
            {best.map((event, at) => (
              <li key={event.id}>
                <EventCard event={event} isFirst={at < 3} sizes={at === 0 ? LEAD_SIZES : ROW_SIZES} />
              </li>
            ))}
          </ol>
        </Row>
      )}
      {tonight.length === 0 ? null : (
        <Row title={text('when.tonight')} more={eventsPath({ when: 'tonight' })} count={counts.tonight}>
          <CardGrid events={tonight} level={3} isFirst={false} />
        </Row>
      )}
      {weekend.length === 0 ? null : (
        <Row title={text('when.this_weekend')} more={eventsPath({ when: 'this_weekend' })} count={counts.weekend}>
          <CardGrid events={weekend} level={3} isFirst={false} />
        </Row>
      )}
      <Categories categories={facts.categories} />
      {neighborhoods.length === 0 ? null : (
        <Row title={text('front.neighborhoods')} more="/neighborhoods">
          <NeighborhoodCards neighborhoods={neighborhoods} />
        </Row>
      )}
      {venues.length === 0 ? null : (
        <Row title={text('front.venues')} more="/venues">
          <VenueGrid venues={venues} />
        </Row>
      )}
    </>
  );
}

function FrontHead({ place, counts }: { place: string; counts: FrontFacts['counts'] }) {
  const text = useText();
  return (
    <section className="front-head">
      <div className="column stack">
        <h1 className="front-title">{text('front.heading', { city: place })}</h1>
        <search>
          <form action="/events" className="front-search">
            <label className="visually-hidden" htmlFor="front-ask">
              {text('search.label')}
            </label>
            <input
              id="front-ask"
              name="ask"
              type="search"
              maxLength={200}
              autoComplete="off"
              placeholder={text('search.placeholder')}
            />
            <button type="submit" className="button primary">
              {text('search.button')}
            </button>
          </form>
        </search>
        <Chips label={text('filter.when')}>
          <Chip to="/events/tonight" {...(counts.tonight > 0 && { count: String(counts.tonight) })}>
            {text('when.tonight')}
          </Chip>
          <Chip to="/events/tomorrow">{text('when.tomorrow')}</Chip>
          <Chip to="/events/this-weekend">{text('when.this_weekend')}</Chip>
          <Chip to="/events?free=true">{text('price.free')}</Chip>
          <Chip to="/events?view=calendar">{text('view.calendar')}</Chip>
        </Chips>
      </div>
    </section>
  );
}

interface RowProps {
  title: string;
  /** Where all of it is. */
  more: string;
  count?: number;
  children: ReactNode;
}

function Row({ title, more, count, children }: RowProps) {
  const text = useText();
  const words = count === undefined ? text('front.more') : text('lists.showAll', { count });
  return (
    <section className="column front-row">
      <div className="front-row-head">
        <h2 className="section-title">{title}</h2>
        <Link to={more} aria-label={`${title}: ${words}`}>
          {words}
        </Link>
      </div>
      {children}
    </section>
  );
}

function Categories({ categories }: Pick<FrontFacts, 'categories'>) {
  const { text } = useLanguage();
  if (categories.length === 0) return null;
  return (
    <Row title={text('front.categories')} more="/events">
      <ul className="category-grid">
        {categories.map(({ value, count }) => (
          <li key={value}>
            <Link className={`category-card ${value}`} to={eventsPath({ category: value })}>
              <strong>{text(`categories.${value}`)}</strong>
              <span>{text('events.count', { count })}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Row>
  );
}

/** As `front.css` lays them out. */
const LEAD_SIZES = '(max-width: 60rem) 92vw, 38rem';
const ROW_SIZES = '(max-width: 60rem) 46vw, 19rem';
