import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { openSnapshot } from '../../src/search/open-snapshot.ts';
import type { Checksums, SearchedKind, Snapshot } from '../../src/search/query.ts';
import { createSnapshotBuilder, fillDirectory } from '../../src/search/snapshot/snapshot-builder.ts';
import { readSnapshot, snapshotWriter } from '../../src/search/snapshot/snapshot-file.ts';
import { temporaryFolder } from '../support/database/store.ts';
import { createRandom, NOW, PUBLIC_URL, randomDirectory, randomEvent, randomVenue } from './random-directory.ts';

const { folder, remove } = temporaryFolder();
afterAll(remove);

/** The slow twin: one pass over all records. */
function sum(snapshot: Snapshot, kind: SearchedKind): Checksums {
  const list = snapshot.records(kind);
  const ranges = new BigUint64Array(256);
  for (let n = 0; n < list.count; n += 1) {
    const [high, low] = list.tag(n);
    const range = list.idWord(n, 3) % 256;
    ranges[range] = (ranges[range] ?? 0n) + ((BigInt(high) << 32n) | BigInt(low));
  }
  return { records: list.count, ranges };
}

test('checksums that are kept while records come, change and go are those of one pass over all of them', async () => {
  let records = 0;
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 2 ** 31 }), fc.integer({ min: 1, max: 60 }), async (seed, size) => {
      const random = createRandom(seed);
      const rows = randomDirectory(random, size);
      let directory = fillDirectory(rows, PUBLIC_URL);
      for (let step = 0; step < 40; step += 1) {
        const venue = random.below(rows.venues.length);
        const place = Math.min(random.below(size + 3), rows.events.length);
        const act = random.below(10);
        if (act < 2) {
          rows.venues[venue] = randomVenue(random, venue, rows.neighborhoods, rows.venues.length);
          if (directory.putVenue(rows.venues[venue])) for (const event of rows.events) directory.putEvent(event);
        } else if (act < 4) {
          directory.forgetEvent(rows.events[Math.min(place, rows.events.length - 1)]?.id ?? '');
        } else {
          rows.events[place] = randomEvent(random, place, rows.venues, rows.events.length);
          directory.putEvent(rows.events[place]);
        }
        if (random.chance(0.05)) {
          const file = join(folder, 'search.snapshot');
          await snapshotWriter(
            directory,
            { seq: 7, history: '', at: NOW, kind: 'created', entity: 'event', entityId: null },
            NOW,
          )(file);
          const held = await readSnapshot(file, random.chance(0.5) ? PUBLIC_URL : 'https://elsewhere.example');
          if (held) directory = held.directory;
        }
        if (random.chance(0.7)) continue;
        const snapshot = openSnapshot(createSnapshotBuilder(directory).build(NOW, NOW));
        for (const kind of ['event', 'venue'] as const) {
          expect(snapshot.checksums(kind)).toEqual(sum(snapshot, kind));
          records += snapshot.checksums(kind).records;
        }
      }
    }),
    { numRuns: 25 },
  );
  expect(records).toBeGreaterThan(1_000);
});

test('of a snapshot are there without a pass over its records', () => {
  const snapshot = openSnapshot(
    createSnapshotBuilder(fillDirectory(randomDirectory(createRandom(1), 300), PUBLIC_URL)).build(NOW, NOW),
  );
  const first = snapshot.checksums('event');
  expect(first.records).toBe(snapshot.records('event').count);
  expect(snapshot.checksums('event')).toBe(first);
});
