/** What the search page shows. */

import type { AskPart, AskRelaxation, Suggestion } from '../../search/index.ts';
import type { ComingEvent } from './records.ts';

export interface SearchFacts {
  /** As it was typed; empty before a search. */
  ask: string;
  total: number;
  /** How many of them hold every word. */
  complete: number;
  events: ListedResult[];
  parts: AskPart[];
  relaxations: AskRelaxation[];
  /** What the nearest other search finds, where this one finds nothing. */
  instead: { without: string; events: ListedResult[] } | null;
}

export interface ListedResult extends ComingEvent {
  venue: string;
}

export interface SuggestionAnswer {
  suggestions: Suggestion[];
}

export const searchPath = (ask: string): string => (ask === '' ? '/search' : `/search?${new URLSearchParams({ ask })}`);

/** Where a suggestion leads: to its page, or to a search for its name. */
export function suggestionPath({ type, text, slug }: Suggestion): string {
  if (type === 'event' && slug !== null) return `/events/${slug}`;
  if (type === 'venue' && slug !== null) return `/venues/${slug}`;
  return searchPath(text);
}
