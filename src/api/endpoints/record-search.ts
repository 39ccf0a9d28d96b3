/** What the lists of events and venues find, for rooms that print it in a form of their own. */

import type { CityTime } from '../../city/index.ts';
import type { Facet, ResultPage, Snapshot } from '../../search/index.ts';
import type { ParameterProblem } from '../errors.ts';
import { problemsOf, readParameters } from '../parameters/parameter.ts';
import { parseQuery } from '../parameters/query-string.ts';
import { lacksNear } from './event-filters.ts';
import { eventListConflicts, eventListParameters, findEvents } from './list-events.ts';
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
    }
  /** All that is wrong; never empty. */
  | { ok: false; errors: readonly ParameterProblem[] };

/** `text`: a query string of `GET /events`; unknown parameters are refused. */
export function searchEvents(text: string, { snapshot, city, now }: SearchPlace, facets?: readonly Facet[]): RecordSearch {
  const read = readParameters(eventListParameters, parseQuery(text), { city, strict: true });
  const errors = problemsOf(read, eventListConflicts(read.values, now));
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, ...findEvents(snapshot, read.values, now, facets) };
}

/** `text`: a query string of `GET /venues`; unknown parameters are refused. */
export function searchVenues(text: string, { snapshot, city, now }: SearchPlace): RecordSearch {
  const read = readParameters(venueListParameters, parseQuery(text), { city, strict: true });
  const errors = problemsOf(read, lacksNear(read.values));
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, page: snapshot.venues(buildVenueQuery(read.values), now), until: undefined };
}
