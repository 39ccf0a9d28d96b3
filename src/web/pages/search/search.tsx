import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import type { AskPart } from '../../../search/index.ts';
import { useRoot } from '../../design/use-root.ts';
import { formatNumber } from '../../model/format.ts';
import { type SearchFacts, searchPath } from '../../model/search.ts';
import { readSearchResults } from '../../server/public/read-search.ts';
import { rooms } from '../../server/rooms.ts';
import { formatStart } from '../records/format-event.ts';
import { SearchBox } from './search-box.tsx';
import './search.css';

export const loader = ({ context, request }: LoaderFunctionArgs) => readSearchResults(context.get(rooms), request);

export default function SearchPage() {
  const found = useLoaderData<typeof loader>();
  const { city } = useRoot() ?? { city: { name: 'your city' } };
  const { ask } = found;
  return (
    <section className="column gap stack loose search">
      <title>{ask === '' ? `Search events in ${city.name}` : `${ask} · ${city.name}`}</title>
      <meta name="description" content={`Search the events of ${city.name}: type what you want, where and when.`} />
      <h1>Search events in {city.name}</h1>
      <SearchBox key={ask} ask={ask} />
      {ask === '' ? (
        <p className="quiet">Type what you want, where and when: “free comedy this weekend”.</p>
      ) : (
        <Found {...found} />
      )}
    </section>
  );
}

function Found({ parts, total, complete, events, relaxations }: SearchFacts) {
  return (
    <>
      <Parts parts={parts} />
      <p role="status">{describeTotal(total, complete)}</p>
      {relaxations.length > 0 ? (
        <ul className="stack tight">
          {relaxations.map((each) => (
            <li key={each.ask}>
              <Link to={searchPath(each.ask)}>Search without “{each.without}”</Link>: {formatNumber(each.total)}{' '}
              {each.total === 1 ? 'event' : 'events'}
            </li>
          ))}
        </ul>
      ) : null}
      <ol className="search-found">
        {events.map((event) => (
          <li key={event.id}>
            <span className="quiet">{formatStart(event)}</span>
            <span>
              <Link to={`/events/${event.slug}`}>{event.title}</Link>
              <span className="small quiet search-venue">{event.venue}</span>
            </span>
          </li>
        ))}
      </ol>
      {total > events.length ? (
        <p className="small quiet">
          The best {events.length} of {formatNumber(total)} events. Add a day or a place to see fewer.
        </p>
      ) : null}
    </>
  );
}

/** What was understood; each part can be taken away. */
function Parts({ parts }: { parts: readonly AskPart[] }) {
  if (parts.length === 0) return null;
  return (
    <ul className="search-parts" aria-label="What Marquee understood">
      {parts.map((part) => (
        <li key={part.from}>
          <Link to={searchPath(part.without)} aria-label={`Remove ${NAMES[part.kind]} ${part.means}`}>
            <span className="quiet">{NAMES[part.kind]}</span> {part.means} <span aria-hidden="true">×</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function describeTotal(total: number, complete: number): string {
  if (total === 0) return 'No events found.';
  const events = `${formatNumber(total)} ${total === 1 ? 'event' : 'events'}`;
  if (complete === total) return events;
  if (complete === 0) return `No event has all of these words. ${events} have most of them.`;
  return `${events}, ${formatNumber(complete)} of them with all words`;
}

const NAMES: Readonly<Record<AskPart['kind'], string>> = {
  time: 'when',
  price: 'price',
  category: 'category',
  neighborhood: 'area',
  venue: 'venue',
  street: 'street',
  type: 'type',
  word: 'word',
  typo: 'read as',
  ignored: 'not used:',
};
