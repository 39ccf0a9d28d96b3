import { useText } from '../../design/use-language.ts';
import type { PublicEvent } from '../../model/records.ts';
import shareScript from './share.js?url';

/** The ways on: tickets, pages of sources, calendars and sharing. Menus open without script. */
export function EventActions({ event }: { event: PublicEvent }) {
  const text = useText();
  const { links, venue, isOver, status, isFree } = event;
  const isOn = !isOver && status !== 'cancelled' && status !== 'sold_out';
  return (
    <>
      <ul className="record-links">
        {links.map(({ url, provider, sellsTickets }, at) => (
          <li key={url}>
            <a className={at === 0 ? 'button primary' : 'button'} href={url} rel="nofollow noopener noreferrer">
              {text(sellsTickets && isOn && !isFree ? 'event.ticketsOn' : 'event.moreOn', { provider })}
            </a>
          </li>
        ))}
        {links.length === 0 && venue.website ? (
          <li>
            <a className="button primary" href={venue.website} rel="nofollow noopener noreferrer">
              {text('event.venueWebsite')}
            </a>
          </li>
        ) : null}
      </ul>
      <div className="cluster record-menus">
        <details className="menu">
          <summary className="button small">{text('event.addToCalendar')}</summary>
          <ul>
            <li>
              <a href={`/events/${event.slug}/event.ics`} type="text/calendar">
                {text('event.calendarFile')}
              </a>
            </li>
            <li>
              <a href={event.calendars.google} rel="nofollow noopener noreferrer">
                Google Calendar
              </a>
            </li>
            <li>
              <a href={event.calendars.outlook} rel="nofollow noopener noreferrer">
                Outlook
              </a>
            </li>
          </ul>
        </details>
        <ShareMenu title={event.title} url={event.url} />
      </div>
    </>
  );
}

/** The script offers the system's own menu, and copying. */
export function ShareMenu({ title, url }: { title: string; url: string }) {
  const text = useText();
  const words = encodeURIComponent(`${title} ${url}`);
  const [subject, body] = [encodeURIComponent(title), encodeURIComponent(url)];
  return (
    <>
      <details className="menu" data-share-title={title} data-share-url={url}>
        <summary className="button small">{text('event.share')}</summary>
        <ul>
          <li>
            <a href={`mailto:?subject=${subject}&body=${body}`}>{text('event.shareMail')}</a>
          </li>
          <li>
            <a href={`https://wa.me/?text=${words}`} rel="nofollow noopener noreferrer">
              WhatsApp
            </a>
          </li>
          <li>
            <button type="button" data-copy hidden data-copied={text('event.copied')}>
              {text('event.copyLink')}
            </button>
          </li>
        </ul>
      </details>
      <script src={shareScript} type="module" async />
    </>
  );
}
