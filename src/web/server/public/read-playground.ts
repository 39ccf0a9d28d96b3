/** What the playground offers, and the request that an address or a form holds. */

import { data } from 'react-router';
import { endpointsOf, type PlaygroundEndpoint, requestOf } from '../../model/playground/endpoints.ts';
import type { ApiRequest } from '../../model/playground/lines.ts';
import type { Rooms } from '../rooms.ts';

export interface PlaygroundFacts {
  endpoint: PlaygroundEndpoint;
  endpoints: Pick<PlaygroundEndpoint, 'id' | 'path' | 'summary'>[];
  /** Of the API. */
  base: string;
  request: ApiRequest;
}

/** Throws 404 for an endpoint that there is not. Where nothing is given there is something to run at once. */
export function readPlayground(given: URLSearchParams | FormData, { openApi, search, clocks }: PlaygroundRooms): PlaygroundFacts {
  const document = openApi();
  const endpoints = endpointsOf(document);
  const wanted = given.get('endpoint');
  const endpoint = wanted === null ? endpoints[0] : endpoints.find(({ id }) => id === wanted);
  if (!endpoint) throw data(null, { status: 404 });
  const base = document.servers[0]?.url ?? '';
  const request = requestOf(endpoint, base, given);
  const isPlain = request.query.length === 0 && request.id === '';
  return {
    endpoint,
    endpoints: endpoints.map(({ id, path, summary }) => ({ id, path, summary })),
    base,
    request: isPlain && !(given instanceof FormData) ? { ...request, ...suggest(endpoint, { search, clocks }) } : request,
  };
}

type PlaygroundRooms = Pick<Rooms, 'openApi' | 'search' | 'clocks'>;

/** A small page of a list; of a single record the one that is ranked first. */
function suggest(
  { path, fields }: PlaygroundEndpoint,
  { search, clocks }: Omit<PlaygroundRooms, 'openApi'>,
): Partial<ApiRequest> {
  const query = fields.some(({ name }) => name === 'limit') ? [['limit', '3'] as const] : [];
  if (!path.includes('{id}')) return { query };
  const snapshot = search.current();
  const now = clocks.directory();
  const text = path.startsWith('/events')
    ? snapshot.writeEvents(
        snapshot.events({ from: now, to: Number.POSITIVE_INFINITY, limit: 1, offset: 0 }).items,
        'compact',
        '[',
        ']',
      )
    : snapshot.writeVenues(snapshot.venues({ limit: 1, offset: 0 }, now).items, 'list', now, '[', ']');
  const [first] = JSON.parse(text.toString()) as { id: string }[];
  return { id: first?.id ?? '', query };
}
