import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openSnapshot } from '../../src/search/open-snapshot.ts';
import { createSnapshotBuilder, fillDirectory } from '../../src/search/snapshot/snapshot-builder.ts';
import { type Origin, readSnapshot, snapshotWriter } from '../../src/search/snapshot/snapshot-file.ts';
import { temporaryFolder } from '../support/database/store.ts';
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

const { folder, remove } = temporaryFolder();
afterAll(remove);
const file = join(folder, 'search.snapshot');
const ORIGIN: Origin = { seq: 7, history: '', at: NOW, kind: 'created', entity: 'event', entityId: null };

test('what comes back answers every question as before, and goes on to take changes', async () => {
  const random = createRandom(3);
  const rows = randomDirectory(random, 300);
  const directory = fillDirectory(rows, PUBLIC_URL);
  await snapshotWriter(directory, ORIGIN, NOW)(file);
  expect(readdirSync(folder)).toEqual(['search.snapshot']);
  const held = await readSnapshot(file, PUBLIC_URL);
  expect(held).toMatchObject({ origin: ORIGIN, trendsAt: NOW });

  const twins = [directory, held!.directory];
  for (let number = 0; number < 320; number += 3) {
    const event = randomEvent(random, number, rows.venues, 300);
    for (const twin of twins) twin.putEvent(event);
  }
  const venue = randomVenue(random, 0, rows.neighborhoods, rows.venues.length);
  for (const twin of twins) twin.putVenue(venue);
  const [before, after] = twins.map((twin) => openSnapshot(createSnapshotBuilder(twin).build(NOW, NOW)));
  for (let round = 0; round < 300; round += 1) {
    const query = randomEventQuery(random);
    expect(after!.events(query)).toEqual(before!.events(query));
    const venues = randomVenueQuery(random);
    expect(after!.venues(venues, NOW)).toEqual(before!.venues(venues, NOW));
  }
  expect(after!.neighborhoods(NOW)).toEqual(before!.neighborhoods(NOW));
  const all = after!.events({ from: 0, to: Number.POSITIVE_INFINITY, limit: 1000, offset: 0 }).items;
  expect(after!.writeEvents(all, 'detail', '', '').equals(before!.writeEvents(all, 'detail', '', ''))).toBe(true);
});

test('a file that is torn, changed, foreign or too long is refused with a reason, whichever byte it is', async () => {
  await snapshotWriter(fillDirectory(randomDirectory(createRandom(4), 20), PUBLIC_URL), ORIGIN, NOW)(file);
  const whole = readFileSync(file);
  const changed = (at: number) => whole.with(at, whole[at]! ^ 1);
  const bad: [Uint8Array, RegExp][] = [
    [whole.subarray(0, 0), /ends too early/],
    [whole.subarray(0, whole.length - 1), /checksum is wrong|ends too early/],
    [Buffer.from('hello'), /ends too early/],
    [changed(0), /not a snapshot/],
    [Buffer.concat([whole, Buffer.from('x')]), /checksum is wrong/],
    [changed(whole.length - 1), /checksum is wrong/],
    ...Array.from({ length: 40 }, (_, part): [Uint8Array, RegExp] => [
      changed(8 + Math.floor((part * (whole.length - 8)) / 40)),
      /./,
    ]),
  ];
  for (const [bytes, reason] of bad) {
    writeFileSync(file, bytes);
    await expect(readSnapshot(file, PUBLIC_URL)).rejects.toThrow(reason);
  }
});

test('the draft of a process that was killed is swept away, that of one that may still write is not', async () => {
  const [old, young] = [join(folder, 'search.snapshot.1.draft'), join(folder, 'search.snapshot.2.draft')];
  for (const draft of [old, young]) writeFileSync(draft, 'half');
  utimesSync(old, 1, 1);
  // Files have the time of the machine, which may be another than the clock of this run.
  utimesSync(young, new Date(), new Date());
  await snapshotWriter(fillDirectory(randomDirectory(createRandom(4), 20), PUBLIC_URL), ORIGIN, NOW)(file);
  expect(existsSync(old)).toBe(false);
  expect(existsSync(young)).toBe(true);
});

test('no file is no error', async () => {
  expect(await readSnapshot(join(folder, 'missing'), PUBLIC_URL)).toBeNull();
});
