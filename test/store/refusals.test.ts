import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore, StoreError, type StoreOptions } from '../../src/store/index.ts';
import {
  createDatabase,
  describeEachEngine,
  ENGINES,
  openTestStore,
  type TestStore,
  temporaryFolder,
} from '../support/database/store.ts';

let folder: string;
let remove: () => void;
beforeEach(() => {
  ({ folder, remove } = temporaryFolder());
});
afterEach(() => remove());

/** What a person sees of a refused start. */
async function refusal(options: StoreOptions): Promise<StoreError> {
  const error = await openStore(options).then(
    () => expect.unreachable('the store was opened'),
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(StoreError);
  return error as StoreError;
}

describe('a refused start is one sentence', () => {
  test('when a file is in the place of the data folder', async () => {
    const dataDir = join(folder, 'file');
    writeFileSync(dataDir, '');
    const error = await refusal({ dataDir });
    expect(error.code).toBe('data_folder_not_writable');
    expect(error.message).toBe(
      `Cannot write to the data folder ${dataDir} (MARQUEE_DATA_DIR): a file with that name already exists.`,
    );
  });

  test('when the data folder cannot be made', async () => {
    expect((await refusal({ dataDir: '/proc/nowhere/data' })).message).toBe(
      'Cannot write to the data folder /proc/nowhere/data (MARQUEE_DATA_DIR): cannot create it there.',
    );
  });

  test('when the data folder holds the files of something else', async () => {
    const options = { dataDir: folder };
    const { copyFile, mkdir } = await import('node:fs/promises');
    await mkdir(join(folder, 'database'));
    await copyFile(new URL('../../package.json', import.meta.url), join(folder, 'database', 'PG_VERSION'));
    const error = await refusal(options);
    expect(error.code).toBe('engine_failed');
    expect(error.message).toMatch(/^The embedded database in .* did not start: .+\.$/);
  });

  test('when nothing listens where the database should be', async () => {
    const error = await refusal({ databaseUrl: 'postgresql://ann:s3cret@127.0.0.1:1/city', dataDir: folder });
    expect(error.code).toBe('database_unreachable');
    expect(error.message).toBe('Cannot connect to the database city at 127.0.0.1:1: no server listens there.');
    expect(inspect(error, { depth: 9 })).not.toContain('s3cret');
  });

  test('when the host of the database is unknown', async () => {
    const error = await refusal({ databaseUrl: 'postgresql://ann:s3cret@nowhere.invalid/city', dataDir: folder });
    expect(error.message).toMatch(
      /^Cannot connect to the database city at nowhere\.invalid: (the host name is unknown|cannot look up the host name)\.$/,
    );
  });

  test('when something else than PostgreSQL answers', async () => {
    const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const error = await refusal({ databaseUrl: `postgresql://ann:s3cret@127.0.0.1:${port}/city`, dataDir: folder });
    expect(error.code).toBe('database_unreachable');
    server.close();
  });

  test('when the database wants a password and none was given, at once and with nothing left open', async () => {
    const cut = Promise.withResolvers<void>();
    const server = createServer((socket) => {
      socket.on('close', () => cut.resolve()).on('error', () => {});
      const answers = [authentication(10, 'SCRAM-SHA-256\0\0'), authentication(11, 'r=nonce,s=c2FsdA==,i=4096')];
      socket.on('data', () => {
        const answer = answers.shift();
        if (answer) socket.write(answer);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const error = await refusal({ databaseUrl: `postgres://ann@127.0.0.1:${port}/city`, dataDir: folder });
    expect(error.code).toBe('database_login_refused');
    expect(error.message).toBe(
      `The database city at 127.0.0.1:${port} rejected the login: it requires a password, but none was given.`,
    );
    await cut.promise;
    server.close();
  });

  test.each(['mysql://ann:s3cret@host/city', 'host=localhost password=s3cret', 'postgres://ann:s3cret%zz@host/city', '/var/run'])(
    'when the URL is %s',
    async (databaseUrl) => {
      const error = await refusal({ databaseUrl, dataDir: folder });
      expect(error.code).toBe('database_url_invalid');
      expect(inspect(error, { depth: 9 })).not.toContain('s3cret');
    },
  );

  describe.skipIf(!ENGINES.includes('postgres'))('of PostgreSQL', () => {
    test('when the database does not exist', async () => {
      const url = new URL(process.env.MARQUEE_TEST_DATABASE_URL!);
      url.pathname = '/marquee_nowhere';
      url.password = 's3cret';
      const error = await refusal({ databaseUrl: url.href, dataDir: folder });
      expect(error.code).toBe('database_login_refused');
      expect(error.message).toContain('database "marquee_nowhere" does not exist');
      expect(inspect(error, { depth: 9 })).not.toContain('s3cret');
    });

    test('when the user may not make tables, and when the database can only be read', async () => {
      const { options, remove: drop } = await createDatabase();
      const optionsWith = (setting: string): StoreOptions => {
        const url = new URL(options.databaseUrl!);
        url.searchParams.set('options', `-c ${setting}`);
        return { ...options, databaseUrl: url.href };
      };
      const right = await refusal(optionsWith('role=pg_monitor'));
      expect(right.code).toBe('database_right_missing');
      expect(right.message).toMatch(
        /^The database marquee_test_.+ rejected the request: permission denied for schema public\. The user needs /,
      );
      expect((await refusal(optionsWith('default_transaction_read_only=on'))).code).toBe('database_read_only');
      await drop();
    });
  });
});

describeEachEngine('a statement that the database does not let pass', (engine) => {
  let testStore: TestStore;
  beforeEach(async () => {
    testStore = await openTestStore(engine);
  });
  afterEach(() => testStore.dispose());

  test('for want of a right is one sentence that says which', async () => {
    const reading = testStore.store.db.transaction().execute(async (trx) => {
      await sql`set local role pg_monitor`.execute(trx);
      await trx.selectFrom('source').select('id').execute();
    });
    await expect(reading).rejects.toMatchObject({
      name: 'StoreError',
      code: 'database_right_missing',
      message: expect.stringMatching(
        / rejected the request: permission denied for table source\. The user needs the right to .+\.$/,
      ),
    });
  });

  test.each([
    ['the disk is full', 'disk_full', 'database_full', / has no space left: as much as it says\. .+\.$/],
    ['a page is damaged', 'data_corrupted', 'database_damaged', / is damaged: as much as it says\. .+\.$/],
    ['an index is damaged', 'index_corrupted', 'database_damaged', / is damaged: as much as it says\. .+\.$/],
    ['the disk does not read', 'io_error', 'database_damaged', / is damaged: as much as it says\. .+\.$/],
    ['memory is short', 'out_of_memory', 'database_out_of_memory', / ran out of memory: as much as it says\. .+\.$/],
  ])('because %s is one sentence', async (_case, condition, code, message) => {
    const failing = sql`do $$ begin raise exception using errcode = '${sql.raw(condition)}', message = 'as much as it says'; end $$`;
    await expect(failing.execute(testStore.store.db)).rejects.toMatchObject({
      name: 'StoreError',
      code,
      message: expect.stringMatching(message),
    });
  });

  test('because it can only be read is one sentence', async () => {
    const writing = testStore.store.db
      .transaction()
      .setAccessMode('read only')
      .execute((trx) => trx.deleteFrom('source').execute());
    await expect(writing).rejects.toMatchObject({
      name: 'StoreError',
      code: 'database_read_only',
      message: expect.stringMatching(/ is read-only: cannot execute DELETE in a read-only transaction\. .+\.$/),
    });
  });
});

/** An authentication request as PostgreSQL sends it: AuthenticationSASL is 10, AuthenticationSASLContinue 11 (protocol 3.0). */
function authentication(kind: number, data: string): Buffer {
  const head = Buffer.from('R\0\0\0\0\0\0\0\0', 'latin1');
  head.writeInt32BE(8 + data.length, 1);
  head.writeInt32BE(kind, 5);
  return Buffer.concat([head, Buffer.from(data)]);
}
