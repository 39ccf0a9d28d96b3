/** A `DATABASE_URL` with several PostgreSQL servers, of which one accepts writes. */

import { inspect } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore, type Store, transact } from '../../src/store/index.ts';
import { createPrimary, NoPrimaryError } from '../../src/store/servers/primary.ts';
import type { ServerState } from '../../src/store/servers/probe-server.ts';
import { type Cluster, POSTGRES_PROGRAMS, type Standby, startCluster, startStandby } from '../support/database/postgres.ts';
import { DEFAULT_ENGINE, temporaryFolder } from '../support/database/store.ts';
import { openTcpProxy } from '../support/network/tcp-proxy.ts';

const STANDBY: ServerState = { acceptsWrites: false, timeline: '' };
const primaryOf = (timeline: string): ServerState => ({ acceptsWrites: true, timeline });

describe('the primary of several servers', () => {
  /** What each server answers; null: that it is not there. */
  function openServers(states: Record<string, ServerState | null>) {
    let asked = 0;
    const primary = createPrimary(Object.keys(states), async (url) => {
      asked += 1;
      const state = states[url];
      if (!state) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
      return state;
    });
    return { primary, states, asked: () => asked };
  }

  it('is the one that accepts writes, and is asked for again only where it is in doubt', async () => {
    const { primary, states, asked } = openServers({ a: STANDBY, b: primaryOf('00000001'), c: null });
    expect(await Promise.all([primary.find(), primary.find()])).toEqual(['b', 'b']);
    expect(await primary.find()).toBe('b');
    expect(asked()).toBe(3);
    Object.assign(states, { a: primaryOf('00000002'), b: null });
    primary.doubt();
    expect(await primary.find()).toBe('a');
  });

  it('is never one that was the primary before a failover, though it accepts writes again', async () => {
    const { primary, states } = openServers({ a: primaryOf('00000009'), b: primaryOf('0000000A') });
    expect(await primary.find()).toBe('b');
    states.b = null;
    primary.doubt();
    await expect(primary.find()).rejects.toMatchObject({
      reasons: [{ message: 'it is an old primary' }, { code: 'ECONNREFUSED' }],
    });
    states.b = STANDBY;
    await expect(primary.find()).rejects.toThrow(NoPrimaryError);
    states.a = primaryOf('0000000B');
    expect(await primary.find()).toBe('a');
  });

  it('is not waited for behind a server that is silent', async () => {
    const primary = createPrimary(['silent', 'b'], (url) =>
      url === 'b' ? Promise.resolve(primaryOf('00000001')) : new Promise(() => {}),
    );
    expect(await primary.find()).toBe('b');
  });
});

if (DEFAULT_ENGINE === 'postgres') {
  describe.skipIf(!POSTGRES_PROGRAMS)('a store on a primary and its standby', () => {
    let first: Cluster;
    let standby: Standby;
    const stores: Store[] = [];
    const { folder, remove } = temporaryFolder();
    beforeAll(async () => {
      first = await startCluster();
      standby = await startStandby(first);
    });
    afterAll(async () => {
      for (const store of stores) await store.close();
      await standby?.dispose();
      await first?.dispose();
      remove();
    });

    const hosts = (...ports: number[]) =>
      `postgresql://marquee:s3cret@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/postgres?target_session_attrs=read-write`;
    async function open(...ports: number[]): Promise<Store> {
      const store = await openStore({ databaseUrl: hosts(...ports), dataDir: folder });
      stores.push(store);
      return store;
    }
    const portOf = async ({ db }: Store) =>
      (await sql<{ port: string }>`select current_setting('port') as port`.execute(db)).rows[0]?.port;
    const write = ({ db }: Store, value: string) => sql`insert into written values (${value})`.execute(db);
    const writtenOn = async ({ db }: Store) =>
      (await sql<{ value: string }>`select value from written order by value`.execute(db)).rows.map(({ value }) => value);
    const isDone = (work: Promise<unknown>) =>
      work.then(
        () => true,
        () => false,
      );

    it('writes to the primary, and follows each failover without writing to an old primary', async () => {
      // A standby that stands first is not taken.
      const store = await open(standby.port, first.port);
      expect(await portOf(store)).toBe(String(first.port));
      await sql`create table written (value text)`.execute(store.db);
      await write(store, 'before');
      await expect
        .poll(
          async () =>
            (await sql`select from pg_stat_replication where replay_lsn >= pg_current_wal_lsn()`.execute(store.db)).rows,
        )
        .toHaveLength(1);

      await first.kill();
      await standby.promote();
      // Promised are 5 s: `npm run faults` measures a failover.
      await expect.poll(() => isDone(write(store, 'after'))).toBe(true);
      expect(await writtenOn(store)).toEqual(['after', 'before']);

      // It does not know that it is none any more: nobody told it.
      await first.start();
      const another = await open(first.port, standby.port);
      expect(await portOf(another)).toBe(String(standby.port));
      await transact(another.db, (trx) => sql`insert into written values ('another')`.execute(trx));
      await write(store, 'last');
      const old = await open(first.port);
      expect(await writtenOn(old)).toEqual(['before']);
    });

    it('leaves a primary that becomes read-only while it is connected, and no caller hears of it', async () => {
      const proxy = await openTcpProxy({ host: '127.0.0.1', port: first.port });
      const store = await openStore({ databaseUrl: hosts(proxy.port), dataDir: folder });
      try {
        const pids = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(store.db)).rows[0]?.pid;
        const before = await pids();
        expect(await pids()).toBe(before);
        const old = await open(first.port);
        await sql`alter system set default_transaction_read_only = on`.execute(old.db);
        await sql`select pg_reload_conf()`.execute(old.db);
        proxy.retarget({ host: '127.0.0.1', port: standby.port });
        await expect.poll(() => portOf(store)).toBe(String(standby.port));
        await write(store, 'moved');
        expect(await writtenOn(store)).toContain('moved');
      } finally {
        await store.close();
        await proxy.close();
      }
    });

    it('says why no server will do, without the password', async () => {
      const opening = openStore({ databaseUrl: hosts(first.port, 1), dataDir: folder });
      const error = await opening.then(
        () => expect.unreachable('the store was opened'),
        (reason: unknown) => reason,
      );
      expect(error).toMatchObject({
        code: 'database_unreachable',
        message: `Cannot connect to the database postgres at 127.0.0.1:${first.port}, 127.0.0.1:1: no server accepts writes (it is read-only, no server listens there).`,
      });
      expect(inspect(error, { depth: 9 })).not.toContain('s3cret');
    });
  });
}
