import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openSnapshot } from '../../src/search/open-snapshot.ts';
import { createSnapshotBuilder, fillDirectory } from '../../src/search/snapshot/snapshot-builder.ts';
import { refreshTrends } from '../../src/search/snapshot/trends.ts';
import {
  createRandom,
  NOW,
  PUBLIC_URL,
  randomDirectory,
  randomEvent,
  randomEventQuery,
  randomVenue,
  randomVenueQuery,
} from './random-directory.ts';

const everything = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY, limit: 10_000, offset: 0 };

test('a directory that took changes one by one gives the snapshot that a fresh one gives', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 }), fc.integer({ min: 1, max: 60 }), (seed, size) => {
      const random = createRandom(seed);
      const rows = randomDirectory(random, size);
      const directory = fillDirectory(rows, PUBLIC_URL);
      const builder = createSnapshotBuilder(directory);
      for (let step = 0; step < 30; step += 1) {
        if (random.chance(0.2)) {
          const number = random.below(rows.venues.length);
          rows.venues[number] = randomVenue(random, number, rows.neighborhoods, rows.venues.length);
          // What events show of a venue is in them: they are put again.
          if (directory.putVenue(rows.venues[number])) for (const event of rows.events) directory.putEvent(event);
        } else {
          const number = random.below(size + 3);
          const event = randomEvent(random, Math.min(number, rows.events.length), rows.venues, rows.events.length);
          rows.events[Math.min(number, rows.events.length)] = event;
          directory.putEvent(event);
        }
        if (random.chance(0.2)) {
          for (const _ of refreshTrends(directory, NOW, directory.changes.trendsAt));
          directory.changes.trendsAt.clear();
          builder.build(NOW, NOW);
        }
      }
      for (const _ of refreshTrends(directory, NOW, directory.changes.trendsAt));
      const grown = openSnapshot(builder.build(NOW, NOW));
      const fresh = fillDirectory(rows, PUBLIC_URL);
      for (const _ of refreshTrends(fresh, NOW));
      const whole = openSnapshot(createSnapshotBuilder(fresh).build(NOW, NOW));

      for (let round = 0; round < 20; round += 1) {
        // The vocabulary only grows: a half word may be read as the beginning of one that has gone.
        const { text: _, ...query } = randomEventQuery(random);
        expect(grown.events(query)).toEqual(whole.events(query));
        const { text: __, ...venues } = randomVenueQuery(random);
        expect(grown.venues(venues, NOW).tag).toBe(whole.venues(venues, NOW).tag);
        const word = random.one(['jazz', 'rock concert', '"madonna the"', 'opera', '音楽']);
        expect(grown.events({ ...everything, text: word }).items).toEqual(whole.events({ ...everything, text: word }).items);
      }
      expect(grown.neighborhoods(NOW)).toEqual(whole.neighborhoods(NOW));
      expect(grown.trending('both', 50, NOW)).toEqual(whole.trending('both', 50, NOW));
      for (const { id } of rows.events) expect(grown.event(id)).toEqual(whole.event(id));
    }),
    { numRuns: 60 },
  );
});

test('bytes that nothing points at are left behind, and no answer changes, old snapshots included', () => {
  const random = createRandom(8);
  const rows = randomDirectory(random, 120);
  const long = 'rock and jazz '.repeat(700);
  const directory = fillDirectory({ ...rows, events: rows.events.map((event) => ({ ...event, description: long })) }, PUBLIC_URL);
  const builder = createSnapshotBuilder(directory);
  const old = openSnapshot(builder.build(NOW, NOW));
  const before = old.writeEvents(old.events(everything).items, 'detail', '', '');
  for (let round = 0; round < 4; round += 1)
    for (const event of rows.events) directory.putEvent({ ...event, description: `${long}${round}` });
  const used = [directory.json.size, directory.sequences.size];
  const full = openSnapshot(builder.build(NOW, NOW));
  directory.compact();
  expect(directory.json.size).toBeLessThan(used[0]! / 2);
  expect(directory.sequences.size).toBeLessThan(used[1]! / 2);
  const compacted = openSnapshot(builder.build(NOW, NOW));
  const print = (snapshot: typeof full) => snapshot.writeEvents(snapshot.events(everything).items, 'detail', '', '').toString();
  expect(print(compacted) === print(full)).toBe(true);
  const phrase = { ...everything, text: '"jazz 3"' };
  expect(compacted.events(phrase).total).toBe(full.events(phrase).total);
  expect(compacted.events(phrase).total).toBeGreaterThan(0);
  expect(compacted.venues({ limit: 100, offset: 0, text: 'jazz' }, NOW)).toEqual(
    full.venues({ limit: 100, offset: 0, text: 'jazz' }, NOW),
  );
  expect(old.writeEvents(old.events(everything).items, 'detail', '', '').equals(before)).toBe(true);
});
