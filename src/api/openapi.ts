/** The OpenAPI 3.1 document, made from the route table, the parameters and the schemas: it cannot say what the service does not do. */

import type { TSchema } from 'typebox';
import { API_PROBLEM_CODES, PROBLEMS } from '../http/index.ts';
import type { Parameter } from '../query/index.ts';
import { DEPRECATIONS, type Deprecation, deprecationsOf } from './deprecations.ts';
import { ALLOWANCE_HEADERS } from './request-context.ts';
import { type AnyRoute, API_PREFIX } from './route.ts';
import { FORM_ROUTES, formsOf, ROUTES } from './route-table.ts';
import { SCHEMAS, type SchemaName } from './schemas.ts';

export interface OpenApiParameter {
  name: string;
  in: 'query' | 'path' | 'header';
  required: boolean;
  description: string;
  schema: TSchema;
  style?: string;
  explode?: boolean;
  allowEmptyValue?: boolean;
  deprecated?: true;
  'x-deprecation'?: DeprecationNotice;
}
/** As in the table of deprecations. */
export type DeprecationNotice = Pick<Deprecation, 'announced' | 'ends' | 'instead'>;
export interface OpenApiResponse {
  description: string;
  headers: Record<string, { $ref: string }>;
  content?: Record<string, { schema: unknown }>;
}
export interface OpenApiOperation {
  operationId: string;
  summary: string;
  description: string;
  parameters: OpenApiParameter[];
  responses: Record<string, OpenApiResponse | { $ref: string }>;
  deprecated?: true;
  'x-deprecation'?: DeprecationNotice;
  'x-tier': string;
  'x-metered': boolean;
  /** Of an operation that answers the list of that path in another form. */
  'x-form-of'?: string;
}
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  security: Record<string, string[]>[];
  paths: Record<string, { get: OpenApiOperation }>;
  components: {
    securitySchemes: Record<string, Record<string, string>>;
    schemas: Record<string, TSchema>;
    responses: Record<string, OpenApiResponse>;
    headers: Record<string, { description: string; schema: Record<string, unknown> }>;
  };
}

/** `publicUrl` has no trailing slash. `deprecations`: in place of those of this version. */
export function createOpenApi(publicUrl: string, deprecations = DEPRECATIONS): OpenApiDocument {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Marquee event discovery API',
      version: 'v1',
      description:
        "A city's upcoming events, venues, neighborhoods and what is trending. Read only; every request carries a key.",
    },
    servers: [{ url: publicUrl + API_PREFIX }],
    security: [{ apiKey: [] }],
    paths: Object.fromEntries(
      [...ROUTES, ...FORM_ROUTES].map((route) => [route.path, { get: describe(route, deprecationsOf(route, deprecations)) }]),
    ),
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: SECURITY },
      },
      schemas: { ...SCHEMAS },
      responses: describeProblems(),
      headers: Object.fromEntries(
        Object.entries(HEADERS).map(([name, { description, schema }]) => [name, { description, schema: { ...schema } }]),
      ),
    },
  };
}

const SECURITY =
  'The only accepted place for the key. Test keys (`mq_test_…`) are free and read an invented city; with them `X-Marquee-Simulate: 429`, `500`, `slow` or `gone` simulates errors.';

function describe(route: AnyRoute, deprecations: readonly Deprecation[]): OpenApiOperation {
  const hasId = route.path.includes('{id}');
  const rows = Object.entries(route.parameters as Record<string, Parameter<unknown>>);
  const noticeOf = (name?: string) => describeNotice(deprecations.find(({ parameter }) => parameter === name));
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: route.description,
    parameters: [
      ...(hasId ? [ID] : []),
      ...rows.map(([name, parameter]) => ({ ...describeParameter(name, parameter), ...noticeOf(name) })),
    ],
    responses: describeResponses(route, hasId, deprecations.length > 0),
    ...noticeOf(),
    'x-tier': route.tier,
    'x-metered': route.metered,
    ...(route.form && { 'x-form-of': route.form.of }),
  };
}

function describeNotice(found: Deprecation | undefined): Pick<OpenApiOperation, 'deprecated' | 'x-deprecation'> {
  if (!found) return {};
  const { announced, ends, instead } = found;
  return { deprecated: true, 'x-deprecation': { announced, ends, instead } };
}

function describeParameter(name: string, parameter: Parameter<unknown>): OpenApiParameter {
  const { schema, description } = parameter;
  const list = (schema as { type?: string }).type === 'array';
  return {
    name,
    in: 'query',
    required: false,
    description,
    schema,
    ...(list && { style: 'form', explode: false }),
    ...('empty' in parameter && { allowEmptyValue: true }),
  };
}

function describeResponses(route: AnyRoute, hasId: boolean, isDeprecated: boolean): OpenApiOperation['responses'] {
  const paged = 'offset' in route.parameters;
  const searched = 'q' in route.parameters;
  const ok: OpenApiResponse = {
    description: route.summary,
    headers: refHeaders([
      ...DATA_HEADERS,
      ...(paged || isDeprecated ? (['Link'] as const) : []),
      ...(isDeprecated ? (['Deprecation', 'Sunset'] as const) : []),
      ...(searched ? (['X-Search-Interpretation'] as const) : []),
    ]),
    content: describeContent(route),
  };
  const responses: OpenApiOperation['responses'] = {
    200: ok,
    304: { description: 'Not modified: `If-None-Match` names the current `ETag`.', headers: ok.headers },
  };
  if (hasId && !route.isOwned) {
    responses[301] = {
      description: 'The record was merged. `Location` is the URL of the remaining record.',
      headers: refHeaders([...ANSWER_HEADERS, ...KEY_HEADERS, 'Location']),
      content: { 'application/json': { schema: refTo('Moved') } },
    };
  }
  for (const status of PROBLEM_STATUSES) {
    // An extension decides the form, so `Accept` excludes nothing.
    if (route.form && status === NOT_ACCEPTABLE) continue;
    const isOfRecord = hasId && !(route.isOwned && status === 410);
    if (isOfRecord || !OF_RECORDS.has(status) || route.statuses?.includes(status))
      responses[status] = { $ref: `#/components/responses/${responseName(status)}` };
  }
  return responses;
}

/** What the 200 holds by its media type: JSON and what else `Accept` may ask for, or the one form of an extension. */
function describeContent(route: AnyRoute): NonNullable<OpenApiResponse['content']> {
  if (route.form) return { [route.form.mediaType]: { schema: route.form.schema } };
  const [first, ...others] = route.answers.map(refTo);
  const forms = [...(formsOf(route.path) ?? [])].map(([mediaType, { form }]) => [mediaType, { schema: form?.schema }]);
  return {
    'application/json': { schema: others.length > 0 ? { anyOf: [first, ...others] } : first },
    ...Object.fromEntries(forms),
  };
}

/** The refusals, one response a status. */
function describeProblems(): Record<string, OpenApiResponse> {
  return Object.fromEntries(PROBLEM_STATUSES.map((status) => [responseName(status), describeProblem(status)]));
}

function describeProblem(status: number): OpenApiResponse {
  const codes = API_PROBLEM_CODES.filter((code) => PROBLEMS[code].status === status);
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].meaning}`).join('\n\n'),
    headers: refHeaders([
      ...ANSWER_HEADERS,
      ...(BEFORE_KEY.has(status) ? [] : KEY_HEADERS),
      ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
      ...(status === 405 ? (['Allow'] as const) : []),
      ...(status === 429 ? (['Retry-After'] as const) : []),
    ]),
    content: { 'application/problem+json': { schema: refTo('Problem') } },
  };
}

/** Such as `Problem404`. */
function responseName(status: number): string {
  return `Problem${status}`;
}

function refTo(name: SchemaName): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}
function refHeaders(names: readonly (keyof typeof HEADERS)[]): Record<string, { $ref: string }> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const ID: OpenApiParameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'UUID of the record; read in either case.',
  schema: { type: 'string', format: 'uuid' } as TSchema,
};

const text = { type: 'string' };
const whole = { type: 'integer', minimum: 0 };
const allowanceSchema = (name: string) => {
  if (name === 'X-RateLimit-Reset') return { type: 'string', format: 'date-time' };
  return name.startsWith('X-') ? whole : text;
};
/** Every header that an answer of the API can carry and that is not HTTP's own bookkeeping. */
export const HEADERS = {
  ...(Object.fromEntries(
    Object.entries(ALLOWANCE_HEADERS).map(([name, description]) => [name, { description, schema: allowanceSchema(name) }]),
  ) as Record<keyof typeof ALLOWANCE_HEADERS, { description: string; schema: object }>),
  'Retry-After': { description: 'Seconds to wait; only on 429.', schema: { type: 'integer', minimum: 1, maximum: 86_400 } },
  'X-Request-Id': { description: 'Identifies the request in errors and logs.', schema: text },
  'Cache-Control': { description: '`private, max-age=30` on data, `no-store` on errors.', schema: text },
  Vary: { description: 'The request headers that change the response.', schema: text },
  Age: { description: 'Seconds since the database last answered, only while it is out of reach.', schema: whole },
  ETag: {
    description: 'Weak on JSON, strong on other forms; send it back in `If-None-Match`.',
    schema: { type: 'string', pattern: '^(W/)?"' },
  },
  Link: { description: 'RFC 8288: first, prev, next and last page; `deprecation` where something is deprecated.', schema: text },
  Deprecation: {
    description: 'RFC 9745: since when the endpoint, or a parameter that you sent, is deprecated, such as `@1767225600`.',
    schema: text,
  },
  Sunset: { description: 'RFC 8594: from when it may be gone, such as `Wed, 01 Jul 2026 00:00:00 GMT`.', schema: text },
  Location: { description: 'Where the record is now.', schema: text },
  Allow: { description: 'The methods of the path.', schema: text },
  'WWW-Authenticate': { description: 'How to send the key.', schema: text },
  'X-Search-Interpretation': {
    description:
      'Words of `q` without matches, and the words that replaced them: `madona=madonna`; percent-encoded, comma-separated.',
    schema: text,
  },
  'Preference-Applied': { description: '`handling=strict`, when it was asked for with `Prefer`.', schema: text },
} as const satisfies Record<string, { description: string; schema: object }>;

const ANSWER_HEADERS = ['X-Request-Id', 'Cache-Control', 'Vary', 'Preference-Applied'] as const;
const KEY_HEADERS = Object.keys(ALLOWANCE_HEADERS) as (keyof typeof ALLOWANCE_HEADERS)[];
const DATA_HEADERS = [...ANSWER_HEADERS, ...KEY_HEADERS, 'Age', 'ETag'] as const;

const PROBLEM_STATUSES: readonly number[] = [...new Set(API_PROBLEM_CODES.map((code) => PROBLEMS[code].status))];
/** Statuses that only stand before a key is known, and so never carry an allowance. */
const BEFORE_KEY = new Set<number>([401, 408, 413, 417, 431]);
const NOT_ACCEPTABLE = 406;
/** Statuses that only a path with an id has. */
const OF_RECORDS = new Set<number>([404, 410]);
