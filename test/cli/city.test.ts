// Both engines are the same to it. One engine is enough: a city is written as a bundle's is.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { demoBundle } from '../../src/demo/index.ts';
import { importBundle, listSources, loadCredits } from '../../src/ingest/index.ts';
import { readCity, readNeighborhoods } from '../../src/records/index.ts';
import { openTestStore, type TestStore, temporaryFolder } from '../support/database/store.ts';
import { emptyDirectory, now } from '../support/records/bundle.ts';
import { TOWN, townExtract } from '../support/records/extract.ts';
import { marqueeHere } from '../support/rigs/service.ts';

let test: TestStore;
const { folder, remove } = temporaryFolder();
const extract = join(folder, 'larkholt.json');
beforeAll(async () => {
  test = await openTestStore('embedded');
  writeFileSync(extract, JSON.stringify(townExtract()));
});
beforeEach(() => emptyDirectory(test.store));
afterAll(async () => {
  remove();
  await test.dispose();
});

const command = (...words: string[]) =>
  marqueeHere(words, { MARQUEE_DATA_DIR: test.options.dataDir, MARQUEE_NOW: '2026-06-16T20:00:00Z' });
const CREATE = ['city', 'create', TOWN, '--center', '52.42,-1.28', '--zone', 'Europe/London', '--country', 'GB'];

describe('city create', () => {
  it('makes an empty city', async () => {
    const { status, stdout } = await command(...CREATE, '--languages', 'en,cy');
    expect([status, stdout]).toEqual([0, 'created Larkholt (larkholt): center 52.42,-1.28, Europe/London, GBP, en-GB\n']);
    expect(await readCity(test.store.db)).toMatchObject({ slug: 'larkholt', locale: 'en-GB', languages: ['cy-GB'] });
  });

  it('names what is missing or wrong, and leaves the directory empty', async () => {
    const missing = await command('city', 'create', TOWN, '--zone', 'Europe/London');
    expect([missing.status, missing.stderr]).toEqual([
      1,
      'The center of the city is missing: --center LAT,LON in degrees, such as 45.5,-73.6.\n',
    ]);
    expect((await command(...CREATE.slice(0, -1), 'England')).stderr).toMatch(/^Wanted --country with the two letters/);
    const lost = await command('city', 'create', TOWN, '--extract', join(folder, 'lost.json'));
    expect(lost.stderr).toMatch(/^Cannot read the extract .*lost\.json: the folder or file does not exist\.\n$/);
    expect(await readCity(test.store.db)).toBeNull();
  });

  it('takes all of it from an extract, with neighborhoods and venues', async () => {
    const { status, stdout, stderr } = await command('city', 'create', TOWN, '--extract', extract);
    expect([status, stderr.match(/^left out.*$/m)?.[0]]).toEqual([
      0,
      'left out, because the extract cuts them off: Farther Field',
    ]);
    expect(stdout).toMatch(/^created Larkholt \(larkholt\): center 52\.42,-1\.28, Europe\/London, GBP, en-GB\n4 neighborhoods\n/);
    expect(stdout).toMatch(/\n10 house numbers, \d streets?\n/);
    expect(stdout).toMatch(/source openstreetmap: venues 4 created; 0 rejected/);
    expect((await readNeighborhoods(test.store.db)).map(({ slug }) => slug)).toEqual([
      'cooper-row',
      'gull-common',
      'tanner-hill',
      'weirside',
    ]);
    const [source] = await listSources(test);
    expect(source).toMatchObject({ name: 'openstreetmap', kind: 'osm', state: 'active' });
    expect(await loadCredits(test.store.db)).toEqual(['© OpenStreetMap contributors (ODbL)']);
    const again = await command('ingest', 'openstreetmap');
    expect([again.status, again.stdout]).toEqual([0, expect.stringContaining('venues 4 unchanged')]);
  });

  it('refuses a second city with a way out', async () => {
    await command(...CREATE);
    const { status, stderr } = await command(...CREATE);
    expect([status, stderr]).toEqual([
      1,
      'The directory already holds Larkholt, and a directory holds one city. Create another city in an empty data folder (MARQUEE_DATA_DIR), or change this one with marquee import and a city.json.\n',
    ]);
  });

  it('tells whoever has the demo city how to start over', async () => {
    const { city } = demoBundle({ now: now() });
    await importBundle({ store: test.store, bundle: { city }, now });
    const { stderr } = await command(...CREATE);
    expect(stderr).toMatch(
      /^The directory holds the demo city Port Alder.*To start over, stop the service and create your city in an empty data folder/,
    );
  });
});
