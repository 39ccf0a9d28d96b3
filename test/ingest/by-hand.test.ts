import { describe, expect, it } from 'vitest';
import {
  correct,
  importBundle,
  listQuestions,
  mergeByHand,
  readHistory,
  splitByHand,
  undoByHand,
} from '../../src/ingest/index.ts';
import { NOW, now, smallBundle } from '../support/bundle.ts';
import { listing } from '../support/sources.ts';
import { useTwoSources } from '../support/two-sources.ts';

const two = useTwoSources();
const by = 'ann@city.example';
const stateOf = async (id: string) => {
  const { state, merged_into } = await two.store.db
    .selectFrom('event')
    .select(['state', 'merged_into'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return [state, merged_into];
};
const twoEvents = async () => {
  two.radio.write([listing('r1', { name: 'Parade' })]);
  two.press.write([listing('p1', { name: 'Procession', start: '2026-06-22T10:00:00' })]);
  await two.radio.run();
  await two.press.run();
  const [parade, procession] = await two.listed();
  return [parade!.id, procession!.id] as const;
};
const merge = (left: string, right: string, kind: 'event' | 'venue' = 'event') =>
  mergeByHand({ store: two.store, kind, left, right, by, now });

describe('two events merged by hand', () => {
  it('are one over later runs, the older id leads, and the act can be taken back', async () => {
    const [parade, procession] = await twoEvents();
    const merged = await merge(procession, parade);
    expect(merged).toMatchObject({ ok: true, difference: { merged: [{ id: procession, into: parade }] } });
    await two.press.run();
    two.press.write([listing('p1', { name: 'The Procession', start: '2026-06-23T10:00:00' })]);
    await two.press.run();
    expect(await stateOf(procession)).toEqual(['merged', parade]);
    expect(await merge(parade, procession)).toMatchObject({ ok: false, code: 'same' });
    expect(await undoByHand({ store: two.store, act: merged.ok ? merged.act : '', by, now })).not.toBeNull();
    expect(await stateOf(procession)).toEqual(['published', null]);
    expect(await undoByHand({ store: two.store, act: merged.ok ? merged.act : '', by, now })).toBeNull();
    expect(await undoByHand({ store: two.store, act: 'nonsense', by, now })).toBeNull();
  });

  it('are refused where there is nothing to match: bundles, the past, unknown ids', async () => {
    const [parade] = await twoEvents();
    await importBundle({ store: two.store, bundle: smallBundle(), now });
    const jazz = (await two.listed()).find(({ title }) => title === 'Night of jazz')!;
    expect(await merge(parade, jazz.id)).toMatchObject({
      ok: false,
      code: 'bundle',
      reason: expect.stringMatching(/never merged/),
    });
    expect(await merge(parade, 'nonsense')).toMatchObject({ ok: false, code: 'unknown' });
    expect(await merge(parade, parade)).toMatchObject({ ok: false, code: 'same' });
    const later = () => NOW + 30 * 86_400_000;
    const [, procession] = (await two.listed()).filter(({ sources }) => sources.length > 0).map(({ id }) => id);
    expect(
      await mergeByHand({ store: two.store, kind: 'event', left: parade, right: procession!, by, now: later }),
    ).toMatchObject({
      ...{ ok: false, code: 'past' },
    });
    expect(await two.store.db.selectFrom('decision').select('id').execute()).toEqual([]);
  });
});

describe('an event split by hand', () => {
  it('is two, each with an id that answers, and one again when that is taken back', async () => {
    await two.sayTheSame();
    const [one] = await two.listed();
    const leaving = [await two.recordId('p1')];
    const nothing = { ok: false, code: 'nothing_left' };
    const split = (records: readonly string[]) =>
      splitByHand({ store: two.store, kind: 'event', id: one!.id, leaving: records, by, now });
    expect(await split([])).toMatchObject(nothing);
    expect(await split([...leaving, await two.recordId('r1')])).toMatchObject(nothing);
    expect(await split(['01900000-0000-7000-8000-00000000beef'])).toMatchObject({ ok: false, code: 'unknown' });
    const done = await split(leaving);
    expect(done).toMatchObject({ ok: true });
    await two.radio.run();
    await two.press.run();
    const parted = await two.listed();
    expect(parted).toHaveLength(2);
    expect(parted.map(({ id }) => id)).toContain(one!.id);
    expect(await listQuestions({ store: two.store })).toEqual([]);
    await undoByHand({ store: two.store, act: done.ok ? done.act : '', by, now });
    expect((await two.listed()).map(({ id }) => id)).toEqual([one!.id]);
  });

  it('gives way to a merger by hand, and stands again when that is taken back', async () => {
    await two.sayTheSame();
    const [one] = await two.listed();
    await splitByHand({ store: two.store, kind: 'event', id: one!.id, leaving: [await two.recordId('p1')], by, now });
    const [left, right] = (await two.listed()).map(({ id }) => id);
    const merged = await merge(left!, right!);
    expect(await two.listed()).toHaveLength(1);
    await undoByHand({ store: two.store, act: merged.ok ? merged.act : '', by, now });
    expect((await two.listed()).map(({ id }) => id).sort()).toEqual([left, right].sort());
  });
});

describe('two venues merged by hand', () => {
  it('are one with all that takes place there, and part again with it', async () => {
    two.radio.write([listing('r1', { name: 'Parade' })]);
    two.press.write([listing('p1', { name: 'Chess', place: 'Under the Bridge', lat: 40.02, lon: -73.85 })]);
    await two.radio.run();
    await two.press.run();
    const places = async () =>
      two.store.db.selectFrom('event').select(['title', 'venue_id']).where('state', '=', 'published').orderBy('title').execute();
    const before = await places();
    const [bridge, cellar] = before.map(({ venue_id }) => venue_id);
    const merged = await merge(bridge!, cellar!, 'venue');
    expect(merged).toMatchObject({ ok: true });
    expect((await places()).map(({ venue_id }) => venue_id)).toEqual([cellar, cellar]);
    await two.press.run();
    const leads = await two.store.db
      .selectFrom('venue')
      .select(['state', 'merged_into'])
      .where('id', '=', bridge!)
      .executeTakeFirst();
    expect(leads).toEqual({ state: 'merged', merged_into: cellar });
    await undoByHand({ store: two.store, act: merged.ok ? merged.act : '', by, now });
    expect(await places()).toEqual(before);
  });
});

describe('the history of an event', () => {
  it('tells who did what when, with what was before, the newest first', async () => {
    const [parade, procession] = await twoEvents();
    const at = (minutes: number) => () => NOW + minutes * 60_000;
    await correct({
      store: two.store,
      entity: 'event',
      id: procession,
      values: { title: 'Great Procession' },
      by,
      note: 'poster',
      now: at(5),
    });
    two.press.write([listing('p1', { name: 'Procession', start: '2026-06-22T11:00:00' })]);
    await two.press.run({ now: at(10) });
    const merged = await mergeByHand({ store: two.store, kind: 'event', left: parade, right: procession, by, now: at(20) });
    await undoByHand({ store: two.store, act: merged.ok ? merged.act : '', by, now: at(30) });
    const told = await readHistory({ store: two.store, entity: 'event', id: procession });
    expect(told.map(({ at: moment }) => moment)).toEqual(told.map(({ at: moment }) => moment).sort((a, b) => b - a));
    expect(told.map((entry) => (entry.kind === 'told' ? entry.change : entry.kind))).toEqual([
      ...['created', 'undecided'],
      ...['merged', 'decided'],
      ...['rescheduled', 'listed'],
      ...['updated', 'corrected'],
      ...['created', 'listed'],
    ]);
    expect(told.find(({ kind }) => kind === 'corrected')).toMatchObject({
      ...{ by, note: 'poster', changes: [{ field: 'title', before: 'Procession', after: 'Great Procession' }] },
    });
    expect(told.find((entry) => entry.kind === 'listed' && entry.what === 'changed')).toMatchObject({
      ...{ source: 'press', externalId: 'p1' },
      changes: [{ field: 'startsAt', before: Date.parse('2026-06-22T14:00:00Z'), after: Date.parse('2026-06-22T15:00:00Z') }],
    });
    expect(told.find(({ kind }) => kind === 'decided')).toMatchObject({
      ...{ verdict: 'same', by, stands: false, act: merged.ok ? merged.act : '' },
      listings: expect.arrayContaining([{ title: 'Parade', source: 'radio' }]),
    });
  });
});
