/** Lists of permits, which have no coordinates: how many of their events find a place, or at least an area. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { sourceOfPlace } from '../src/ingest/index.ts';
import { NYC } from '../test/nyc/load.ts';
import type { Figure } from './figure.ts';
import { NYC_NOW, openNewYork } from './pipeline.ts';

const DATA = new URL('../../shared/data/events/', import.meta.url).pathname;
const PERMITS = join(DATA, 'nyc-socrata/NYC_Permitted_Event_Information_2022.csv');
const RAW = join(DATA, 'nyc-dashboard/2026-06-14T1916_open-data-raw1000.json');

/** The first of the permits of 2022 begins after it. */
const PERMITS_NOW = Temporal.Instant.from('2022-01-01T00:00:00-05:00').epochMilliseconds;

export async function permitFigures(): Promise<Figure[]> {
  if (NYC.missing || !existsSync(PERMITS)) return [];
  return [
    await measure('permits of New York, 2022', { kind: 'csv', file: PERMITS, mapping: permitMapping() }, PERMITS_NOW),
    await measure('permits of New York, 2026', { kind: 'json', file: RAW, mapping: RAW_MAPPING }, NYC_NOW),
  ];
}

async function measure(name: string, source: { kind: string; file: string; mapping: object }, now: number): Promise<Figure> {
  const directory = await openNewYork(now);
  try {
    const mapping = join(directory.folder, 'permits.mapping.json');
    writeFileSync(mapping, JSON.stringify(source.mapping));
    const file = join(directory.folder, 'permits.json');
    if (source.kind === 'json') writeFileSync(file, JSON.stringify({ events: permitsIn(source.file) }));
    await directory.add('permits', { ...source, ...(source.kind === 'json' ? { file } : {}), mapping });
    const report = await directory.run('permits', now);
    const { rows } = await sql<{ precision: string; count: number }>`
      select location_precision as precision, count(*)::int as count from event join venue on venue.id = event.venue_id
      where event.state = 'published' group by 1 order by 2 desc`.execute(directory.store.db);
    const names = Object.entries(report.waiting);
    // The other names that wait for a better place are listed in their area.
    const unlisted = names.filter(([place]) => sourceOfPlace(place) !== null).reduce((sum, [, count]) => sum + count, 0);
    const found = report.listings - unlisted;
    return {
      name: `${name}: events that find a place or an area`,
      value: `${found} of ${report.listings} (${((100 * found) / report.listings).toFixed(1)} %)`,
      command: 'node quality/permits.ts',
      note: `${rows.map(({ precision, count }) => `${precision} ${count}`).join(', ')}; places whose street nobody knows: ${names.length}`,
    };
  } finally {
    await directory.dispose();
  }
}

/** The other records of the file are of parks and clubs. */
function permitsIn(file: string): object[] {
  const { events } = JSON.parse(readFileSync(file, 'utf8')) as { events: { source: string }[] };
  return events.filter(({ source }) => source === 'nyc-open-data');
}

/** No hint but the name: neither the park before the colon nor the borough is told. */
export const permitMapping = (): object => ({
  target: 'events',
  fields: {
    externalId: { join: ['Event ID', 'Start Date/Time'], with: ' ' },
    title: 'Event Name',
    start: { path: 'Start Date/Time', date: 'MM/DD/YYYY hh:mm:ss A' },
    end: { path: 'End Date/Time', date: 'MM/DD/YYYY hh:mm:ss A' },
    categoryWords: 'Event Type',
    isFree: { const: true },
    venue: { name: 'Event Location', isVerified: { const: true } },
  },
});

const RAW_MAPPING = {
  target: 'events',
  records: 'events',
  fields: {
    externalId: { join: ['id', 'start'], with: ' ' },
    title: 'title',
    start: { path: 'start', date: 'iso' },
    end: { path: 'end', date: 'iso' },
    categoryWords: 'category',
    isFree: 'isFree',
    sources: 'source',
    venue: { name: 'venue', isVerified: { const: true } },
  },
};

if (import.meta.main) for (const { name, value, note } of await permitFigures()) console.log(`${name}: ${value}\n  ${note}`);
