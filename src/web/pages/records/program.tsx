import { Link } from 'react-router';
import { useLanguage, useSourceLanguage } from '../../design/use-language.ts';
import type { EventTeaser, PublicVenue } from '../../model/records.ts';
import { describeEntry } from './related.tsx';

/** What is on at a venue, day by day. */
export function Program({ total, events }: PublicVenue['upcoming']) {
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

function ProgramRow({ event }: { event: EventTeaser }) {
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
