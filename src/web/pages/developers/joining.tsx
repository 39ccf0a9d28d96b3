import { Link } from 'react-router';
import type { Joined } from '../../model/developers.ts';
import { formatStart } from '../../model/when.ts';
import './joining.css';

/** Slips of many sources that become one ticket; an event of the directory, where it has one that several announced. */
export function Joining({ joined }: { joined: Joined | null }) {
  if (!joined) {
    return <p className="lead">At the moment, no event in the directory comes from more than one source.</p>;
  }
  return (
    <figure className="joining">
      <ul className="slips">
        {joined.sources.map(({ name, title }) => (
          <li key={name}>
            <span className="small">{name}</span>
            {title === null ? null : <span>{title}</span>}
          </li>
        ))}
      </ul>
      <svg className="joining-arrow" viewBox="0 0 80 120" aria-hidden="true" fill="none" stroke="currentColor" strokeWidth="2">
        <path d="M0 14C40 14 30 60 72 60M0 60H72M0 106C40 106 30 60 72 60M62 52l10 8l-10 8" />
      </svg>
      <div className="ticket">
        <p className="small">{formatStart(joined)}</p>
        <p className="ticket-title">
          <Link to={`/events/${joined.slug}`}>{joined.title}</Link>
        </p>
        <p>{joined.venue}</p>
      </div>
      <figcaption className="quiet">
        {joined.sources.length} sources list this event. Marquee merges the listings and takes each field from the most reliable
        source.
      </figcaption>
    </figure>
  );
}
