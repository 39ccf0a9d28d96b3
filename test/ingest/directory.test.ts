// PostgreSQL is quicker.

import { beforeEach, describe, expect, it } from 'vitest';
import {
  importBundle,
  listRuns,
  listSources,
  loadProvenance,
  releaseSource,
  setSourceState,
  unlistSilent,
} from '../../src/ingest/index.ts';
import { CITY, NOW } from '../support/records/bundle.ts';
import { listing } from '../support/rigs/sources.ts';
import { useTwoSources } from '../support/rigs/two-sources.ts';

const two = useTwoSources();
const day = 86_400_000;

describe('one event in two sources', () => {
  it('is one event that says where each field comes from', async () => {
    await two.sayTheSame();
    const [event, ...others] = await two.listed();
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      title: 'The Lanterns',
      sources: ['press', 'radio'],
      description: 'An evening with the Lanterns',
    });
    const { records: trail, fields } = await loadProvenance({ store: two.store, eventId: event!.id });
    const sourceOf = new Map(trail.map(({ id, source }) => [id, source]));
    const told = new Map(fields.map((field) => [field.field, field]));
    expect(sourceOf.get(told.get('title')!.recordId!)).toBe('radio');
    expect(told.get('title')).toMatchObject({
      why: 'its source has the highest trust',
      others: [{ value: expect.stringMatching('Lanterns') }],
    });
    expect(told.get('price')).toMatchObject({
      why: 'it lists a price',
      value: { isFree: false, priceMin: 12, priceMax: null },
    });
    expect(told.get('start')!.why).toBe('all sources agree');
    expect(trail.map(({ source, confirmedAt, isGone }) => [source, confirmedAt, isGone])).toEqual([
      ['radio', NOW, false],
      ['press', NOW + 1000, false],
    ]);
  });

  it('keeps the id of the first, and the second run of either changes nothing', async () => {
    two.radio.write([listing('r1', { name: 'The Lanterns' })]);
    await two.radio.run();
    const [before] = await two.listed();
    two.press.write([listing('p1', { name: 'The Lanterns' })]);
    expect((await two.press.run()).difference).toMatchObject({
      created: [],
      changed: [{ id: before!.id, fields: { sources: expect.anything() } }],
    });
    const seq = () => two.store.db.selectFrom('list_head').select('seq').where('list', '=', 'change').executeTakeFirst();
    const head = await seq();
    await two.press.run();
    await two.radio.run();
    expect(await seq()).toEqual(head);
    expect((await two.listed()).map(({ id }) => id)).toEqual([before!.id]);
  });

  it('leads the id of the one to the other when they are found to be one later', async () => {
    two.radio.write([listing('r1', { name: 'The Lanterns' })]);
    two.press.write([listing('p1', { name: 'Something else', start: '2026-06-20T15:00:00' })]);
    await two.radio.run();
    await two.press.run();
    const [other, lanterns] = [(await two.listed())[0]!, (await two.listed())[1]!];
    two.press.write([listing('p1', { name: 'The Lanterns' })]);
    const report = await two.press.run();
    expect(report.difference.merged).toEqual([{ id: other.id, title: 'Something else', into: lanterns.id }]);
    const found = (await two.events()).find(({ id }) => id === other.id);
    expect(found).toMatchObject({ state: 'merged', merged_into: lanterns.id });
    two.press.write([listing('p1', { name: 'Something else', start: '2026-06-20T15:00:00' })]);
    await two.press.run();
    expect((await two.events()).find(({ id }) => id === other.id)).toMatchObject({ state: 'published', merged_into: null });
  });

  it('lets the cancellation of one source count', async () => {
    await two.sayTheSame();
    two.press.write([listing('p1', { name: 'CANCELED: The Lanterns' })]);
    const report = await two.press.run();
    expect(report.difference.cancelled).toHaveLength(1);
    expect((await two.listed())[0]).toMatchObject({ title: 'The Lanterns', status: 'cancelled' });
  });

  it('keeps early and late show, matinee and evening apart', async () => {
    two.radio.write([listing('a', { name: 'Revue' }), listing('b', { name: 'Revue', start: '2026-06-20T22:00:00' })]);
    two.press.write([listing('c', { name: 'Revue' }), listing('d', { name: 'Revue', start: '2026-06-20T22:00:00' })]);
    await two.radio.run();
    await two.press.run();
    expect((await two.listed()).map(({ sources }) => sources)).toEqual([
      ['press', 'radio'],
      ['press', 'radio'],
    ]);
  });
});

describe('the rules of a zone', () => {
  it('may change: what a source says by the clock on the wall stays at its hour', async () => {
    // Two zones stand for one whose offset the next tzdata changes.
    const rules = (timezone: string) =>
      importBundle({ store: two.store, bundle: { city: { ...CITY, timezone } }, now: () => NOW });
    const starts = async () => (await two.listed()).map(({ id, starts_at }) => [id, starts_at.toISOString()]);
    await rules('Etc/GMT+5');
    two.radio.write(['1', '2', '3', '4', '5', '6'].map((id) => listing(id, { start: `2026-06-2${id}T20:00:00` })));
    await two.radio.run();
    const before = await starts();
    expect(before[0]).toEqual([expect.any(String), '2026-06-22T01:00:00.000Z']);
    await rules('Etc/GMT+4');
    expect(await two.radio.run()).toMatchObject({ held: null, events: { updated: 6 } });
    const hourEarlier = (moment: unknown) => new Date(Date.parse(String(moment)) - 3_600_000).toISOString();
    expect(await starts()).toEqual(before.map(([id, moment]) => [id, hourEarlier(moment)]));
  });
});

describe('the order of arrival', () => {
  const titles = ['The Lanterns', 'Lanterns, The', 'Quiet Rivers', 'Quiet Rivers Trio', 'Open Stage', 'Silent Film Night'];
  const all = titles.flatMap((name, index) => [
    { feed: 'radio' as const, record: listing(`r${index}`, { name, start: `2026-06-2${index % 3}T20:00:00` }) },
    { feed: 'press' as const, record: listing(`p${index}`, { name, start: `2026-06-2${index % 3}T20:00:00`, lat: 40.0502 }) },
  ]);
  /** What the directory says, without ids. */
  const picture = async () =>
    (await two.listed()).map(({ title, starts_at, sources, description }) => [title, starts_at.getTime(), sources, description]);

  it('does not matter: any order, one run or many, the same directory', async () => {
    const pictures: unknown[] = [];
    for (const round of [0, 1, 2]) {
      await two.fresh();
      const order = round === 0 ? all : [...all].sort((a, b) => (JSON.stringify(a) + round > JSON.stringify(b) + round ? -1 : 1));
      const said = { radio: [] as object[], press: [] as object[] };
      const steps = round === 1 ? order.length : 1;
      for (let step = 0; step < steps; step++) {
        for (const { feed, record } of steps === 1 ? order : [order[step]!]) said[feed].push(record);
        for (const [feed, handle] of [
          ['radio', two.radio],
          ['press', two.press],
        ] as const) {
          handle.write(said[feed]);
          if (said[feed].length > 0) await handle.run();
        }
      }
      pictures.push(await picture());
    }
    expect(pictures[1]).toEqual(pictures[0]);
    expect(pictures[2]).toEqual(pictures[0]);
  });

  it('gives the same ids for the same listings in another order', async () => {
    const ids: string[][] = [];
    for (const reverse of [false, true]) {
      await two.fresh();
      const said = all.filter(({ feed }) => feed === 'radio').map(({ record }) => record);
      two.radio.write(reverse ? said.reverse() : said);
      await two.radio.run();
      ids.push((await two.listed()).map(({ id }) => id).sort());
    }
    expect(ids[1]).toEqual(ids[0]);
  });
});

describe('a show that one source lists as a whole, by its next day', () => {
  const show = (start: string) => listing('show', { name: 'The Long Run', start });
  const nights = ['20', '21', '22'].map((night) =>
    listing(`on ${night}`, { name: 'The Long Run', start: `2026-06-${night}T20:00:00` }),
  );

  it('is each performance in turn, and leaves each its id', async () => {
    two.radio.write([show('2026-06-20')]);
    await two.radio.run();
    const [first] = await two.listed();
    two.press.write(nights);
    await two.press.run();
    const ids = (await two.listed()).map(({ id }) => id);
    expect(ids).toHaveLength(3);
    expect(ids[0]).toBe(first!.id);
    for (const [index, night] of ['21', '22'].entries()) {
      two.radio.write([show(`2026-06-${night}`)]);
      await two.radio.run();
      const listed = await two.listed();
      expect(listed.map(({ id }) => id)).toEqual(ids);
      expect(listed.map(({ sources }) => sources.length)).toEqual([1, 1, 1].with(index + 1, 2));
    }
  });

  it('keeps its id while nobody else lists it', async () => {
    two.radio.write([show('2026-06-20')]);
    await two.radio.run();
    const [first] = await two.listed();
    two.radio.write([show('2026-06-21')]);
    await two.radio.run();
    expect((await two.listed()).map(({ id }) => id)).toEqual([first!.id]);
  });
});

describe('what vanishes', () => {
  const six = ['1', '2', '3', '4', '5', '6'].map((id) => listing(id, { name: `Solo ${id}`, start: `2026-06-2${id}T20:00:00` }));

  it('is reported by time and title, whatever order the source had', async () => {
    const titles = ['Oboe', 'Drums', 'Zither', 'Cello', 'Viola', 'Flute', 'Harp', 'Lute', 'Tuba'];
    const shows = titles.map((name) => listing(name.slice(1), { name, place: `Hall of the ${name}` }));
    two.radio.write(shows);
    await two.radio.run();
    two.radio.write(shows.slice(5));
    const { vanished } = (await two.radio.run({ dryRun: true })).difference;
    expect(vanished.map(({ title }) => title)).toEqual(['Cello', 'Drums', 'Oboe', 'Viola', 'Zither']);
  });

  it('is unconfirmed, leaves the lists after three days, and comes back when it is said again', async () => {
    two.radio.write(six);
    await two.radio.run();
    two.radio.write(six.slice(1));
    const report = await two.radio.run();
    expect(report).toMatchObject({ vanished: 1, held: null, difference: { vanished: [{ title: 'Solo 1' }] } });
    expect((await two.listed())[0]).toMatchObject({ title: 'Solo 1', unconfirmed_since: new Date(NOW) });
    expect(await unlistSilent({ store: two.store, now: () => NOW + 3 * day - 1 })).toBe(0);
    expect(await unlistSilent({ store: two.store, now: () => NOW + 3 * day })).toBe(1);
    expect((await two.events())[0]).toMatchObject({ title: 'Solo 1', state: 'unlisted' });
    two.radio.write(six);
    await two.radio.run();
    expect((await two.events())[0]).toMatchObject({ title: 'Solo 1', state: 'published', unconfirmed_since: null });
  });

  it('stays as long as another source says it, in that source’s words', async () => {
    await two.sayTheSame();
    two.radio.write([]);
    await two.radio.run();
    await releaseSource({ store: two.store, name: 'radio' });
    await two.radio.run();
    expect(await two.listed()).toMatchObject([{ sources: ['press'], unconfirmed_since: null, description: 'short' }]);
  });

  it('is inherited by the same event under a new id', async () => {
    two.radio.write(six);
    await two.radio.run();
    const [first] = await two.listed();
    two.radio.write([{ ...six[0], id: 'renamed' }, ...six.slice(1)]);
    const report = await two.radio.run();
    expect(report).toMatchObject({ vanished: 1, difference: { created: [], vanished: [] } });
    expect(await two.listed()).toHaveLength(6);
    expect((await two.listed())[0]).toMatchObject({ id: first!.id, title: 'Solo 1', unconfirmed_since: null });
    two.radio.write(six.slice(1));
    await two.radio.run();
    two.radio.write([{ ...six[0], id: 'a day later' }, ...six.slice(1)]);
    await two.radio.run({ now: () => NOW + day });
    expect((await two.listed())[0]).toMatchObject({ id: first!.id, title: 'Solo 1', unconfirmed_since: null });
  });

  it('leads to the same event of another source that turns up at its hour, and is that when it comes back', async () => {
    const twin = (hour: string) => listing('p1', { name: 'Solo 1', start: `2026-06-21T${hour}:00:00` });
    two.radio.write(six);
    two.press.write([twin('12')]);
    await two.radio.run();
    await two.press.run();
    expect(await two.listed()).toHaveLength(7);
    const lost = (await two.listed()).find(({ sources, title }) => title === 'Solo 1' && sources[0] === 'radio');
    two.radio.write(six.slice(1));
    await two.radio.run();
    two.press.write([twin('20')]);
    expect(await two.press.run()).toMatchObject({ difference: { merged: [{ id: lost!.id }] } });
    const [kept] = await two.listed();
    expect(await two.listed()).toHaveLength(6);
    expect(kept).toMatchObject({ title: 'Solo 1', sources: ['press'], unconfirmed_since: null });
    two.radio.write(six);
    await two.radio.run();
    expect(await two.listed()).toHaveLength(6);
    expect((await two.listed())[0]).toMatchObject({ id: kept!.id, sources: ['press', 'radio'] });
  });

  it('is not concluded from what could not be read', async () => {
    two.radio.write(six);
    await two.radio.run();
    two.radio.write([...six.slice(1), { ...six[0], start: 'soon' }]);
    expect(await two.radio.run()).toMatchObject({ vanished: 0, rejectedCount: 1 });
    expect((await two.listed()).every(({ unconfirmed_since }) => unconfirmed_since === null)).toBe(true);
  });

  it('in great number holds the run: nothing is written until the operator says so', async () => {
    two.radio.write(six);
    await two.radio.run();
    two.radio.write(six.slice(2));
    const report = await two.radio.run();
    expect(report.held).toBe('2 of its 6 upcoming events are missing, more than 30%');
    expect(await two.listed()).toHaveLength(6);
    expect((await listSources({ store: two.store })).find(({ name }) => name === 'radio')).toMatchObject({ state: 'held' });
    expect((await listRuns({ store: two.store, source: 'radio' }))[0]).toMatchObject({ state: 'held' });
    await releaseSource({ store: two.store, name: 'radio' });
    expect(await two.radio.run()).toMatchObject({ held: null, vanished: 2 });
    expect((await listSources({ store: two.store })).find(({ name }) => name === 'radio')).toMatchObject({
      state: 'active',
      isReleased: false,
    });
  });

  describe('while its source is held', () => {
    const radio = async () => (await listSources({ store: two.store })).find(({ name }) => name === 'radio');
    const set = (state: 'active' | 'paused') => setSourceState({ store: two.store, name: 'radio', state });
    const release = () => releaseSource({ store: two.store, name: 'radio' });
    beforeEach(async () => {
      two.radio.write(six);
      await two.radio.run();
      two.radio.write(six.slice(3));
      await two.radio.run();
    });

    it('stays held when it is resumed, and after a pause in which it could not be read', async () => {
      expect(await set('active')).toBe('held');
      expect(await set('paused')).toBe('paused');
      await expect(two.radio.run({ read: () => Promise.reject(new Error('broken')) })).rejects.toThrow('broken');
      expect(await set('active')).toBe('held');
      expect((await two.radio.run()).held).not.toBeNull();
    });

    it('is active again when a whole answer came in the pause', async () => {
      await set('paused');
      two.radio.write(six);
      await two.radio.run();
      expect((await radio())?.state).toBe('paused');
      expect(await set('active')).toBe('active');
    });

    it('is released in a pause without ending it', async () => {
      await set('paused');
      expect(await release()).toEqual({ ok: true });
      expect(await radio()).toMatchObject({ state: 'paused', isReleased: true });
      expect(await set('active')).toBe('active');
      expect(await two.radio.run()).toMatchObject({ held: null, vanished: 3 });
    });

    it('stays paused when a run by hand is held in the pause', async () => {
      await release();
      await two.radio.run();
      two.radio.write(six);
      await two.radio.run();
      await set('paused');
      two.radio.write(six.slice(3));
      expect((await two.radio.run()).held).not.toBeNull();
      expect(await radio()).toMatchObject({ state: 'paused' });
      expect(await set('active')).toBe('held');
      expect(await release()).toEqual({ ok: true });
    });

    it('is released once; what is not held is not released and keeps its guard', async () => {
      expect(await release()).toEqual({ ok: true });
      expect(await release()).toEqual({ ok: false, code: 'not_held' });
      await two.radio.run();
      expect(await release()).toEqual({ ok: false, code: 'not_held' });
      await set('paused');
      expect(await release()).toEqual({ ok: false, code: 'not_held' });
      expect(await radio()).toMatchObject({ state: 'paused', isReleased: false });
      expect(await releaseSource({ store: two.store, name: 'nobody' })).toEqual({ ok: false, code: 'unknown' });
    });
  });

  it('an empty answer is held, however small the source', async () => {
    two.radio.write(six.slice(0, 2));
    await two.radio.run();
    two.radio.write([]);
    expect((await two.radio.run()).held).toMatch(/2 of its 2 upcoming events/);
  });

  it('starts that move at once are held, too', async () => {
    two.radio.write(six);
    await two.radio.run();
    two.radio.write(six.map((record) => ({ ...record, start: String(record.start).replace('T20', 'T16') })));
    expect((await two.radio.run()).held).toMatch(/6 of its 6 known events moved to another time/);
  });
});
