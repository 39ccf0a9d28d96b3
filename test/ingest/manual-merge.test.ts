// PostgreSQL is quicker.

import { describe, expect, it } from 'vitest';
import {
  type Bundle,
  correct,
  type ImportOptions,
  importBundle,
  listCandidates,
  loadProvenance,
  mergeManually,
  readHistory,
  removeSource,
  splitManually,
  undoManually,
} from '../../src/ingest/index.ts';
import { eventLine, NOW, now, smallBundle } from '../support/records/bundle.ts';
import { listing } from '../support/rigs/sources.ts';
import { useTwoSources } from '../support/rigs/two-sources.ts';

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
const revisionOf = async (id: string) =>
  (await two.store.db.selectFrom('event').select('revision').where('id', '=', id).executeTakeFirstOrThrow()).revision;
const twoEvents = async () => {
  two.radio.write([listing('r1', { name: 'Parade' })]);
  two.press.write([listing('p1', { name: 'Procession', start: '2026-06-22T10:00:00' })]);
  await two.radio.run();
  await two.press.run();
  const [parade, procession] = await two.listed();
  return [parade!.id, procession!.id] as const;
};
const merge = (left: string, right: string, kind: 'event' | 'venue' = 'event') =>
  mergeManually({ store: two.store, kind, left, right, by, now });

describe('two events merged by hand', () => {
  it('are one over later runs, the older id leads, and the act can be taken back', async () => {
    const [parade, procession] = await twoEvents();
    const merged = await merge(procession, parade);
    expect(merged).toMatchObject({ ok: true, difference: { merged: [{ id: procession, into: parade }] } });
    await two.press.run();
    two.press.write([listing('p1', { name: 'The Procession', start: '2026-06-23T10:00:00' })]);
    await two.press.run();
    expect(await stateOf(procession)).toEqual(['merged', parade]);
    const revision = await revisionOf(procession);
    expect(await merge(parade, procession)).toMatchObject({ ok: false, reason: 'same' });
    expect(await undoManually({ store: two.store, act: merged.ok ? merged.act : '', by, now })).not.toBeNull();
    expect(await stateOf(procession)).toEqual(['published', null]);
    // Calendars showed it as canceled with the next revision.
    expect(await revisionOf(procession)).toBeGreaterThan(revision + 1);
    expect(await undoManually({ store: two.store, act: merged.ok ? merged.act : '', by, now })).toBeNull();
    expect(await undoManually({ store: two.store, act: 'nonsense', by, now })).toBeNull();
  });

  it('are refused where there is nothing to join', async () => {
    const [parade] = await twoEvents();
    expect(await merge(parade, 'nonsense')).toMatchObject({ ok: false, reason: 'unknown' });
    expect(await merge(parade, parade)).toMatchObject({ ok: false, reason: 'same' });
    expect(await two.store.db.selectFrom('decision').select('id').execute()).toEqual([]);
  });

  it('are one though they are over, and so parted again; the rest of that night stays as it was', async () => {
    two.radio.write([listing('r1', { name: 'Parade' }), listing('r2', { name: 'Fireworks' })]);
    two.press.write([
      listing('p1', { name: 'Procession', start: '2026-06-22T10:00:00' }),
      listing('p2', { name: 'Fireworks!', start: '2026-06-20T20:30:00' }),
    ]);
    await two.radio.run();
    await two.press.run();
    const idOf = async (title: string) => (await two.listed()).find((event) => event.title === title)!.id;
    const [parade, procession] = [await idOf('Parade'), await idOf('Procession')];
    const rest = async () => (await two.events()).filter(({ id }) => id !== parade && id !== procession);
    const before = await rest();
    const later = () => NOW + 30 * 86_400_000;
    const hand = { store: two.store, kind: 'event' as const, by, now: later };
    const merged = await mergeManually({ ...hand, left: parade, right: procession });
    expect(merged).toMatchObject({ ok: true });
    expect(await stateOf(procession)).toEqual(['merged', parade]);
    const parted = await splitManually({ ...hand, id: parade, leaving: [await two.recordId('p1')] });
    expect(parted).toMatchObject({ ok: true });
    expect(await stateOf(procession)).toEqual(['published', null]);
    await undoManually({ ...hand, act: parted.ok ? parted.act : '' });
    expect(await stateOf(procession)).toEqual(['merged', parade]);
    await undoManually({ ...hand, act: merged.ok ? merged.act : '' });
    expect(await stateOf(procession)).toEqual(['published', null]);
    expect(await rest()).toEqual(before);
  });
});

describe('an event of a bundle', () => {
  const load = (bundle: Bundle, more: Partial<ImportOptions> = {}) =>
    importBundle({ store: two.store, bundle, now: () => NOW + 60_000, ...more });
  const only = (...events: object[]): Bundle => ({ venues: smallBundle().venues, events });
  const shown = async (id: string) => {
    const { db } = two.store;
    const row = await db.selectFrom('event').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    return [row.title, row.state, row.merged_into, row.sources];
  };
  const idsOf = async (...titles: string[]) => {
    const listed = await two.listed();
    return titles.map((title) => listed.find((event) => event.title === title)!.id);
  };

  it('merged with that of a source is what the bundle says, over later runs and imports', async () => {
    two.radio.write([listing('r1', { name: 'Parade' })]);
    await two.radio.run();
    await load(only(eventLine('jazz', { sources: ['hall'] })));
    const [parade, jazz] = (await idsOf('Parade', 'Night of jazz')) as [string, string];
    const merged = await merge(jazz, parade);
    expect(merged).toMatchObject({ ok: true, difference: { merged: [{ id: jazz, into: parade }] } });
    expect(await shown(parade)).toEqual(['Night of jazz', 'published', null, ['hall', 'radio']]);
    const { fields } = await loadProvenance({ store: two.store, eventId: parade });
    expect(fields.find(({ field }) => field === 'title')).toMatchObject({
      value: 'Night of jazz',
      why: expect.stringMatching(/operator/),
      others: [{ value: 'Parade' }],
    });

    two.radio.write([listing('r1', { name: 'Grand Parade', text: 'longer than it was' })]);
    await two.radio.run();
    expect(await shown(parade)).toEqual(['Night of jazz', 'published', null, ['hall', 'radio']]);
    const again = await load(only(eventLine('jazz', { sources: ['hall'] })));
    expect(again.events).toMatchObject({ created: 0, updated: 0, unchanged: 1 });
    await load(
      only(
        eventLine('jazz', {
          title: 'Late jazz',
          sources: ['hall'],
          signals: [{ kind: 'page_views', value: 3, observedAt: '2026-06-15T12:00' }],
        }),
      ),
    );
    expect(await shown(parade)).toEqual(['Late jazz', 'published', null, ['hall', 'radio']]);
    expect(await stateOf(jazz)).toEqual(['merged', parade]);
    expect(await two.store.db.selectFrom('signal').select('event_id').execute()).toEqual([{ event_id: parade }]);

    await undoManually({ store: two.store, act: merged.ok ? merged.act : '', by, now });
    expect(await shown(parade)).toEqual(['Grand Parade', 'published', null, ['radio']]);
    expect(await shown(jazz)).toEqual(['Late jazz', 'published', null, ['hall']]);
    await two.radio.run();
    expect(await two.listed()).toHaveLength(2);
  });

  it('merged with those of sources is what the bundle says when they are removed, even when it is over', async () => {
    await two.sayTheSame();
    await load(only(eventLine('jazz', { sources: ['hall'] })));
    const [lanterns, jazz] = (await idsOf('The Lanterns', 'Night of jazz')) as [string, string];
    await merge(jazz, lanterns);
    expect(await shown(lanterns)).toEqual(['Night of jazz', 'published', null, ['hall', 'press', 'radio']]);
    await removeSource({ store: two.store, name: 'press', now });
    expect(await shown(lanterns)).toEqual(['Night of jazz', 'published', null, ['hall', 'radio']]);
    await removeSource({ store: two.store, name: 'radio', now: () => NOW + 30 * 86_400_000 });
    expect(await shown(lanterns)).toEqual(['Night of jazz', 'published', null, ['hall']]);
    expect(await stateOf(jazz)).toEqual(['merged', lanterns]);
  });

  it('is compared with nothing else of its night once somebody has spoken of it', async () => {
    two.radio.write([listing('r1', { name: 'Parade' })]);
    await two.radio.run();
    await load(only(eventLine('jazz'), eventLine('blues')));
    const [parade, jazz] = (await idsOf('Parade', 'Night of jazz')) as [string, string];
    await merge(jazz, parade);
    const elsewhere = { place: 'Attic', lat: 40.02, lon: -73.85 };
    two.press.write([listing('p1', { name: 'Night of jazz', start: '2026-06-20T20:00:00', ...elsewhere })]);
    await two.press.run();
    expect((await two.listed()).map(({ title }) => title).sort()).toEqual(['Night of blues', 'Night of jazz', 'Night of jazz']);
    const parted = await splitManually({
      store: two.store,
      kind: 'event',
      id: parade,
      by,
      now,
      leaving: [await two.recordId('jazz')],
    });
    expect(parted).toMatchObject({ ok: true });
    expect([await shown(parade), await shown(jazz)]).toEqual([
      ['Parade', 'published', null, ['radio']],
      ['Night of jazz', 'published', null, []],
    ]);
    expect(await two.listed()).toHaveLength(4);
  });

  it('merged with another of the bundle is what the first says; ids of their own do not matter', async () => {
    const [first, second] = ['0190a0b0-0000-7000-8000-aaaaaa000001', '0190a0b0-0000-7000-8000-aaaaaa000002'] as const;
    const bundle = only(eventLine('jazz', { id: first, sources: ['hall'] }), eventLine('gig', { id: second, sources: ['club'] }));
    await load(bundle);
    const merged = await merge(second, first);
    expect(merged).toMatchObject({ ok: true });
    expect(await shown(first)).toEqual(['Night of jazz', 'published', null, ['hall', 'club']]);
    const { fields } = await loadProvenance({ store: two.store, eventId: first });
    expect(fields.find(({ field }) => field === 'title')).toMatchObject({ why: expect.stringMatching(/first known/) });
    expect(fields.find(({ field }) => field === 'start')).toMatchObject({ why: 'all sources agree' });
    expect(await load(bundle)).toMatchObject({ events: { unchanged: 2 }, rejected: [] });
    const changed = only(
      eventLine('jazz', { id: first, sources: ['hall'] }),
      eventLine('gig', { id: second, title: 'Gig', sources: ['club'] }),
    );
    expect(await load(changed)).toMatchObject({ events: { unchanged: 1, updated: 1 }, rejected: [] });
    expect(await shown(first)).toEqual(['Night of jazz', 'published', null, ['hall', 'club']]);
    expect(await stateOf(second)).toEqual(['merged', first]);

    const without = only(eventLine('gig', { id: second, title: 'Gig', sources: ['club'] }));
    const dry = await load(without, { prune: true, dryRun: true });
    const pruned = await load(without, { prune: true });
    expect(pruned).toEqual(dry);
    expect(pruned).toMatchObject({ removed: { events: 0 }, rejected: [] });
    expect(await shown(first)).toEqual(['Gig', 'published', null, ['club']]);
    await load(changed);
    expect(await shown(first)).toEqual(['Night of jazz', 'published', null, ['hall', 'club']]);

    await undoManually({ store: two.store, act: merged.ok ? merged.act : '', by, now });
    expect(await shown(first)).toEqual(['Night of jazz', 'published', null, ['hall']]);
    expect(await shown(second)).toEqual(['Gig', 'published', null, ['club']]);

    await merge(second, first);
    expect(await load(only(), { prune: true })).toMatchObject({ removed: { events: 2 } });
    expect(await two.listed()).toEqual([]);
  });
});

describe('an event split by hand', () => {
  it('is two, each with an id that answers, and one again when that is taken back', async () => {
    await two.sayTheSame();
    const [one] = await two.listed();
    const leaving = [await two.recordId('p1')];
    const nothing = { ok: false, reason: 'nothing_left' };
    const split = (records: readonly string[]) =>
      splitManually({ store: two.store, kind: 'event', id: one!.id, leaving: records, by, now });
    expect(await split([])).toMatchObject(nothing);
    expect(await split([...leaving, await two.recordId('r1')])).toMatchObject(nothing);
    expect(await split(['01900000-0000-7000-8000-00000000beef'])).toMatchObject({ ok: false, reason: 'unknown' });
    const done = await split(leaving);
    expect(done).toMatchObject({ ok: true });
    await two.radio.run();
    await two.press.run();
    const parted = await two.listed();
    expect(parted).toHaveLength(2);
    expect(parted.map(({ id }) => id)).toContain(one!.id);
    expect(await listCandidates({ store: two.store })).toEqual([]);
    await undoManually({ store: two.store, act: done.ok ? done.act : '', by, now });
    expect((await two.listed()).map(({ id }) => id)).toEqual([one!.id]);
  });

  it('gives way to a merger by hand, and stands again when that is taken back', async () => {
    await two.sayTheSame();
    const [one] = await two.listed();
    await splitManually({ store: two.store, kind: 'event', id: one!.id, leaving: [await two.recordId('p1')], by, now });
    const [left, right] = (await two.listed()).map(({ id }) => id);
    const merged = await merge(left!, right!);
    expect(await two.listed()).toHaveLength(1);
    await undoManually({ store: two.store, act: merged.ok ? merged.act : '', by, now });
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
    await undoManually({ store: two.store, act: merged.ok ? merged.act : '', by, now });
    expect(await places()).toEqual(before);
  });
});

describe('two venues of a bundle merged by hand', () => {
  it('are what the first says, with all that takes place there, over later imports, and part again with it', async () => {
    const { store } = two;
    const load = (bundle: Bundle, more: Partial<ImportOptions> = {}) => importBundle({ store, bundle, now, ...more });
    // Known at the same moment, the smaller id leads.
    const ids = ['0190a0b0-0000-7000-8000-aaaaaa000001', '0190a0b0-0000-7000-8000-aaaaaa000002'];
    const bundle = { ...smallBundle(), venues: smallBundle().venues.map((venue, index) => ({ ...venue, id: ids[index] })) };
    await load(bundle);
    const places = () => store.db.selectFrom('event').select(['title', 'venue_id']).orderBy('title').execute();
    const venues = () => store.db.selectFrom('venue').select(['id', 'name', 'state', 'merged_into']).orderBy('name').execute();
    const before = { places: await places(), venues: await venues() };
    const [attic, cellar] = before.venues.map(({ id }) => id) as [string, string];
    const merged = await merge(attic, cellar, 'venue');
    expect(merged).toMatchObject({ ok: true });
    expect((await places()).map(({ venue_id }) => venue_id)).toEqual([cellar, cellar]);
    const renamed = {
      ...bundle,
      venues: [bundle.venues[0]!, { ...bundle.venues[1]!, name: 'The loft' }],
      events: [...bundle.events, eventLine('swing', { venue: 'attic' })],
    };
    expect(await load(renamed)).toMatchObject({ venues: { unchanged: 1, updated: 1 }, rejected: [] });
    expect((await places()).map(({ venue_id }) => venue_id)).toEqual([cellar, cellar, cellar]);
    const one = [
      { id: attic, name: 'The attic', state: 'merged', merged_into: cellar },
      { id: cellar, name: 'The cellar', state: 'published', merged_into: null },
    ];
    expect(await venues()).toEqual(one);
    expect(await load({ ...renamed, venues: [renamed.venues[1]!] }, { prune: true })).toMatchObject({ removed: { venues: 0 } });
    expect((await venues()).find(({ id }) => id === cellar)).toMatchObject({ name: 'The loft', state: 'published' });
    await load(renamed);
    expect(await venues()).toEqual(one);
    await undoManually({ store, act: merged.ok ? merged.act : '', by, now });
    expect((await venues()).map(({ name, state }) => [name, state])).toEqual([
      ['The cellar', 'published'],
      ['The loft', 'published'],
    ]);
    expect(await places()).toEqual([...before.places, { title: 'Night of swing', venue_id: attic }]);
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
    const merged = await mergeManually({ store: two.store, kind: 'event', left: parade, right: procession, by, now: at(20) });
    await undoManually({ store: two.store, act: merged.ok ? merged.act : '', by, now: at(30) });
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
      by,
      note: 'poster',
      changes: [{ field: 'title', before: 'Procession', after: 'Great Procession' }],
    });
    expect(told.find((entry) => entry.kind === 'listed' && entry.what === 'changed')).toMatchObject({
      source: 'press',
      externalId: 'p1',
      changes: [{ field: 'startsAt', before: Date.parse('2026-06-22T14:00:00Z'), after: Date.parse('2026-06-22T15:00:00Z') }],
    });
    expect(told.find(({ kind }) => kind === 'decided')).toMatchObject({
      verdict: 'same',
      by,
      stands: false,
      act: merged.ok ? merged.act : '',
      listings: expect.arrayContaining([{ title: 'Parade', source: 'radio' }]),
    });
  });
});
