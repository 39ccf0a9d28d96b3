import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import type { AskPart } from '../../../search/index.ts';
import { useLanguage, useSourceLanguage, useText } from '../../design/use-language.ts';
import { useRoot } from '../../design/use-root.ts';
import { describeStart } from '../../model/language/describe-event.ts';
import type { Text } from '../../model/language/text.ts';
import { type SearchFacts, searchPath } from '../../model/search.ts';
import { readSearchResults } from '../../server/public/read-search.ts';
import { rooms } from '../../server/rooms.ts';
import { SearchBox } from './search-box.tsx';
import './search.css';

export const loader = ({ context, request }: LoaderFunctionArgs) => readSearchResults(context.get(rooms), request);

export default function SearchPage() {
  const found = useLoaderData<typeof loader>();
  const text = useText();
  const city = useRoot()?.city.name ?? text('site.yourCity');
  const { ask } = found;
  return (
    <section className="column gap stack loose search">
      <title>{ask === '' ? text('search.title', { city }) : `${ask} · ${city}`}</title>
      <meta name="description" content={text('search.description', { city })} />
      <h1>{text('search.title', { city })}</h1>
      <SearchBox key={ask} ask={ask} />
      {ask === '' ? <p className="quiet">{text('search.hint')}</p> : <Found {...found} />}
    </section>
  );
}

function Found({ parts, total, complete, events, relaxations, instead }: SearchFacts) {
  const text = useText();
  return (
    <>
      <Parts parts={parts} />
      <p role="status">{describeTotal(text, total, complete)}</p>
      {relaxations.length > 0 ? (
        <ul className="stack tight">
          {relaxations.map((each) => (
            <li key={each.ask}>
              <Link to={searchPath(each.ask)}>{text('search.without', { part: each.without })}</Link>:{' '}
              {text('search.count', { count: each.total })}
            </li>
          ))}
        </ul>
      ) : null}
      <Results events={events} />
      {instead ? (
        <section className="stack" aria-labelledby="instead">
          <h2 id="instead">{text('search.instead', { part: instead.without })}</h2>
          <Results events={instead.events} />
        </section>
      ) : null}
      {total > events.length ? (
        <p className="small quiet">{text('search.best', { shown: events.length, count: total })}</p>
      ) : null}
    </>
  );
}

function Results({ events }: Pick<SearchFacts, 'events'>) {
  const language = useLanguage();
  const sourceLanguage = useSourceLanguage();
  if (events.length === 0) return null;
  return (
    <ol className="search-found">
      {events.map((event) => (
        <li key={event.id}>
          <span className="quiet">{describeStart(language, event)}</span>
          <span lang={sourceLanguage}>
            <Link to={`/events/${event.slug}`}>{event.title}</Link>
            <span className="small quiet search-venue">{event.venue}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

/** What was understood; each part can be taken away. */
function Parts({ parts }: { parts: readonly AskPart[] }) {
  const text = useText();
  if (parts.length === 0) return null;
  return (
    <ul className="search-parts" aria-label={text('search.parts')}>
      {parts.map((part) => (
        <li key={part.from}>
          <Link
            to={searchPath(part.without)}
            aria-label={text('search.remove', { kind: text(`search.kind.${part.kind}`), part: part.means })}
          >
            <span className="quiet">{text(`search.kind.${part.kind}`)}</span> {part.means} <span aria-hidden="true">×</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function describeTotal(text: Text, count: number, complete: number): string {
  if (count === 0) return text('search.none');
  if (complete === count) return text('search.count', { count });
  return complete === 0 ? text('search.mostWords', { count }) : text('search.someComplete', { count, complete });
}
