/** What the status report makes of the minutes that are stored, on a clock of the test. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createMetrics, type Metrics } from '../../src/api/index.ts';
import { createLog } from '../../src/log.ts';
import { openStatus, type ServiceStatus, type SurfaceName } from '../../src/status/index.ts';
import { describeEachEngine, openTestStore, type TestStore } from '../support/database/store.ts';
import { until } from '../support/runs/patience.ts';

describeEachEngine('the minutes of the service', (engine) => {
  let opened: TestStore;
  let metrics: Metrics;
  let at: number;
  beforeAll(async () => {
    opened = await openTestStore(engine);
  });
  beforeEach(async () => {
    await opened.store.db.deleteFrom('service_minute').execute();
    metrics = createMetrics();
    at = Date.parse('2026-11-24T12:30:30Z');
  });
  afterAll(() => opened.dispose());

  const open = (db = opened.store.db, damagedSince: () => number | null = () => null): ServiceStatus =>
    openStatus({
      db,
      clocks: { directory: () => at, limits: () => at },
      log: createLog('silent'),
      loadCredits: async () => [],
      readTotals: (surface) => metrics.totals((route) => route === surface),
      readDirectory: () => ({ events: 0, venues: 0, builtAt: at, behind: 0 }),
      damagedSince,
      loadChangedAt: async () => null,
      loadSources: async () => [],
      delays: { mail: async () => 0, webhooks: async () => 0, exports: async () => 0 },
    });

  /** Minutes of one process: numbers are those of the first, one row for each count. `answers`: answers without failure, 4xx, 5xx. */
  async function store(from: string, count: number, answers: [number, number, number] | null = null, writer = randomUUID()) {
    const api = answers ? [...answers, answers[0] + answers[1] + answers[2], ...Array<number>(12).fill(0)] : [];
    const rows = Array.from({ length: count }, (_, i) => ({
      minute: new Date(Date.parse(from) + i * 60_000),
      writer,
      api,
      pages: [],
      mcp: [],
    }));
    for (let i = 0; i < rows.length; i += 500)
      await opened.store.db
        .insertInto('service_minute')
        .values(rows.slice(i, i + 500))
        .execute();
  }

  async function readDays(status: ServiceStatus, surface: SurfaceName = 'api') {
    return until(async () => {
      const report = await status.report();
      expect(report.isHistoryComplete).toBe(true);
      const days = report.surfaces.find(({ name }) => name === surface)?.days ?? [];
      return Object.fromEntries(days.map((day) => [day.date, day]));
    });
  }

  test('a time in which no process was running counts as down, and the time before the first minute does not count', async () => {
    await store('2026-11-21T18:00:00Z', 120);
    await store('2026-11-22T00:00:00Z', 1440);
    await store('2026-11-24T00:00:00Z', 750);
    const status = open();
    const days = await readDays(status);
    await status.close();
    expect(Object.keys(days)).toHaveLength(90);
    expect(days['2026-11-20']).toMatchObject({ counted: 0, down: 0, availability: null });
    expect(days['2026-11-21']).toMatchObject({ counted: 360, down: 240, availability: expect.closeTo(1 / 3, 9) });
    expect(days['2026-11-22']).toMatchObject({ counted: 1440, down: 0, availability: 1 });
    expect(days['2026-11-23']).toMatchObject({ counted: 1440, down: 1440, availability: 0 });
    // The minute that runs counts, too.
    expect(days['2026-11-24']).toMatchObject({ counted: 751, down: 0, availability: 1 });
  });

  test('a damaged database degrades the service, although it answers', async () => {
    const since = at - 60_000;
    const status = open(opened.store.db, () => since);
    const { state, parts } = await status.report();
    await status.close();
    expect([state, parts[0]]).toEqual(['degraded', { name: 'database', state: 'damaged', since }]);
  });

  test('a failed answer costs its share of the minute, and a rejected one nothing', async () => {
    await store('2026-11-23T00:00:00Z', 1440, [9, 3, 0]);
    await store('2026-11-24T00:00:00Z', 750, [1, 0, 3]);
    const status = open();
    const days = await readDays(status);
    await status.close();
    expect(days['2026-11-23']).toMatchObject({ availability: 1, answers: 12 * 1440, failed: 0 });
    expect(days['2026-11-24']?.availability).toBeCloseTo(1 - (750 * 0.75) / 751, 6);
  });

  test('what several processes answered in a minute is added up, and a restart within a minute costs nothing', async () => {
    await store('2026-11-24T12:00:00Z', 16, [10, 0, 0]);
    // The next process begins in the minute in which the first one ended.
    await store('2026-11-24T12:15:00Z', 15, [5, 0, 5]);
    const status = open();
    const days = await readDays(status);
    await status.close();
    expect(days['2026-11-24']).toMatchObject({ counted: 31, down: 0, answers: 16 * 10 + 15 * 10, failed: 75 });
  });

  test('answers are seen at once, stored with their minute, and found again by the next process', async () => {
    const first = open();
    await readDays(first);
    for (const ms of [0.5, 3, 3, 80]) metrics.answered('api', 'GET', 200, ms);
    metrics.answered('pages', 'GET', 500, 20_000);
    expect(await readDays(first)).toMatchObject({ '2026-11-24': { answers: 4, failed: 0, p50: 5, p95: 100, slow: 0 } });
    expect(await readDays(first, 'pages')).toMatchObject({ '2026-11-24': { answers: 1, failed: 1, p50: null, slow: 1 } });
    at += 60_000;
    metrics.answered('api', 'GET', 404, 1);
    await first.close();
    const rows = await opened.store.db.selectFrom('service_minute').selectAll().orderBy('minute').execute();
    expect(rows.map(({ minute, api }) => [minute.toISOString(), api.slice(0, 3)])).toEqual([
      ['2026-11-24T12:30:00.000Z', [4, 1, 0]],
      ['2026-11-24T12:31:00.000Z', []],
    ]);
    metrics = createMetrics();
    at += 3 * 60_000;
    const second = open();
    expect((await readDays(second))['2026-11-24']).toMatchObject({ answers: 5, counted: 5, down: 2 });
    await second.close();
  });

  test('what was answered while the database was away is stored when it is back', async () => {
    let isAway = false;
    const db = opened.store.db.withPlugin({
      transformQuery({ node }) {
        if (isAway) throw new Error('away');
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const status = open(db);
    await readDays(status);
    isAway = true;
    for (let i = 0; i < 30; i += 1) {
      metrics.answered('api', 'GET', 200, 1);
      at += 60_000;
      await status.report();
    }
    await until(async () => {
      const { parts, state, surfaces } = await status.report();
      expect([state, parts.find(({ name }) => name === 'database')?.state]).toEqual(['degraded', 'down']);
      expect(surfaces[0]?.days.at(-1)).toMatchObject({ answers: 30, down: 0 });
    });
    isAway = false;
    await until(async () => {
      await status.report();
      const { count } = await opened.store.db
        .selectFrom('service_minute')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow();
      expect(Number(count)).toBe(30);
    });
    expect((await readDays(status))['2026-11-24']).toMatchObject({ answers: 30, counted: 31, down: 0 });
    await status.close();
  });

  test('a day without the database is kept, and no more', async () => {
    const status = open(
      opened.store.db.withPlugin({
        transformQuery() {
          throw new Error('away');
        },
        transformResult: async ({ result }) => result,
      }),
    );
    for (let i = 0; i < 2_000; i += 1) {
      at += 60_000;
      await status.report();
    }
    const { surfaces } = await status.report();
    await status.close();
    const running = surfaces[0]?.days.reduce((sum, { counted, down }) => sum + counted - down, 0);
    expect(running).toBe(1_440);
  });
});
