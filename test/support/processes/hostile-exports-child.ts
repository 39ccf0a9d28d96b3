/** Writes exports of events with hostile texts in every format into a folder, with what `GET /events` answers for them. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { sampleEvents } from '../../../src/api/index.ts';
import { EXPORT_FORMATS } from '../../../src/exports/index.ts';
import { writeExport } from '../../../src/exports/write-export.ts';
import { parseEventQuery } from '../../../src/query/index.ts';
import { buildSnapshot } from '../../../src/search/index.ts';
import { hostileLists } from '../../feeds/formats/hostile-text.ts';
import { createRandom, NOW, PUBLIC_URL, randomDirectory, randomEvent } from '../../search/random-directory.ts';

/** Any number: the same texts in every run. */
const SEED = 20_261_121;
/** Small enough for several parts. Parquet sets a megabyte of each aside for its footer. */
const PART_BYTES = { ndjson: 900_000, csv: 500_000, geojson: 900_000, parquet: 2_500_000 } as const;
const PAGE = 100;
const [folder = '.', lists = '34'] = process.argv.slice(2);

const random = createRandom(SEED);
const directory = randomDirectory(random, 0);
const shown = { state: 'published', mergedInto: null } as const;
const venues = directory.venues.map((venue) => ({ ...venue, ...shown }));
const texts = fc.sample(hostileLists, { numRuns: Number(lists), seed: SEED }).flat();
const events = texts.map(([title, description, performer], n) => ({
  ...randomEvent(random, n, venues, 1),
  ...shown,
  // The store takes well-formed texts only.
  title: title.toWellFormed(),
  description: description.toWellFormed(),
  performers: [performer.toWellFormed()],
  status: 'scheduled' as const,
  precision: 'time' as const,
  startsAt: NOW + (n + 1) * 60_000,
  endsAt: null,
}));
const snapshot = buildSnapshot({ ...directory, venues, events }, NOW, PUBLIC_URL);

const parsed = parseEventQuery('', { timezone: snapshot.city.timezone, now: NOW });
if (!parsed.ok) throw new Error('the empty query is not read');
for (const format of EXPORT_FORMATS) {
  const place = join(folder, format);
  mkdirSync(place, { recursive: true });
  const content = { format, columns: null, filter: parsed.query };
  writeExport({
    snapshot,
    content,
    now: NOW,
    folder: place,
    previous: null,
    neighborhoods: [],
    maxPartBytes: PART_BYTES[format],
  });
}

const listed: unknown[] = [];
for (let offset = 0, hasMore = true; hasMore; offset += PAGE) {
  const { data, meta } = JSON.parse(sampleEvents(`include=performers&limit=${PAGE}&offset=${offset}`, snapshot, NOW) ?? 'null');
  listed.push(...data);
  hasMore = meta.hasMore;
}
if (listed.length !== texts.length) throw new Error(`${listed.length} of ${texts.length} events are listed`);
writeFileSync(join(folder, 'wanted.json'), JSON.stringify(listed));
