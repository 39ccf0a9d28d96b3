import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import {
  applyDecisions,
  decide,
  hasPendingDecisions,
  listCandidates,
  listSources,
  revokeDecision,
  storeDecision,
  undecide,
  undoRun,
} from '../../src/ingest/index.ts';
import { tryLease } from '../../src/store/index.ts';
import { NOW, now } from '../support/records/bundle.ts';
import { listing } from '../support/rigs/sources.ts';
import { useTwoSources } from '../support/rigs/two-sources.ts';

const two = useTwoSources();

describe('a run taken back', () => {
  it('leaves the directory as it was before', async () => {
    await two.sayTheSame();
    const before = await two.events();
    two.radio.write([
      listing('r1', { name: 'The Lanterns', start: '2026-06-20T21:30:00', text: 'changed' }),
      listing('r2', { name: 'New here', start: '2026-06-25T20:00:00' }),
    ]);
    const { run } = await two.radio.run();
    expect(await two.listed()).toHaveLength(3);
    await undoRun({ store: two.store, id: run!, now });
    const after = await two.events();
    expect(after.filter(({ state }) => state === 'published')).toEqual(before);
    expect(after.find(({ title }) => title === 'New here')).toMatchObject({ state: 'removed' });
    expect((await listSources({ store: two.store })).find(({ name }) => name === 'radio')).toMatchObject({ state: 'paused' });
    await expect(undoRun({ store: two.store, id: run!, now })).rejects.toThrow(/was already undone/);
    await expect(undoRun({ store: two.store, id: 'nonsense', now })).rejects.toThrow(/no run has the id "nonsense"/);
  });

  it('is refused while a later run stands on it', async () => {
    two.radio.write([listing('r1')]);
    const first = await two.radio.run();
    two.radio.write([listing('r1', { name: 'Renamed' })]);
    const second = await two.radio.run({ now: () => NOW + 1000 });
    await expect(undoRun({ store: two.store, id: first.run!, now })).rejects.toThrow(`undo run ${second.run} first`);
    await undoRun({ store: two.store, id: second.run!, now });
    await undoRun({ store: two.store, id: first.run!, now });
    expect(await two.listed()).toEqual([]);
  });
});

describe('a person’s word', () => {
  it('parts what was one, and joins it again; every id goes on answering', async () => {
    await two.sayTheSame();
    const [one] = await two.listed();
    const [left, right] = [await two.recordId('p1'), await two.recordId('r1')];
    await decide({ store: two.store, left, right, verdict: 'different', by: 'ann', now });
    const parted = await two.listed();
    expect(parted).toHaveLength(2);
    expect(parted.map(({ id }) => id)).toContain(one!.id);
    await two.press.run();
    two.press.write([listing('p1', { name: 'The Lanterns (live)', text: 'longer than before' })]);
    await two.press.run();
    expect(await two.listed()).toHaveLength(2);
    await undecide({ store: two.store, left, right, now });
    expect((await two.listed()).map(({ id }) => id)).toEqual([one!.id]);
    const other = parted.find(({ id }) => id !== one!.id);
    expect((await two.events()).find(({ id }) => id === other!.id)).toMatchObject({ state: 'merged', merged_into: one!.id });
  });

  it('joins what the facts keep apart, over nights and later runs', async () => {
    two.radio.write([listing('r1', { name: 'Parade' })]);
    two.press.write([listing('p1', { name: 'Procession', start: '2026-06-22T10:00:00' })]);
    await two.radio.run();
    await two.press.run();
    const [left, right] = [await two.recordId('p1'), await two.recordId('r1')];
    await decide({ store: two.store, left, right, verdict: 'same', by: 'ann', now });
    expect(await two.listed()).toHaveLength(1);
    two.press.write([listing('p1', { name: 'Procession', start: '2026-06-22T11:00:00' })]);
    await two.press.run();
    expect(await two.listed()).toHaveLength(1);
    expect((await two.listed())[0]!.sources).toEqual(['press', 'radio']);
  });

  it('is followed by the next run, though whoever wrote it ended before the directory did', async () => {
    two.radio.write([listing('r1', { name: 'Parade' })]);
    two.press.write([listing('p1', { name: 'Procession' })]);
    await two.radio.run();
    await two.press.run();
    const [left, right] = [await two.recordId('p1'), await two.recordId('r1')];
    await storeDecision({ store: two.store, left, right, verdict: 'same', by: 'ann', now });
    expect(await two.listed()).toHaveLength(2);
    two.press.write([listing('p1', { name: 'Procession' }), listing('p2', { start: '2026-06-28T20:00:00' })]);
    await two.press.run();
    expect(await two.listed()).toMatchObject([{ sources: ['press', 'radio'] }, { title: 'Show p2' }]);
  });

  it('names two listings of one kind, or is refused', async () => {
    await two.sayTheSame();
    const left = await two.recordId('p1');
    await expect(decide({ store: two.store, left, right: left, verdict: 'same', by: 'ann', now })).rejects.toThrow(
      /two listings/,
    );
    await expect(decide({ store: two.store, left, right: 'x', verdict: 'same', by: 'ann', now })).rejects.toThrow(/two listings/);
    expect(await listCandidates({ store: two.store })).toEqual([]);
  });
});

describe('a decision that is only stored', () => {
  const pair = async () => ({
    store: two.store,
    left: await two.recordId('p1'),
    right: await two.recordId('r1'),
    by: 'ann',
    now,
  });
  const applied = () => applyDecisions({ store: two.store, now, patienceMs: 0 });

  it('waits for a run that is writing, and is applied with all others by one run', async () => {
    two.radio.write([listing('r1', { name: 'Parade' }), listing('r2', { name: 'Regatta', start: '2026-06-23T20:00:00' })]);
    two.press.write([
      listing('p1', { name: 'Procession' }),
      listing('p2', { name: 'Chamber music', start: '2026-06-23T20:00:00' }),
    ]);
    await two.radio.run();
    await two.press.run();
    const lease = await tryLease(two.store.db, 'directory', 60);
    await storeDecision({ ...(await pair()), verdict: 'same' });
    const [left, right] = [await two.recordId('p2'), await two.recordId('r2')];
    // The command stores it, too, and says that the directory follows later.
    expect(await decide({ ...(await pair()), left, right, verdict: 'same', patienceMs: 0 })).toBe(null);
    await expect(applied()).rejects.toMatchObject({ code: 'directory_busy' });
    expect(await two.listed()).toHaveLength(4);
    await lease?.release();
    expect((await applied())?.difference.merged).toHaveLength(2);
    expect(await two.listed()).toHaveLength(2);
    expect([await hasPendingDecisions(two.store.db), await applied()]).toEqual([false, null]);
  });

  it('changes nothing when it is taken back before', async () => {
    await two.sayTheSame();
    const before = await two.events();
    await storeDecision({ ...(await pair()), verdict: 'different' });
    await revokeDecision(await pair());
    await applied();
    expect([await two.events(), await hasPendingDecisions(two.store.db)]).toEqual([before, false]);
  });

  it('is applied again when it is taken back while it is applied', async () => {
    await two.sayTheSame();
    await storeDecision({ ...(await pair()), verdict: 'different' });
    // Takes the decision back when the run that applies it has ended.
    const ends = new WeakSet<object>();
    const db = two.store.db.withPlugin({
      transformQuery({ node, queryId }) {
        if (node.kind === 'UpdateQueryNode' && JSON.stringify(node.table).includes('"run"')) ends.add(queryId);
        return node;
      },
      async transformResult({ result, queryId }) {
        if (ends.has(queryId)) await revokeDecision(await pair());
        return result;
      },
    });
    await applyDecisions({ store: { db }, now });
    expect([(await two.listed()).length, await hasPendingDecisions(two.store.db)]).toEqual([2, true]);
    await applied();
    expect([(await two.listed()).length, await hasPendingDecisions(two.store.db)]).toEqual([1, false]);
  });
});

describe('two runs at once', () => {
  it('of one source: the earlier one writes nothing once the later has begun', async () => {
    two.radio.write([listing('r1')]);
    const { promise: reading, resolve: isReading } = Promise.withResolvers<void>();
    const { promise: later, resolve: laterIsDone } = Promise.withResolvers<void>();
    const slow = two.radio.run({
      onSample: () => isReading(),
      read: async () => {
        isReading();
        await later;
        return { listings: [], next: [] };
      },
    });
    await reading;
    await two.radio.run();
    laterIsDone();
    expect(await two.listed()).toHaveLength(1);
    await slow.catch((error: Error) => expect(error.message).toMatch(/a later run of this source has started/));
    expect(await two.listed()).toMatchObject([{ unconfirmed_since: null }]);
    const radio = (await listSources({ store: two.store })).find(({ name }) => name === 'radio');
    expect(radio).toMatchObject({ state: 'active', lastError: null });
  });

  it('of two sources: they wait for each other and find the same event once', async () => {
    two.radio.write([listing('r1', { name: 'The Lanterns' })]);
    two.press.write([listing('p1', { name: 'The Lanterns' })]);
    await Promise.all([two.radio.run(), two.press.run()]);
    expect(await two.listed()).toHaveLength(1);
  });

  it('an old holder of the directory is refused', async () => {
    two.radio.write([listing('r1')]);
    await expect(
      two.radio.run({
        onProgress: ({ step }) => {
          if (step === 'matching') void two.store.db.updateTable('lease').set({ token: sql`token + 1` }).execute();
        },
      }),
    ).rejects.toThrow(/another run has taken over/);
    expect(await two.listed()).toEqual([]);
    await two.store.db.updateTable('lease').set({ until: sql`now() - interval '1 minute'` }).execute();
    await two.radio.run();
    expect(await two.listed()).toHaveLength(1);
  });
});
