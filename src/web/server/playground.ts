/** What the playground offers, the request that an address or a form holds, and its run without scripts. */

import { data, redirect } from 'react-router';
import { API_PREFIX } from '../../api/index.ts';
import { faultOf, isKey, type PlaygroundAnswer } from '../model/playground/answer.ts';
import { endpointsOf, type PlaygroundEndpoint, requestOf } from '../model/playground/endpoints.ts';
import { type ApiRequest, targetOf } from '../model/playground/lines.ts';
import { readFormData } from './forms.ts';
import { type Rooms, requestFacts, rooms } from './rooms.ts';
import type { PageRequest } from './viewer.ts';

interface PlaygroundFacts {
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

type RunOutcome =
  | { ok: true; request: ApiRequest; answer: PlaygroundAnswer }
  | { ok: false; request: ApiRequest; errors: Record<string, string> };

/**
 * Runs what was filled in, in the reader's name. Throws a redirect where only the lines were asked for. The key goes into the request and
 * nowhere else.
 */
export async function runPlayground(page: PageRequest): Promise<RunOutcome> {
  const form = await readFormData(page.request);
  const { askApi, ...others } = page.context.get(rooms);
  const { endpoint, base } = readPlayground(form, others);
  const request = requestOf(endpoint, base, form);
  if (form.get('intent') === 'lines') throw redirect(addressOf(endpoint, request), 303);
  const key = String(form.get('key') ?? '').trim();
  const missing = faultOf(endpoint, request);
  const errors = { ...missing, ...(isKey(key) ? {} : { key: 'Paste the whole key. It starts with mq_live_ or mq_test_.' }) };
  if (Object.keys(errors).length > 0) return { ok: false, request, errors };
  // Requests without a key are limited by the address of the reader.
  const { address } = page.context.get(requestFacts);
  const began = performance.now();
  const { status, headers, body } = await askApi({ target: API_PREFIX + targetOf(request), key, address });
  return { ok: true, request, answer: { status, headers, body, milliseconds: performance.now() - began } };
}

/** The page that shows a request, without any key. */
function addressOf(endpoint: PlaygroundEndpoint, { id, query }: ApiRequest): string {
  const search = new URLSearchParams([['endpoint', endpoint.id], ...(id ? [['id', id]] : []), ...query.map((pair) => [...pair])]);
  return `/playground?${search}`;
}
