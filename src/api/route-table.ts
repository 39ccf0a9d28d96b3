/** Every endpoint of the API. Routing, tiers, metering, OpenAPI, the reference page and the tests are driven by these lists. */

import { eventFormRoutes, venueFormRoutes } from './endpoints/form-routes.ts';
import { getChecksums } from './endpoints/get-checksums.ts';
import { getEvent } from './endpoints/get-event.ts';
import { getExport } from './endpoints/get-export.ts';
import { getFeed } from './endpoints/get-feed.ts';
import { getSuggestions } from './endpoints/get-suggestions.ts';
import { getTrending } from './endpoints/get-trending.ts';
import { getUsage } from './endpoints/get-usage.ts';
import { getVenue } from './endpoints/get-venue.ts';
import { listChanges } from './endpoints/list-changes.ts';
import { listEvents } from './endpoints/list-events.ts';
import { listExports } from './endpoints/list-exports.ts';
import { listFeeds } from './endpoints/list-feeds.ts';
import { listNeighborhoods } from './endpoints/list-neighborhoods.ts';
import { listRealtimePages } from './endpoints/list-realtime-pages.ts';
import { listVenueEvents } from './endpoints/list-venue-events.ts';
import { listVenues } from './endpoints/list-venues.ts';
import { type AnyRoute, API_PREFIX } from './route.ts';

export const ROUTES: readonly AnyRoute[] = [
  listEvents,
  getEvent,
  listVenues,
  getVenue,
  listVenueEvents,
  listNeighborhoods,
  getTrending,
  getSuggestions,
  listChanges,
  getChecksums,
  listRealtimePages,
  listFeeds,
  getFeed,
  listExports,
  getExport,
  getUsage,
];

/** The same lists in other forms, each under an extension. */
export const FORM_ROUTES: readonly AnyRoute[] = [...eventFormRoutes, ...venueFormRoutes];

/** The other forms of a list by what `Accept` calls them; undefined for anything that has none. */
export function formsOf(path: string): ReadonlyMap<string, AnyRoute> | undefined {
  return formsByPath.get(path);
}
const formsByPath = new Map(
  [...Map.groupBy(FORM_ROUTES, ({ form }) => form?.of ?? '')].map(([path, routes]) => [
    path,
    new Map(routes.map((route) => [route.form?.mediaType ?? '', route])),
  ]),
);

export interface RouteMatch {
  route: AnyRoute;
  /** The whole template, such as `/api/v1/events/{id}`. */
  template: string;
  /** The media types it can be answered as, the preferred one first. */
  offers: readonly [string, ...string[]];
  /** The other forms of the same list. */
  forms?: ReadonlyMap<string, AnyRoute> | undefined;
  /** What stands in place of `{id}`, as sent; empty without one. */
  id: string;
}

const entries = [...ROUTES, ...FORM_ROUTES].map((route): Omit<RouteMatch, 'id'> => {
  const forms = formsOf(route.path);
  const offers: RouteMatch['offers'] = [route.form?.mediaType ?? 'application/json', ...(forms?.keys() ?? [])];
  return { route, template: API_PREFIX + route.path, forms, offers };
});
const plain = new Map(
  entries
    .filter(({ template }) => !template.includes('{id}'))
    .map((entry): [string, RouteMatch] => [entry.template, { ...entry, id: '' }]),
);
const withId = entries
  .filter(({ template }) => template.includes('{id}'))
  .map((entry) => {
    const [before = '', after = ''] = entry.template.split('{id}');
    return { entry, before, after };
  });

/** The row of a path as sent: nothing is decoded, folded or normalized, so paths are exact. */
export function matchRoute(path: string): RouteMatch | null {
  const found = plain.get(path);
  if (found) return found;
  for (const { entry, before, after } of withId) {
    if (!path.startsWith(before) || !path.endsWith(after) || path.length <= before.length + after.length) continue;
    const id = path.slice(before.length, path.length - after.length);
    if (!id.includes('/') && !id.includes(';')) return { ...entry, id };
  }
  return null;
}
