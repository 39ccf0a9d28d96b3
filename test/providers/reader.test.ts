import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ListingPage, openReader, ProviderError, type Reader, type SourceFacts } from '../../src/providers/index.ts';
import { parseCpuMs } from '../../src/providers/reading/cpu-time.ts';
import { heapFor, READER_LIMITS, timeFor } from '../../src/providers/reading/reader-limits.ts';
import { quoted, tableRows } from '../house/source-tree.ts';
import { PATIENCE_MS } from '../support/runs/patience.ts';

const SOURCE: SourceFacts = {
  name: 'harbour',
  location: 'https://events.example.org/',
  mapping: null,
  key: 'k-123',
  zone: 'Europe/London',
  locales: ['en-US'],
  window: { from: 0, until: 1 },
};
const answer = (text: string) => ({ url: SOURCE.location, body: Buffer.from(text), contentType: null });
const titles = ({ listings }: ListingPage) =>
  listings.map((each) => (each.ok === true && each.listing.target === 'events' ? each.listing.event.title : each));
const failure = (work: Promise<unknown>) =>
  work.then(
    () => 'nothing failed',
    (error) => (error instanceof ProviderError ? `${error.code}: ${error.message}` : error),
  );

describe('the reader', () => {
  const entry = new URL('../support/processes/evil-reader-child.ts', import.meta.url);
  let reader: Reader;
  let hasty: Reader;
  beforeAll(() => {
    reader = openReader({ entry, limits: { timeMs: PATIENCE_MS, startMs: PATIENCE_MS, processes: 1, textChars: 1_000 } });
    hasty = openReader({ entry, limits: { timeMs: 400, startMs: PATIENCE_MS, processes: 1 } });
  });
  afterAll(async () => {
    await Promise.all([reader.close(), hasty.close()]);
  });
  const read = (kind: string, text = '') => reader.read(kind, answer(text), SOURCE);

  it.each([
    ['spins', 'too_slow: reading took more than 401 ms'],
    ['spinsLater', 'too_slow: reading took more than 401 ms'],
    ['ends', 'crashed: the reading process died: it ended without a message'],
    ['fails', 'crashed: the reader of fails failed: TypeError: no such thing'],
    ['refuses', 'not_of_the_kind: the document is a poem'],
    ['is unknown', 'crashed: there is no reader of is unknown'],
  ])('outlives a provider that %s, and reads on', async (kind, message) => {
    const impatient = kind.startsWith('spins') ? hasty : reader;
    expect(await failure(impatient.read(kind, answer('.'), SOURCE))).toBe(message);
    // On a busy machine a short text may also take longer than the impatient one waits.
    const readOn = () => impatient.read('echoes', answer('still here'), SOURCE).then(titles, String);
    await expect.poll(readOn).toEqual(['still here']);
  });

  it('counts the work of the process, and not how long it waits for its turn', async () => {
    let looks = 0;
    // The work of a machine that is busy otherwise: nothing at first, and all of it at last.
    const cpuMs = () => (looks++ < 2 ? 0 : 10_000);
    const busy = openReader({ entry, cpuMs, limits: { timeMs: 1, startMs: PATIENCE_MS, clockFactor: PATIENCE_MS } });
    expect(await failure(busy.read('spins', answer('.'), SOURCE))).toBe('too_slow: reading took more than 2 ms');
    expect(looks).toBe(3);
    await busy.close();
  });

  it('ends a process that works on nothing by the clock', async () => {
    const idle = openReader({ entry, cpuMs: () => 0, limits: { timeMs: 1, startMs: PATIENCE_MS, clockFactor: 2 } });
    expect(await failure(idle.read('waits', answer('.'), SOURCE))).toBe('too_slow: reading took more than 2 ms');
    await idle.close();
  });

  it('counts by the clock where a system does not tell the work', async () => {
    const blind = openReader({ entry, cpuMs: () => null, limits: { timeMs: 1, startMs: PATIENCE_MS, clockFactor: PATIENCE_MS } });
    expect(await failure(blind.read('spins', answer('.'), SOURCE))).toBe('too_slow: reading took more than 2 ms');
    await blind.close();
  });

  it.each([
    ['77 (a name) with) R 1 1 1 0 -1 4194304 9 0 0 0 120 35 0 0 20 0 11 0 5', 1_550],
    ['77 (node) R 1 1', null],
    ['', null],
  ])('reads the work of a thread in %j', (stat, ms) => {
    expect(parseCpuMs(stat)).toBe(ms);
  });

  it.each(['hoards', 'grabs'])('outlives a provider that %s more memory than there is', async (kind) => {
    const small = openReader({ entry, limits: { timeMs: PATIENCE_MS, startMs: PATIENCE_MS, heapMb: 32 } });
    expect(await failure(small.read(kind, answer('.'), SOURCE))).toBe('too_large: reading needs more than 32 MB of memory');
    await small.close();
  });

  it('reads several answers at once, as many as there are processes', async () => {
    const pages = await Promise.all(['a', 'b', 'c', 'd'].map((text) => read('echoes', text)));
    expect(pages.flatMap(titles)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('holds a source to so many listings, and its own provider to fewer', async () => {
    expect((await read('lists', '20000')).listings).toHaveLength(20_000);
    expect(await failure(read('lists', '20001'))).toBe('too_large: the response has more than 20000 listings');
  });

  it('drops a text that is too long, and refuses a listing that is nothing without it', async () => {
    const [refused, kept] = (await read('talks', '1001')).listings;
    expect(refused).toMatchObject({ ok: false, field: 'title', reason: 'longer than 1000 characters' });
    expect(kept).toMatchObject({
      ok: true,
      listing: { event: { title: 'A concert', image: null, tags: ['jazz'], venue: { name: 'The Dock', address: null } } },
    });
  });

  it('gives the process neither network nor files nor commands nor the environment', async () => {
    const { listings } = await read('looksAround');
    expect(titles({ listings, next: [] })).toEqual(['ERR_ACCESS_DENIED ERR_ACCESS_DENIED ERR_ACCESS_DENIED']);
    expect(listings).toMatchObject([{ listing: { event: { tags: ['TZ'] } } }]);
  });

  it('refuses an answer that is larger than any file may be', async () => {
    const small = openReader({ limits: { bodyBytes: 10 } });
    expect(await failure(small.read('json', answer('x'.repeat(11)), SOURCE))).toBe(
      'too_large: the response is larger than 10 bytes',
    );
    await small.close();
  });

  it('has the limits that docs/providers.md tells, and no other', () => {
    const rows = tableRows('docs/providers.md', 'limit').map(([name = '', value]) => [quoted(name)[0], value]);
    expect(rows).toEqual(Object.entries(READER_LIMITS).map(([name, value]) => [name, String(value)]));
  });

  it('gives larger answers more time and more memory, within bounds', () => {
    const MB = 1024 * 1024;
    expect([0, MB, 8 * MB, 50 * MB, 128 * MB].map((bytes) => heapFor(bytes, READER_LIMITS))).toEqual([256, 256, 256, 928, 2_048]);
    expect([0, MB, 8 * MB, 50 * MB].map((bytes) => timeFor(bytes, READER_LIMITS))).toEqual([2_000, 3_000, 10_000, 30_000]);
  });
});

describe('the mapped kinds', () => {
  it('are read in a process of their own, from any encoding', async () => {
    const reader = openReader();
    const mapping = { fields: { externalId: 'id', title: 'title', start: 'start', venue: { name: 'place' } } };
    const body = (text: string) => ({ ...answer(''), body: Buffer.from(`\ufeff${text}`, 'utf16le') });
    const rows = body('id,title,start,place\n1,Café concert,2026-08-01T20:00,The Dock\n');
    const records = body('[{"id":1,"title":"Café concert","start":"2026-08-01T20:00","place":"The Dock"}]');
    expect(titles(await reader.read('csv', rows, { ...SOURCE, mapping }))).toEqual(['Café concert']);
    expect(titles(await reader.read('json', records, { ...SOURCE, mapping }))).toEqual(['Café concert']);
    expect(await failure(reader.read('json', records, { ...SOURCE, mapping: {} }))).toMatch(/^bad_mapping: /);
    expect(await failure(reader.read('json', answer('<html>'), { ...SOURCE, mapping }))).toMatch(/^not_of_the_kind: /);
    await reader.close();
    expect(await failure(reader.read('json', records, { ...SOURCE, mapping }))).toBe('crashed: the reader is closed');
  });
});
