import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  decide,
  importBundle,
  listQuestions,
  listRuns,
  listSources,
  readTrail,
  releaseSource,
  undecide,
  undoRun,
  unlistSilent,
} from '../../src/ingest/index.ts';
import { CITY, emptyDirectory, NEIGHBORHOODS, NOW, now } from '../support/bundle.ts';
import { addFeed, type Feed, listing } from '../support/sources.ts';
import { openTestStore, type TestStore } from '../support/store.ts';

let test: TestStore;
let folder: string;
let radio: Feed;
let press: Feed;
const day = 86_400_000;
const events = () =>
  test.store.db
    .selectFrom('event')
    .select([
      'id',
      'title',
      'state',
      'status',
      'starts_at',
      'sources',
      'description',
      'merged_into',
      'unconfirmed_since',
      'venue_id',
    ])
    .orderBy('title')
    .orderBy('starts_at')
    .orderBy('id')
    .execute();
const listed = async () => (await events()).filter(({ state }) => state === 'published');
const records = () => test.store.db.selectFrom('record').selectAll().where('kind', '=', 'event').orderBy('external_id').execute();
const recordId = async (externalId: string) => (await records()).find((record) => record.external_id === externalId)!.id;

async function fresh(): Promise<void> {
  await emptyDirectory(test.store);
  await importBundle({ store: test.store, bundle: { city: CITY, neighborhoods: NEIGHBORHOODS }, now });
  radio = await addFeed(test.store, folder, 'radio', { trust: 0.8 });
  const other = await addFeed(test.store, folder, 'press', { trust: 0.4 });
  // What it brings is known a second later than what the radio brings.
  press = { ...other, run: (more) => other.run({ now: () => NOW + 1000, ...more }) };
}

beforeAll(async () => {
  test = await openTestStore();
  folder = mkdtempSync(join(tmpdir(), 'marquee-test-'));
});
beforeEach(fresh);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await test.dispose();
});

/** Two sources that list the same concert in their own words. */
async function twice(): Promise<void> {
  radio.write([listing('r1', { name: 'The Lanterns', text: 'An evening with the Lanterns' })]);
  press.write([listing('p1', { name: 'The Lanterns (live)', min: 12, text: 'short', url: 'https://press.example/p1' })]);
  await radio.run();
  await press.run();
}

describe('one event in two sources', () => {
  it('is one event that says where each field comes from', async () => {
    await twice();
    const [event, ...others] = await listed();
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      title: 'The Lanterns',
      sources: ['press', 'radio'],
      description: 'An evening with the Lanterns',
    });
    const { records: trail, fields } = await readTrail({ store: test.store, eventId: event!.id });
    const sourceOf = new Map(trail.map(({ id, source }) => [id, source]));
    const told = new Map(fields.map((field) => [field.field, field]));
    expect(sourceOf.get(told.get('title')!.recordId)).toBe('radio');
    expect(told.get('title')).toMatchObject({
      why: 'its source is trusted most',
      others: [{ value: expect.stringMatching('Lanterns') }],
    });
    expect(told.get('price')).toMatchObject({
      why: 'it knows the price',
      value: { isFree: false, priceMin: 12, priceMax: null },
    });
    expect(told.get('start')!.why).toBe('all sources agree');
    expect(trail.map(({ source, confirmedAt, isGone }) => [source, confirmedAt, isGone])).toEqual([
      ['radio', NOW, false],
      ['press', NOW + 1000, false],
    ]);
  });

  it('keeps the id of the first, and the second run of either changes nothing', async () => {
    radio.write([listing('r1', { name: 'The Lanterns' })]);
    await radio.run();
    const [before] = await listed();
    press.write([listing('p1', { name: 'The Lanterns' })]);
    expect((await press.run()).difference).toMatchObject({
      created: [],
      changed: [{ id: before!.id, fields: { sources: expect.anything() } }],
    });
    const seq = () => test.store.db.selectFrom('list_head').select('seq').where('list', '=', 'change').executeTakeFirst();
    const head = await seq();
    await press.run();
    await radio.run();
    expect(await seq()).toEqual(head);
    expect((await listed()).map(({ id }) => id)).toEqual([before!.id]);
  });

  it('leads the id of the one to the other when they are found to be one later', async () => {
    radio.write([listing('r1', { name: 'The Lanterns' })]);
    press.write([listing('p1', { name: 'Something else', start: '2026-06-20T15:00:00' })]);
    await radio.run();
    await press.run();
    const [other, lanterns] = [(await listed())[0]!, (await listed())[1]!];
    press.write([listing('p1', { name: 'The Lanterns' })]);
    const report = await press.run();
    expect(report.difference.merged).toEqual([{ id: other.id, title: 'Something else', into: lanterns.id }]);
    const found = (await events()).find(({ id }) => id === other.id);
    expect(found).toMatchObject({ state: 'merged', merged_into: lanterns.id });
    press.write([listing('p1', { name: 'Something else', start: '2026-06-20T15:00:00' })]);
    await press.run();
    expect((await events()).find(({ id }) => id === other.id)).toMatchObject({ state: 'published', merged_into: null });
  });

  it('lets the cancellation of one source count', async () => {
    await twice();
    press.write([listing('p1', { name: 'CANCELED: The Lanterns' })]);
    const report = await press.run();
    expect(report.difference.cancelled).toHaveLength(1);
    expect((await listed())[0]).toMatchObject({ title: 'The Lanterns', status: 'cancelled' });
  });

  it('keeps early and late show, matinee and evening apart', async () => {
    radio.write([listing('a', { name: 'Revue' }), listing('b', { name: 'Revue', start: '2026-06-20T22:00:00' })]);
    press.write([listing('c', { name: 'Revue' }), listing('d', { name: 'Revue', start: '2026-06-20T22:00:00' })]);
    await radio.run();
    await press.run();
    expect((await listed()).map(({ sources }) => sources)).toEqual([
      ['press', 'radio'],
      ['press', 'radio'],
    ]);
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
    (await listed()).map(({ title, starts_at, sources, description }) => [title, starts_at.getTime(), sources, description]);

  it('does not matter: any order, one run or many, the same directory', async () => {
    const pictures: unknown[] = [];
    for (const round of [0, 1, 2]) {
      await fresh();
      const order = round === 0 ? all : [...all].sort((a, b) => (JSON.stringify(a) + round > JSON.stringify(b) + round ? -1 : 1));
      const said = { radio: [] as object[], press: [] as object[] };
      const steps = round === 1 ? order.length : 1;
      for (let step = 0; step < steps; step++) {
        for (const { feed, record } of steps === 1 ? order : [order[step]!]) said[feed].push(record);
        for (const [feed, handle] of [
          ['radio', radio],
          ['press', press],
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

  it('gives the same ids for the same listings in another order (I19)', async () => {
    const ids: string[][] = [];
    for (const reverse of [false, true]) {
      await fresh();
      const said = all.filter(({ feed }) => feed === 'radio').map(({ record }) => record);
      radio.write(reverse ? said.reverse() : said);
      await radio.run();
      ids.push((await listed()).map(({ id }) => id).sort());
    }
    expect(ids[1]).toEqual(ids[0]);
  });
});

describe('what vanishes', () => {
  const six = ['1', '2', '3', '4', '5', '6'].map((id) => listing(id, { name: `Solo ${id}`, start: `2026-06-2${id}T20:00:00` }));

  it('is unconfirmed, leaves the lists after three days, and comes back when it is said again', async () => {
    radio.write(six);
    await radio.run();
    radio.write(six.slice(1));
    const report = await radio.run();
    expect(report).toMatchObject({ vanished: 1, held: null, difference: { vanished: [{ title: 'Solo 1' }] } });
    expect((await listed())[0]).toMatchObject({ title: 'Solo 1', unconfirmed_since: new Date(NOW) });
    expect(await unlistSilent({ store: test.store, now: () => NOW + 3 * day - 1 })).toBe(0);
    expect(await unlistSilent({ store: test.store, now: () => NOW + 3 * day })).toBe(1);
    expect((await events())[0]).toMatchObject({ title: 'Solo 1', state: 'unlisted' });
    radio.write(six);
    await radio.run();
    expect((await events())[0]).toMatchObject({ title: 'Solo 1', state: 'published', unconfirmed_since: null });
  });

  it('stays as long as another source says it, in that source’s words', async () => {
    await twice();
    radio.write([]);
    await releaseSource({ store: test.store, name: 'radio' });
    await radio.run();
    expect(await listed()).toMatchObject([{ sources: ['press'], unconfirmed_since: null, description: 'short' }]);
  });

  it('is not concluded from what could not be read', async () => {
    radio.write(six);
    await radio.run();
    radio.write([...six.slice(1), { ...six[0], start: 'soon' }]);
    expect(await radio.run()).toMatchObject({ vanished: 0, rejectedCount: 1 });
    expect((await listed()).every(({ unconfirmed_since }) => unconfirmed_since === null)).toBe(true);
  });

  it('in great number holds the run: nothing is written until the operator says so (I18)', async () => {
    radio.write(six);
    await radio.run();
    radio.write(six.slice(2));
    const report = await radio.run();
    expect(report.held).toBe('2 of its 6 events to come are missing, more than 30 %');
    expect(await listed()).toHaveLength(6);
    expect((await listSources({ store: test.store })).find(({ name }) => name === 'radio')).toMatchObject({ state: 'held' });
    expect((await listRuns({ store: test.store, source: 'radio' }))[0]).toMatchObject({ state: 'held' });
    await releaseSource({ store: test.store, name: 'radio' });
    expect(await radio.run()).toMatchObject({ held: null, vanished: 2 });
    expect((await listSources({ store: test.store })).find(({ name }) => name === 'radio')).toMatchObject({
      ...{ state: 'active', isReleased: false },
    });
  });

  it('an empty answer is held, however small the source', async () => {
    radio.write(six.slice(0, 2));
    await radio.run();
    radio.write([]);
    expect((await radio.run()).held).toMatch(/2 of its 2 events/);
  });

  it('starts that move at once are held, too', async () => {
    radio.write(six);
    await radio.run();
    radio.write(six.map((record) => ({ ...record, start: String(record.start).replace('T20', 'T16') })));
    expect((await radio.run()).held).toMatch(/6 of its 6 known events start at another time/);
  });
});

describe('a run taken back', () => {
  it('leaves the directory as it was before', async () => {
    await twice();
    const before = await events();
    radio.write([
      listing('r1', { name: 'The Lanterns', start: '2026-06-20T21:30:00', text: 'changed' }),
      listing('r2', { name: 'New here', start: '2026-06-25T20:00:00' }),
    ]);
    const { run } = await radio.run();
    expect(await listed()).toHaveLength(3);
    await undoRun({ store: test.store, id: run!, now });
    const after = await events();
    expect(after.filter(({ state }) => state === 'published')).toEqual(before);
    expect(after.find(({ title }) => title === 'New here')).toMatchObject({ state: 'removed' });
    expect((await listSources({ store: test.store })).find(({ name }) => name === 'radio')).toMatchObject({ state: 'paused' });
    await expect(undoRun({ store: test.store, id: run!, now })).rejects.toThrow(/has been taken back already/);
    await expect(undoRun({ store: test.store, id: 'nonsense', now })).rejects.toThrow(/there is no run "nonsense"/);
  });

  it('is refused while a later run stands on it', async () => {
    radio.write([listing('r1')]);
    const first = await radio.run();
    radio.write([listing('r1', { name: 'Renamed' })]);
    const second = await radio.run({ now: () => NOW + 1000 });
    await expect(undoRun({ store: test.store, id: first.run!, now })).rejects.toThrow(`take back ${second.run} first`);
    await undoRun({ store: test.store, id: second.run!, now });
    await undoRun({ store: test.store, id: first.run!, now });
    expect(await listed()).toEqual([]);
  });
});

describe('a person’s word', () => {
  it('parts what was one, and joins it again; every id goes on answering', async () => {
    await twice();
    const [one] = await listed();
    const [left, right] = [await recordId('p1'), await recordId('r1')];
    await decide({ store: test.store, left, right, verdict: 'different', by: 'ann', now });
    const parted = await listed();
    expect(parted).toHaveLength(2);
    expect(parted.map(({ id }) => id)).toContain(one!.id);
    await press.run();
    press.write([listing('p1', { name: 'The Lanterns (live)', text: 'longer than before' })]);
    await press.run();
    expect(await listed()).toHaveLength(2);
    await undecide({ store: test.store, left, right, now });
    expect((await listed()).map(({ id }) => id)).toEqual([one!.id]);
    const other = parted.find(({ id }) => id !== one!.id);
    expect((await events()).find(({ id }) => id === other!.id)).toMatchObject({ state: 'merged', merged_into: one!.id });
  });

  it('joins what the facts keep apart, over nights and later runs', async () => {
    radio.write([listing('r1', { name: 'Parade' })]);
    press.write([listing('p1', { name: 'Procession', start: '2026-06-22T10:00:00' })]);
    await radio.run();
    await press.run();
    const [left, right] = [await recordId('p1'), await recordId('r1')];
    await decide({ store: test.store, left, right, verdict: 'same', by: 'ann', now });
    expect(await listed()).toHaveLength(1);
    press.write([listing('p1', { name: 'Procession', start: '2026-06-22T11:00:00' })]);
    await press.run();
    expect(await listed()).toHaveLength(1);
    expect((await listed())[0]!.sources).toEqual(['press', 'radio']);
  });

  it('names two listings of one kind, or is refused', async () => {
    await twice();
    const left = await recordId('p1');
    await expect(decide({ store: test.store, left, right: left, verdict: 'same', by: 'ann', now })).rejects.toThrow(
      /two listings/,
    );
    await expect(decide({ store: test.store, left, right: 'x', verdict: 'same', by: 'ann', now })).rejects.toThrow(
      /two listings/,
    );
    expect(await listQuestions({ store: test.store })).toEqual([]);
  });
});

describe('two runs at once', () => {
  it('of one source: the earlier one writes nothing once the later has begun (I22)', async () => {
    radio.write([listing('r1')]);
    const { promise: reading, resolve: isReading } = Promise.withResolvers<void>();
    const { promise: later, resolve: laterIsDone } = Promise.withResolvers<void>();
    const slow = radio.run({
      onSample: () => isReading(),
      read: async () => {
        isReading();
        await later;
        return { listings: [], next: [] };
      },
    });
    await reading;
    await radio.run();
    laterIsDone();
    expect(await listed()).toHaveLength(1);
    await slow.catch((error: Error) => expect(error.message).toMatch(/a later run of this source has begun/));
    expect(await listed()).toMatchObject([{ unconfirmed_since: null }]);
  });

  it('of two sources: they wait for each other and find the same event once', async () => {
    radio.write([listing('r1', { name: 'The Lanterns' })]);
    press.write([listing('p1', { name: 'The Lanterns' })]);
    await Promise.all([radio.run(), press.run()]);
    expect(await listed()).toHaveLength(1);
  });

  it('an old holder of the directory is refused', async () => {
    radio.write([listing('r1')]);
    await expect(
      radio.run({
        onProgress: ({ step }) => {
          if (step === 'matching') void test.store.db.updateTable('lease').set({ token: sql`token + 1` }).execute();
        },
      }),
    ).rejects.toThrow(/another run has taken over/);
    expect(await listed()).toEqual([]);
    await test.store.db.updateTable('lease').set({ until: sql`now() - interval '1 minute'` }).execute();
    await radio.run();
    expect(await listed()).toHaveLength(1);
  });
});
