/** What assistants get: the lists of the MCP server, a call of each tool and each resource, and its refusals. */

import { askItem, type Item } from './item.ts';
import type { Place } from './place.ts';

type Params = Record<string, unknown>;

const REVISION = '2026-07-28';
const OLDER = ['2025-11-25', '2025-06-18'];

export async function* assistantItems(place: Place): AsyncGenerator<Item> {
  const ask = (method: string, params: Params = {}, key?: keyof Place['keys']) => askCurrent(place, method, params, key);
  for (const method of [
    'server/discover',
    'tools/list',
    'resources/list',
    'resources/templates/list',
    'prompts/list',
    'events/list',
  ])
    yield await ask(method);
  const { answer } = await ask('tools/list');
  const { tools } = (JSON.parse(answer.body.toString()) as { result: { tools: { name: string }[] } }).result;
  const left = new Set(tools.map(({ name }) => name));
  for (const [name, args] of calls(place)) {
    left.delete(name);
    yield await ask('tools/call', { name, arguments: args }, 'growth');
  }
  if (tools.length < MIN_TOOLS || left.size > 0) throw new Error(`assistants.ts does not call ${[...left].join(', ')}`);
  yield await ask('tools/call', { name: 'whats_trending', arguments: {} });
  yield await ask('tools/call', { name: 'city_overview', arguments: {} });
  yield await ask('tools/call', { name: 'nothing', arguments: {} });
  yield await ask('nothing/at/all');
  for (const uri of resources(place)) yield await ask('resources/read', { uri });
  for (const [name, args] of PROMPTS) yield await ask('prompts/get', { name, arguments: args });
  const ref = { type: 'ref/prompt', name: 'plan_my_evening' };
  yield await ask('completion/complete', { ref, argument: { name: 'when', value: 't' } });
  for (const params of POLLS) yield await ask('events/poll', params, 'enterprise');
  yield await ask(
    'events/subscribe',
    { name: 'event.created', delivery: { mode: 'webhook', url: 'https://x.example' } },
    'starter',
  );
  for (const key of ['revoked', 'inactive', 'trial', 'test'] as const)
    yield await ask('tools/call', { name: 'search_events', arguments: {} }, key);
  yield* older(place);
  for (const method of ['GET', 'DELETE']) yield await askItem(place, { method, path: '/mcp' }, `mcp ${method}`);
  yield await post(place, 'mcp no JSON', '{');
  yield await post(place, 'mcp a batch', '[]');
  yield await untilRefused(place);
}

/** A request of the current revision as a good client sends it. */
function askCurrent(place: Place, method: string, params: Params, key?: keyof Place['keys']) {
  const named = params.name ?? params.uri;
  const headers = {
    'mcp-protocol-version': REVISION,
    'mcp-method': method,
    ...(NAMED.has(method) && typeof named === 'string' && { 'mcp-name': named }),
    ...(key && { 'x-api-key': place.keys[key] }),
  };
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'proof', version: '1.0.0' },
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } });
  return post(place, `mcp ${method} ${JSON.stringify(params)}${key ? ` (${key})` : ''}`, body, headers);
}

const NAMED: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

const post = (place: Place, name: string, body: string, headers: Record<string, string> = {}) =>
  askItem(place, { method: 'POST', path: '/mcp', headers: { ...JSON_BODY, ...headers }, body }, name.slice(0, 300));

const JSON_BODY = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

function calls({ records: { events, venues, hidden, merged } }: Place): [string, Params][] {
  const searches: Params[] = [
    ...[{}, { when: 'tonight', category: ['concert'] }, { q: 'jazz', limit: 3 }, { free: true, sort: 'start', limit: 20 }],
    ...[{ near: { latitude: 43.56, longitude: -87.845 }, radius_m: 2_000, sort: 'distance' }, { neighborhood: 'Meridian' }],
    ...[{ from: '2019-06-21', to: '2019-06-22T23:00', detail: 'full' }, { category: 'concerts', limit: '3' }, { price_max: 10 }],
    ...[
      { when: 'next saturday' },
      { q: 'zzqqzz' },
      { area: { west: -87.86, south: 43.55, east: -87.83, north: 43.57 }, max_chars: 2_000 },
    ],
    ...[
      { when: 'someday' },
      { limit: 99 },
      { nothing: 1 },
      { sort: 'distance' },
      { cursor: 'x' },
      { when: 'next_30_days', cursor: '8' },
    ],
  ];
  const ofVenues: Params[] = [
    {},
    { q: 'hall' },
    { type: ['theater'] },
    { neighborhood: 'meridian', limit: 3 },
    { type: 'nothing' },
  ];
  const idsOf = (list: Place['records']['events']) => list.slice(0, 4).map(({ id }) => id);
  return [
    ...searches.map((args): [string, Params] => ['search_events', args]),
    ...[...idsOf(events), hidden, merged, 'x'].map((id): [string, Params] => ['get_event', { id }]),
    ['get_event', { url: `https://port-alder.example/events/${events[0]?.slug}` }],
    ...ofVenues.map((args): [string, Params] => ['search_venues', args]),
    ...[...idsOf(venues), 'x'].map((id): [string, Params] => ['get_venue', { id }]),
    ...[{}, { when: 'this_weekend' }, { when: 'x' }].map((args): [string, Params] => ['city_overview', args]),
    ...[{}, { type: 'venues' }, { limit: 3 }, { kind: 'venues' }].map((args): [string, Params] => ['whats_trending', args]),
  ];
}

const resources = ({ records: { events, venues, hidden, merged } }: Place): string[] => [
  ...['marquee://city', 'ui://marquee/events', 'marquee://nothing', `marquee://event/${hidden}`, `marquee://event/${merged}`],
  ...[`marquee://event/${events[0]?.id}`, `marquee://venue/${venues[0]?.id}`],
];

const PROMPTS: readonly [string, Params][] = [
  ['plan_my_evening', { when: 'tomorrow', taste: 'jazz', budget: '20' }],
  ['weekend_digest', {}],
  ['nothing', {}],
];

const POLLS: readonly Params[] = [
  { name: 'event.created', cursor: null },
  { name: 'event.created', cursor: null, maxAgeMs: 86_400_000_000 },
  { name: 'feed.matched', cursor: null, arguments: { category: 'concert' }, maxAgeMs: 86_400_000_000 },
  { name: 'event.rescheduled', cursor: null, maxAgeMs: 86_400_000_000 },
  { name: 'event.merged', cursor: null, arguments: { category: 'nothing' } },
  { name: 'nothing', cursor: null },
];

async function* older(place: Place): AsyncGenerator<Item> {
  for (const revision of OLDER) {
    const send = (method: string, params: Params) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });
      return post(place, `mcp ${revision} ${method}`, body, { 'mcp-protocol-version': revision });
    };
    yield await send('initialize', { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'proof', version: '1' } });
    yield await send('ping', {});
    yield await send('tools/list', {});
    yield await send('tools/call', { name: 'search_events', arguments: { when: 'tonight' } });
    yield await send('server/discover', {});
  }
  yield await post(place, 'mcp 1999-01-01', '{"jsonrpc":"2.0","id":1,"method":"ping"}', { 'mcp-protocol-version': '1999-01-01' });
}

/** The first refusal of a network that calls too often without a key. */
async function untilRefused(place: Place): Promise<Item> {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'get_event', arguments: { id: 'x' } },
  });
  const headers = { 'mcp-protocol-version': OLDER[0] ?? '', 'x-forwarded-for': '198.51.100.77' };
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const item = await post(place, 'mcp too many calls of one network', body, headers);
    if (item.status === 429) return item;
  }
  throw new Error('no network was ever refused a call');
}

const MIN_TOOLS = 6;
const MAX_TRIES = 200;
