import { data, Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { RecordMapView } from '../../design/city-map.tsx';
import { Markup } from '../../design/markup.tsx';
import { Notice } from '../../design/notice.tsx';
import { useCanonical, useFormats, useLanguage, useSourceLanguage } from '../../design/use-language.ts';
import { useRoot } from '../../design/use-root.ts';
import { describePrice, describeTimes } from '../../model/describe.ts';
import type { PublicEvent } from '../../model/records.ts';
import { readPublicEvent } from '../../server/event-page.ts';
import { readLanguage } from '../../server/languages.ts';
import { rooms } from '../../server/rooms.ts';
import { EventActions } from './event-actions.tsx';
import { AsJson, Fact, Gone, MapLink, ReportLink, ShareTags } from './record-parts.tsx';
import { Nights, Teasers } from './related.tsx';
import './records.css';

export const handle = { isStatic: true };

export async function loader({ context, params, request }: LoaderFunctionArgs) {
  const record = await readPublicEvent(context.get(rooms), params.slug ?? '', readLanguage(request));
  return 'isGone' in record ? data(record, { status: 410 }) : data(record);
}

export default function EventPage() {
  const record = useLoaderData<typeof loader>();
  return 'isGone' in record ? <Gone {...record} /> : <EventRecord event={record} />;
}

function EventRecord({ event }: { event: PublicEvent }) {
  const language = useLanguage();
  const sourceLanguage = useSourceLanguage();
  const canonical = useCanonical(event.url);
  const { text, formats } = language;
  const city = useRoot()?.city.name ?? text('site.yourCity');
  const { title, category, status, venue, picture } = event;
  const { day, hours } = describeTimes(language, event);
  const price = describePrice(language, event);
  const note = status === 'scheduled' ? null : text(`status.${status}`);
  const description = [day, hours, venue.name, price].filter(Boolean).join(' · ');
  return (
    <article className="column gap record">
      <title>{`${title} · ${venue.name} · ${city}`}</title>
      <meta name="description" content={description} />
      <link rel="canonical" href={canonical} />
      {event.isOld ? <meta name="robots" content="noindex" /> : null}
      <ShareTags title={title} description={description} url={canonical} image={event.share} type="article" />
      <Markup blocks={event.markup} />
      <figure className="record-picture">
        <img
          src={picture.src}
          srcSet={picture.srcSet ?? undefined}
          sizes="(max-width: 56rem) 100vw, 36rem"
          width={picture.width}
          height={picture.height}
          alt={picture.alt}
          fetchPriority="high"
        />
      </figure>
      <header className="record-head">
        <p className="eyebrow">
          <Link className="record-kind" to={`/events/${category}`}>
            {text(`category.${category}`)}
          </Link>
        </p>
        <h1 lang={sourceLanguage}>{title}</h1>
        {event.isOver ? <Notice kind="plain" title={text('event.over')} /> : null}
        {note ? <Notice kind="warn" title={note} /> : null}
        <div className="record-when">
          <DateBlock local={event.startDatetime} />
          <p className="record-times">
            <strong>{day}</strong>
            <span>{hours}</span>
            {event.movedFrom ? (
              <span className="small quiet">{text('event.movedFrom', { day: formats.longDay(event.movedFrom) })}</span>
            ) : null}
          </p>
        </div>
        <p className="record-where">
          <Link className="record-venue" to={`/venues/${venue.slug}`}>
            {venue.name}
          </Link>
          <span className="quiet">{[venue.address, venue.neighborhood?.name].filter(Boolean).join(' · ')}</span>
        </p>
        {price ? <p className="record-price">{price}</p> : null}
        <EventActions event={event} />
      </header>
      <EventFacts event={event} />
      <Nights nights={event.nights} />
      <Teasers id="venue-more" title={text('event.atVenue', { venue: venue.name })} teasers={event.atVenue} isAtVenue />
      <Teasers id="nearby" title={text('event.nearby')} teasers={event.nearby} />
      <ReportLink entity="event" id={event.id} />
      <AsJson endpoint="getEvent" path="/events" id={event.id} />
    </article>
  );
}

/** A day as a leaf of a calendar. The words beside it say the same. */
function DateBlock({ local }: { local: string }) {
  const { date } = useFormats();
  return (
    <span className="date-block" aria-hidden="true">
      <span>{date(local, { month: 'short' })}</span>
      <b>{date(local, { day: 'numeric' })}</b>
      <span>{date(local, { weekday: 'short' })}</span>
    </span>
  );
}

/** What a source says of the event, and where it is. */
function EventFacts({ event }: { event: PublicEvent }) {
  const { text, formats } = useLanguage();
  const sourceLanguage = useSourceLanguage();
  const { description, organizer, performers, sources, tags, venue } = event;
  return (
    <div className="record-body">
      <div className="stack" lang={sourceLanguage}>
        {description ? <p className="record-words">{description}</p> : null}
        {tags.length > 0 ? (
          <ul className="tags">
            {tags.map((tag) => (
              <li key={tag}>{tag}</li>
            ))}
          </ul>
        ) : null}
      </div>
      <div className="stack">
        <RecordMapView
          map={event.map}
          name={venue.name}
          id={event.id}
          title={event.title}
          href={`/events/${event.slug}`}
          note={venue.name}
        />
        <dl className="facts">
          <Fact name={text('event.performers')}>
            {performers.length > 0 ? <span lang={sourceLanguage}>{formats.list(performers)}</span> : null}
          </Fact>
          <Fact name={text('event.organizer')}>
            {organizer ? (
              <span lang={sourceLanguage}>
                {organizer.url ? (
                  <a href={organizer.url} rel="nofollow noopener noreferrer">
                    {organizer.name}
                  </a>
                ) : (
                  organizer.name
                )}
              </span>
            ) : null}
          </Fact>
          <Fact name={text('event.place')}>
            <span>{venue.name}</span>
            {venue.address ? <span>{venue.address}</span> : null}
            <MapLink {...venue} />
          </Fact>
          <Fact name={text('event.listedOn')}>{formats.list(sources)}</Fact>
        </dl>
      </div>
    </div>
  );
}
