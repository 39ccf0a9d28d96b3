import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { listHead, openStore, readList } from '../../src/store/index.ts';
import { cutPower, type PowerCut } from '../support/database/power-cut.ts';
import { copyDataFolder } from '../support/database/store.ts';
import { eventually, type StoreChild, startStoreChild } from '../support/processes/child-process.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** The database, and the writes of its last owner that were acknowledged, after a power cut. */
async function writeUntilPowerCut(
  survives: () => boolean,
  disk: '' | ':deaf' = '',
): Promise<{ owner: StoreChild; cut: PowerCut; dataDir: string }> {
  const { options, remove } = await copyDataFolder();
  cleanups.push(remove);
  const database = join(options.dataDir, 'database');
  const journal = join(options.dataDir, '..', `journal-${cleanups.length}-${Date.now()}`);
  const owner = startStoreChild(options, {
    execArgv: ['--import', new URL('../support/database/power-journal.ts', import.meta.url).href],
    env: { MARQUEE_TEST_POWER_JOURNAL: `${database}:${journal}${disk}` },
  });
  await owner.next('open');
  owner.tell({ kind: 'write', writers: 3, seed: 1 });
  await eventually(() => owner.reports.length > WRITES);
  await owner.kill();
  return { owner, cut: cutPower(database, journal, survives), dataDir: options.dataDir };
}

/** How many acknowledged writes are not there. */
async function countLost(owner: StoreChild, dataDir: string): Promise<number> {
  const store = await openStore({ dataDir });
  cleanups.push(() => store.close());
  const rows = await readList(store.db, 'change', 0, await listHead(store.db, 'change'));
  const ids = new Set(rows.map((row) => row.entity_id));
  return owner.reports.flatMap((report) => (report.kind === 'acknowledged' ? report.ids : [])).filter((id) => !ids.has(id))
    .length;
}

describe('after a power cut', () => {
  const halves = () => {
    let turn = 0;
    return () => {
      turn = (Math.imul(turn, 1664525) + 1013904223) >>> 0;
      return turn < 2 ** 31;
    };
  };

  test.each([
    ['nothing', () => false],
    ['half the pages', halves()],
  ])('that leaves %s of what was not synced, every acknowledged commit is there', async (_, survives) => {
    const { owner, cut, dataDir } = await writeUntilPowerCut(survives);
    expect(cut.lost).toBeGreaterThan(0);
    expect(await countLost(owner, dataDir)).toBe(0);
  });

  test('of a disk that only says that it syncs, commits are lost: the test can see it', async () => {
    const { owner, cut, dataDir } = await writeUntilPowerCut(() => false, ':deaf');
    expect(cut.lost).toBeGreaterThan(0);
    const lost = await countLost(owner, dataDir).catch(() => Number.POSITIVE_INFINITY);
    expect(lost).toBeGreaterThan(0);
  });
});

const WRITES = 40;
