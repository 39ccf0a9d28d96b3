/** The shapes of the answers, as the contract (§2) and decisions §2 give them. The OpenAPI document is made of these; tests hold answers to them. */

import { type TProperties, type TSchema, Type } from 'typebox';
import {
  CATEGORIES,
  EVENT_FIELDS,
  type FieldKind,
  type FieldRow,
  type FieldTable,
  LOCATION_PRECISIONS,
  type NamedRow,
  rowsOf,
  VENUE_FIELDS,
  VENUE_TYPES,
} from '../records/index.ts';
import { TRENDING_REASONS } from '../search/index.ts';
import { exportSchema, exportWithFilesSchema, interpretationSchema, suggestionListSchema } from './extension-schemas.ts';

/** Objects are closed: a key that is not documented is a fault. */
const closed = (properties: TProperties, options: Record<string, unknown> = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });
const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()]);
const named = (name: string) => Type.Unsafe<unknown>({ $ref: `#/components/schemas/${name}` });
const listOf = (name: string) => closed({ data: Type.Array(named(name)), meta: named('ListMeta') });
const single = (name: string) => closed({ data: named(name) });

const id = Type.String({ format: 'uuid' });
const localTime = Type.String({
  format: 'date-time',
  description: "The city's local time with its offset at that instant, seconds precision.",
});
const utcTime = Type.String({ format: 'date-time', description: 'UTC, with Z.' });
const link = Type.String({ format: 'uri' });
const sequence = Type.Integer({ minimum: 0, description: 'A number of the change log.' });
const latitude = Type.Number({ minimum: -90, maximum: 90 });
const longitude = Type.Number({ minimum: -180, maximum: 180 });
const score = Type.Integer({ minimum: 0, maximum: 100, description: 'Ranking score used in sorting.' });
const trendScore = Type.Number({ description: 'Momentum over the trending window.' });
const count = Type.Integer({ minimum: 0 });
const texts = Type.Array(Type.String());
const category = Type.Enum([...CATEGORIES]);
const venueType = Type.Enum([...VENUE_TYPES]);
const neighborhoodSlug = nullable(Type.String({ description: "The neighborhood's slug." }));

const localClock = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' });
const openingHours = closed({
  timezone: Type.String(),
  weekly: Type.Array(
    closed({
      days: Type.Array(Type.Enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'])),
      opens: localClock,
      closes: Type.String({ description: 'Not after `opens`: past midnight.' }),
    }),
  ),
  exceptions: Type.Array(
    closed({
      from: Type.String({ format: 'date' }),
      to: Type.String({ format: 'date' }),
      closed: Type.Boolean(),
      opens: nullable(localClock),
      closes: nullable(Type.String()),
      reason: nullable(Type.String()),
    }),
  ),
});

const SCHEMA_OF_KIND: Readonly<Record<FieldKind, TSchema>> = {
  id,
  text: Type.String(),
  prose: Type.String(),
  url: link,
  choice: Type.String(),
  texts,
  flag: Type.Boolean(),
  amount: Type.Number({ minimum: 0 }),
  degrees: Type.Number(),
  score,
  count,
  instant: localTime,
  venue: Type.Unknown(),
  links: Type.Unknown(),
  hours: openingHours,
  organizer: closed({ name: Type.String(), url: nullable(link) }, { description: 'Who puts it on.' }),
};

function schemaOf({ kind, of, largest, meaning, nullable: mayBeNull }: FieldRow): TSchema {
  const plain = of ? Type.Enum([...of]) : SCHEMA_OF_KIND[kind];
  const bounded = largest === undefined ? plain : Type.Number({ minimum: -largest, maximum: largest });
  const described = meaning === undefined ? bounded : { ...bounded, description: meaning };
  return mayBeNull ? nullable(described) : described;
}

/** The members of records in these forms, in the order of the contract. */
const membersOf = (table: FieldTable, isShown: (row: NamedRow) => boolean): Record<string, TSchema> =>
  Object.fromEntries(
    rowsOf(table).flatMap((row) => (row.shownAs !== null && isShown(row) ? [[row.shownAs, schemaOf(row)] as const] : [])),
  );

const inForms =
  (...forms: readonly NamedRow['form'][]) =>
  (row: NamedRow) =>
    forms.includes(row.form);
const listEvent = {
  ...membersOf(EVENT_FIELDS, inForms('compact', 'list')),
  venue: closed(membersOf(VENUE_FIELDS, ({ ofEvent }) => ofEvent === 'list')),
};
const detailEvent = {
  ...listEvent,
  venue: closed({
    ...membersOf(VENUE_FIELDS, ({ ofEvent }) => ofEvent === 'list'),
    ...membersOf(VENUE_FIELDS, ({ ofEvent }) => ofEvent === 'detail'),
  }),
  ...membersOf(EVENT_FIELDS, inForms('detail')),
};
const compactEvent = membersOf(EVENT_FIELDS, inForms('compact'));

/** A part of a score: points are value × weight, less what does not count. */
const signal = closed({
  signal: Type.String(),
  value: Type.Number(),
  weight: Type.Number(),
  points: Type.Number(),
  sentence: Type.String(),
});
const locationPrecision = Type.Enum([...LOCATION_PRECISIONS], {
  description: '`approximate`: the point may be some streets away. `area`: only the area is known, and the point stands for it.',
});
/** What `include=` can add. */
const eventExtras = {
  status: schemaOf(EVENT_FIELDS.status),
  timezone: Type.String({ description: 'IANA zone of the city.' }),
  currency: Type.String({ description: 'ISO 4217.' }),
  sources: texts,
  tags: texts,
  performers: texts,
  score: closed({
    discoveryScore: score,
    trendScore,
    signals: Type.Array(signal),
    trendSignals: Type.Array(signal, { description: 'Empty for an event that is not listed or has begun.' }),
  }),
  updatedAt: localTime,
  locationPrecision,
  startPrecision: schemaOf(EVENT_FIELDS.precision),
  organizer: schemaOf(EVENT_FIELDS.organizer),
};

const listVenue = {
  ...membersOf(VENUE_FIELDS, inForms('list')),
  locationPrecision: Type.Optional(locationPrecision),
};

/** A sparse or widened form: any of the keys, `id` always. */
function shaped(properties: TProperties): TSchema {
  const optional = Object.fromEntries(
    Object.entries({ ...eventExtras, ...properties }).map(([name, schema]) => [
      name,
      name === 'id' ? schema : Type.Optional(schema),
    ]),
  );
  return closed(optional, { description: 'The answer with `include` or `fields`: only what was asked for, and `id`.' });
}

const allowance = { limit: count, used: count, remaining: count };

/** Everything that has a name in the OpenAPI document. */
export const SCHEMAS = {
  ListMeta: closed({
    total: Type.Integer({ minimum: 0, description: 'All matching records.' }),
    limit: Type.Integer({ minimum: 1, maximum: 100, description: 'As applied.' }),
    offset: Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'As applied.' }),
    hasMore: Type.Boolean({ description: 'Whether records follow this page.' }),
    facets: Type.Optional(named('Facets')),
    interpretation: Type.Optional(named('Interpretation')),
  }),
  Interpretation: interpretationSchema,
  Facets: Type.Object(
    Object.fromEntries(
      ['category', 'neighborhood', 'free', 'day'].map((facet) => [
        facet,
        Type.Optional(Type.Array(closed({ value: Type.String(), count }))),
      ]),
    ),
    { additionalProperties: false, description: 'Only with `facets=`: counts over all matching events.' },
  ),
  Event: closed(listEvent),
  EventDetail: closed(detailEvent),
  EventCompact: closed(compactEvent),
  ShapedEvent: shaped(listEvent),
  ShapedEventDetail: shaped(detailEvent),
  ShapedEventCompact: shaped(compactEvent),
  Venue: closed(listVenue),
  VenueDetail: closed({
    ...listVenue,
    metadata: closed(membersOf(VENUE_FIELDS, inForms('metadata'))),
  }),
  Neighborhood: closed({
    slug: Type.String(),
    name: Type.String(),
    description: nullable(Type.String()),
    latitude,
    longitude,
    eventCount: count,
    venueCount: count,
    topCategories: Type.Array(category, { maxItems: 3 }),
  }),
  TrendingEvent: closed({
    id,
    title: Type.String(),
    category,
    startDatetime: localTime,
    discoveryScore: score,
    trendScore,
    venue: closed({ name: Type.String(), slug: Type.String() }),
  }),
  TrendingVenue: closed({
    id,
    name: Type.String(),
    slug: Type.String(),
    type: venueType,
    neighborhood: neighborhoodSlug,
    upcomingEventCount: count,
    trendScore,
  }),
  EventList: listOf('Event'),
  ShapedEventList: listOf('ShapedEvent'),
  CompactEventList: listOf('EventCompact'),
  ShapedCompactEventList: listOf('ShapedEventCompact'),
  SingleEvent: single('EventDetail'),
  ShapedSingleEvent: single('ShapedEventDetail'),
  VenueList: listOf('Venue'),
  SingleVenue: single('VenueDetail'),
  NeighborhoodList: closed({ data: Type.Array(named('Neighborhood')), meta: closed({ total: count }) }),
  Trending: closed({
    data: closed({ events: Type.Array(named('TrendingEvent')), venues: Type.Array(named('TrendingVenue')) }),
    meta: closed({
      generatedAt: utcTime,
      window: Type.String({ pattern: '^[0-9]+d$' }),
      reason: Type.Optional(nullable(Type.Enum(Object.keys(TRENDING_REASONS)))),
    }),
  }),
  SuggestionList: suggestionListSchema,
  Usage: closed({
    data: closed({
      tier: Type.Enum(['starter', 'growth', 'enterprise']),
      day: closed({ ...allowance, resetsAt: utcTime }),
      minute: closed(allowance),
      days: Type.Array(closed({ date: Type.String({ format: 'date' }), requests: count }), {
        description: 'UTC days, newest last.',
      }),
    }),
  }),
  ChangeList: closed({
    data: Type.Array(
      closed({
        sequence,
        at: utcTime,
        kind: Type.Enum(['created', 'updated', 'cancelled', 'rescheduled', 'merged', 'removed', 'scored']),
        entity: Type.Enum(['event', 'venue', 'neighborhood']),
        id,
        fields: Type.Array(Type.String(), { description: 'The public fields that changed.' }),
        previous: Type.Unsafe<unknown>({
          type: 'object',
          description: 'The previous values of those fields, as far as known.',
        }),
        record: Type.Union([named('EventDetail'), named('VenueDetail'), named('Neighborhood'), Type.Null()], {
          description: 'The current record. Null: it was removed from the directory.',
        }),
        mergedInto: Type.Optional(id),
        reason: Type.Optional(Type.Enum(['filter'], { description: 'The record no longer matches the filters of the request.' })),
      }),
    ),
    meta: closed({
      next: Type.String({ description: 'The cursor of the next page.' }),
      hasMore: Type.Boolean({ description: 'Whether the next page has changes already.' }),
      head: sequence,
      epoch: Type.String({ format: 'uuid', description: 'Sequences are comparable within one epoch.' }),
    }),
  }),
  Checksums: closed({
    data: closed({
      entity: Type.Enum(['event', 'venue']),
      sequence,
      records: count,
      ranges: Type.Array(Type.String({ pattern: '^[0-9a-f]{16}$' }), { minItems: 256, maxItems: 256 }),
    }),
  }),
  RealtimePage: closed({
    items: Type.Array(
      closed({
        state: Type.Enum(['updated', 'deleted']),
        kind: Type.Enum(['Event', 'Venue']),
        id,
        modified: sequence,
        data: Type.Optional(Type.Union([named('EventDetail'), named('VenueDetail')])),
      }),
    ),
    next: link,
    license: link,
  }),
  Feed: closed({
    id,
    name: Type.String({ minLength: 1, maxLength: 200 }),
    query: Type.String({ description: 'Filters and order of `GET /events`, as a query string.' }),
    eventsUrl: Type.String({ format: 'uri', description: '`GET /events` with this query.' }),
    createdAt: utcTime,
    updatedAt: utcTime,
  }),
  FeedList: closed({ data: Type.Array(named('Feed')), meta: closed({ total: count }) }),
  SingleFeed: single('Feed'),
  Export: exportSchema,
  ExportList: listOf('Export'),
  ExportWithFiles: exportWithFilesSchema,
  SingleExport: single('ExportWithFiles'),
  Moved: closed({ data: closed({ id, location: link }) }, { description: 'The record was merged into another one.' }),
  Problem: Type.Object(
    {
      type: link,
      title: Type.String(),
      status: Type.Integer({ minimum: 400, maximum: 599 }),
      detail: Type.String(),
      instance: Type.String({ pattern: '^urn:request:' }),
      code: Type.String(),
      errors: Type.Optional(
        Type.Array(
          closed({
            in: Type.Enum(['query', 'path', 'header']),
            name: Type.String(),
            value: Type.String(),
            code: Type.String(),
            detail: Type.String(),
          }),
        ),
      ),
      upgradeUrl: Type.Optional(link),
      currentTier: Type.Optional(Type.String()),
      requiredTier: Type.Optional(Type.String()),
      retryAfterSeconds: Type.Optional(Type.Integer({ minimum: 1 })),
      head: Type.Optional(count),
      fullExport: Type.Optional(link),
    },
    { additionalProperties: false, description: 'RFC 9457 problem details.' },
  ),
} as const satisfies Record<string, TSchema>;

export type SchemaName = keyof typeof SCHEMAS;

/** The top-level keys of each printed form of an event, and what `include` adds: `fields` is held against them. */
export const EVENT_KEYS = {
  list: Object.keys(listEvent),
  detail: Object.keys(detailEvent),
  compact: Object.keys(compactEvent),
} as const;
export const EXTRA_KEYS = Object.keys(eventExtras) as readonly (keyof typeof eventExtras)[];
