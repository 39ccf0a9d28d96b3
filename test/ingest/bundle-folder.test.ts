import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importBundle } from '../../src/ingest/index.ts';
import { openTestStore, type TestStore, temporaryFolder } from '../support/database/store.ts';
import { CITY, emptyDirectory, eventLine, NEIGHBORHOODS, now, venueLine } from '../support/records/bundle.ts';

let test: TestStore;

describe('a bundle folder', () => {
  let temporary: { folder: string; remove(): void };
  beforeAll(async () => {
    test = await openTestStore();
  });
  beforeEach(async () => {
    temporary = temporaryFolder();
    await emptyDirectory(test.store);
  });
  afterEach(() => temporary.remove());
  afterAll(() => test.dispose());
  const write = (files: Record<string, string | Buffer>): string => {
    const folder = join(temporary.folder, 'bundle');
    mkdirSync(folder, { recursive: true });
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    return folder;
  };

  it('is read line by line: blank lines skipped, bad ones rejected with their number', async () => {
    const folder = write({
      'city.json': JSON.stringify(CITY),
      'neighborhoods.geojson': JSON.stringify(NEIGHBORHOODS, null, 1),
      'venues.ndjson': `\ufeff${JSON.stringify(venueLine('cellar'))}\r\n`,
      'events.ndjson': Buffer.concat([
        Buffer.from(`${JSON.stringify(eventLine('jazz'))}\n\n  \n{"externalId":\n`),
        Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a]),
        Buffer.from(`"${'x'.repeat(2_000_000)}"\n[]\n${JSON.stringify(eventLine('last'))}`),
      ]),
    });
    const progress: number[] = [];
    const report = await importBundle({
      store: test.store,
      folder,
      now,
      onProgress: ({ bytes, totalBytes }) => progress.push(bytes / totalBytes),
    });
    expect(report.events.created).toBe(2);
    expect(report.rejected.map(({ line }) => line)).toEqual([4, 5, 6, 7]);
    expect(report.rejected.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^wanted JSON: /),
      'wanted UTF-8, got other bytes',
      'wanted a line of at most 1048576 bytes',
      'wanted an object, got a list',
    ]);
    expect(progress.length).toBeGreaterThan(0);
  });

  it('names the line on which a bad neighborhood begins', async () => {
    const features = [
      NEIGHBORHOODS.features[0],
      { type: 'Feature', properties: { name: 'Dot' }, geometry: { type: 'Point', coordinates: [0, 0] } },
    ];
    const folder = write({
      'city.json': JSON.stringify(CITY),
      'neighborhoods.geojson': `{"type":"FeatureCollection",\n"features":[\n${features.map((each) => JSON.stringify(each)).join(',\n')}]}`,
    });
    const report = await importBundle({ store: test.store, folder, now });
    expect(report.rejected).toEqual([
      { file: 'neighborhoods.geojson', line: 4, field: 'geometry', reason: 'wanted a Polygon or MultiPolygon, got "Point"' },
    ]);
  });

  it('names the line on which a bad neighborhood begins, whatever stands in its place', async () => {
    const lines = [
      '{"features":[{}],"crs":{"type":"name","properties":{}},"type":"FeatureCollection","name":"features",',
      '"bbox":[1,2,',
      '3,4],"\\u0066eatures":[null,',
      '5, "a \\" b, [{",',
      '[1,{"a":[2,{}]},',
      '3],{"properties":{"tags":[1,{}]}},',
      '',
      '  true ,',
      '{}',
      '],"more":{"list":[1,2],"of":3}}',
    ];
    const folder = write({ 'city.json': JSON.stringify(CITY), 'neighborhoods.geojson': lines.join('\r\n') });
    const report = await importBundle({ store: test.store, folder, now });
    expect(report.rejected.map(({ line, reason }) => [line, reason.replace('wanted a GeoJSON Feature, got ', '')])).toEqual([
      [3, 'null'],
      [4, '5'],
      [4, '"a \\" b, [{"'],
      [5, 'a list'],
      [6, 'nothing'],
      [8, 'true'],
      [9, 'nothing'],
    ]);
  });

  it('names that line, too, behind a very long text', async () => {
    const folder = write({
      'city.json': JSON.stringify(CITY),
      'neighborhoods.geojson': `{"type":"FeatureCollection","note":"${'\\n'.repeat(10_000_000)}",\n"features":[\n5]}`,
    });
    const report = await importBundle({ store: test.store, folder, now });
    expect(report.rejected.map(({ line }) => line)).toEqual([3]);
  });

  it.each([
    ['a folder that is none', {}, /is not a folder/, 'missing'],
    ['an empty folder', {}, /holds none of city\.json/, 'bundle'],
    ['no city at all', { 'events.ndjson': '' }, /has no city yet/, 'bundle'],
    ['a broken city', { 'city.json': '{' }, /city\.json cannot be read/, 'bundle'],
    [
      'an unknown zone',
      { 'city.json': JSON.stringify({ ...CITY, timezone: 'Mars/Base' }) },
      /city\.json: timezone: wanted an IANA time zone/,
      'bundle',
    ],
    [
      'polygons of another kind',
      { 'city.json': JSON.stringify(CITY), 'neighborhoods.geojson': '[]' },
      /neighborhoods\.geojson: type: wanted/,
      'bundle',
    ],
  ])('is refused in one sentence for %s', async (_, files, sentence, name) => {
    if (name === 'bundle') write(files as Record<string, string>);
    await expect(importBundle({ store: test.store, folder: join(temporary.folder, name), now })).rejects.toThrow(sentence);
  });

  it.each(['venues.ndjson', 'events.ndjson'])('is refused in one sentence when reading %s fails', async (name) => {
    const folder = write({ 'city.json': JSON.stringify(CITY) });
    // May be opened, but its first byte may not be read.
    symlinkSync('/proc/self/mem', join(folder, name));
    const refusal = await importBundle({ store: test.store, folder, now }).catch((error) => error);
    expect(refusal).toMatchObject({ name: 'IngestError', code: 'bundle_unreadable' });
    expect(refusal.message).toMatch(new RegExp(`^${name.replace('.', '\\.')} cannot be read: EIO`));
  });

  it.each(['city.json', 'neighborhoods.geojson'])('prints no controls of a broken %s, nor more than one line', async (name) => {
    const folder = write({ 'city.json': JSON.stringify(CITY), [name]: '\u001b[31m\n\u009b1m\u202e' });
    const { message } = await importBundle({ store: test.store, folder, now }).catch((error) => error);
    expect(message).toMatch(/cannot be read: .*\\u001b\[31m\\u000a\\u009b1m\\u202e/);
    expect(message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it('prints no controls of bad lines', async () => {
    const odd = 'a\u007f\u009b31m\u202e\u2028\u{e0041}';
    const folder = write({
      'city.json': JSON.stringify(CITY),
      'venues.ndjson': [
        '\u001b[31m\u202e',
        { ...venueLine('cellar'), type: odd },
        { ...venueLine('loft'), neighborhood: '\u202eloft' },
        { ...venueLine('\u202eattic'), latitude: 'north' },
        venueLine('\u202eattic'),
      ]
        .map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
        .join('\n'),
      'events.ndjson': JSON.stringify({ ...eventLine('jazz'), venue: '\u202enowhere' }),
    });
    const { rejected } = await importBundle({ store: test.store, folder, now });
    const reasons = rejected.map(({ reason }) => reason);
    expect(reasons).toHaveLength(6);
    expect(reasons.join('\n')).not.toMatch(/[\p{Cf}\p{Zl}]|(?!\n)\p{Cc}/u);
    expect(reasons).toContainEqual(expect.stringMatching(/^wanted JSON: .*\\u001b\[31m\\u202e/));
    expect(reasons).toContainEqual(expect.stringMatching(/, got "a\\u007f\\u009b31m\\u202e\\u2028\\udb40\\udc41"$/));
    expect(reasons).toContain('wanted the externalId of a venue, got "\\u202enowhere", which is none');
  });

  describe.each(['city.json', 'neighborhoods.geojson', 'venues.ndjson', 'events.ndjson'])('whose %s is there', (name) => {
    const refusal = async (put: (path: string) => void) => {
      const folder = write(name === 'city.json' ? {} : { 'city.json': JSON.stringify(CITY) });
      put(join(folder, name));
      const error = await importBundle({ store: test.store, folder, now }).catch((thrown) => thrown);
      expect(error).toMatchObject({ name: 'IngestError', code: 'bundle_unreadable' });
      return error.message;
    };

    it('but leads nowhere is refused, not read without it', async () => {
      const message = await refusal((path) => symlinkSync('/nonexistent', path));
      expect(message).toBe(`${name} cannot be read: wanted a file, got a link that leads nowhere`);
    });

    it('as a folder is refused, not read without it', async () => {
      expect(await refusal((path) => mkdirSync(path))).toBe(`${name} cannot be read: wanted a file, got a folder`);
    });

    it('as a device is refused, not read without it', async () => {
      const message = await refusal((path) => symlinkSync('/dev/null', path));
      expect(message).toBe(`${name} cannot be read: wanted a file, got something else`);
    });
  });

  it('does not hurt with keys such as __proto__', async () => {
    const line = '{"__proto__":{"polluted":true},"constructor":1,"externalId":"jazz","externalId":"jazz2"}';
    const folder = write({
      'city.json': JSON.stringify(CITY),
      'venues.ndjson': JSON.stringify(venueLine('cellar')),
      'events.ndjson': line,
    });
    const report = await importBundle({ store: test.store, folder, now });
    expect(report.rejectedCount).toBe(1);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
