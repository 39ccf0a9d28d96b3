import { describe, expect, it } from 'vitest';
import { decide, listRuns, undoRun } from '../../src/ingest/index.ts';
import { NOW } from '../support/records/bundle.ts';
import { listing } from '../support/rigs/sources.ts';
import { useTwoSources } from '../support/rigs/two-sources.ts';
import { cleanUpAt, DAY } from '../support/runs/clean-up.ts';

const two = useTwoSources();
const records = async () => (await two.store.db.selectFrom('record').select('external_id').where('kind', '=', 'event').orderBy('external_id').execute()).map(({ external_id }) => external_id); // biome-ignore format: one line
const event = (title: string) =>
  two.store.db.selectFrom('event').select(['id', 'state', 'title']).where('title', '=', title).executeTakeFirstOrThrow();

describe('of events that were over long ago', () => {
  it('listings go and events stay, and a source that lists them still brings nothing back', async () => {
    const LATER = NOW + 401 * DAY;
    const old = listing('old', { start: '2026-06-17T20:00:00' });
    const exhibition = listing('years', { start: '2026-06-17T20:00:00', end: '2027-08-30T20:00:00' });
    const coming = listing('coming', { start: '2027-08-20T20:00:00' });
    two.radio.write([old, exhibition, coming]);
    await two.radio.run();
    const before = await two.events();
    expect(await cleanUpAt(two.store, NOW + 390 * DAY)).not.toHaveProperty('record');
    const deleted = await cleanUpAt(two.store, LATER + 10 * DAY);
    expect(deleted).toMatchObject({ record: 1 });
    expect(await records()).toEqual(['coming', 'years']);
    expect(await two.events()).toEqual(before);
    const report = await two.radio.run({ now: () => LATER + 10 * DAY, version: 'another' });
    expect(report.reasons).toMatchObject({ too_long_ago: 1 });
    expect((await two.events()).map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort());
    expect(await event('Show old')).toMatchObject({ state: 'published' });
  });

  it('listings stay that an operator has decided about', async () => {
    await two.fresh();
    two.radio.write([listing('a')]);
    two.press.write([listing('b', { name: 'Another show' })]);
    await two.radio.run();
    await two.press.run();
    const [left, right] = [await two.recordId('a'), await two.recordId('b')];
    await decide({ store: two.store, left, right, verdict: 'different', by: 'ada@example.org', now: () => NOW });
    await cleanUpAt(two.store, NOW + 800 * DAY);
    expect(await records()).toEqual(['a', 'b']);
  });
});

it('runs can be undone for 90 days, and the last run of each source for ever', async () => {
  await two.fresh();
  for (const day of [0, 10, 20]) {
    two.radio.write([listing('a', { name: `Show of day ${day}`, start: '2026-12-20T20:00:00' })]);
    await two.radio.run({ now: () => NOW + day * DAY });
  }
  const runs = async () => (await listRuns({ store: two.store })).map(({ startedAt }) => (startedAt - NOW) / DAY);
  const kept = async () => (await two.store.db.selectFrom('run_record').select('run_id').execute()).length;
  expect([await runs(), await kept()]).toEqual([[20, 10, 0], 3 + 1]);
  await cleanUpAt(two.store, NOW + 91 * DAY);
  expect(await runs()).toEqual([20, 10]);
  await cleanUpAt(two.store, NOW + 500 * DAY, { rows: 1 });
  expect(await runs()).toEqual([20]);
  expect(await kept()).toBe(1);
  const [last] = await listRuns({ store: two.store });
  await undoRun({ store: two.store, id: last!.id, now: () => NOW + 91 * DAY });
  expect((await two.events()).map(({ title }) => title)).toEqual(['Show of day 10']);
});
