import { Link } from 'react-router';
import { useLanguage, useSourceLanguage } from '../../design/use-language.ts';
import { describePrice, describeStart } from '../../model/describe.ts';
import type { ComingEvent, EventCard } from '../../model/records.ts';

/** Other nights of a program, as a row of dates. */
export function Nights({ nights }: { nights: ComingEvent[] }) {
  const language = useLanguage();
  if (nights.length === 0) return null;
  return (
    <section className="record-more stack" aria-labelledby="nights">
      <h2 id="nights">{language.text('event.nights')}</h2>
      <ul className="nights">
        {nights.map((night) => (
          <li key={night.id}>
            <Link className="button small" to={`/events/${night.slug}`}>
              {describeStart(language, night)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Nothing where there is none. `isAtVenue`: the venue is named by the heading. */
export function Teasers({ id, title, teasers, isAtVenue = false }: TeasersProps) {
  if (teasers.length === 0) return null;
  return (
    <section className="record-more stack" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul className="teasers">
        {teasers.map((teaser) => (
          <Teaser key={teaser.id} teaser={teaser} isAtVenue={isAtVenue} />
        ))}
      </ul>
    </section>
  );
}

interface TeasersProps {
  id: string;
  title: string;
  teasers: EventCard[];
  isAtVenue?: boolean;
}

function Teaser({ teaser, isAtVenue }: { teaser: EventCard; isAtVenue: boolean }) {
  const language = useLanguage();
  const sourceLanguage = useSourceLanguage();
  const { picture, title, slug, venue } = teaser;
  return (
    <li className="teaser">
      <img
        src={picture.src}
        srcSet={picture.srcSet ?? undefined}
        sizes="(max-width: 48rem) 45vw, 12rem"
        width={picture.width}
        height={picture.height}
        alt=""
        loading="lazy"
      />
      <p className="small quiet">{describeStart(language, teaser)}</p>
      <h3 lang={sourceLanguage}>
        <Link className="title-link card-link" to={`/events/${slug}`}>
          {title}
        </Link>
      </h3>
      <p className="small quiet">
        {[isAtVenue ? null : venue.name, describeEntry(language, teaser)].filter(Boolean).join(' · ')}
      </p>
    </li>
  );
}

/** What it costs, or that nothing is left. */
export function describeEntry(language: ReturnType<typeof useLanguage>, teaser: EventCard): string | null {
  return teaser.status === 'sold_out' ? language.text('status.sold_out') : describePrice(language, teaser);
}
