import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  createSourceJobs,
  importBundle,
  listSources,
  runInProcess,
  type SourceReport,
  setSourceState,
} from '../../src/ingest/index.ts';
import { createLog } from '../../src/log.ts';
import { describeEachEngine, openTestStore, type TestStore, temporaryFolder } from '../support/database/store.ts';
import { eventually } from '../support/processes/child-process.ts';
import { CITY, emptyDirectory, NEIGHBORHOODS, NOW, now } from '../support/records/bundle.ts';
import { addFeed, type Feed, listing } from '../support/rigs/sources.ts';

describeEachEngine('sources by the clock', (engine) => {
  let test: TestStore;
  let temporary: ReturnType<typeof temporaryFolder>;
  let feed: Feed;
  const log = createLog('silent');
  const HOUR = 3_600_000;

  beforeAll(async () => {
    test = await openTestStore(engine);
    temporary = temporaryFolder();
  });
  beforeEach(async () => {
    await emptyDirectory(test.store);
    await importBundle({ store: test.store, bundle: { city: CITY, neighborhoods: NEIGHBORHOODS }, now });
    feed = await addFeed(test.store, temporary.folder, 'feed', { everySeconds: 3600 });
    await addFeed(test.store, temporary.folder, 'by hand');
    feed.write([listing('1')]);
  });
  afterAll(async () => {
    temporary.remove();
    await test.dispose();
  });

  it('run when their time has come, one run of a source at a time over all workers, and wait after a failure', async () => {
    let clock = NOW;
    const began: string[] = [];
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const run = async (name: string): Promise<SourceReport> => {
      began.push(name);
      await gate;
      return feed.run({ now: () => clock });
    };
    const common = { store: test.store, run, now: () => clock, log };
    const workers = [createSourceJobs(common), createSourceJobs(common)];
    try {
      expect(await workers[0]!.look()).toEqual(['feed']);
      expect(await workers[1]!.look()).toEqual(['feed']);
      await eventually(() => began.length > 0);
      await workers[0]!.look();
      open();
      const ran = async () => (await listSources({ store: test.store })).find(({ name }) => name === 'feed');
      await eventually(async () => (await ran())?.lastRunAt === NOW);
      expect(began).toEqual(['feed']);
      expect(await workers[0]!.look()).toEqual([]);
      clock = NOW + HOUR;
      feed.write([{ ...listing('1'), start: 5 }]);
      await setSourceState({ store: test.store, name: 'feed', state: 'paused' });
      expect(await workers[0]!.look()).toEqual([]);
      await setSourceState({ store: test.store, name: 'feed', state: 'active' });
      expect(await workers[1]!.look()).toEqual(['feed']);
      // The lease of the run before may not have been given back yet: workers look again and again.
      await eventually(async () => {
        await workers[1]!.look();
        return (await ran())?.lastRunAt === clock;
      });
      expect(began).toEqual(['feed', 'feed']);
      // The clock was ahead by mistake, and is right again.
      clock = NOW - HOUR;
      await eventually(async () => {
        await workers[1]!.look();
        return (await ran())?.lastRunAt === clock;
      });
      expect(began).toEqual(['feed', 'feed', 'feed']);
      // Asked for by a process whose clock is ahead: once.
      await sql`update source set wanted_at = ${new Date(clock + HOUR)} where name = 'feed'`.execute(test.store.db);
      await eventually(async () => (await workers[1]!.look()).length === 0);
      expect(began.length).toBeGreaterThan(3);
    } finally {
      await Promise.all(workers.map((worker) => worker.close()));
    }
  });

  it('that a dead worker left behind are taken up by another when its lease has ended', async () => {
    const never = new Promise<SourceReport>(() => {});
    const began: string[] = [];
    const common = { store: test.store, now, log };
    const dead = createSourceJobs({
      ...common,
      run(name) {
        began.push(`${name} 1`);
        return never;
      },
    });
    await dead.look();
    await eventually(() => began.length === 1);
    const alive = createSourceJobs({
      ...common,
      async run(name) {
        began.push(`${name} 2`);
        return feed.run({ now });
      },
    });
    try {
      await alive.look();
      await alive.look();
      expect(began).toEqual(['feed 1']);
      await sql`update lease set until = now() - interval '1 second'`.execute(test.store.db);
      await eventually(async () => (await alive.look()).length === 0);
      expect(began).toEqual(['feed 1', 'feed 2']);
    } finally {
      await alive.close();
    }
  });

  it('run in a process of their own, with the errors of a run', async () => {
    const place = {
      nowSetting: new Date(NOW).toISOString(),
      allowedHosts: [],
      userAgent: 'Marquee',
      geocoder: null,
      providerKeys: {},
    };
    const options = { store: test.options, ...place };
    const report = await runInProcess({ ...options, name: 'feed' });
    expect(report).toMatchObject({ source: 'feed', events: { created: 1 }, held: null });
    expect(await test.store.db.selectFrom('event').select(['title', 'state']).execute()).toEqual([
      { title: 'Show 1', state: 'published' },
    ]);
    await expect(runInProcess({ ...options, name: 'nobody' })).rejects.toMatchObject({ code: 'source_unknown' });
  });
});
