/** The forms of a list of events and of a list of venues, by extension. */

import { atom } from './atom.ts';
import { eventCsv, venueCsv } from './csv.ts';
import { eventGeojson, venueGeojson } from './geojson.ts';
import { icalendar } from './icalendar.ts';
import { jsonFeed } from './json-feed.ts';
import { eventJsonld, venueJsonld } from './jsonld.ts';
import type { Form, ListFacts, ServedEvent, ServedVenue } from './model.ts';
import { ndjson } from './ndjson.ts';
import { rss } from './rss.ts';

/** In order of preference, where a client likes several as much. */
export const EVENT_FORMS = {
  ics: icalendar,
  rss,
  atom,
  'feed.json': jsonFeed,
  geojson: eventGeojson,
  csv: eventCsv,
  ndjson,
  jsonld: eventJsonld,
} as const satisfies Record<string, Form<ServedEvent>>;
export type EventFormName = keyof typeof EVENT_FORMS;

export const VENUE_FORMS = {
  geojson: venueGeojson,
  csv: venueCsv,
  ndjson,
  jsonld: venueJsonld,
} as const satisfies Record<string, Form<ServedVenue>>;
export type VenueFormName = keyof typeof VENUE_FORMS;

/** The whole document, as UTF-8. Records beyond `list.maxRecords` are left out. */
export function writeForm<R>(form: Form<R>, list: ListFacts, records: readonly R[]): Buffer {
  const written = records.slice(0, list.maxRecords).map((record, position) => form.record(record, list, position));
  return Buffer.from(form.open(list) + written.join(form.separator) + form.close(list));
}
