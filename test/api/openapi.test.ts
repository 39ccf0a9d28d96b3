import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, describe, expect, test } from 'vitest';
import { FORM_ROUTES, ROUTES } from '../../src/api/index.ts';
import { idOf, MERGED_EVENT, REMOVED_EVENT, UNKNOWN_ID } from '../support/fakes/directory.ts';
import { FAKE_EXPORT } from '../support/fakes/exports.ts';
import { FAKE_FEED } from '../support/fakes/feeds.ts';
import { FAKE_KEYS } from '../support/fakes/gate.ts';
import { createTestApi, PUBLIC_URL } from '../support/rigs/api.ts';

const api = createTestApi();
afterAll(() => api.close());

const openapi = (await api.askPlain('/openapi.json')).json;
const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
ajv.addSchema(openapi, 'openapi');

const VALUES: Record<string, string[]> = {
  '/events': [
    '',
    '?limit=100',
    '?offset=999',
    '?fields=title',
    '?include=status,timezone,currency,sources,tags,performers,score,updatedAt,startPrecision,locationPrecision,organizer',
    '?facets=category,neighborhood,free,day',
    '?ask=free+jazz',
    '?ask=jazz&fields=title&facets=free',
  ],
  '/events/{id}': ['', '?include=score', '?fields=venue'],
  '/venues': ['', '?verified=any', '?limit=1', '?include=locationPrecision'],
  '/venues/{id}': ['', '?include=locationPrecision'],
  '/venues/{id}/events': ['', '?fields=title&include=status'],
  '/neighborhoods': [''],
  '/trending': ['', '?type=events', '?type=venues', '?limit=1', '?include=reason'],
  '/suggest': ['', '?ask=ev'],
  '/changes': ['', '?category=concert&kind=any', '?wait=1'],
  '/changes/checksum': ['', '?entity=venue&at=3'],
  '/changes.rpde': ['', '?entity=venue'],
  '/feeds': [''],
  '/feeds/{id}': [''],
  '/exports': ['', '?limit=1&offset=1'],
  '/exports/{id}': [''],
  '/usage': [''],
};

/** The response object of an operation, references followed. */
function responseOf(path: string, status: number) {
  const response = openapi.paths[path].get.responses[status];
  return response?.$ref ? openapi.components.responses[response.$ref.split('/').at(-1)] : response;
}

function expectDocumented(path: string, answer: { status: number; headers: Record<string, string>; json: unknown }): void {
  const response = responseOf(path, answer.status);
  expect(response, `${path} ${answer.status}`).toBeDefined();
  const type = answer.headers['content-type']?.split(';')[0] ?? '';
  const schema = response.content?.[type]?.schema;
  expect(schema, `${path} ${answer.status} ${type}`).toBeDefined();
  const relative = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'));
  const valid = ajv.validate(relative, answer.json);
  expect(valid, `${path}: ${ajv.errorsText()}`).toBe(true);
  const known = new Set([...Object.keys(response.headers), ...PLAIN_HEADERS].map((name) => name.toLowerCase()));
  for (const name of Object.keys(answer.headers)) expect(known, `${path} ${answer.status}`).toContain(name);
}
/** Headers of HTTP and CORS themselves, which a description of the API need not list. */
const PLAIN_HEADERS = [
  'Content-Type',
  'Content-Length',
  'Date',
  'Connection',
  'Keep-Alive',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'X-Content-Type-Options',
];

test('is OpenAPI 3.1 with every route of the table and nothing else', () => {
  expect(openapi.openapi).toBe('3.1.0');
  expect(openapi.servers).toEqual([{ url: `${PUBLIC_URL}/api/v1` }]);
  expect(Object.keys(openapi.paths)).toEqual([...ROUTES, ...FORM_ROUTES].map(({ path }) => path));
  expect(Object.keys(VALUES)).toEqual(ROUTES.map(({ path }) => path));
  expect(openapi.components.securitySchemes.apiKey).toMatchObject({ type: 'apiKey', in: 'header', name: 'X-API-Key' });
  for (const route of [...ROUTES, ...FORM_ROUTES]) {
    const { parameters } = openapi.paths[route.path].get;
    const query = parameters
      .filter((parameter: { in: string }) => parameter.in === 'query')
      .map(({ name }: { name: string }) => name);
    expect(query).toEqual(Object.keys(route.parameters));
  }
});

test('every reference leads somewhere and every schema compiles', () => {
  for (const [, ref] of JSON.stringify(openapi).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const target = ref!.split('/').reduce((node, key) => node?.[key], openapi);
    expect(target, ref).toBeDefined();
  }
  for (const name of Object.keys(openapi.components.schemas)) {
    expect(ajv.getSchema(`openapi#/components/schemas/${name}`), name).toBeDefined();
  }
});

test('limit states no maximum in the request, meta does in the answer', () => {
  for (const path of ['/events', '/venues', '/venues/{id}/events', '/trending']) {
    const limit = openapi.paths[path].get.parameters.find(({ name }: { name: string }) => name === 'limit');
    expect(limit.schema).toMatchObject({ type: 'integer', minimum: 1 });
    expect(limit.schema.maximum).toBeUndefined();
  }
  expect(openapi.components.schemas.ListMeta.properties.limit.maximum).toBe(100);
});

describe.each(Object.entries(VALUES))('%s', (path, queries) => {
  const own = path.startsWith('/feeds') ? FAKE_FEED : FAKE_EXPORT;
  const id = /^\/(?:feeds|exports)/.test(path) ? own : idOf(path.startsWith('/events') ? 'e' : 'a', 2);
  const concrete = path.replace('{id}', id);
  test.each(queries)('answers "%s" as documented, header by header', async (query) => {
    const answer = await api.ask(concrete + query);
    expect(answer.status).toBe(200);
    expectDocumented(path, answer);
  });
  test('refuses as documented', async () => {
    const refusals = [
      await api.ask(concrete, null),
      await api.ask(concrete, { 'x-api-key': FAKE_KEYS.trialEnded }),
      await api.ask(concrete, {}, 'POST'),
      await api.ask(concrete, { accept: 'text/html' }),
      await api.ask(concrete, { 'x-api-key': FAKE_KEYS.overUnknown }),
      await api.ask(concrete, { 'x-api-key': FAKE_KEYS.unavailable }),
      await api.ask(`${concrete}?%zz`),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([401, 402, 405, 406, 429, 503, 400]);
    for (const answer of refusals) expectDocumented(path, answer);
  });
});

describe.each(FORM_ROUTES)('$path', ({ path }) => {
  test.each(['', '?limit=3&offset=1', '?limit=1&bom'])('answers "%s" as documented, header by header', async (query) => {
    const answer = await api.ask(path + query);
    expect(answer.status).toBe(200);
    // A form that is no JSON is a text to the document.
    expectDocumented(path, { ...answer, json: answer.json ?? answer.text });
  });
  test('refuses as documented', async () => {
    const refusals = [
      await api.ask(path, null),
      await api.ask(path, { 'x-api-key': FAKE_KEYS.trialEnded }),
      await api.ask(path, {}, 'POST'),
      await api.ask(path, { 'x-api-key': FAKE_KEYS.overUnknown }),
      await api.ask(path, { 'x-api-key': FAKE_KEYS.unavailable }),
      await api.ask(`${path}?%zz`),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([401, 402, 405, 429, 503, 400]);
    for (const answer of refusals) expectDocumented(path, answer);
    expect(responseOf(path, 406)).toBeUndefined();
  });
});

test('what only some answers have is documented too', async () => {
  expectDocumented('/events/{id}', await api.ask(`/events/${MERGED_EVENT}`));
  expectDocumented('/events/{id}', await api.ask(`/events/${REMOVED_EVENT}`));
  expectDocumented('/venues/{id}', await api.ask(`/venues/${UNKNOWN_ID}`));
  expectDocumented('/neighborhoods', await api.ask('/neighborhoods', { 'x-api-key': FAKE_KEYS.starter }));
  expectDocumented('/events', await api.ask('/events', { 'x-api-key': FAKE_KEYS.overDay }));
  api.directory.breakDown();
  expectDocumented('/events', await api.ask('/events'));
  const strict = await api.ask('/events?limit=1', { prefer: 'handling=strict' });
  api.directory.interpret('a', 'b');
  const read = await api.ask('/events?limit=1&q=a');
  for (const answer of [strict, read]) expectDocumented('/events', answer);
});
