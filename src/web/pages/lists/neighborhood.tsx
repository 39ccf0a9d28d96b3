import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { useCanonical, useLanguage, useSourceLanguage } from '../../design/use-language.ts';
import { useRoot } from '../../design/use-root.ts';
import { eventsPath, venuesPath } from '../../model/lists.ts';
import { drawSurroundings } from '../../server/map-areas.ts';
import { readNeighborhood } from '../../server/neighborhoods.ts';
import { rooms } from '../../server/rooms.ts';
import { Chip, Chips } from '../cards/chips.tsx';
import { CardGrid } from '../cards/event-list.tsx';
import { NeighborhoodCards } from '../cards/neighborhood-cards.tsx';
import { VenueGrid } from '../cards/venue-card.tsx';
import { EventsMap } from './events-map.tsx';
import '../cards/cards.css';
import './lists.css';

export const handle = { isStatic: true };

export async function loader({ context, params }: LoaderFunctionArgs) {
  const facts = readNeighborhood(context.get(rooms), params.slug ?? '');
  const surroundings = await drawSurroundings(context.get(rooms), facts);
  return { ...facts, preview: surroundings && { ...surroundings, marks: [] } };
}

export default function NeighborhoodPage() {
  const { slug, name, description, events, venues, best, total, categories, houses, near, canonical, mapped, preview } =
    useLoaderData<typeof loader>();
  const { text, formats } = useLanguage();
  const language = useSourceLanguage();
  const city = useRoot()?.city.name ?? text('site.yourCity');
  const query = { neighborhood: slug };
  return (
    <div className="column gap list-page">
      <title>{`${text('events.heading', { place: `${name}, ${city}` })} · Marquee`}</title>
      <meta name="description" content={text('neighborhood.description', { name, city, events, venues })} />
      <link rel="canonical" href={useCanonical(canonical)} />
      <header className="neighborhood-head">
        <div className="stack">
          <p className="eyebrow">
            <Link to="/neighborhoods">{text('neighborhoods.heading', { city })}</Link>
          </p>
          <h1>{name}</h1>
          {description ? (
            <p className="lead" lang={language}>
              {description}
            </p>
          ) : null}
          <p className="neighborhood-counts">{text('neighborhood.counts', { events, venues })}</p>
        </div>
        {best.length > 0 ? (
          <EventsMap label={text('map.of', { name })} events={mapped} preview={preview} isListed={false} current={name} />
        ) : null}
      </header>
      <section className="stack" aria-labelledby="on">
        <h2 id="on" className="section-title">
          {text('neighborhood.on')}
        </h2>
        <Chips label={text('filter.when')}>
          {TIMES.map((when) => (
            <Chip key={when} to={eventsPath({ ...query, when })}>
              {text(`when.${when}`)}
            </Chip>
          ))}
          {categories.map(({ value, count }) => (
            <Chip key={value} to={eventsPath({ ...query, category: value })} count={formats.number(count)}>
              {text(`categories.${value}`)}
            </Chip>
          ))}
        </Chips>
        {best.length === 0 ? <p className="empty">{text('neighborhood.nothing')}</p> : <CardGrid events={best} level={3} />}
        {total > best.length ? (
          <p>
            <Link className="button" to={eventsPath(query)}>
              {text('lists.showAll', { count: total })}
            </Link>
          </p>
        ) : null}
      </section>
      {houses.length === 0 ? null : (
        <section className="stack" aria-labelledby="venues">
          <h2 id="venues" className="section-title">
            {text('venues.heading', { place: name })}
          </h2>
          <VenueGrid venues={houses} />
          {venues > houses.length ? (
            <p>
              <Link className="button" to={venuesPath(query)}>
                {text('venues.showAll', { count: venues })}
              </Link>
            </p>
          ) : null}
        </section>
      )}
      {near.length === 0 ? null : (
        <section className="stack" aria-labelledby="near">
          <h2 id="near" className="section-title">
            {text('neighborhood.near')}
          </h2>
          <NeighborhoodCards neighborhoods={near} />
        </section>
      )}
    </div>
  );
}

const TIMES = ['tonight', 'this_weekend'] as const;
