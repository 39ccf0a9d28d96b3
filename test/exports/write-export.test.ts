import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, describe, expect, it } from 'vitest';
import { EXPORT_FORMATS, type ExportContent } from '../../src/exports/index.ts';
import { KNOWN_RECORDS_FILE, type WriteOptions, type WrittenExport, writeExport } from '../../src/exports/write-export.ts';
import { buildSnapshot, type Snapshot } from '../../src/search/index.ts';
import { createRandom, NOW, PUBLIC_URL, randomDirectory, randomEvent, randomEventQuery } from '../search/random-directory.ts';
import { temporaryFolder } from '../support/database/store.ts';

const { folder, remove } = temporaryFolder();
afterAll(remove);

let made = 0;
function write(
  snapshot: Snapshot,
  content: Partial<ExportContent>,
  more: Partial<WriteOptions> = {},
): WrittenExport & { at: string } {
  const at = join(folder, String(++made));
  mkdirSync(at);
  const whole = { format: 'ndjson', columns: null, filter: null, ...content } as const;
  return { ...writeExport({ snapshot, content: whole, now: NOW, folder: at, previous: null, neighborhoods: [], ...more }), at };
}

const read = ({ at, files }: { at: string; files: readonly { name: string }[] }, kind: string): string =>
  files
    .filter(({ name }) => name.startsWith(kind))
    .map(({ name }) => readFileSync(join(at, name), 'utf8'))
    .join('');
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects and fails where it is not.
type Json = any;
const lines = (text: string): Json[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
const ids = (records: readonly { id: string }[]): string[] => records.map(({ id }) => id);

const snapshotOf = (seed: number, events = 60) => {
  const random = createRandom(seed);
  const directory = randomDirectory(random, events);
  return { random, directory, snapshot: buildSnapshot(directory, NOW, PUBLIC_URL) };
};

describe('an export of everything', () => {
  it('holds each record once, in the very bytes of its detail', () => {
    for (let seed = 1; seed <= 40; seed += 1) {
      const { snapshot, directory } = snapshotOf(seed);
      const written = write(snapshot, {});
      const events = read(written, 'events').split('\n').slice(0, -1);
      const venues = read(written, 'venues').split('\n').slice(0, -1);
      const answering = directory.events.filter(({ id }) => snapshot.event(id).found === 'published');
      expect(ids(events.map((line) => JSON.parse(line))).sort()).toEqual(ids(answering).sort());
      for (const line of events) {
        const lookup = snapshot.event(JSON.parse(line).id);
        expect(lookup.found === 'published' && snapshot.writeEvents([lookup.item], 'detail', '', '').toString()).toBe(line);
      }
      for (const line of venues) {
        const lookup = snapshot.venue(JSON.parse(line).id, NOW);
        expect(lookup.found === 'published' && snapshot.writeVenues([lookup.item], 'detail', NOW, '', '').toString()).toBe(line);
      }
    }
  });

  it('is cut into parts that are never larger than allowed, in every format, and loses nothing by it', async () => {
    const { snapshot } = snapshotOf(3, 3000);
    const whole = ids(lines(read(write(snapshot, {}), 'events')));
    for (const format of EXPORT_FORMATS) {
      const maxPartBytes = format === 'parquet' ? 2_000_000 : 300_000;
      const written = write(snapshot, { format }, { maxPartBytes });
      expect(written.files.length, format).toBeGreaterThan(format === 'parquet' ? 2 : 5);
      for (const { bytes } of written.files) expect(bytes, format).toBeLessThanOrEqual(maxPartBytes);
      expect(await idsOf(format, written), format).toEqual(whole);
    }
  });

  it('says of each file how long it is, how many records it holds, and its hash', async () => {
    const { createHash } = await import('node:crypto');
    const written = write(snapshotOf(5).snapshot, { format: 'csv' });
    for (const { name, bytes, sha256, rows } of written.files) {
      const content = readFileSync(join(written.at, name));
      expect(content.length).toBe(bytes);
      expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
      if (name.endsWith('.csv')) expect(parseCsv(content, { columns: true })).toHaveLength(rows);
    }
    expect(readdirSync(written.at).sort()).toEqual([...written.files.map(({ name }) => name), KNOWN_RECORDS_FILE].sort());
  });

  it('has a file with a header where nothing matches', async () => {
    for (const format of EXPORT_FORMATS) {
      const written = write(snapshotOf(5).snapshot, { format, filter: { from: NOW + 1e12, to: Number.POSITIVE_INFINITY } });
      expect(written.files.map(({ rows }) => rows)).toEqual([0]);
      expect(await idsOf(format, written)).toEqual([]);
    }
  });
});

describe('an export of a query', () => {
  it('holds what GET /events lists, page after page and in its order, in every format', async () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const { snapshot, random } = snapshotOf(seed);
      const { limit: _, offset: __, facets: ___, ...filter } = randomEventQuery(random);
      const listed: number[] = [];
      for (let offset = 0; ; offset += 7) {
        const page = snapshot.events({ ...filter, limit: 7, offset });
        listed.push(...page.items);
        if (offset + 7 >= page.total) break;
      }
      const expected = ids(lines(snapshot.writeLines('event', listed, NOW).toString()));
      const format = random.one(EXPORT_FORMATS);
      expect(await idsOf(format, write(snapshot, { format, filter })), `seed ${seed}`).toEqual(expected);
    }
  });
});

describe('columns', () => {
  it('are chosen for every format, and the values are those of the record', async () => {
    const { snapshot } = snapshotOf(11);
    const columns = ['id', 'title', 'startDatetime', 'priceMin', 'venue', 'tags', 'status', 'updatedAt'] as const;
    const records = lines(read(write(snapshot, { columns }), 'events'));
    expect(Object.keys(records[0])).toEqual([...columns]);
    for (const record of records) {
      const lookup = snapshot.event(record.id);
      if (lookup.found !== 'published') throw new Error('not there');
      const { status, updatedAt, tags } = snapshot.extras(lookup.item);
      expect(record).toMatchObject({ status, updatedAt, tags });
    }
    const table = parseCsv(read(write(snapshot, { columns, format: 'csv' }), 'events'), { columns: true, trim: false }) as Json[];
    const typed = await rowsOf(write(snapshot, { columns, format: 'parquet' }));
    const inArea = areaVenues(snapshot);
    records.forEach((record, n) => {
      const { venue, startDatetime, tags, priceMin } = record;
      const latitude = inArea.has(venue.id) ? null : venue.latitude;
      expect(table[n]).toMatchObject({
        id: record.id,
        venueName: guarded(venue.name),
        priceMin: priceMin === null ? '' : String(priceMin),
      });
      expect(typed[n]).toMatchObject({
        id: record.id,
        title: record.title,
        venueName: venue.name,
        latitude,
        tags,
        priceMin,
      });
      expect((typed[n].startDatetime as Date).getTime()).toBe(Date.parse(startDatetime));
    });
  });
});

describe('increments', () => {
  it('applied one after the other give what a full export holds', () => {
    for (let seed = 1; seed <= 30; seed += 1) {
      const random = createRandom(seed);
      const directory = randomDirectory(random, 40);
      const filter = random.chance(0.5) ? null : { from: NOW - 20 * 3_600_000, to: NOW + random.below(40) * 3_600_000 };
      const columns = random.chance(0.5) ? null : (['id', 'title', 'status', 'updatedAt'] as const);
      let written = write(buildSnapshot(directory, NOW, PUBLIC_URL), { filter, columns });
      const copy = new Map(lines(read(written, 'events')).map((record) => [record.id, record]));
      for (let step = 0; step < 4; step += 1) {
        for (let n = 0; n < 6; n += 1) {
          const number = random.below(45);
          const event = randomEvent(random, number, directory.venues, 45);
          const place = directory.events.findIndex(({ id }) => id === event.id);
          if (place < 0) directory.events.push(event);
          else directory.events[place] = event;
        }
        const snapshot = buildSnapshot(directory, NOW, PUBLIC_URL);
        const next = write(snapshot, { filter, columns }, { previous: join(written.at, KNOWN_RECORDS_FILE) });
        expect(next.isFull).toBe(false);
        for (const id of next.deleted) expect(copy.delete(id), id).toBe(true);
        for (const record of lines(read(next, 'events'))) {
          // Of chosen columns, one may be there whose other fields differ.
          if (columns === null) expect(copy.get(record.id)).not.toEqual(record);
          copy.set(record.id, record);
        }
        const full = lines(read(write(snapshot, { filter, columns }), 'events'));
        expect(new Map(full.map((record) => [record.id, record]))).toEqual(copy);
        written = next;
      }
    }
  });

  it('are full where the export before left nothing to compare with', () => {
    const { snapshot } = snapshotOf(2);
    const { isFull, deleted } = write(snapshot, {}, { previous: join(folder, 'nothing') });
    expect({ isFull, deleted }).toEqual({ isFull: true, deleted: [] });
  });
});

describe('hostile text', () => {
  const hostile = [
    '=1+1',
    '+1',
    '-1',
    '@x',
    '\t=1',
    '"',
    'a,b',
    'a\r\nb',
    ' lead',
    "'=1",
    '\u2028',
    '🎷',
    ']]>',
    '</script>',
    ',',
  ];

  it('comes back from every format as it went in', async () => {
    const { directory } = snapshotOf(4, 0);
    const { random } = snapshotOf(4, 0);
    directory.events = hostile.map((title, n) => ({
      ...randomEvent(random, n, directory.venues, 1),
      title,
      description: title,
      state: 'published',
      mergedInto: null,
    }));
    for (const venue of directory.venues) Object.assign(venue, { state: 'published', mergedInto: null });
    const snapshot = buildSnapshot(directory, NOW, PUBLIC_URL);
    const titles = hostile.toSorted();
    expect(
      lines(read(write(snapshot, {}), 'events'))
        .map(({ title }) => title)
        .sort(),
    ).toEqual(titles);
    expect((await rowsOf(write(snapshot, { format: 'parquet' }))).map(({ title }) => title).sort()).toEqual(titles);
    const features = JSON.parse(read(write(snapshot, { format: 'geojson' }), 'events')).features as Json[];
    expect(features.map(({ properties }) => properties.title).sort()).toEqual(titles);
    const table = parseCsv(read(write(snapshot, { format: 'csv' }), 'events'), { columns: true }) as Json[];
    // Whoever takes one apostrophe of a guarded cell away has the title.
    const unguarded = table.map(({ title }) => (/^'+[\s\0]*[=+\-@\t\r\n\0]/.test(title) ? title.slice(1) : title));
    expect(unguarded.sort()).toEqual(titles);
    for (const { title } of table) expect(title).not.toMatch(/^[=+\-@\t\r\0]/);
  });

  it('puts longitude before latitude', () => {
    const { snapshot } = snapshotOf(8);
    for (const feature of JSON.parse(read(write(snapshot, { format: 'geojson' }), 'events')).features) {
      const { longitude, latitude, id } = feature.properties.venue;
      const isPlaced = !areaVenues(snapshot).has(id);
      expect(feature.geometry).toEqual(isPlaced ? { type: 'Point', coordinates: [longitude, latitude] } : null);
    }
  });

  it('gives no point where only an area is known, but in NDJSON, which repeats the record', async () => {
    const { snapshot } = snapshotOf(8);
    const inArea = areaVenues(snapshot);
    const table = (kind: string) => parseCsv(read(write(snapshot, { format: 'csv' }), kind), { columns: true }) as Json[];
    const rows = [
      ...table('events').map(({ venueId, latitude }) => [venueId, latitude === '']),
      ...table('venues').map(({ id, latitude, longitude }) => [id, latitude === '' && longitude === '']),
      ...(await rowsOf(write(snapshot, { format: 'parquet' }))).map(({ venueId, latitude }) => [venueId, latitude === null]),
      ...JSON.parse(read(write(snapshot, { format: 'geojson' }), 'venues')).features.map(({ id, geometry }: Json) => [
        id,
        geometry === null,
      ]),
    ];
    expect(new Set(rows.map(([, isEmpty]) => isEmpty))).toEqual(new Set([true, false]));
    for (const [id, isEmpty] of rows) expect([id, isEmpty]).toEqual([id, inArea.has(id)]);
  });
});

/** Ids of venues of which only the area is known. */
function areaVenues(snapshot: Snapshot): ReadonlySet<string> {
  const venues = lines(read(write(snapshot, {}), 'venues'));
  return new Set(
    venues.flatMap(({ id }) => {
      const found = snapshot.venue(id, NOW);
      return found.found === 'published' && snapshot.venueExtras(found.item).locationPrecision === 'area' ? [id] : [];
    }),
  );
}

const guarded = (text: string): string => (/^[=+\-@\t\r\0]/.test(text) ? `'${text}` : text);

async function rowsOf({ at, files }: { at: string; files: readonly { name: string }[] }): Promise<Json[]> {
  const rows: Json[] = [];
  for (const { name } of files.filter((file) => file.name.startsWith('events'))) {
    const bytes = readFileSync(join(at, name));
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
    rows.push(...(await parquetReadObjects({ file: file as ArrayBuffer })));
  }
  return rows;
}

async function idsOf(
  format: ExportContent['format'],
  written: { at: string; files: readonly { name: string }[] },
): Promise<string[]> {
  if (format === 'parquet') return ids(await rowsOf(written));
  const parts = written.files.filter(({ name }) => name.startsWith('events'));
  const texts = parts.map(({ name }) => readFileSync(join(written.at, name), 'utf8'));
  if (format === 'ndjson') return ids(texts.flatMap(lines));
  if (format === 'csv') return ids(texts.flatMap((text) => parseCsv(text, { columns: true }) as Json[]));
  return ids(texts.flatMap((text) => JSON.parse(text).features as Json[]));
}
