import { type KeyboardEvent, useId, useState } from 'react';
import { Form, useNavigate } from 'react-router';
import type { Suggestion } from '../../../search/index.ts';
import { useText } from '../../design/use-language.ts';
import { suggestionPath } from '../../model/search.ts';
import { useSuggestions } from './use-suggestions.ts';

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

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
