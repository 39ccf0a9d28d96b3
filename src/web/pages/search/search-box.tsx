import { type KeyboardEvent, useId, useState, useEffect } from 'react';
import { Form, useNavigate } from 'react-router';
import type { Suggestion } from '../../../search/index.ts';
import { useText } from '../../design/use-language.ts';
import { suggestionPath, type SuggestionAnswer } from '../../model/search.ts';

/** A combobox with a list (WAI-ARIA 1.2, "list autocomplete with manual selection"). Without scripts it is a plain form. */
export function SearchBox({ ask }: { ask: string }) {
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
        <div id={`${id}-list`} role="listbox" aria-label={label('search.suggestions')} className="search-list" hidden={!isShown}>
          {isShown
            ? suggestions.map((suggestion, place) => (
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
              ))
            : null}
        </div>
      </div>
    </Form>
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
