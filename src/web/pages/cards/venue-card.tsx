import { Link } from 'react-router';
import { useLanguage, useSourceLanguage } from '../../design/use-language.ts';
import { describeStart } from '../../model/describe.ts';
import { neighborhoodPath, type VenueCardFacts } from '../../model/lists.ts';
import { FIRST_ROW } from './event-list.tsx';

interface Props {
  venue: VenueCardFacts;
  level: 2 | 3;
  /** It is seen at once. */
  isFirst: boolean;
}

/** A venue with the best of what is on there. */
export function VenueCard({ venue, level, isFirst }: Props) {
  const words = useLanguage();
  const language = useSourceLanguage();
  const { text } = words;
  const { slug, name, type, neighborhood, upcoming, next } = venue;
  const Heading = `h${level}` as const;
  return (
    <article className="venue-card">
      {next === null ? null : (
        <img
          className="venue-picture"
          src={next.picture.src}
          {...{ width: 640, height: 320 }}
          alt=""
          loading={isFirst ? 'eager' : 'lazy'}
          decoding="async"
        />
      )}
      <p className="small quiet">{text(`venueType.${type}`)}</p>
      <Heading className="card-title" lang={language}>
        <Link to={`/venues/${slug}`}>{name}</Link>
      </Heading>
      <p className="card-where">
        {neighborhood ? (
          <Link className="card-link" to={neighborhoodPath(neighborhood.slug)}>
            {neighborhood.name}
          </Link>
        ) : (
          venue.address
        )}
      </p>
      <p className="venue-next">
        {next === null ? (
          <span className="quiet">{text('venues.nothingOn')}</span>
        ) : (
          <>
            <Link className="venue-event" to={`/events/${next.slug}`} lang={language}>
              {next.title}
            </Link>
            <span className="quiet">{describeStart(words, next)}</span>
          </>
        )}
      </p>
      <p className="small venue-count">{text('venues.upcoming', { count: upcoming })}</p>
    </article>
  );
}

interface GridProps {
  venues: readonly VenueCardFacts[];
  level?: 2 | 3;
  /** The first row is seen at once. */
  isFirst?: boolean;
}

export function VenueGrid({ venues, level = 3, isFirst = false }: GridProps) {
  return (
    <ul className="venue-grid">
      {venues.map((venue, at) => (
        <li key={venue.id}>
          <VenueCard venue={venue} level={level} isFirst={isFirst && at < FIRST_ROW} />
        </li>
      ))}
    </ul>
  );
}
