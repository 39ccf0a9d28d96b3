/**
 * The API over a read model built from made-up rows, without loading a directory of a million events into a store first:
 * `node bench/made.ts <events>`. Keys and limits are the real ones, in the store of MARQUEE_DATA_DIR.
 */

import { randomUUIDv7 } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openGate } from '../src/accounts/index.ts';
import { createApi } from '../src/api/index.ts';
import { readConfig } from '../src/config.ts';
import { createExportReader, createOwnExports, createUrlSigner, type ExportFormat } from '../src/exports/index.ts';
import { holdSnapshot } from '../src/exports/worker/write-job.ts';
import { MAX_PART_BYTES } from '../src/exports/write-export.ts';
import { createFeeds, openFeedReader } from '../src/feeds/index.ts';
import { createLog } from '../src/log.ts';
import { CATEGORIES } from '../src/records/index.ts';
import { buildSearch, createChangeReader, type EventRow, type VenueRow } from '../src/search/index.ts';
import { createServer } from '../src/server/index.ts';
import { openStore } from '../src/store/index.ts';
import { CITY, createRandom, word } from './city.ts';

const events = Number(process.argv[2]);
const { dataDir, clocks } = readConfig(process.env);
const log = createLog('warn');
const now = Date.now();
const publicUrl = 'http://127.0.0.1';
const { center, ...city } = CITY;
const venues = makeVenues(Math.max(20, events / 50));
const search = buildSearch(
  { seq: 1, city: { ...city, ...center }, neighborhoods: [], venues, events: makeEvents() },
  now,
  publicUrl,
);

const store = await openStore({ dataDir, log });
const gate = await openGate({ db: store.db, commitWatcher: store.createCommitWatcher(), clocks, log });
const changes = createChangeReader({
  db: store.db,
  commitWatcher: store.createCommitWatcher(),
  publicUrl,
  now: clocks.directory,
});
const feeds = await openFeedReader({ db: store.db, commitWatcher: store.createCommitWatcher(), now: clocks.directory, log });
const own = createOwnExports({ db: store.db, feeds: createFeeds({ db: store.db }) });
const signer = createUrlSigner(randomUUIDv7());
const exports = createExportReader(own, signer, publicUrl, clocks.directory);
const api = createApi({ search, changes, feeds, exports, gate, publicUrl: () => publicUrl, clocks, log });
const server = createServer({ api, log, ready: () => true });
server.mount((room, _options, done) => {
  room.get<{ Params: { format: ExportFormat } }>('/bench/export/:format', (request) => writeAll(request.params.format));
  done();
});
const { port } = await server.listen({ host: '127.0.0.1', port: 0 });
process.on('SIGINT', async () => {
  await server.drain();
  await feeds.close();
  await gate.close();
  await store.close();
  process.exit(0);
});
console.log(`listening on http://127.0.0.1:${port}`);

/** As the worker of exports does it: in a thread beside the requests. */
async function writeAll(format: ExportFormat): Promise<{ seconds: number; bytes: number; files: number }> {
  const folder = join(dataDir, `export-${format}`);
  mkdirSync(folder);
  const begun = performance.now();
  const held = holdSnapshot({ ...search, caughtUp: async () => {} });
  const content = { format, columns: null, filter: null };
  const data = { content, now, folder, neighborhoods: [], previous: null, maxPartBytes: MAX_PART_BYTES };
  const { files } = await held.write(data, new AbortController().signal);
  const seconds = (performance.now() - begun) / 1000;
  // Deleting 800 MB would hold up the requests that are measured.
  await rm(folder, { recursive: true });
  return { seconds, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), files: files.length };
}

function makeVenues(count: number): VenueRow[] {
  const random = createRandom(2);
  return Array.from({ length: count }, (_, index) => ({
    id: randomUUIDv7(),
    slug: `venue-${index}`,
    name: `${word(random)} ${word(random)}`,
    type: 'club' as const,
    address: null,
    latitude: 40 + random() * 0.1,
    longitude: -90 + random() * 0.1,
    capacityTier: null,
    isVerified: true,
    neighborhood: null,
    website: null,
    parking: null,
    transitNearby: [],
    openingHours: null,
    state: 'published' as const,
    mergedInto: null,
  }));
}

function* makeEvents(): Generator<EventRow> {
  const random = createRandom(3);
  const words = (count: number) => Array.from({ length: count }, () => word(random)).join(' ');
  for (let index = 0; index < events; index += 1) {
    const startsAt = now + Math.floor(random() * 60 * 24 * 4) * 900_000;
    yield {
      id: randomUUIDv7(),
      slug: `event-${index}`,
      title: words(3),
      category: CATEGORIES[index % CATEGORIES.length] ?? 'concert',
      startsAt,
      precision: 'time',
      endsAt: null,
      description: words(20),
      imageUrl: null,
      isFree: false,
      priceMin: 10,
      priceMax: 20,
      venueId: venues[Math.floor(random() * venues.length)]?.id ?? '',
      status: 'scheduled',
      performers: [],
      organizer: null,
      tags: [],
      sources: ['North Feed'],
      discoveryScore: Math.floor(random() * 101),
      state: 'published',
      mergedInto: null,
      updatedAt: now,
      scoredAt: now,
      signals: [],
      scores: [],
    };
  }
}
