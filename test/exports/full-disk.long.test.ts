/** `marquee export` to a disk that is full. One engine is enough: the disk of a PostgreSQL server is not ours. */

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyDemoFolder } from '../support/database/demo-folder.ts';
import { fullDisk } from '../support/database/full-disk.ts';
import { temporaryFolder } from '../support/database/store.ts';
import { type Ended, environmentOf, preloaded } from '../support/rigs/service.ts';

let data: Awaited<ReturnType<typeof copyDemoFolder>>;
const place = temporaryFolder();
const disk = fullDisk(place.folder);
beforeAll(async () => {
  data = await copyDemoFolder();
});
afterAll(() => {
  disk.free();
  place.remove();
  data?.remove();
});

function exportTo(folder: string): Promise<Ended> {
  const [program, ...words] = preloaded(disk.execArgv);
  const env = environmentOf({ MARQUEE_DATA_DIR: data.folder, ...disk.env });
  const { promise, resolve } = Promise.withResolvers<Ended>();
  execFile(program, [...words, 'export', folder], { env }, (error, stdout, stderr) => {
    resolve({ status: error ? Number(error.code ?? 1) : 0, stdout, stderr });
  });
  return promise;
}

test('an export to a full disk says so in a sentence and leaves nothing, and the same folder does when there is room', async () => {
  const [fresh, empty] = [join(place.folder, 'new'), join(place.folder, 'empty')];
  mkdirSync(empty);
  disk.fill();
  for (const folder of [fresh, empty]) {
    const refused = { status: 1, stdout: '', stderr: `Cannot write to ${folder}: no space is left.\n` };
    expect(await exportTo(folder)).toEqual(refused);
  }
  expect(existsSync(fresh)).toBe(false);
  expect(readdirSync(empty)).toEqual([]);
  disk.free();
  expect(await exportTo(empty)).toMatchObject({ status: 0, stderr: '' });
  expect(readdirSync(empty).sort()).toEqual([
    'events-00001.ndjson',
    'manifest.json',
    'neighborhoods.geojson',
    'venues-00001.ndjson',
  ]);
});
