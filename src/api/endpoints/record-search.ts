/** What the lists of events and venues find, for rooms that print it in a form of their own. */

import type { CityTime } from '../../city/index.ts';
import type { ParameterProblem } from '../../http/index.ts';
import type { AskInterpretation, Facet, ResultPage, Snapshot } from '../../search/index.ts';
import { problemsOf, readParameters } from '../parameters/parameter.ts';
import { parseQuery } from '../parameters/query-string.ts';
import { askConflicts, readEventAsk } from './answer-ask.ts';
import { lacksNear } from './event-filters.ts';
import { eventListConflicts, eventSearchParameters, findEvents } from './list-events.ts';
import { buildVenueQuery, venueListParameters } from './list-venues.ts';

export interface SearchPlace {
  snapshot: Snapshot;
  city: CityTime;
  /** Directory time, milliseconds. */
  now: number;
}

export type RecordSearch =
  | {
      ok: true;
      page: ResultPage;
      /** Until when the same snapshot gives the same page, milliseconds; undefined where nobody knows. */
      until: number | undefined;
      /** How a free text was understood; null without one. */
      asked: AskInterpretation | null;
    }
  /** All that is wrong; never empty. */
  | { ok: false; errors: readonly ParameterProblem[] };

/** Names of the parameters that the searches know. */
export const EVENT_SEARCH_NAMES: ReadonlySet<string> = new Set(Object.keys(eventSearchParameters));
export const VENUE_SEARCH_NAMES: ReadonlySet<string> = new Set(Object.keys(venueListParameters));

/** `text`: a query string of `GET /events`; unknown parameters are refused. */
export function searchEvents(text: string, { snapshot, city, now }: SearchPlace, facets?: readonly Facet[]): RecordSearch {
  const read = readParameters(eventSearchParameters, parseQuery(text), { city, strict: true });
  const { values, sent } = read;
  const errors = problemsOf(read, [...eventListConflicts(values, now), ...askConflicts(values)]);
  if (errors.length > 0) return { ok: false, errors };
  if (values.ask === undefined) return { ok: true, ...findEvents(snapshot, values, now, facets), asked: null };
  const page = snapshot.ask(readEventAsk({ now, values: { ...values, facets }, sent }, values.ask));
  return { ok: true, page, until: undefined, asked: page.asked };
}

/** `text`: a query string of `GET /venues`; unknown parameters are refused. */
export function searchVenues(text: string, { snapshot, city, now }: SearchPlace): RecordSearch {
  const read = readParameters(venueListParameters, parseQuery(text), { city, strict: true });
  const errors = problemsOf(read, lacksNear(read.values));
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, page: snapshot.venues(buildVenueQuery(read.values), now), until: undefined, asked: null };
}
