/** What others do while a run is under way. Both engines: others write while a run has its transaction. */

import { describe, expect, it } from 'vitest';
import {
  beginRun,
  endRun,
  listRuns,
  listSources,
  overseeSources,
  removeSource,
  setSourceState,
  undoRun,
} from '../../src/ingest/index.ts';
import { tryLease } from '../../src/store/index.ts';
import { NOW, now } from '../support/records/bundle.ts';
import { listing, READING } from '../support/rigs/sources.ts';
import { useTwoSources } from '../support/rigs/two-sources.ts';

const two = useTwoSources();
const source = async () => (await listSources({ store: two.store })).find(({ name }) => name === 'radio')!;
/** Happens after the source was asked, and before its answer is read. */
const meanwhile = (act: () => Promise<unknown>): Pick<typeof READING, 'read'> => ({
  async read(...answer) {
    await act();
    return READING.read(...answer);
  },
});

describe('while a run of a source is under way', () => {
  it('its last run may be undone, and the run under way does not do the same again', async () => {
    two.radio.write([listing('1')]);
    await two.radio.run();
    const [first] = await listRuns({ store: two.store });
    two.radio.write([listing('1'), listing('2')]);
    const later = two.radio.run(meanwhile(() => undoRun({ store: two.store, id: first!.id, now })));
    await expect(later).rejects.toMatchObject({ code: 'run_superseded' });
    expect(await two.listed()).toEqual([]);
    expect((await source()).state).toBe('paused');
  });

  it('the source may be paused, and stays so though the run ends its hold', async () => {
    const all = ['1', '2', '3', '4', '5', '6'].map((id) => listing(id));
    two.radio.write(all);
    await two.radio.run();
    two.radio.write(all.slice(4));
    expect((await two.radio.run()).held).not.toBeNull();
    two.radio.write(all);
    await two.radio.run(meanwhile(() => setSourceState({ store: two.store, name: 'radio', state: 'paused' })));
    expect((await source()).state).toBe('paused');
  });

  it('its records may change, and it is compared with what they are by then', async () => {
    two.radio.write([listing('1')]);
    await two.radio.run();
    const lease = await tryLease(two.store.db, 'directory', 600);
    const { promise: hasRead, resolve: onSample } = Promise.withResolvers<unknown>();
    const later = two.radio.run({ onSample });
    await hasRead;
    await two.store.db
      .updateTable('record')
      .set({ gone_at: new Date(NOW) })
      .where('kind', '=', 'event')
      .execute();
    await lease!.release();
    await later;
    expect(await two.store.db.selectFrom('record').select('gone_at').where('kind', '=', 'event').execute()).toEqual([
      { gone_at: null },
    ]);
  });

  it('it is not removed: what the run would still write would stay for ever', async () => {
    two.radio.write([listing('1')]);
    await two.radio.run();
    const lease = await tryLease(two.store.db, 'directory', 600);
    const removal = removeSource({ store: two.store, name: 'radio', now });
    // More questions than a removal asks.
    for (let asked = 0; asked < 100; asked++) await source();
    expect(await source()).toBeDefined();
    await lease!.release();
    expect(await removal).toEqual({ events: 1, venues: 1 });
  });
});

it('of runs that began at one moment the last ones are kept, and the last one counts', async () => {
  const { store } = two;
  const { id: sourceId } = await source();
  const ids = Array.from({ length: 53 }, (_, number) => `0197b000-0000-7000-8000-0000000000${number + 10}`);
  for (const id of ids) {
    await beginRun(store.db, { id, sourceId, kind: 'ingest', now: NOW });
    await endRun(store.db, id, { state: 'done', now: NOW, report: null, error: null });
  }
  const kept = await listRuns({ store, source: 'radio', limit: 100 });
  expect(kept.map(({ id }) => id)).toEqual(ids.slice(3).toReversed());
  const [radio] = (await overseeSources({ store, now: NOW })).filter(({ name }) => name === 'radio');
  expect(radio!.last?.id).toBe(ids.at(-1));
});
