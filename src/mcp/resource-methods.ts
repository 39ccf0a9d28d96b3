/** Resources: the city, and each event and venue by its id. What is read costs as much as a call of a tool. */

import { CATEGORIES, VENUE_TYPES } from '../records/index.ts';
import type { McpMethods, McpResult } from './protocol/dispatcher.ts';
import { McpError } from './protocol/errors.ts';
import { type JsonObject, textOf } from './protocol/message.ts';
import { cleanValue } from './text.ts';
import type { ToolPlace } from './tools/tool.ts';
import type { PlaceOf } from './tools/tool-methods.ts';

export interface ListedResource {
  uri: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
}

/** A resource with an address of its own. */
export interface FixedResource extends ListedResource {
  text(place: ToolPlace): Promise<string>;
  _meta?: JsonObject;
}

export function createResourceMethods(placeOf: PlaceOf, fixed: readonly FixedResource[]): McpMethods {
  async function readFixed({ uri, mimeType, _meta, text }: FixedResource, place: ToolPlace): Promise<McpResult> {
    return { contents: [{ uri, mimeType, text: await text(place), ...(_meta && { _meta }) }] };
  }

  function read(uri: string, place: ToolPlace): JsonObject {
    if (uri === CITY.uri) return asJson(uri, describeCity(place));
    return asJson(uri, readRecord(uri, place));
  }

  const resources = [CITY, ...fixed].map(({ uri, name, title, description, mimeType }) => {
    return { uri, name, title, description, mimeType };
  });
  return {
    'resources/list': { cache: LIST_CACHE, run: () => ({ resources }) },
    'resources/templates/list': { cache: LIST_CACHE, run: () => ({ resourceTemplates: TEMPLATES }) },
    'resources/read': {
      cache: READ_CACHE,
      cost: () => 1,
      run(call) {
        const uri = textOf(call.params.uri);
        const place = placeOf(call);
        const page = fixed.find((each) => each.uri === uri);
        return page ? readFixed(page, place) : { contents: [read(uri, place)] };
      },
    },
  };
}

function readRecord(uri: string, { snapshot, now }: ToolPlace): unknown {
  const [, kind, id = ''] = RECORD_URI.exec(uri) ?? [];
  if (kind === undefined) throw notFound(uri, 'there is no such resource');
  const lookup = kind === 'event' ? snapshot.event(id) : snapshot.venue(id, now);
  if (lookup.found === 'merged') throw notFound(uri, `merged into marquee://${kind}/${lookup.into}`);
  if (lookup.found !== 'published') throw notFound(uri, 'there is no such resource');
  const items = [lookup.item];
  const bytes =
    kind === 'event' ? snapshot.writeEvents(items, 'detail', '', '') : snapshot.writeVenues(items, 'detail', now, '', '');
  return cleanValue(JSON.parse(bytes.toString()));
}

const asJson = (uri: string, value: unknown): JsonObject => ({ uri, mimeType: JSON_TYPE, text: JSON.stringify(value) });
const notFound = (uri: string, detail: string): McpError =>
  new McpError('invalid_params', `resource not found: ${detail}`, { uri });

/** What a model needs before it asks: the words of the filters. */
function describeCity({ snapshot, city, now, publicUrl, opens }: ToolPlace): JsonObject {
  const { name, timezone, currency, locale } = snapshot.city;
  const { items } = snapshot.neighborhoods(now);
  return {
    ...{ name, timezone, currency, locale, url: publicUrl, now: city.format(now), counts: snapshot.counts },
    categories: CATEGORIES,
    venueTypes: VENUE_TYPES,
    neighborhoods: opens('growth') ? items : items.map(({ slug, name: title }) => ({ slug, name: title })),
  };
}

const JSON_TYPE = 'application/json';
const CITY: ListedResource = {
  uri: 'marquee://city',
  name: 'city',
  title: 'The city',
  description: 'Name, clock, currency, counts, and the words of the filters',
  mimeType: JSON_TYPE,
};
const TEMPLATES = [
  {
    uriTemplate: 'marquee://event/{id}',
    name: 'event',
    title: 'An event',
    description: 'All facts of one event',
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: 'marquee://venue/{id}',
    name: 'venue',
    title: 'A venue',
    description: 'All facts of one venue',
    mimeType: JSON_TYPE,
  },
] as const;
const RECORD_URI = /^marquee:\/\/(event|venue)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
const LIST_CACHE = { ttlMs: 3_600_000, cacheScope: 'public' } as const;
/** As the API: `private, max-age=30`. The city shows more to some plans. */
const READ_CACHE = { ttlMs: 30_000, cacheScope: 'private' } as const;
