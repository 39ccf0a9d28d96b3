/**
 * What an export may take: little memory, however much it writes, and no open file for a reader who has left. One engine is
 * enough: files are written from the read model, in memory.
 */

import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it } from 'vitest';
import type { ExportThreadData } from '../../src/exports/worker/export-thread.ts';
import type { WrittenExport } from '../../src/exports/write-export.ts';
import { buildSearch } from '../../src/search/index.ts';
import { createRandom, NOW, PUBLIC_URL, randomDirectory } from '../search/random-directory.ts';
import { temporaryFolder } from '../support/database/store.ts';
import { openExportRig, until } from '../support/rigs/exports.ts';

const { folder, remove } = temporaryFolder();
afterAll(remove);

const LOOK_EVERY_MS = 5;

describe('the thread of an export', () => {
  it('writes far more than its memory holds, in every format, and lets requests go first', async () => {
    const directory = randomDirectory(createRandom(1), 100);
    const text = 'All the town comes to hear the band play. '.repeat(40);
    const venues = new Set(directory.venues.filter(({ state }) => state === 'published').map(({ id: venueId }) => venueId));
    const sample = directory.events.find(({ state, venueId }) => state === 'published' && venues.has(venueId));
    const id = (n: number) => `cccccccc-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;
    // 40 000 events of 2 kB: more than twice what the thread may have.
    const events = Array.from({ length: 40_000 }, (_, n) => ({
      ...sample!,
      id: id(n),
      slug: `more-${n}`,
      description: `${n} ${text}`,
    }));
    const search = buildSearch({ ...directory, events: [...directory.events, ...events] }, NOW, PUBLIC_URL);
    const priorities = new Set<number>();
    const watch = setInterval(() => {
      for (const priority of threadPriorities()) priorities.add(priority);
    }, LOOK_EVERY_MS);
    for (const format of ['ndjson', 'csv', 'geojson', 'parquet'] as const) {
      const at = join(folder, format);
      mkdirSync(at);
      const { port1, port2 } = new MessageChannel();
      search.relay(port1);
      const content = { format, columns: null, filter: null };
      const more = { now: NOW, folder: at, neighborhoods: [], previous: null };
      const workerData: ExportThreadData = { ...more, content, search: port2 };
      const worker = new Worker(new URL('../../src/exports/worker/export-thread.ts', import.meta.url), {
        workerData,
        transferList: [port2],
        resourceLimits: { maxOldGenerationSizeMb: 40, maxYoungGenerationSizeMb: 8 },
      });
      const [written] = (await once(worker, 'message')) as [WrittenExport];
      const rows = written.files.filter(({ name }) => name.startsWith('events')).reduce((sum, file) => sum + file.rows, 0);
      expect(rows, format).toBeGreaterThanOrEqual(40_000);
      if (format !== 'parquet') expect(written.files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeGreaterThan(70_000_000);
      await worker.terminate();
      port1.close();
    }
    clearInterval(watch);
    expect(priorities).toContain(Math.min(19, getPriority() + 10));
  });
});

describe('a reader who leaves in the middle of a file', () => {
  it('leaves no open file behind', async () => {
    const rig = await openExportRig();
    try {
      const ada = await rig.createCustomer('ada@exports.example', 'enterprise');
      const requestId = await rig.request(ada);
      const { id } = await rig.ready(ada, requestId);
      // Larger than what sockets hold on the way.
      const [name = ''] = rig.foldersOf(id);
      const file = join(rig.site.dataDir, 'exports', 'ready', name, 'events-00001.ndjson');
      const large = Buffer.alloc(60_000_000, 'x');
      writeFileSync(file, large);
      const { manifest } = await rig.site.store.db
        .selectFrom('export')
        .select('manifest')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      const told = JSON.parse(manifest ?? '') as { files: { name: string; bytes: number }[] };
      for (const each of told.files) if (each.name.startsWith('events')) each.bytes = large.length;
      await rig.site.store.db
        .updateTable('export')
        .set({ manifest: JSON.stringify(told) })
        .where('id', '=', id)
        .execute();
      const { body } = await rig.api(`/exports/${id}`, ada.key);
      const { url } = body.data.manifest.files.find((each: { name: string }) => each.name.startsWith('events'));
      for (let reader = 0; reader < 5; reader += 1) {
        const leaving = new AbortController();
        const answer = await fetch(url, { signal: leaving.signal });
        await answer.body?.getReader().read();
        expect(openFiles()).toContain(file);
        leaving.abort();
      }
      await until(async () => !openFiles().includes(file));
      expect((await fetch(url, { method: 'HEAD' })).headers.get('content-length')).toBe(String(large.length));
    } finally {
      await rig.site.close();
    }
  });
});

/** Of the threads of this process (proc(5), field 19). */
const threadPriorities = (): number[] =>
  readdirSync('/proc/self/task').flatMap((thread) => {
    try {
      const fields = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      return [Number(fields[16])];
    } catch {
      return [];
    }
  });

/** Of this process, in which the service runs. */
const openFiles = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((number) => {
    try {
      return readlinkSync(`/proc/self/fd/${number}`);
    } catch {
      return [];
    }
  });
