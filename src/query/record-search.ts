/** What the lists of events and venues find for a query string, whatever form it is printed in. The query of venues is here, too. */

import type { ParameterProblem } from '../http/index.ts';
import { CAPACITY_TIERS, VENUE_TYPES } from '../records/index.ts';
import type { AskInterpretation, Facet, ResultPage, Snapshot, VenueQuery } from '../search/index.ts';
import type { CityTime } from '../values/city-time.ts';
import {
  askConflicts,
  DEFAULT_RADIUS_M,
  eventListConflicts,
  eventSearchParameters,
  findEvents,
  lacksNear,
  readEventAsk,
} from './event-query.ts';
import { parseQuery, problemsOf, readParameters, type Values } from './parameter.ts';
import { anyOf, boundingBox, meters, oneOf, pageLimit, pageOffset, point, searchText, slug } from './parameter-kinds.ts';

/** Of the list in every form. */
export const venueListParameters = {
  q: searchText('Search by venue name, with the rules of `q` of `/events`.'),
  type: anyOf(VENUE_TYPES, 'Venue type; several separated by commas mean any of them.'),
  neighborhood: slug("A neighborhood's slug."),
  capacity: anyOf(CAPACITY_TIERS, 'Capacity tier; several separated by commas mean any of them.'),
  limit: pageLimit(20, 100),
  offset: pageOffset(),
  near: point('Extension. `latitude,longitude`: only venues within `radius` of it.'),
  radius: meters(50_000, 'Extension. Meters around `near`. Default: 1000.'),
  bbox: boundingBox('Extension. `west,south,east,north`: only venues within.'),
  verified: oneOf(['true', 'any'], 'true', 'Extension. `any` lists unverified venues too.'),
};

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

export function buildVenueQuery(values: Values<typeof venueListParameters>): VenueQuery {
  const { q, type, neighborhood, capacity, near, bbox } = values;
  const query: VenueQuery = { limit: values.limit, offset: values.offset };
  if (q !== undefined) query.text = q;
  if (type) query.types = type;
  if (neighborhood !== undefined) query.neighborhood = neighborhood;
  if (capacity) query.capacities = capacity;
  if (near) query.near = { ...near, radius: values.radius ?? DEFAULT_RADIUS_M };
  if (bbox) query.box = bbox;
  if (values.verified === 'any') query.anyVerified = true;
  return query;
}
