/** Both engines: the connection of a paused process stays open on a server. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { importBundle, listRuns, runSource } from '../../src/ingest/index.ts';
import type { Store } from '../../src/store/index.ts';
import { openNewTestStore, temporaryFolder } from '../support/database/store.ts';
import { BRIEF_NODE } from '../support/processes/brief-node.ts';
import { CITY, NEIGHBORHOODS, now } from '../support/records/bundle.ts';
import { addFeed, listing, READING } from '../support/rigs/sources.ts';

const LISTINGS = 1100;
const CHILD = new URL('../support/processes/ingest-child.ts', import.meta.url);

it.each([
  ['another source', 'press'],
  ['the same source', 'radio'],
])('a run that slept until its lease had run out writes nothing after %s was run by another process', async (_, other) => {
  const test = await openNewTestStore('embedded');
  const temporary = temporaryFolder();
  onTestFinished(async () => {
    await test.dispose();
    temporary.remove();
  });
  const { store } = test;
  await importBundle({ store, bundle: { city: CITY, neighborhoods: NEIGHBORHOODS }, now });
  const show = (source: string) =>
    Array.from({ length: LISTINGS }, (_each, n) =>
      listing(`${source}-${n}`, {
        name: `${source} ${n}`,
        start: `2026-07-${String(1 + (n % 28)).padStart(2, '0')}T${10 + (n % 12)}:00:00`,
      }),
    );
  for (const source of ['radio', 'press']) {
    await addFeed(store, temporary.folder, source);
    writeFileSync(join(temporary.folder, `${source}.json`), JSON.stringify({ events: show(source) }));
  }

  const sleeper = start(test.options.dataDir, 'radio', 'pause');
  await expect.poll(() => stateOf(sleeper)).toBe('T');
  const written = await countOf(store, 'radio');
  expect(written).toBeGreaterThan(0);
  expect(written).toBeLessThan(LISTINGS);
  // Two minutes pass at once.
  await store.db
    .updateTable('lease')
    .set({ until: new Date(0) })
    .execute();
  const [code] = await once(start(test.options.dataDir, other), 'exit');
  expect(code).toBe(0);
  expect(await countOf(store, other)).toBe(LISTINGS);
  const picture = await pictureOf(store);

  const said = failureOf(sleeper);
  sleeper.kill('SIGCONT');
  expect(await said).toBe('run_superseded');
  expect(await pictureOf(store)).toEqual(picture);
  const runs = await listRuns({ store, source: 'radio' });
  expect(runs.at(-1)).toMatchObject({ state: 'failed' });

  const report = await runSource({ store, name: 'radio', now, ...READING });
  const before = other === 'radio' ? LISTINGS : written;
  expect(report.events).toEqual({ created: LISTINGS - before, updated: 0, unchanged: before });
  expect(await countOf(store, 'radio')).toBe(LISTINGS);
});

function start(dataDir: string, source: string, ...more: string[]): ChildProcess {
  const child = fork(CHILD, [dataDir, source, ...more], { execArgv: [...BRIEF_NODE] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** As the kernel says (proc_pid_stat(5)): T for stopped. */
function stateOf({ pid }: ChildProcess): string {
  return readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .charAt(0);
}

function failureOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: { failed?: string }) => {
      if (message.failed !== undefined) resolve(message.failed);
    });
    // 'exit' may come before its last message.
    child.once('close', () => reject(new Error('it ended without a message')));
  });
}

async function countOf({ db }: Store, source: string): Promise<number> {
  const rows = await db
    .selectFrom('record')
    .innerJoin('source', 'source.id', 'record.source_id')
    .select('record.id')
    .where('source.name', '=', source)
    .where('record.kind', '=', 'event')
    .execute();
  return rows.length;
}

const pictureOf = async ({ db }: Store) =>
  await db.selectFrom('event').select(['id', 'title', 'state', 'updated_at', 'sources']).orderBy('id').execute();
