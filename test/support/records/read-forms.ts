/** The ids of the records in a form of a list, read by a reader that is not ours. */

import { parse as parseCsv } from 'csv-parse/sync';
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith';
import ICAL from 'ical.js';

const READERS: Readonly<Record<string, (text: string) => unknown[]>> = {
  ics: (text) =>
    new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((event) => event.getFirstPropertyValue('uid')),
  rss: (text) => (parseRssFeed(text).items ?? []).map(({ guid }) => guid?.value?.replace('urn:uuid:', '')),
  atom: (text) => (parseAtomFeed(text).entries ?? []).map(({ id }) => id?.replace('urn:uuid:', '')),
  // An empty list of items is no feed to this reader.
  'feed.json': (text) =>
    JSON.parse(text).items.length === 0 ? [] : (parseJsonFeed(JSON.parse(text)).items ?? []).map(({ id }) => id),
  geojson: (text) => JSON.parse(text).features.map(({ id }: { id: string }) => id),
  csv: (text) => (parseCsv(text, { columns: true }) as { id: string }[]).map(({ id }) => id),
  ndjson: (text) =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line).id),
  jsonld: (text) => JSON.parse(text).itemListElement.map(({ item }: { item: { identifier: string } }) => item.identifier),
};

/** `extension` without a leading dot. Throws for one that is unknown, and for a text that its reader refuses. */
export function idsOf(extension: string, text: string): string[] {
  const read = READERS[extension];
  if (!read) throw new Error(`no reader for ${extension}`);
  return read(text).map(String);
}
