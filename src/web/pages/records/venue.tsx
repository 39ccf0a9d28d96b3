import { data, Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { RecordMapView } from '../../design/city-map.tsx';
import { Markup } from '../../design/markup.tsx';
import { useCanonical, useLanguage, useSourceLanguage } from '../../design/use-language.ts';
import { useRoot } from '../../design/use-root.ts';
import { describeHours } from '../../model/describe.ts';
import type { EventCard, PublicVenue } from '../../model/records.ts';
import { readLanguage } from '../../server/languages.ts';
import { rooms } from '../../server/rooms.ts';
import { readPublicVenue } from '../../server/venue-page.ts';
import { ShareMenu } from './event-actions.tsx';
import { AsJson, Fact, Gone, MapLink, ReportLink, ShareTags } from './record-parts.tsx';
import { describeEntry } from './related.tsx';
import './records.css';

export const handle = { isStatic: true };

export async function loader({ context, params, request }: LoaderFunctionArgs) {
  const record = await readPublicVenue(context.get(rooms), params.slug ?? '', readLanguage(request));
  return 'isGone' in record ? data(record, { status: 410 }) : data(record);
}

export default function VenuePage() {
  const record = useLoaderData<typeof loader>();
  return 'isGone' in record ? <Gone {...record} /> : <VenueRecord venue={record} />;
}

function VenueRecord({ venue }: { venue: PublicVenue }) {
  const { text } = useLanguage();
  const sourceLanguage = useSourceLanguage();
  const canonical = useCanonical(venue.url);
  const city = useRoot()?.city.name ?? text('site.yourCity');
  const { name, type, upcoming } = venue;
  const title = text('venue.title', { venue: name });
  const description = text('venue.description', { venue: name, city, count: upcoming.total });
  return (
    <article className="column gap record venue">
      <title>{`${title} · ${city}`}</title>
      <meta name="description" content={description} />
      <link rel="canonical" href={canonical} />
      <ShareTags title={title} description={description} url={canonical} image={venue.share} type="website" />
      <Markup blocks={venue.markup} />
      <header className="record-top">
        <p className="eyebrow">
          <Link className="record-kind" to={`/venues/${type}`}>
            {text(`venueType.${type}`)}
          </Link>
        </p>
        <h1 lang={sourceLanguage}>{name}</h1>
        <p className="lead">{[venue.address, venue.neighborhood?.name].filter(Boolean).join(' · ')}</p>
      </header>
      <section className="venue-program stack" aria-labelledby="coming">
        <h2 id="coming">{text('venue.coming')}</h2>
        <Program {...upcoming} />
      </section>
      <VenueFacts venue={venue} />
      <ReportLink entity="venue" id={venue.id} />
      <AsJson endpoint="getVenue" path="/venues" id={venue.id} />
    </article>
  );
}

function VenueFacts({ venue }: { venue: PublicVenue }) {
  const language = useLanguage();
  const { text, formats } = language;
  const { address, capacityTier, hours, transitNearby, parking, website } = venue;
  return (
    <aside className="venue-facts stack" aria-label={text('venue.facts')}>
      <RecordMapView
        map={venue.map}
        name={venue.name}
        id={venue.id}
        title={venue.name}
        href={`/venues/${venue.slug}`}
        {...(address && { note: address })}
      />
      <dl className="facts">
        <Fact name={text('event.place')}>
          {address ? <span>{address}</span> : null}
          <MapLink {...venue} />
        </Fact>
        <Fact name={text('venue.hours')}>
          {hours ? describeHours(language, hours).map((line) => <span key={line}>{line}</span>) : null}
        </Fact>
        <Fact name={text('venue.size')}>{capacityTier ? text(`capacity.${capacityTier}`) : null}</Fact>
        <Fact name={text('venue.transit')}>{transitNearby.length > 0 ? formats.list(transitNearby) : null}</Fact>
        <Fact name={text('venue.parking')}>{parking}</Fact>
        <Fact name={text('venue.website')}>
          {website ? (
            <a href={website} rel="nofollow noopener noreferrer">
              {website.replace(/^https?:\/\//, '').replace(/\/$/, '')}
            </a>
          ) : null}
        </Fact>
      </dl>
      <div className="cluster">
        <ShareMenu title={venue.name} url={venue.url} />
      </div>
    </aside>
  );
}

/** What is on at a venue, day by day. */
function Program({ total, events }: PublicVenue['upcoming']) {
  const { text, formats } = useLanguage();
  if (events.length === 0) return <p>{text('venue.none')}</p>;
  const days = Map.groupBy(events, ({ startDatetime }) => startDatetime.slice(0, DAY_CHARS));
  return (
    <>
      {[...days].map(([day, some]) => (
        <section key={day} className="day" aria-labelledby={`day-${day}`}>
          <h3 id={`day-${day}`}>{formats.date(day, { weekday: 'long', month: 'long', day: 'numeric' })}</h3>
          <ol>
            {some.map((event) => (
              <ProgramRow key={event.id} event={event} />
            ))}
          </ol>
        </section>
      ))}
      {total > events.length ? <p className="small quiet">{text('venue.more', { shown: events.length, count: total })}</p> : null}
    </>
  );
}

function ProgramRow({ event }: { event: EventCard }) {
  const language = useLanguage();
  const sourceLanguage = useSourceLanguage();
  const { text, formats } = language;
  const { picture, startPrecision } = event;
  const hour =
    startPrecision === 'time'
      ? formats.hour(event.startDatetime)
      : text(startPrecision === 'all_day' ? 'time.allDay' : 'time.unknown');
  return (
    <li className="program-row">
      <img
        src={picture.src}
        srcSet={picture.srcSet ?? undefined}
        sizes="7rem"
        width={picture.width}
        height={picture.height}
        alt=""
        loading="lazy"
      />
      <p>
        <Link className="title-link program-title" to={`/events/${event.slug}`} lang={sourceLanguage}>
          {event.title}
        </Link>
        <span className="small quiet">{[hour, describeEntry(language, event)].filter(Boolean).join(' · ')}</span>
      </p>
    </li>
  );
}

/** `YYYY-MM-DD` */
const DAY_CHARS = 10;
