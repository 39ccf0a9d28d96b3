/** `marquee export` and the way back, as an operator does both. PostgreSQL is quicker. */

import { createHash, createPublicKey, verify } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSigningKey, type Manifest } from '../../src/exports/index.ts';
import { signedText } from '../../src/exports/manifest.ts';
import { importBundle } from '../../src/ingest/index.ts';
import { openTestStore, type TestStore, temporaryFolder } from '../support/database/store.ts';
import { CITY, emptyDirectory, eventLine, NEIGHBORHOODS, now, venueLine } from '../support/records/bundle.ts';
import { marqueeHere } from '../support/rigs/service.ts';

const { folder, remove } = temporaryFolder();
let test: TestStore;
beforeAll(async () => {
  test = await openTestStore('embedded');
  await emptyDirectory(test.store);
  await importBundle({ store: test.store, bundle: BUNDLE, now });
});
afterAll(async () => {
  await emptyDirectory(test.store);
  remove();
  await test.dispose();
});

const SECRET = 'a secret for tests, long enough to be one';
const command = (...words: string[]) =>
  marqueeHere(words, {
    MARQUEE_DATA_DIR: test.options.dataDir,
    MARQUEE_NOW: '2026-06-16T20:00:00Z',
    MARQUEE_PUBLIC_URL: 'https://events.example.org',
    MARQUEE_SECRET: SECRET,
  });
const at = (...names: string[]): string => join(folder, ...names);
async function exportTo(name: string, ...words: string[]): Promise<Manifest> {
  const { stdout, stderr, status } = await command('export', at(name), '--json', ...words);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(JSON.parse(readFileSync(at(name, 'manifest.json'), 'utf8'))).toEqual(JSON.parse(stdout));
  return JSON.parse(stdout);
}
const linesOf = (name: string, kind: string): { id: string }[] =>
  JSON.parse(readFileSync(at(name, 'manifest.json'), 'utf8'))
    .files.filter((file: { name: string }) => file.name.startsWith(kind))
    .flatMap((file: { name: string }) => readFileSync(at(name, file.name), 'utf8').split('\n').slice(0, -1))
    .map((line: string) => JSON.parse(line));

describe('marquee export', () => {
  it('writes venues, events and neighborhoods with a manifest that counts and hashes them', async () => {
    const manifest = await exportTo('everything');
    expect(manifest).toMatchObject({ query: null, format: 'ndjson', previous: null, deleted: [], rows: 10, city: CITY });
    expect(manifest.generatedAt).toBe('2026-06-16T20:00:00.000Z');
    expect(manifest.epoch).toMatch(/^[0-9a-f-]{36}$/);
    expect(manifest.sequence).toBeGreaterThan(0);
    expect(manifest.files.map(({ name, rows }) => [name, rows])).toEqual([
      ['neighborhoods.geojson', 2],
      ['venues-00001.ndjson', 2],
      ['events-00001.ndjson', 6],
    ]);
    for (const { name, bytes, sha256, url } of manifest.files) {
      const content = readFileSync(at('everything', name));
      expect([content.length, createHash('sha256').update(content).digest('hex'), url]).toEqual([bytes, sha256, name]);
    }
  });

  it('makes a folder and files that nobody else on the machine reads', async () => {
    await exportTo('private');
    const paths = ['', ...readdirSync(at('private'))].map((name) => at('private', name));
    const modes = paths.map((path) => (statSync(path).mode & 0o777).toString(8));
    expect(modes).toEqual(['700', '600', '600', '600', '600']);
  });

  it('signs the manifest, and a changed number is found out', async () => {
    const manifest = await exportTo('signed');
    const publicKey = createPublicKey(createSigningKey(SECRET).published.pem);
    const isSigned = (signed: Manifest) =>
      verify(null, Buffer.from(signedText(signed)), publicKey, Buffer.from(manifest.signature.value, 'base64'));
    expect(isSigned(manifest)).toBe(true);
    // Whoever gives absolute addresses changes nothing that is signed.
    const moved = { ...manifest, files: manifest.files.map((file) => ({ ...file, url: `https://elsewhere/${file.name}` })) };
    expect(isSigned(moved)).toBe(true);
    const forged = { ...manifest, rows: manifest.rows + 1 };
    expect(isSigned(forged)).toBe(false);
  });

  it('holds of a query what GET /events lists', async () => {
    const manifest = await exportTo('query', '--query', 'category=concert&free=false&price_max=15', '--columns', 'title');
    expect(manifest).toMatchObject({ query: 'category=concert&free=false&price_max=15', columns: ['id', 'title'], rows: 3 });
    for (const event of linesOf('query', 'events')) expect(Object.keys(event)).toEqual(['id', 'title']);
  });

  it.each([
    [['--columns', 'titel'], '--columns: wanted "record" or some of id, title'],
    [['--query', 'category=consert'], '--query: category'],
    [['--query', 'categroy=concert'], 'did you mean category'],
    [['--format', 'xml'], 'xml'],
  ])('refuses %j in one sentence', async (words, sentence) => {
    const { status, stderr, stdout } = await command('export', at('refused'), ...words);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('says in one sentence why a folder cannot be written', async () => {
    writeFileSync(at('file'), '');
    const folder = at('file', 'inside');
    const stderr = `Cannot write to ${folder}: a part of its path is a file.\n`;
    expect(await command('export', folder)).toEqual({ status: 1, stdout: '', stderr });
  });

  it('never mixes two exports in one folder', async () => {
    const { status, stderr } = await command('export', at('everything'));
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('holds files already') });
  });
});

describe('marquee import of an export', () => {
  it('makes another instance equal: its export has the same records', async () => {
    await exportTo('first');
    await emptyDirectory(test.store);
    const { stdout, status } = await command('import', at('first'), '--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ venues: { created: 2 }, events: { created: 6 }, rejectedCount: 0 });
    await exportTo('second');
    const plain = (name: string, kind: string) =>
      linesOf(name, kind)
        // Each instance notes for itself when it wrote a record.
        .map((record) => ({ ...record, updatedAt: null }))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1));
    for (const kind of ['events', 'venues']) expect(plain('second', kind), kind).toEqual(plain('first', kind));
    const again = await command('import', at('first'), '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({ venues: { unchanged: 2 }, events: { unchanged: 6 } });
  });

  it('reads nothing of a file that is not the one of the manifest', async () => {
    await exportTo('tampered');
    writeFileSync(at('tampered', 'events-00001.ndjson'), '{}\n');
    const { status, stderr } = await command('import', at('tampered'));
    expect(status).toBe(1);
    expect(stderr).toContain('events-00001.ndjson is not the file that the manifest describes');
  });

  it.each([
    ['csv', ['--format', 'csv'], 'only NDJSON can be imported'],
    ['part', ['--query', 'free=true'], 'only a full export of everything'],
  ])('refuses what is no full NDJSON export (%s)', async (name, words, sentence) => {
    await exportTo(name, ...words);
    const { status, stderr } = await command('import', at(name));
    expect(status).toBe(1);
    expect(stderr).toContain(sentence);
  });
});

const BUNDLE = {
  city: CITY,
  neighborhoods: NEIGHBORHOODS,
  venues: [
    venueLine('cellar', { metadata: { website: 'https://cellar.example', transitNearby: ['A', 'C'] } }),
    venueLine('attic', { latitude: 45, longitude: -73.85, capacityTier: 'intimate', isVerified: false }),
  ],
  events: [
    eventLine('jazz', { priceMin: 10, performers: ['Ana'], tags: ['live'], sources: ['city'] }),
    eventLine('jazz-again', { title: 'Night of jazz', priceMin: 12 }),
    eventLine('blues', { venue: 'attic', isFree: true, priceMin: null, priceMax: null, description: 'A\u2028line, "quoted"' }),
    eventLine('fair', { category: 'festival', startDatetime: '2026-06-21T00:00', startPrecision: 'all_day', endDatetime: null }),
    eventLine('off', { status: 'cancelled', category: 'art', imageUrl: 'https://cdn.example/1.jpg' }),
    eventLine('past', { category: 'art', startDatetime: '2026-05-01T20:00', endDatetime: '2026-05-01T23:00' }),
  ],
};
