import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { importBundle } from '../../src/ingest/index.ts';
import { openTestStore, type TestStore, temporaryFolder } from '../support/database/store.ts';
import { openFakeGeocoder } from '../support/fakes/geocoder.ts';
import { CITY, emptyDirectory, now } from '../support/records/bundle.ts';
import { marqueeHere } from '../support/rigs/service.ts';
import { FERNMOOR_STREETS, overpassOf } from './towns.ts';

let test: TestStore;
const { folder, remove } = temporaryFolder();
const [osm, table] = [join(folder, 'town.json'), join(folder, 'town.csv')];
beforeAll(async () => {
  test = await openTestStore('embedded');
  await emptyDirectory(test.store);
  await importBundle({ store: test.store, bundle: { city: { ...CITY, name: 'Fernmoor' } }, now });
  writeFileSync(osm, overpassOf(FERNMOOR_STREETS));
  writeFileSync(table, 'number,street,lat,lon\n1,Elder Lane,45,-120\n');
});
afterAll(async () => {
  remove();
  await test.dispose();
});
afterEach(() => vi.restoreAllMocks());
const command = (...words: string[]) => marqueeHere(['place', ...words], { MARQUEE_DATA_DIR: test.options.dataDir });
const withGeocoder = (setting: string, ...words: string[]) =>
  marqueeHere(['place', ...words], { MARQUEE_DATA_DIR: test.options.dataDir, MARQUEE_GEOCODER: setting });

it('imports a file of OpenStreetMap with its credit, finds places, and removes it', async () => {
  expect((await command('import', osm)).stdout).toContain('imported town.json: ');
  expect((await command('list')).stdout).toContain('© OpenStreetMap contributors (ODbL)');
  expect((await command('find', '31 Quarry St')).stdout).toBe('44.9999 -119.9969 exact (house number)\n');
  const { stdout } = await command('find', '--json', '31 Quarry St', 'Online');
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([{ latitude: 44.9999, longitude: -119.9969, precision: 'exact', via: 'house number' }, null]);
  expect(await command('remove', 'town.json')).toMatchObject({ status: 0, stdout: 'removed town.json\n' });
  expect(await command('remove', 'town.json')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('No imported file is named'),
  });
});

it('must be told whose data a register is', async () => {
  expect(await command('import', table)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('--licence must say whose data'),
  });
  expect((await command('import', table, '--licence', 'City of Fernmoor, CC0')).stdout).toBe(
    'imported town.csv: 1 house, 1 street; City of Fernmoor, CC0\n',
  );
  expect((await command('list', '--json')).stdout).toContain('"credits":["City of Fernmoor, CC0"]');
  await command('remove', 'town.csv');
});

it('finds a house by its name, but not where another town is named', async () => {
  const { latitude, longitude } = CITY.center;
  writeFileSync(table, `number,street,building_name,lat,lon\n31,Quarry St,Copper Kettle,${latitude},${longitude + 0.01}\n`);
  await command('import', table, '--licence', 'City of Fernmoor, CC0');
  const texts = ['Copper Kettle', 'Copper Kettle, Fernmoor', 'Copper Kettle, Alderbrook', 'Copper Kettle, Boston, MA'];
  const { stdout } = await command('find', '--json', ...texts);
  const house = expect.objectContaining({ precision: 'exact', via: 'house name' });
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([house, house, null, null]);
  await command('remove', 'town.csv');
});

it('answers each line of standard input, whatever stands in it', async () => {
  const type = (...chunks: readonly string[]) =>
    vi
      .spyOn(process, 'stdin', 'get')
      .mockReturnValue(Readable.from(chunks.map((chunk) => Buffer.from(chunk))) as unknown as typeof process.stdin);
  type('"Fernmoor\u2028Room 2"\r\n\n"Fern', 'moor\u2029"\n{"a":1}\n"Fernmoor"');
  const { status, stdout, stderr } = await command('find', '--json');
  const city = expect.objectContaining({ precision: 'city' });
  const answers = stdout.trimEnd().split('\n');
  expect(answers.map((line) => JSON.parse(line))).toEqual([city, null, city, null, city]);
  expect(stderr).toMatch(/^line 2 is no JSON string .*: ""\nline 4 is no JSON string .*: "\{\\"a\\":1\}"\n$/);
  expect(status).toBe(0);
  type('Fernmoor\n\nFernmoor\r\n');
  expect((await command('find')).stdout.replaceAll(/^\d.*$/gm, 'placed')).toBe('placed\nnowhere\nplaced\n');
});

it('asks the geocoder of the setting, and answers without it if it fails', async () => {
  const fake = await openFakeGeocoder('photon');
  fake.places = [{ asked: '7 Elm', type: 'house', number: '7', street: 'Elm Road', latitude: 40.51, longitude: -74.01 }];
  const { stdout } = await withGeocoder(fake.setting, 'find', '7 Elm Rd, Fernmoor', '7 Elm Rd, Unit 3');
  expect(stdout).toBe('40.51 -74.01 exact (geocoder)\n'.repeat(2));
  expect(fake.requests).toHaveLength(1);
  await fake.close();
  const dead = await withGeocoder(fake.setting, 'find', '9 Elm Rd', '11 Elm Rd');
  expect([dead.status, dead.stdout]).toEqual([0, '40.5 -74 city (city)\n'.repeat(2)]);
  expect(dead.stderr).toMatch(/^the geocoder 127\.0\.0\.1:\d+ does not help: .*\n.*not asked about further texts now.*\n$/);
  for (const wrong of ['https://elm.example/', 'nominatim+http://elm.:8080/', 'photon+http://elm.example:0/'])
    expect(await withGeocoder(wrong, 'find', '9 Elm Rd')).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^MARQUEE_GEOCODER must be /),
    });
});
