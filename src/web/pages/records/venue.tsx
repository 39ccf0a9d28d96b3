import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { RecordMapView } from '../../design/map/record-map.tsx';
import { useRoot } from '../../design/use-root.ts';
import { formatNumber } from '../../model/format.ts';
import { readPublicVenue } from '../../server/public/read-public-record.ts';
import { rooms } from '../../server/rooms.ts';
import { AsJson } from './as-json.tsx';
import { Fact } from './fact.tsx';
import { formatStart } from './format-event.ts';
import './records.css';

export const handle = { isStatic: true };

export const loader = ({ context, params }: LoaderFunctionArgs) => readPublicVenue(context.get(rooms), params.slug ?? '');

export default function VenuePage() {
  const venue = useLoaderData<typeof loader>();
  const { city } = useRoot() ?? { city: { name: '' } };
  const { name, type, address, neighborhood, capacityTier, website, parking, transitNearby, hours, upcoming } = venue;
  return (
    <article className="column gap record">
      <title>{`Events at ${name} · ${city.name}`}</title>
      <meta name="description" content={`Upcoming events at ${name}, ${city.name}.`} />
      <link rel="canonical" href={venue.url} />
      <header className="record-head stack">
        <p className="eyebrow">{type}</p>
        <h1>{name}</h1>
        <p className="lead">{[address, neighborhood].filter(Boolean).join(', ')}</p>
      </header>
      <div className="stack loose">
        <RecordMapView
          map={venue.map}
          name={name}
          id={venue.id}
          title={name}
          href={venue.url}
          {...(address && { note: address })}
        />
        <dl className="facts">
          <Fact name="Size">{capacityTier}</Fact>
          <Fact name="Hours">{hours.length > 0 ? hours.map((line) => <span key={line}>{line}</span>) : null}</Fact>
          <Fact name="Transit nearby">{transitNearby.join(', ')}</Fact>
          <Fact name="Parking">{parking}</Fact>
          <Fact name="Website">
            {website ? (
              <a href={website} rel="nofollow noopener noreferrer">
                {website.replace(/^https?:\/\//, '').replace(/\/$/, '')}
              </a>
            ) : null}
          </Fact>
        </dl>
      </div>
      <section className="stack" aria-labelledby="coming">
        <h2 id="coming">Upcoming events</h2>
        {upcoming.events.length === 0 ? (
          <p>No upcoming events are listed here.</p>
        ) : (
          <ol className="coming">
            {upcoming.events.map((event) => (
              <li key={event.id}>
                <span className="coming-when">{formatStart(event)}</span>
                <Link to={`/events/${event.slug}`}>{event.title}</Link>
              </li>
            ))}
          </ol>
        )}
        {upcoming.total > upcoming.events.length ? (
          <p className="small quiet">
            The top {upcoming.events.length} of {formatNumber(upcoming.total)} events.
          </p>
        ) : null}
      </section>
      <AsJson endpoint="getVenue" path="/venues" id={venue.id} />
    </article>
  );
}
