import type { ReactNode } from 'react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { EVENT_FACTS, type FactCounts, VENUE_FACTS } from '../../records/index.ts';
import { useFormats, useText } from '../design/use-language.ts';
import { useRoot } from '../design/use-root.ts';
import { createDataQuality } from '../server/data-quality.ts';
import { requestFacts, rooms } from '../server/rooms.ts';
import { SourceTable } from './source-table.tsx';
import './data-quality.css';

const readQuality = createDataQuality();

export const handle = { isStatic: true, isFresh: true };

export async function loader({ context }: LoaderFunctionArgs) {
  const { trouble } = context.get(requestFacts);
  return {
    quality: await readQuality({ ...context.get(rooms), isAway: () => trouble.isAway }),
    facts: { events: EVENT_FACTS, venues: VENUE_FACTS },
  };
}

/** What is known of the events and venues, what was found twice, what waits for people, and how old the sources are. */
export default function DataQualityPage() {
  const { quality, facts } = useLoaderData<typeof loader>();
  const text = useText();
  const formats = useFormats();
  const city = useRoot()?.city.name ?? text('site.yourCity');
  const { events, venues, merged, questions, reports, sources, at } = quality;
  const duplicates = Math.max(0, events.listings - events.total) + merged.events;
  return (
    <div className="column gap stack loose quality">
      <title>{`${text('quality.title')} · ${city}`}</title>
      <meta name="description" content={text('quality.description', { city })} />
      <header className="stack tight">
        <p className="eyebrow">{text('quality.title')}</p>
        <h1>{text('quality.headline', { city })}</h1>
        <p className="lead">{text('quality.lead')}</p>
        <p className="quiet small">{text('service.updated', { moment: `${formats.moment(at, 'UTC')} UTC` })}</p>
      </header>
      <dl className="quality-counts">
        <Count name={text('quality.events')} value={formats.number(events.total)} />
        <Count name={text('quality.several')} value={formats.number(events.several)} />
        <Count name={text('quality.duplicates')} value={formats.number(duplicates)} />
        <Count name={text('quality.mergedVenues')} value={formats.number(merged.venues)} />
        <Count name={text('quality.questions')} value={formats.number(questions.total) + (questions.isMore ? '+' : '')} />
        <Count name={text('quality.reports')} value={formats.number(reports)} />
      </dl>
      <div className="quality-halves">
        <Facts id="events" heading={text('quality.ofEvents')} hint={text('quality.ofEventsHint')}>
          {facts.events.map((fact) => (
            <Fact key={fact} name={text(`quality.event.${fact}`)} counts={events} fact={fact} />
          ))}
        </Facts>
        <Facts id="venues" heading={text('quality.ofVenues')} hint={text('quality.ofVenuesHint', { count: venues.total })}>
          {facts.venues.map((fact) => (
            <Fact key={fact} name={text(`quality.venue.${fact}`)} counts={venues} fact={fact} />
          ))}
        </Facts>
      </div>
      <section className="stack" aria-labelledby="sources">
        <h2 id="sources">{text('quality.sources')}</h2>
        <SourceTable sources={sources} />
      </section>
      <p className="quiet">
        {text('quality.report')} <a href="/status">{text('quality.status')}</a>
      </p>
    </div>
  );
}

function Count({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="number">{value}</dd>
    </div>
  );
}

function Facts({ id, heading, hint, children }: { id: string; heading: string; hint: string; children: ReactNode }) {
  return (
    <section className="stack" aria-labelledby={id}>
      <div>
        <h2 id={id}>{heading}</h2>
        <p className="quiet small">{hint}</p>
      </div>
      <ul className="quality-facts">{children}</ul>
    </section>
  );
}

function Fact<Name extends string>({ name, counts, fact }: { name: string; counts: FactCounts<Name>; fact: Name }) {
  const formats = useFormats();
  const text = useText();
  const share = counts.total === 0 ? 0 : counts.known[fact] / counts.total;
  // Never 100% while something is missing.
  const percent = formats.number(Math.floor(share * 100));
  return (
    <li>
      <span>{name}</span>
      <span className="number">{text('quality.percent', { percent })}</span>
      <svg className="quality-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect width={share * 100} height="8" />
      </svg>
    </li>
  );
}
