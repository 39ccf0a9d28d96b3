/** What is found for a text, as the search page shows it; the same answers as those of the API. */

import type { ListedResult, SearchFacts, SuggestionAnswer } from '../model/search.ts';
import type { Rooms } from './rooms.ts';

type SearchRooms = Pick<Rooms, 'search' | 'clocks'>;

export function readSearchResults(rooms: SearchRooms, request: Request): SearchFacts {
  const ask = textOf(request);
  if (ask === '') return { ask, total: 0, complete: 0, events: [], parts: [], relaxations: [], instead: null };
  const { page, events } = find(rooms, ask, MAX_SHOWN);
  const [nearest] = page.total === 0 ? page.asked.relaxations : [];
  const instead = nearest ? { without: nearest.without, events: find(rooms, nearest.ask, MAX_INSTEAD).events } : null;
  return { ask, total: page.total, events, ...page.asked, instead };
}

function find({ search, clocks }: SearchRooms, text: string, limit: number) {
  const snapshot = search.current();
  const page = snapshot.ask({ text, now: clocks.directory(), given: {}, limit, offset: 0 });
  const found = JSON.parse(snapshot.writeEvents(page.items, 'list', '[', ']').toString()) as Found[];
  const precisions = page.items.map((item) => snapshot.lifecycle(item).startPrecision);
  const events = found.map(({ id, slug, title, startDatetime, venue }, place): ListedResult => {
    return { id, slug, title, startDatetime, startPrecision: precisions[place] ?? 'time', venue: venue.name };
  });
  return { page, events };
}

export function readSuggestions({ search, clocks }: SearchRooms, request: Request): SuggestionAnswer {
  return { suggestions: search.current().suggest(textOf(request), clocks.directory()) };
}

/** No longer than the API takes it, and without control characters. */
function textOf(request: Request): string {
  const text = new URL(request.url).searchParams.get('ask') ?? '';
  return Array.from(text.trim().normalize('NFC').replace(CONTROL_CHARACTERS, ' ')).slice(0, MAX_TEXT_LENGTH).join('');
}

interface Found extends Omit<ListedResult, 'venue' | 'startPrecision'> {
  venue: { name: string };
}

const CONTROL_CHARACTERS = /\p{Cc}/gu;
const MAX_TEXT_LENGTH = 200;
const MAX_SHOWN = 30;
const MAX_INSTEAD = 6;
