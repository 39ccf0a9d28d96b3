import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { Form, Link, type LoaderFunctionArgs, useLoaderData, useNavigate } from 'react-router';
import type { AskPart, Suggestion } from '../../search/index.ts';
import { useLanguage, useSourceLanguage, useText } from '../design/use-language.ts';
import { useRoot } from '../design/use-root.ts';
import { describeStart } from '../model/describe.ts';
import type { Text } from '../model/page-language.ts';
import { type SearchFacts, type SuggestionAnswer, searchPath, suggestionPath } from '../model/search.ts';
import { rooms } from '../server/rooms.ts';
import { readSearchResults } from '../server/search.ts';
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

/** A combobox with a list (WAI-ARIA 1.2, "list autocomplete with manual selection"). Without scripts it is a plain form. */
function SearchBox({ ask }: { ask: string }) {
  const id = useId();
  const label = useText();
  const navigate = useNavigate();
  const [text, setText] = useState(ask);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const suggestions = useSuggestions(isOpen ? text : '');
  const isShown = isOpen && suggestions.length > 0;
  const close = () => {
    setOpen(false);
    setActive(-1);
  };
  const choose = (suggestion: Suggestion) => {
    close();
    setText(suggestion.text);
    void navigate(suggestionPath(suggestion));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape') return close();
    if (event.key === 'Enter' && suggestions[active]) {
      event.preventDefault();
      return choose(suggestions[active]);
    }
    const step = STEPS[event.key];
    if (step === undefined || suggestions.length === 0) return;
    event.preventDefault();
    setOpen(true);
    // One place before the first is the text itself.
    const places = suggestions.length + 1;
    setActive(((active + 1 + step + places) % places) - 1);
  };
  return (
    <Form action="/search" className="search-box" role="search" onSubmit={close}>
      <label htmlFor={id}>{label('search.label')}</label>
      <div className="search-line">
        <input
          id={id}
          name="ask"
          type="search"
          maxLength={200}
          autoComplete="off"
          placeholder={label('search.placeholder')}
          role="combobox"
          aria-expanded={isShown}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={isShown && active >= 0 ? `${id}-${active}` : undefined}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setOpen(true);
            setActive(-1);
          }}
          onKeyDown={onKeyDown}
          onBlur={close}
        />
        <button type="submit" className="button primary">
          {label('search.button')}
        </button>
        <SuggestionList id={id} suggestions={isShown ? suggestions : []} active={active} choose={choose} />
      </div>
    </Form>
  );
}

interface SuggestionListProps {
  /** Of the search box. */
  id: string;
  suggestions: readonly Suggestion[];
  /** Its place in the list. */
  active: number;
  choose(suggestion: Suggestion): void;
}

function SuggestionList({ id, suggestions, active, choose }: SuggestionListProps) {
  const label = useText();
  return (
    <div
      id={`${id}-list`}
      role="listbox"
      aria-label={label('search.suggestions')}
      className="search-list"
      hidden={suggestions.length === 0}
    >
      {suggestions.map((suggestion, place) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the input, which keeps the focus.
        // biome-ignore lint/a11y/useFocusableInteractive: the same.
        <div
          key={`${suggestion.type} ${suggestion.text}`}
          id={`${id}-${place}`}
          role="option"
          aria-selected={place === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => choose(suggestion)}
        >
          <span>{suggestion.text}</span>
          <span className="small quiet">
            {[label(`search.suggestion.${suggestion.type}`), suggestion.context].filter(Boolean).join(' · ')}
          </span>
        </div>
      ))}
    </div>
  );
}

/** The suggestions for a text, a moment after it was typed. What fails suggests nothing: the form works without it. */
function useSuggestions(text: string): readonly Suggestion[] {
  const [found, setFound] = useState<{ text: string; suggestions: readonly Suggestion[] }>({ text: '', suggestions: [] });
  useEffect(() => {
    if (text.trim() === '') return;
    const leaving = new AbortController();
    const load = async () => {
      const answer = await fetch(`/search/suggestions?${new URLSearchParams({ ask: text })}`, { signal: leaving.signal });
      if (answer.ok) setFound({ text, ...((await answer.json()) as SuggestionAnswer) });
    };
    const timer = setTimeout(() => void load().catch(() => {}), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [text]);
  return text.trim() === '' ? [] : found.suggestions;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
const PAUSE_MS = 120;
