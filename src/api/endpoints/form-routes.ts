/** `GET /events.<extension>` and `GET /venues.<extension>`: the lists in other forms than the contract's JSON. */

import { hash } from 'node:crypto';
import { type TSchema, Type } from 'typebox';
import {
  BYTE_ORDER_MARK,
  EVENT_FORMS,
  type EventFormName,
  type Form,
  type ListFacts,
  readEventRecords,
  readVenueRecords,
  type ServedEvent,
  type ServedVenue,
  VENUE_FORMS,
  type VenueFormName,
  writeForm,
} from '../../feeds/index.ts';
import { pageUrls } from '../../http/index.ts';
import {
  buildVenueQuery,
  eventListConflicts,
  eventListParameters,
  findEvents,
  flag,
  lacksNear,
  type ParameterTable,
  venueListParameters,
} from '../../query/index.ts';
import type { Snapshot } from '../../search/index.ts';
import { type AnyRoute, API_PREFIX, type Ask, defineRoute, type RouteOutcome } from '../route.ts';
import { isShaped, type Shape, shapeParameters, writeMeta, writeShapedEvents } from './shaped-records.ts';

interface FormKind {
  /** Of the operation: `listEventsAs…`. */
  id: string;
  label: string;
  schema: TSchema;
}

const text = Type.String();
const objects = Type.Array(Type.Object({}, { additionalProperties: true }));
const json = (properties: Record<string, TSchema>) => Type.Object(properties, { additionalProperties: true });

const FORM_KINDS: Readonly<Record<EventFormName, FormKind>> = {
  ics: { id: 'Calendar', label: 'a calendar (iCalendar)', schema: text },
  rss: { id: 'Rss', label: 'a feed (RSS 2.0)', schema: text },
  atom: { id: 'Atom', label: 'a feed (Atom)', schema: text },
  'feed.json': {
    id: 'JsonFeed',
    label: 'a feed (JSON Feed 1.1)',
    schema: json({ version: Type.Literal('https://jsonfeed.org/version/1.1'), title: text, items: objects }),
  },
  geojson: {
    id: 'GeoJson',
    label: 'a map (GeoJSON)',
    schema: json({
      type: Type.Literal('FeatureCollection'),
      features: objects,
      meta: json({ total: Type.Integer({ minimum: 0 }) }),
    }),
  },
  csv: { id: 'Csv', label: 'a table (CSV)', schema: text },
  ndjson: { id: 'JsonLines', label: 'lines of JSON (NDJSON)', schema: text },
  jsonld: {
    id: 'JsonLd',
    label: 'linked data (JSON-LD)',
    schema: json({ '@context': Type.Literal('https://schema.org'), '@type': Type.Literal('ItemList'), itemListElement: objects }),
  },
};

/** Of CSV. */
const tableParameters = {
  bom: flag('Adds a byte order mark, so that spreadsheets detect UTF-8; a bare `bom` means true.', true),
};
/** Of the forms whose records are those of the JSON list. */
const recordParameters = shapeParameters('list');

const EXTRA_PARAMETERS: Readonly<Partial<Record<EventFormName, ParameterTable>>> = {
  geojson: recordParameters,
  ndjson: recordParameters,
  csv: tableParameters,
};
type EventFormAsk = Ask<typeof eventListParameters & Partial<typeof recordParameters & typeof tableParameters>>;

export const eventFormRoutes: readonly AnyRoute[] = (Object.keys(EVENT_FORMS) as EventFormName[]).map((name) => {
  const form: Form<ServedEvent> = EVENT_FORMS[name];
  const { id, label, schema } = FORM_KINDS[name];
  const { mediaType, contentType } = form;
  const path = `/events.${name}`;
  return defineRoute({
    path,
    operationId: `listEventsAs${id}`,
    tier: 'starter',
    metered: true,
    summary: `Events as ${label}`,
    description: `The list of \`/events\` as \`${mediaType}\`: same filters, same order, same limits.`,
    parameters: { ...eventListParameters, ...EXTRA_PARAMETERS[name] },
    conflicts: eventListConflicts,
    answers: [],
    form: { of: '/events', mediaType, contentType, schema },
    answer: (ask: EventFormAsk) => answerEvents(form, path, ask),
  });
});

function answerEvents(form: Form<ServedEvent>, path: string, ask: EventFormAsk): RouteOutcome {
  const { snapshot, now, values, publicUrl } = ask;
  const { limit, offset } = values;
  const { page, until } = findEvents(snapshot, values, now);
  const { total, items, interpretations } = page;
  const shape: Shape = { include: values.include, fields: values.fields };
  const facts = listFacts(ask, {
    address: publicUrl + API_PREFIX + path,
    noun: 'events',
    total,
    limit,
    offset,
    returned: items.length,
    updatedAt: Math.max(0, ...items.map((item) => snapshot.lifecycle(item).updatedAt)),
  });
  return {
    kind: 'data',
    // What `include` adds may change without a trace in the tag.
    tag: isShaped(shape) ? null : formTag(page.tag, facts, snapshot, items),
    ...(until !== undefined && { until }),
    page: { total, limit, offset },
    interpretations,
    body() {
      const records = readEventRecords(snapshot, items);
      const shaped = isShaped(shape)
        ? records.map((record, i) => ({
            ...record,
            json: writeShapedEvents(snapshot, items.slice(i, i + 1), 'list', shape, '', '').toString(),
          }))
        : records;
      const document = writeForm(form, facts, shaped);
      return values.bom ? Buffer.concat([Buffer.from(BYTE_ORDER_MARK), document]) : document;
    },
  };
}

type VenueFormAsk = Ask<typeof venueListParameters & Partial<typeof tableParameters>>;

export const venueFormRoutes: readonly AnyRoute[] = (Object.keys(VENUE_FORMS) as VenueFormName[]).map((name) => {
  const form: Form<ServedVenue> = VENUE_FORMS[name];
  const { id, label, schema } = FORM_KINDS[name];
  const { mediaType, contentType } = form;
  const path = `/venues.${name}`;
  return defineRoute({
    path,
    operationId: `listVenuesAs${id}`,
    tier: 'starter',
    metered: true,
    summary: `Venues as ${label}`,
    description: `The list of \`/venues\` as \`${mediaType}\`: same filters, same order, same limits.`,
    parameters: { ...venueListParameters, ...(name === 'csv' && tableParameters) },
    conflicts: lacksNear,
    answers: [],
    form: { of: '/venues', mediaType, contentType, schema },
    answer: (ask: VenueFormAsk) => answerVenues(form, path, ask),
  });
});

function answerVenues(form: Form<ServedVenue>, path: string, ask: VenueFormAsk): RouteOutcome {
  const { snapshot, now, values, publicUrl } = ask;
  const { limit, offset } = values;
  const { total, items, interpretations, tag } = snapshot.venues(buildVenueQuery(values), now);
  const address = publicUrl + API_PREFIX + path;
  const facts = listFacts(ask, { address, noun: 'venues', total, limit, offset, returned: items.length, updatedAt: 0 });
  return {
    kind: 'data',
    tag: formTag(tag, facts, snapshot),
    page: { total, limit, offset },
    interpretations,
    body() {
      const document = writeForm(form, facts, readVenueRecords(snapshot, items, now));
      return values.bom ? Buffer.concat([Buffer.from(BYTE_ORDER_MARK), document]) : document;
    },
  };
}

interface AskedPage {
  /** Absolute, without a query. */
  address: string;
  /** `events` or `venues`. */
  noun: string;
  total: number;
  limit: number;
  offset: number;
  returned: number;
  /** When the newest of the records changed, milliseconds. */
  updatedAt: number;
}

function listFacts({ snapshot, publicUrl, sent }: Pick<Ask, 'snapshot' | 'publicUrl' | 'sent'>, page: AskedPage): ListFacts {
  const { address, noun, total, limit, returned, updatedAt } = page;
  const { name, locale, timezone, currency } = snapshot.city;
  const query = sent.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&');
  return {
    title: `${noun === 'events' ? 'Events' : 'Venues'} in ${name}`,
    description: `Part of the list of ${noun} in ${name}.`,
    selfUrl: query === '' ? address : `${address}?${query}`,
    homeUrl: `${publicUrl}/`,
    language: locale,
    timezone,
    currency,
    updatedAt,
    total,
    maxRecords: limit,
    pages: pageUrls(address, sent, page),
    meta: `${writeMeta(page, returned)}}`.slice('"meta":'.length),
  };
}

/** `tag` of the page. Whatever else is in the bytes is in the digest: the facts, and what a page's tag leaves out of its events. */
function formTag(tag: string, facts: ListFacts, snapshot: Snapshot, events: readonly number[] = []): string {
  const lifecycles = events.map((item) => Object.values(snapshot.lifecycle(item)).join());
  return `${tag}-${hash('sha1', JSON.stringify([facts, lifecycles]), 'base64url')}`;
}
