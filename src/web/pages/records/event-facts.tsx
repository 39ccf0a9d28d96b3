import { RecordMapView } from '../../design/map/record-map.tsx';
import { useLanguage, useSourceLanguage } from '../../design/use-language.ts';
import type { PublicEvent } from '../../model/records.ts';
import { Fact } from './fact.tsx';
import { MapLink } from './map-link.tsx';

/** What a source says of the event, and where it is. */
export function EventFacts({ event }: { event: PublicEvent }) {
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
