// PostgreSQL is quicker.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoBundle } from '../../src/demo/index.ts';
import { importBundle } from '../../src/ingest/index.ts';
import { openTestStore, type TestStore } from '../support/database/store.ts';

const NOW = Date.parse('2026-11-21T18:30:00Z');
const DAY = 86_400_000;
let test: TestStore;

const load = (at: number) => importBundle({ store: test.store, bundle: demoBundle({ now: at }), now: () => at });

describe('the demo city in a directory', () => {
  beforeAll(async () => {
    test = await openTestStore();
  });
  afterAll(() => test.dispose());

  it('is taken whole: no line is rejected', async () => {
    const report = await load(NOW);
    expect(report.rejected).toEqual([]);
    expect(report.neighborhoods.created).toBe(12);
    expect(report.venues.created).toBe(150);
    expect(report.events.created).toBe(1_500);
  });

  it('changes nothing when loaded again on the same day', async () => {
    const report = await load(NOW + 3_600_000);
    expect(report.events).toMatchObject({ created: 0, updated: 0, unchanged: 1_500 });
    expect(report.venues).toMatchObject({ created: 0, updated: 0, unchanged: 150 });
  });

  it('moves along with the calendar when loaded a month later', async () => {
    const report = await load(NOW + 30 * DAY);
    expect(report.rejected).toEqual([]);
    expect(report.events.updated).toBeGreaterThan(1_000);
  });
});
