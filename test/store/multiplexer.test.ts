import { once } from 'node:events';
import { fsyncSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openPglite, pgliteBackend } from '../../src/store/engine/durable-pglite.ts';
import { runMaintenance } from '../../src/store/engine/maintenance.ts';
import { type Multiplexer, openMultiplexer } from '../../src/store/engine/multiplexer.ts';
import { queryMessage, startupMessage } from '../../src/store/engine/wire.ts';
import { copyDataFolder, temporaryFolder } from '../support/database/store.ts';
import { eventually } from '../support/processes/child-process.ts';

describe('the multiplexer of the embedded engine', () => {
  let db: PGlite;
  let multiplexer: Multiplexer;
  let folder: string;
  let remove: () => Promise<void>;
  let diskFails = false;
  let fsyncs = 0;
  const broken: unknown[] = [];
  const clients: pg.Client[] = [];
  const sockets: Socket[] = [];

  beforeAll(async () => {
    const copy = await copyDataFolder();
    folder = copy.options.dataDir;
    remove = copy.remove;
    db = await openPglite({
      directory: join(folder, 'database'),
      fsync(descriptor) {
        if (diskFails) throw new Error('the disk is gone');
        fsyncs++;
        fsyncSync(descriptor);
      },
    });
    multiplexer = await openMultiplexer({
      backend: pgliteBackend(db),
      socketPath: join(folder, '.s.PGSQL.5432'),
      onBroken: (error) => broken.push(error),
    });
    await db.exec('create table note (id int primary key, text text)');
  });

  afterEach(async () => {
    for (const client of clients.splice(0)) await client.end().catch(() => {});
    for (const socket of sockets.splice(0)) socket.destroy();
  });

  afterAll(async () => {
    await multiplexer.close();
    await remove();
  });

  test('a statement parsed by one connection is not replaced by another one before it is executed', async () => {
    const [a, b] = [await openRaw(), await openRaw()];
    a.socket.write(parse("select 'for A'"));
    b.socket.write(Buffer.concat([parse("select 'for B'"), BIND, EXECUTE, SYNC]));
    await eventually(() => b.answer().includes('SELECT 1'));
    a.socket.write(Buffer.concat([BIND, EXECUTE, SYNC]));
    await eventually(() => a.answer().includes('SELECT 1'));
    expect([a.answer().match(/for \w/)?.[0], b.answer().match(/for \w/)?.[0]]).toEqual(['for A', 'for B']);
  });

  test('many connections at once get the right answers to statements, mistakes and transactions', async () => {
    await Promise.all(
      Array.from({ length: 12 }, async (_, number) => {
        const client = await openClient();
        for (let turn = 0; turn < 30; turn++) {
          const mark = `${number}-${turn}-${'x'.repeat((number * 37 + turn * 101) % 20_000)}`;
          const kind = (number + turn * 7) % 4;
          if (kind === 0) {
            expect((await client.query('select $1::text as mark, $2::int as turn', [mark, turn])).rows).toEqual([{ mark, turn }]);
          } else if (kind === 1) {
            await expect(client.query('select $1::int / 0', [turn])).rejects.toMatchObject({ code: '22012' });
          } else if (kind === 2) {
            await client.query('begin');
            await client.query('insert into note values ($1, $2)', [number * 1000 + turn, mark]);
            await client.query(turn % 2 ? 'commit' : 'rollback');
            const { rows } = await client.query('select text from note where id = $1', [number * 1000 + turn]);
            expect(rows).toEqual(turn % 2 ? [{ text: mark }] : []);
          } else {
            await client.query('begin');
            await expect(client.query('select nonsense')).rejects.toMatchObject({ code: '42703' });
            await expect(client.query('select 1')).rejects.toMatchObject({ code: '25P02' });
            await client.query('rollback');
          }
        }
      }),
    );
  });

  test('a transaction holds the other connections until it ends', async () => {
    const [a, b] = [await openClient(), await openClient()];
    await a.query('begin');
    await a.query("insert into note values (1, 'first')");
    let answered = false;
    const other = b.query('select text from note where id = 1').then(({ rows }) => {
      answered = true;
      return rows;
    });
    for (let turn = 0; turn < 20; turn++) await a.query('select 1');
    expect(answered).toBe(false);
    await a.query('commit');
    expect(await other).toEqual([{ text: 'first' }]);
  });

  test('a connection that leaves in a transaction is rolled back, at its own word or not', async () => {
    for (const leave of [(client: pg.Client) => client.end(), cut]) {
      const [a, b] = [await openClient(), await openClient()];
      await a.query('begin');
      await a.query("insert into note values (2, 'never')");
      await leave(a);
      expect((await b.query('select * from note where id = 2')).rows).toEqual([]);
    }
  });

  test('a connection that stays idle in a transaction is cut, rolled back and told so', async () => {
    // The other tests hold transactions open, however long a busy machine takes.
    const { folder: place, remove: removePlace } = temporaryFolder();
    const impatient = await openMultiplexer({
      backend: pgliteBackend(db),
      socketPath: join(place, '.s.PGSQL.5432'),
      onBroken: (error) => broken.push(error),
      idleInTransactionMs: 1_500,
    });
    const [a, b] = [await openClient(place), await openClient(place)];
    const errors: unknown[] = [];
    a.on('error', (error) => errors.push(error));
    await a.query('begin');
    await a.query("insert into note values (3, 'never')");
    expect((await b.query('select * from note where id = 3')).rows).toEqual([]);
    await eventually(() => errors.length > 0);
    expect(errors[0]).toMatchObject({ code: '25P03' });
    await impatient.close();
    removePlace();
  });

  test('a value of 10 MB goes in and comes out', async () => {
    const client = await openClient();
    const value = 'é'.repeat(5 * 1024 * 1024);
    const { rows } = await client.query('select $1::text as value', [value]);
    expect(rows[0].value === value).toBe(true);
  });

  test('bytes that are no protocol end their connection only', async () => {
    const [raw, client] = [await openRaw(), await openClient()];
    raw.socket.write(Buffer.from('Q\xff\xff\xff\xffselect', 'latin1'));
    await once(raw.socket, 'close');
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('encryption is declined and cancelling is passed over', async () => {
    const socket = connect(join(folder, '.s.PGSQL.5432'));
    sockets.push(socket);
    socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]));
    expect((await once(socket, 'data'))[0].toString()).toBe('N');
    socket.write(Buffer.from([0, 0, 0, 16, 4, 210, 22, 46, 0, 0, 0, 1, 0, 0, 0, 2]));
    await once(socket, 'close');
  });

  test('work between the units waits for the end of a transaction', async () => {
    const client = await openClient();
    await client.query('begin');
    let done = false;
    const work = multiplexer.acquire(async () => {
      done = true;
      return db.query('select 1 as one');
    });
    await client.query('select 1');
    expect(done).toBe(false);
    await client.query('commit');
    expect((await work).rows).toEqual([{ one: 1 }]);
  });

  test('the log is cut and the tables are swept while nobody looks', async () => {
    const client = await openClient();
    await client.query('create table busy as select n, repeat($1, 100) as text from generate_series(1, 2000) n', ['x']);
    await client.query('delete from busy where n % 2 = 0');
    const errors: unknown[] = [];
    const end = runMaintenance({
      db,
      multiplexer,
      onError: (error) => errors.push(error),
      lookEveryMs: 5,
      checkpointBytes: 1000,
    });
    await eventually(async () => {
      const { rows } = await client.query(
        `select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::int < 100000 as cut, last_vacuum is not null as swept
         from pg_control_checkpoint(), pg_stat_user_tables where relname = 'busy'`,
      );
      return rows[0].cut && rows[0].swept;
    });
    await end();
    expect(errors).toEqual([]);
  });

  test('every commit reaches the disk before it is acknowledged', async () => {
    const client = await openClient();
    for (let id = 100; id < 110; id++) {
      const before = fsyncs;
      await client.query("insert into note values ($1, 'kept')", [id]);
      expect(fsyncs).toBeGreaterThan(before);
    }
  });

  // The last test: the engine does not survive it.
  test('a commit that does not reach the disk is not acknowledged, and the engine is given up', async () => {
    const client = await openClient();
    client.on('error', () => {});
    diskFails = true;
    const outcome = client.query("insert into note values (4, 'lost')").then(
      () => 'acknowledged',
      () => 'refused',
    );
    await eventually(() => broken.length > 0);
    cut(client);
    expect(await outcome).toBe('refused');
  });

  async function openClient(host = folder): Promise<pg.Client> {
    const client = new pg.Client({ host, port: 5432, user: 'anyone', database: 'any' });
    clients.push(client);
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  async function openRaw(): Promise<{ socket: Socket; answer(): string }> {
    const socket = connect(join(folder, '.s.PGSQL.5432'));
    sockets.push(socket);
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
    });
    socket.write(startupMessage('anyone', 'any'));
    await eventually(() => text.endsWith('I'));
    text = '';
    return { socket, answer: () => text };
  }
});

/** As if the process of the client had died. */
async function cut(client: pg.Client): Promise<void> {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}

function message(type: string, body: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const parse = (query: string) => message('P', Buffer.from(`\0${query}\0\0\0`));
const BIND = message('B', Buffer.alloc(8));
const EXECUTE = message('E', Buffer.alloc(5));
const SYNC = message('S', Buffer.alloc(0));

test('a client that ends in the middle of a transaction lets nobody into the next one, however slow the engine is', async () => {
  const { folder, remove } = temporaryFolder();
  const ran: string[] = [];
  let inTransaction = false;
  let running = 0;
  let most = 0;
  const slow = await openMultiplexer({
    socketPath: join(folder, 'socket'),
    onBroken: (error) => ran.push(String(error)),
    async backend(message) {
      most = Math.max(most, ++running);
      await delay(20);
      const text = message[0] === 0x51 ? Buffer.from(message.subarray(5, -1)).toString() : '';
      if (text.startsWith('begin')) inTransaction = true;
      if (/^(?:rollback|commit)/.test(text)) inTransaction = false;
      if (text) ran.push(text);
      running -= 1;
      return [Buffer.from([0x5a, 0, 0, 0, 5, inTransaction ? 0x54 : 0x49])];
    },
  });
  const open = async () => {
    const socket = connect(join(folder, 'socket'));
    socket.write(startupMessage('postgres', 'postgres'));
    await once(socket, 'data');
    return socket;
  };
  const [x, y, z] = [await open(), await open(), await open()];
  x.write(queryMessage('begin x'));
  await once(x, 'data');
  x.write(TERMINATE);
  y.write(queryMessage('begin y'));
  await eventually(() => ran.includes('rollback'));
  z.write(queryMessage('insert z'));
  await eventually(() => ran.includes('begin y'));
  y.write(queryMessage('commit y'));
  await eventually(() => ran.includes('insert z'));
  expect(ran).toEqual(['begin x', 'rollback', 'begin y', 'commit y', 'insert z']);
  expect(most).toBe(1);
  for (const socket of [x, y, z]) socket.destroy();
  await slow.close();
  remove();
});

test('a client whose statement runs when the engine is closed learns its outcome, not that it was never run', async () => {
  const { folder, remove } = temporaryFolder();
  const statement = Promise.withResolvers<void>();
  let hasBegun = false;
  const slow = await openMultiplexer({
    socketPath: join(folder, 'socket'),
    onBroken: () => undefined,
    quietPatienceMs: 0,
    async backend(message) {
      if (message[0] === 0x51) {
        hasBegun = true;
        await statement.promise;
      }
      return [Buffer.from([0x5a, 0, 0, 0, 5, 0x49])];
    },
  });
  const open = async () => {
    const socket = connect(join(folder, 'socket'));
    socket.write(startupMessage('postgres', 'postgres'));
    await once(socket, 'data');
    return socket;
  };
  const [busy, idle] = [await open(), await open()];
  busy.write(queryMessage('insert'));
  await eventually(() => hasBegun);
  const answered = once(busy, 'data');
  const closed = slow.close();
  const [farewell] = (await once(idle, 'data')) as [Buffer];
  expect(farewell.toString('latin1')).toContain('57P01');
  statement.resolve();
  const [answer] = (await answered) as [Buffer];
  expect(answer.toString('latin1')).toMatch(/^Z/);
  await closed;
  for (const socket of [busy, idle]) socket.destroy();
  remove();
});

/** As `psql` says good-bye. */
const TERMINATE = Buffer.from([0x58, 0, 0, 0, 4]);
