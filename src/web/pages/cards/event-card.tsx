import { Link } from 'react-router';
import { useFormats, useLanguage, useSourceLanguage } from '../../design/use-language.ts';
import { describePrice, describeStart } from '../../model/describe.ts';
import { type EventCardFacts, neighborhoodPath } from '../../model/lists.ts';

interface Props {
  event: EventCardFacts;
  /** Of the heading, below the heading of its list. */
  level?: 2 | 3;
  /** The day stands above the list. */
  isOnDay?: boolean;
  /** Its picture is seen at once. */
  isFirst?: boolean;
  /** Of its picture, as `sizes` of an image says it. */
  sizes?: string;
}

/** One event of a list: the whole card leads to its page. */
export function EventCard({ event, level = 3, isOnDay = false, isFirst = false, sizes = CARD_SIZES }: Props) {
  const words = useLanguage();
  const language = useSourceLanguage();
  const { slug, title, startDatetime, startPrecision, status, venue, neighborhood, isFree } = event;
  const price = describePrice(words, event);
  const hasHour = startPrecision === 'time';
  const hour = hasHour ? words.formats.hour(startDatetime) : words.text('time.unknown');
  const when = isOnDay ? (startPrecision === 'all_day' ? words.text('time.allDay') : hour) : describeStart(words, event);
  const mark = MARKS[status];
  const Heading = `h${level}` as const;
  return (
    <article className="event-card">
      <CardPicture event={event} isFirst={isFirst} sizes={sizes} />
      <div className="card-words">
        <p className="card-when">
          <time dateTime={hasHour ? startDatetime : startDatetime.slice(0, 10)}>{when}</time>
        </p>
        <Heading className="card-title" lang={language}>
          <Link to={`/events/${slug}`}>{title}</Link>
        </Heading>
        <p className="card-where">
          <Link className="card-link" to={`/venues/${venue.slug}`}>
            {venue.name}
          </Link>
          {neighborhood ? (
            <>
              <span className="card-dot" aria-hidden="true">
                ·
              </span>
              <Link className="card-link" to={neighborhoodPath(neighborhood.slug)}>
                {neighborhood.name}
              </Link>
            </>
          ) : null}
        </p>
        {mark || price !== null ? (
          <p className="card-marks">
            {mark ? <span className={`badge ${mark.kind}`}>{words.text(mark.text)}</span> : null}
            {price === null ? null : <span className={isFree ? 'card-price free' : 'card-price'}>{price}</span>}
          </p>
        ) : null}
      </div>
    </article>
  );
}

interface CardPictureProps {
  event: EventCardFacts;
  /** It is seen at once. */
  isFirst: boolean;
  /** How wide it is, as `sizes` of an image says it. */
  sizes: string;
}

/** The picture of an event with its day on it: the words beside it say the same. */
function CardPicture({ event: { picture, category, startDatetime }, isFirst, sizes }: CardPictureProps) {
  const formats = useFormats();
  const { src, srcSet, width, height } = picture;
  return (
    <div className={`card-picture ${category}`}>
      <img
        src={src}
        {...(srcSet !== null && { srcSet, sizes })}
        {...{ width, height }}
        alt=""
        loading={isFirst ? 'eager' : 'lazy'}
        decoding="async"
      />
      <span className="card-date" aria-hidden="true">
        <span>{formats.date(startDatetime, { month: 'short' })}</span>
        <strong>{formats.date(startDatetime, { day: 'numeric' })}</strong>
      </span>
    </div>
  );
}

const CARD_SIZES = '(max-width: 40rem) 7.5rem, 18rem';
const MARKS = {
  scheduled: null,
  cancelled: { kind: 'bad', text: 'status.cancelled' },
  postponed: { kind: 'warn', text: 'status.postponed' },
  rescheduled: { kind: 'warn', text: 'lists.newDate' },
  sold_out: { kind: 'warn', text: 'status.sold_out' },
} as const;
