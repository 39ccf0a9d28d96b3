import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { RecordMapView } from '../../design/map/record-map.tsx';
import { Notice } from '../../design/notice.tsx';
import { useRoot } from '../../design/use-root.ts';
import type { PublicEvent } from '../../model/records.ts';
import { readPublicEvent } from '../../server/public/read-public-record.ts';
import { rooms } from '../../server/rooms.ts';
import { AsJson } from './as-json.tsx';
import { Fact } from './fact.tsx';
import { formatPrice, formatTimes } from './format-event.ts';
import './records.css';

export const handle = { isStatic: true };

export const loader = ({ context, params }: LoaderFunctionArgs) => readPublicEvent(context.get(rooms), params.slug ?? '');

export default function EventPage() {
  const event = useLoaderData<typeof loader>();
  const { city } = useRoot() ?? { city: { name: '' } };
  const { slug, title, category, status, description, picture, performers, tags, sources, venue } = event;
  const { day, hours } = formatTimes(event);
  return (
    <article className="column gap record">
      <title>{`${title} · ${city.name}`}</title>
      <meta name="description" content={`${day}, ${venue.name}, ${city.name}.`} />
      <link rel="canonical" href={event.url} />
      <header className="record-head stack">
        <p className="eyebrow">{category}</p>
        <h1>{title}</h1>
        {STATUS_NOTES[status] ? <Notice kind="warn" title={STATUS_NOTES[status]} /> : null}
        <p className="lead">
          {day}
          <span className="record-hours"> {hours}</span>
        </p>
        <p>
          <a className="button" href={`/events/${slug}/event.ics`} type="text/calendar">
            Add to calendar
          </a>
        </p>
      </header>
      {picture ? (
        <figure className="record-picture">
          <img src={picture} alt="" />
        </figure>
      ) : null}
      <div className="stack loose">
        <dl className="facts">
          <Fact name="Venue">
            <Link to={`/venues/${venue.slug}`}>{venue.name}</Link>
            {venue.address ? <span>{venue.address}</span> : null}
            {venue.neighborhood ? <span>{venue.neighborhood}</span> : null}
          </Fact>
          <Fact name="Price">{formatPrice(event)}</Fact>
          <Fact name="Performers">{performers.join(', ')}</Fact>
          <Fact name="Listed on">{sources.join(', ')}</Fact>
        </dl>
        {description ? <p className="record-words">{description}</p> : null}
        <RecordMapView map={event.map} name={venue.name} id={event.id} title={title} href={`/events/${slug}`} note={venue.name} />
        {tags.length > 0 ? <p className="small quiet">{tags.join(' · ')}</p> : null}
      </div>
      <AsJson endpoint="getEvent" path="/events" id={event.id} />
    </article>
  );
}

const STATUS_NOTES: Readonly<Partial<Record<PublicEvent['status'], string>>> = {
  cancelled: 'Canceled',
  postponed: 'Postponed',
  rescheduled: 'Rescheduled: this is the new date',
  sold_out: 'Sold out',
};
