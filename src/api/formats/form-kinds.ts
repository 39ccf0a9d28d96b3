/** The names, schemas and further parameters of the forms of a list. */

import { type TSchema, Type } from 'typebox';
import type { EventFormName } from '../../feeds/index.ts';
import { flag } from '../../query/index.ts';
import { shapeParameters } from '../endpoints/shaped-events.ts';

interface FormKind {
  /** Of the operation: `listEventsAs…`. */
  id: string;
  label: string;
  schema: TSchema;
}

const text = Type.String();
const objects = Type.Array(Type.Object({}, { additionalProperties: true }));
const json = (properties: Record<string, TSchema>) => Type.Object(properties, { additionalProperties: true });

export const FORM_KINDS: Readonly<Record<EventFormName, FormKind>> = {
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
export const tableParameters = {
  bom: flag('Adds a byte order mark, so that spreadsheets detect UTF-8; a bare `bom` means true.', true),
};
/** Of the forms whose records are those of the JSON list. */
export const recordParameters = shapeParameters('list');
