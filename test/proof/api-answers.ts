/** Every answer of the API: each endpoint with each of its parameters, in every form, and each refusal that a caller can reach. */

import { CATEGORIES, EVENT_STATUSES } from '../../src/records/index.ts';
import { FACETS } from '../../src/search/index.ts';
import { NAMED_WINDOWS } from '../../src/values/named-window.ts';
import type { Question } from './client.ts';
import { askItem, type Item } from './item.ts';
import type { Place } from './place.ts';

interface ApiQuestion extends Question {
  /** Enterprise unless told; null: none. */
  key?: keyof Place['keys'] | null;
}

const API = '/api/v1';
const EVENT_KEYS = 'status,timezone,currency,sources,tags,performers,score,updatedAt,startPrecision,locationPrecision,organizer';
/** All events that there are, whatever their time and status. */
const ALL = `start_date=2019-01-01&end_date=2020-12-31&status=any&ongoing`;

export async function* apiItems(place: Place): AsyncGenerator<Item> {
  const asked: string[] = [];
  for (const { key = 'enterprise', ...question } of [...(await questions(place)), ...refusals(place)]) {
    asked.push(question.path);
    yield await askApi(place, question, key);
  }
  const openApi = await askItem(place, { path: '/openapi.json' }, 'document GET /openapi.json');
  yield openApi;
  checkCoverage(JSON.parse(openApi.answer.body.toString()), asked);
  yield await untilRefused(place);
  yield {
    name: 'api without Host',
    status: 400,
    text: dropMoments(await place.ask.raw(`GET ${API}/events HTTP/1.1\r\nConnection: close\r\n\r\n`)),
  };
}

function askApi(place: Place, question: Question, key: ApiQuestion['key']) {
  const headers = { ...(key && { 'x-api-key': place.keys[key] }), ...question.headers };
  const shown = Object.entries(question.headers ?? {}).map(([name, value]) => ` ${name}: ${value.slice(0, SHOWN_CHARS)}`);
  if (question.body !== undefined) shown.push(` with ${question.body.length} bytes`);
  const who = key === 'enterprise' ? '' : ` (${key ?? 'no key'})`;
  const name = `api ${question.method ?? 'GET'} ${question.path.slice(0, 300)}${who}${shown.join('')}`;
  return askItem(place, { ...question, headers }, name);
}

async function questions(place: Place): Promise<ApiQuestion[]> {
  const { events, venues, listed } = place.records;
  const venue = venues[0]?.id ?? '';
  const lists = [
    ...eventQueries(venue).map((query) => path('/events', query)),
    ...pages(`${ALL}&sort=start&include=${EVENT_KEYS}`, 1_600).map((query) => path('/events', query)),
    ...VENUE_QUERIES.map((query) => path('/venues', query)),
    ...['', 'limit=3', 'limit=2&offset=1', `include=${EVENT_KEYS}`, 'fields=title,startDatetime'].map((query) =>
      path(`/venues/${venue}/events`, query),
    ),
    ...['', 'type=events', 'type=venues', 'limit=3', 'limit=90', 'include=reason'].map((query) => path('/trending', query)),
    ...['j', 'the', 'jaz', 'harb', 'Meridian', 'zzqq'].map((text) => path('/suggest', `ask=${text}`)),
    ...['/neighborhoods', '/usage', '/feeds', '/exports', '/suggest'].map((each) => path(each, '')),
  ];
  const details = [
    ...[...events.slice(0, 40), ...listed].map(({ id }) => path(`/events/${id}`, '')),
    ...[`include=${EVENT_KEYS}`, 'fields=title', 'include=score&fields=title'].map((query) =>
      path(`/events/${events[3]?.id}`, query),
    ),
    ...venues.slice(0, 20).map(({ id }) => path(`/venues/${id}`, '')),
    path(`/venues/${venue}`, 'include=locationPrecision'),
    path(`/events/${events[0]?.id.toUpperCase()}`, ''),
  ];
  const forms = [
    ...EVENT_FORMS.flatMap((form) => FORM_QUERIES.map((query) => path(`/events.${form}`, query))),
    ...EVENT_FORMS.flatMap((form) => pages(`${ALL}&sort=start`, 1_600).map((query) => path(`/events.${form}`, query))),
    ...VENUE_FORMS.flatMap((form) => FORM_VENUE_QUERIES.map((query) => path(`/venues.${form}`, query))),
  ];
  const keyed = await ownQuestions(place);
  return [
    ...[...lists, ...details, ...forms, ...changePaths(venue)].map((each) => ({ path: each })),
    ...(await logPages(place)).map((each) => ({ path: each })),
    ...MEDIA_TYPES.map((accept) => ({ path: `${API}/events?limit=3`, headers: { accept } })),
    ...keyed,
    ...TEST_PATHS.map((each) => ({ path: API + each, key: 'test' as const })),
    ...['429', '500', 'gone'].map((simulated) => ({
      path: `${API}/events${simulated === 'gone' ? `/${events[0]?.id}` : '?limit=2'}`,
      key: 'test' as const,
      headers: { 'x-marquee-simulate': simulated },
    })),
    { method: 'HEAD', path: `${API}/events?limit=3` },
    { method: 'OPTIONS', path: `${API}/events`, key: null },
    { path: `${API}/events?limit=3`, headers: { prefer: 'handling=strict' } },
  ];
}

const path = (endpoint: string, query: string): string => `${API}${endpoint}${query === '' ? '' : `?${query}`}`;

const pages = (query: string, total: number): string[] =>
  Array.from({ length: total / 100 }, (_, page) => `${query}&limit=100&offset=${page * 100}`);

const AROUND = 'near=43.56,-87.845&radius=2000';
const eventQueries = (venue: string): string[] => [
  ...['', 'limit=100', 'limit=1', 'limit=250', 'limit=007', 'offset=40', 'limit=5&offset=1000000'],
  ...['q=jazz', 'q=%22night%20market%22', 'q=jaxz', 'q=zzqqzz', 'q=quartet&sort=relevance'],
  ...CATEGORIES.map((category) => `category=${category}`),
  ...['category=concert,comedy', 'neighborhood=meridian', 'neighborhood=nowhere', `venue_id=${venue}`],
  ...['start_date=2019-06-21', 'end_date=2019-06-22', 'start_date=2019-06-21T20:00&end_date=2019-06-22T02:00-05:00'],
  ...['start_date=2019-06-21t20:00:00.5z&end_date=2019-06-23T00:00:00+02:00', 'start_date=2020-03-01'],
  ...NAMED_WINDOWS.map((word) => `when=${word}`),
  ...['free', 'free=true', 'free=false', 'free=0', 'price_max=20', 'price_max=0', 'tags=live', 'tags=family,outdoor'],
  ...[
    'updated_since=2019-06-19T16:30:00Z',
    AROUND,
    `${AROUND}&sort=distance`,
    'bbox=-87.86,43.55,-87.83,43.57',
    'bbox=179,-10,-179,10',
  ],
  ...['ongoing&when=now', 'status=any&limit=100', ...EVENT_STATUSES.map((status) => `status=${status}`)],
  ...['sort=score', 'sort=start', 'sort=trend', 'sort=updated'],
  ...EVENT_KEYS.split(',').map((key) => `include=${key}`),
  ...[`include=${EVENT_KEYS}`, 'fields=title,venue', 'fields=id', 'include=score&fields=title', 'fields=title,score&limit=3'],
  ...[...FACETS, FACETS.join(',')].map((facet) => `facets=${facet}`),
  ...ASKED.map((text) => `ask=${encodeURIComponent(text)}`),
  ...['ask=jazz&when=tonight', 'ask=jazz%20tomorrow&sort=start', 'ask=free%20music&facets=category&limit=3'],
];

/** Texts as people type them, for `ask`. */
const ASKED = [
  ...['free jazz tonight in meridian', 'concerts this weekend', 'comedy under $20 tomorrow', 'family friday', 'saturday night'],
  ...['june 27', 'next saturday', 'events near exchange street', 'brunch', 'qartet', '"night market"', 'gratis', 'zzqqzz zzq'],
];

const VENUE_QUERIES = [
  ...['', 'limit=100', 'limit=100&offset=100', 'q=hall', 'q=hal', 'type=theater', 'type=bar,club', 'neighborhood=tannery-row'],
  ...['capacity=large', 'capacity=intimate,small', AROUND, 'bbox=-87.86,43.55,-87.83,43.57', 'verified=any&limit=100'],
  ...['include=locationPrecision', 'offset=3&limit=2'],
];

const EVENT_FORMS = ['ics', 'rss', 'atom', 'feed.json', 'geojson', 'csv', 'ndjson', 'jsonld'];
const VENUE_FORMS = ['geojson', 'csv', 'ndjson', 'jsonld'];
const FORM_QUERIES = [
  ...['', 'limit=100', 'category=concert&free=true', 'q=quartet', 'limit=3&offset=3', 'neighborhood=nowhere', 'when=tonight'],
  ...[
    `include=${EVENT_KEYS}&limit=5`,
    'fields=title,startDatetime&limit=5',
    'bom&limit=2',
    'sort=start&limit=5',
    'status=any&limit=50',
  ],
  ...['include=tags,score&fields=title&limit=2', `${AROUND}&sort=distance&limit=5`, 'start_date=2019-06-21&end_date=2019-06-22'],
];
const FORM_VENUE_QUERIES = [
  '',
  'limit=100',
  'limit=100&offset=100',
  'q=hall',
  'type=theater',
  'bom&limit=2',
  'limit=2&offset=2',
  'verified=any&limit=100',
];

const MEDIA_TYPES = [
  ...['text/csv', 'text/calendar', 'application/geo+json', 'application/ld+json;q=0.9, application/json;q=0.1', '*/*'],
  ...['application/rss+xml', 'application/atom+xml', 'application/feed+json', 'application/x-ndjson', 'text/html'],
];

const changePaths = (venue: string): string[] => [
  ...['', 'limit=3', 'kind=any&limit=5', 'wait=1&kind=merged', 'limit=5000'].map((query) => path('/changes', query)),
  ...['event', 'venue', 'neighborhood', 'event,venue'].map((entity) => path('/changes', `entity=${entity}&limit=20`)),
  ...['created', 'updated', 'cancelled', 'rescheduled', 'merged', 'removed', 'scored'].map((kind) =>
    path('/changes', `kind=${kind}&limit=20`),
  ),
  ...[
    ...[
      'q=jazz',
      'category=comedy',
      'neighborhood=meridian',
      `venue_id=${venue}`,
      'start_date=2019-06-21',
      'end_date=2019-06-22',
    ],
    ...[
      'when=tonight',
      'free',
      'price_max=10',
      'tags=live',
      'updated_since=2019-06-19T16:30:00Z',
      AROUND,
      'bbox=-87.86,43.55,-87.83,43.57',
    ],
    ...['ongoing', 'status=cancelled'],
  ].map((query) => path('/changes', `${query}&limit=20`)),
  ...['', 'entity=venue', 'at=10', 'entity=event&at=99999999'].map((query) => path('/changes/checksum', query)),
  ...[
    '',
    'limit=5',
    'entity=venue',
    'afterChangeNumber=100&limit=5',
    `epoch=${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}`,
  ].map((query) => path('/changes.rpde', query)),
];

/** The whole change log, page after page: every record as mirrors get it. */
async function logPages(place: Place): Promise<string[]> {
  const paths: string[] = [];
  for (let after = ''; ; ) {
    const each = path('/changes', `kind=any&limit=1000${after === '' ? '' : `&after=${after}`}`);
    paths.push(each);
    const { body } = await place.ask({ path: each, headers: { 'x-api-key': place.keys.enterprise } });
    const { meta } = JSON.parse(body.toString()) as { meta: { next: string; hasMore: boolean } };
    if (!meta.hasMore) return paths;
    after = meta.next;
  }
}

/** What an account owns. */
async function ownQuestions(place: Place): Promise<ApiQuestion[]> {
  const idsOf = async (kind: string): Promise<string[]> => {
    const { body } = await place.ask({ path: `${API}/${kind}`, headers: { 'x-api-key': place.keys.developer } });
    return (JSON.parse(body.toString()) as { data: { id: string }[] }).data.map(({ id }) => `/${kind}/${id}`);
  };
  const own = [
    '/feeds',
    '/exports',
    '/exports?limit=1',
    '/exports?limit=1&offset=1',
    ...(await idsOf('feeds')),
    ...(await idsOf('exports')),
  ];
  return own.map((each) => ({ path: API + each, key: 'developer' }));
}

const TEST_PATHS = [
  '/events',
  '/events?limit=100&offset=100',
  '/venues?limit=20',
  '/neighborhoods',
  '/trending',
  '/events?ask=jazz%20tonight',
  '/usage',
  '/changes?limit=5',
];

function refusals({ records }: Place): ApiQuestion[] {
  const wrong = [
    ...[
      'limit=abc',
      'limit=0',
      'offset=-1',
      'price_max=x',
      'radius=5',
      'near=1',
      'near=99,0&radius=0',
      'bbox=1,2,3',
      'free=maybe',
    ],
    ...[
      'category=nothing',
      'venue_id=7',
      'start_date=yesterday',
      'start_date=2019-02-30',
      'start_date=2019-06-22&end_date=2019-06-21',
    ],
    ...[
      'when=tonight&start_date=2019-06-21',
      'when=someday',
      'sort=distance',
      'sort=relevance',
      'q=a%00b',
      'q=%zz',
      'q=%ff',
      'q=a&q=b',
    ],
    ...[
      'limit[]=1',
      'ask=jazz&q=jazz',
      `q=${'a'.repeat(201)}`,
      'include=nothing',
      'fields=nothing',
      'facets=nothing',
      'status=nothing',
    ],
    ...['updated_since=2019-13-01', 'tags=%01', 'limit=x&offset=y&category=z'],
  ];
  const unknown = '99999999-0000-7000-8000-000000000000';
  const events = `${API}/events`;
  return [
    ...wrong.map((query) => ({ path: path('/events', query) })),
    ...['colour=red', 'categroy=concert', 'limit=101'].map((query) => ({
      path: path('/events', query),
      headers: { prefer: 'handling=strict' },
    })),
    ...[
      '/venues?type=nothing',
      '/venues?capacity=huge',
      '/trending?type=x',
      '/suggest?ask=%00',
      '/changes?after=x',
      '/changes?wait=99',
    ].map((each) => ({ path: API + each })),
    ...['/changes?kind=x', '/changes/checksum?at=x', '/changes.rpde?limit=0', '/exports?limit=x'].map((each) => ({
      path: API + each,
    })),
    { path: `${API}/changes?after=${unknown}.1` },
    ...['events', 'venues', 'feeds', 'exports'].flatMap((kind) => [unknown, 'x'].map((id) => ({ path: `${API}/${kind}/${id}` }))),
    { path: `${API}/venues/${unknown}/events` },
    { path: `${events}/${records.hidden}` },
    { path: `${events}/${records.merged}` },
    ...['/events/', '/Events', '/nothing', '/events.xml', '//events', ''].map((each) => ({ path: API + each })),
    ...['POST', 'PUT', 'DELETE', 'PATCH'].map((method) => ({ method, path: events, headers: { 'content-length': '0' } })),
    { path: events, headers: { accept: 'application/xml' } },
    { path: `${events}.csv`, headers: { accept: 'application/json' } },
    { path: events, key: null },
    { path: `${events}?limit=2`, key: null, headers: { 'x-api-key': 'mq_live_nothing' } },
    { path: `${events}?limit=2`, key: null, headers: { 'x-api-key': `mq_live_${'a'.repeat(12)}_${'a'.repeat(49)}` } },
    ...(['revoked', 'expired', 'trial', 'inactive'] as const).map((key) => ({ path: `${events}?limit=2`, key })),
    ...(['starter', 'growth'] as const).flatMap((key) =>
      ['/neighborhoods', '/trending', '/changes', '/feeds', '/exports', '/usage'].map((each) => ({ path: API + each, key })),
    ),
    { path: events, headers: { expect: 'a wonder' } },
    { path: events, headers: { 'x-filler': 'a'.repeat(17_000) } },
    { path: events, body: 'a'.repeat(20_000) },
    { path: events, headers: { host: 'another.example' } },
    { method: 'POST', path: '/secret-scanning', key: null, headers: { 'content-type': 'text/plain' }, body: 'x' },
    { method: 'POST', path: '/secret-scanning', key: null, headers: { 'content-type': 'application/json' }, body: '[]' },
  ];
}

/** The first refusal of a key that has asked too often, as only that one must be there. */
async function untilRefused(place: Place): Promise<Item> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const item = await askApi(place, { path: `${API}/events?limit=1` }, 'busy');
    if (item.status === 429) return item;
  }
  throw new Error('a Starter key was never refused');
}

/** A parameter that nobody asks with proves nothing. */
function checkCoverage(
  document: { paths: Record<string, { get: { parameters: { name: string; in: string }[] } }> },
  asked: string[],
): void {
  const missing = Object.entries(document.paths).flatMap(([template, { get }]) => {
    const [before = '', after = ''] = template.split('{id}');
    const isOf = (each: string) => {
      const endpoint = each.split('?', 1)[0]?.slice(API.length) ?? '';
      if (!template.includes('{id}')) return endpoint === template;
      return (
        endpoint.startsWith(before) &&
        endpoint.endsWith(after) &&
        !endpoint.slice(before.length, endpoint.length - after.length).includes('/')
      );
    };
    const queries = asked.filter(isOf).map((each) => each.split('?')[1] ?? '');
    if (queries.length === 0) return [template];
    const isAsked = (name: string) => queries.some((query) => query.split('&').some((pair) => pair.split('=', 1)[0] === name));
    // A form has the parameters of its list; those that it ignores are not asked for again.
    if ('x-form-of' in get) return [];
    return get.parameters.filter((each) => each.in === 'query' && !isAsked(each.name)).map(({ name }) => `${template}?${name}=`);
  });
  if (missing.length > 0) throw new Error(`api-answers.ts asks for nothing of ${missing.join(', ')}`);
  if (Object.keys(document.paths).length < MIN_PATHS) throw new Error('the OpenAPI document is nearly empty');
}

const dropMoments = (text: string): string => text.replace(/^(?:date|x-request-id): .*\r\n/gim, '');

/** Of a header, in the name of an item: no more of a key than anybody may see. */
const SHOWN_CHARS = 40;
const MAX_TRIES = 200;
const MIN_PATHS = 25;
