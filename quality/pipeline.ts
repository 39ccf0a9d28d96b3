/** The main set through the whole pipeline: sixteen providers in one file, with the neighborhoods and the points of interest of New York. */

import { type Kysely, sql } from 'kysely';
import type { SourceReport } from '../src/ingest/index.ts';
import type { Database } from '../src/store/index.ts';
import { NYC, writeNycBundle } from '../test/nyc/load.ts';
import type { Figure } from './figure.ts';
import { openTemporaryDirectory, type TemporaryDirectory } from './temporary-directory.ts';

export const NYC_NOW = Temporal.Instant.from(NYC.now).epochMilliseconds;

/** New York with its neighborhoods and 2 277 places, before any event. */
export async function openNewYork(now = NYC_NOW): Promise<TemporaryDirectory> {
  const directory = await openTemporaryDirectory(writeNycBundle, now);
  await directory.add('places', NYC.venues);
  await directory.run('places', now);
  return directory;
}

export async function pipelineFigures(): Promise<Figure[]> {
  if (NYC.missing) return [];
  const directory = await openNewYork();
  try {
    await directory.add('dashboard', NYC.events);
    const { report, seconds } = await timed(() => directory.run('dashboard', NYC_NOW));
    const again = await timed(() => directory.run('dashboard', NYC_NOW));
    return [
      ...directoryFigures(report, await countDirectory(directory.store.db)),
      figure(
        'Seconds of the run, and of the same answer again',
        `${seconds}, ${again.seconds}`,
        'on two shared cores, embedded store',
      ),
    ];
  } finally {
    await directory.dispose();
  }
}

/** What one run of one source has made of a city without events. */
export function directoryFigures(report: SourceReport, counts: DirectoryCounts, city = ''): Figure[] {
  const { listings, rejectedCount, reasons, questions } = report;
  const of = (name: string) => (city === '' ? name : `${city}: ${name}`);
  return [
    figure(of('listings in'), listings + rejectedCount),
    figure(of('listings rejected'), rejectedCount, list(reasons)),
    figure(
      of('listings at places whose street nobody knows'),
      Object.values(report.waiting).reduce((sum, n) => sum + n, 0),
    ),
    figure(
      of('events out'),
      counts.events,
      `of them ${counts.merged} are listed twice or more; the most by ${counts.most} listings`,
    ),
    figure(of('review candidates'), questions),
    figure(of('venues with events'), counts.venues, `${counts.joined} of them join names or rooms`),
    figure(of('events without a neighborhood'), counts.nowhere, counts.areas === 0 ? NO_AREAS : NO_NEIGHBORHOOD),
    figure(of('listings repaired'), counts.repairedListings, list(counts.repairs)),
    figure(of('events by category'), list(counts.categories)),
  ];
}

export interface DirectoryCounts {
  events: number;
  merged: number;
  most: number;
  venues: number;
  joined: number;
  /** Without a neighborhood. */
  nowhere: number;
  /** Neighborhoods that the city has. */
  areas: number;
  repairedListings: number;
  /** Listings by what was repaired in them; events by category. The most first. */
  repairs: Record<string, number>;
  categories: Record<string, number>;
}

export async function countDirectory(db: Kysely<Database>): Promise<DirectoryCounts> {
  const { rows } = await sql<Omit<DirectoryCounts, 'repairs' | 'categories'>>`
    with listed as (
      select event.id, event.venue_id, neighborhood, (select count(*) from record where event_id = event.id) as listings
      from event join venue on venue.id = event.venue_id where event.state = 'published'
    ), places as (
      select venue_id, (select count(*) from record where record.venue_id = listed.venue_id) as records from listed group by venue_id
    )
    select count(*)::int as events, (count(*) filter (where listings > 1))::int as merged, coalesce(max(listings), 0)::int as most,
      (count(*) filter (where neighborhood is null))::int as nowhere, (select count(*)::int from neighborhood) as areas,
      (select count(*)::int from places) as venues, (select count(*)::int from places where records > 1) as joined,
      (select count(*)::int from record where kind = 'event' and jsonb_array_length(listing -> 'repairs') > 0) as "repairedListings"
    from listed`.execute(db);
  const [counted] = rows;
  if (!counted) throw new Error('counting answers with one row');
  const repairs = await tally(db, sql`select jsonb_array_elements_text(listing -> 'repairs') from record where kind = 'event'`);
  const categories = await tally(db, sql`select category from event where state = 'published'`);
  return { ...counted, repairs, categories };
}

async function tally(db: Kysely<Database>, words: ReturnType<typeof sql>): Promise<Record<string, number>> {
  const { rows } = await sql<{ word: string; count: number }>`
    select word, count(*)::int as count from (${words}) as said (word) group by word order by count desc, word`.execute(db);
  return Object.fromEntries(rows.map(({ word, count }) => [word, count]));
}

async function timed(run: () => Promise<SourceReport>): Promise<{ report: SourceReport; seconds: string }> {
  const begin = performance.now();
  const report = await run();
  return { report, seconds: ((performance.now() - begin) / 1000).toFixed(1) };
}

const list = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([word, count]) => `${word} ${count}`)
    .join(', ');

function figure(name: string, value: number | string, note = ''): Figure {
  return { name, value: String(value), command: 'npm run quality', note };
}

const NO_AREAS = 'no polygons are published for this city';
const NO_NEIGHBORHOOD = 'outside all polygons, or nobody says more than the borough or town';
