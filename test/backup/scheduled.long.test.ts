/** Backups that workers make by themselves: when, how many at a time, and which old ones go. PostgreSQL is enough: the files and rows are the same. */

import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadBackupState, makeDueBackup } from '../../src/backup/index.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import { DEFAULT_ENGINE, temporaryFolder } from '../support/database/store.ts';
import { openS3Stub, type S3Stub } from '../support/fakes/s3.ts';
import { demoPlace, manifestOf, type Place } from '../support/rigs/backup.ts';
import { startService } from '../support/rigs/service.ts';

const HOUR = 3_600_000;
const BEGIN = Date.parse('2026-06-16T20:00:00Z');

let demo: Place;
let store: Store;
let place: ReturnType<typeof temporaryFolder>;
let vault: string;
let now = BEGIN;
let logged = '';

beforeAll(async () => {
  demo = await demoPlace(DEFAULT_ENGINE);
  store = await openStore({ dataDir: demo.folder, databaseUrl: demo.env.DATABASE_URL });
});
afterAll(async () => {
  await store?.close();
  await demo?.remove();
});
beforeEach(async () => {
  place = temporaryFolder();
  vault = join(place.folder, 'vault');
  mkdirSync(vault);
  [now, logged] = [BEGIN, ''];
  await store.db.deleteFrom('scheduled_backup').execute();
});
afterEach(() => place.remove());

const planOf = (settings: Record<string, string>): NonNullable<Config['backups']> => {
  const { backups } = readConfig({ MARQUEE_BACKUP_URL: vault, MARQUEE_BACKUP_EVERY: '1h', ...settings });
  if (!backups) throw new Error('no plan');
  return backups;
};

/** What the job of a worker does when its time comes. */
function look(settings: Record<string, string> = {}, signal = new AbortController().signal): Promise<void> {
  const log = createLog('info', {
    write(line: string) {
      logged += line;
    },
  });
  const at = { dataDir: demo.folder, databaseUrl: demo.env.DATABASE_URL };
  const secret = 'a secret of thirty-two characters or more';
  return makeDueBackup({ db: store.db, plan: planOf(settings), store: at, secret, now: () => now, log }, signal);
}

const bucketOf = ({ endpoint, accessKeyId, secretAccessKey }: S3Stub, path: string) => ({
  MARQUEE_BACKUP_URL: `s3://vault/${path}?endpoint=${endpoint}`,
  AWS_ACCESS_KEY_ID: accessKeyId,
  AWS_SECRET_ACCESS_KEY: secretAccessKey,
});

const files = () => readdirSync(vault).sort();
const states = async () =>
  (await store.db.selectFrom('scheduled_backup').select('state').orderBy('started_at').execute()).map(({ state }) => state);

/** Those that this process has started, by a word of their command (proc(5)). */
function ownProcesses(word: string): number[] {
  const lists = readdirSync('/proc/self/task').map((thread) => readFileSync(`/proc/self/task/${thread}/children`, 'utf8'));
  const children = lists.flatMap((list) => list.split(' ').filter(Boolean));
  return children.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word)).map(Number);
}

describe('a scheduled backup', () => {
  it('is made at once, then only when it is due, and is whole', async () => {
    await look();
    expect(files()).toEqual([expect.stringMatching(/^marquee-20260616T200000Z-[0-9a-f]{8}\.backup$/)]);
    now += HOUR - 1;
    await look();
    expect(files()).toHaveLength(1);
    now += 1;
    await look();
    expect(files()).toHaveLength(2);
    expect(manifestOf(join(vault, files()[1] ?? ''))).toMatchObject({
      engine: demo.engine,
      files: expect.arrayContaining(['secret']),
    });
    expect(await states()).toEqual(['complete', 'complete']);
  });

  it('deletes old ones beyond the number to keep, and never a file that it did not write', async () => {
    writeFileSync(join(vault, 'marquee-20200101T000000Z-deadbeef.backup'), 'of another service');
    writeFileSync(join(vault, 'notes.txt'), 'of a person');
    const foreign = files();
    const made: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      await look({ MARQUEE_BACKUP_KEEP: '1' });
      made.push(files().find((name) => !foreign.includes(name) && !made.includes(name)) ?? '');
      now += HOUR;
    }
    expect(files()).toEqual([...foreign, ...made.slice(2)].sort());
    expect(await states()).toEqual(['deleted', 'deleted', 'complete']);
  });

  it('is made again when the clock was ahead by mistake, and those of that time go first', async () => {
    const name = 'marquee-20270616T200000Z-3f2a9c1d.backup';
    const at = new Date(BEGIN + 8_760 * HOUR);
    writeFileSync(join(vault, name), 'whole');
    const row = { id: randomUUID(), place: vault, name, state: 'complete', started_at: at, ended_at: at } as const;
    await store.db
      .insertInto('scheduled_backup')
      .values({ ...row, bytes: 'whole'.length, row_count: 1, reason: null })
      .execute();
    await look({ MARQUEE_BACKUP_KEEP: '1' });
    expect(files()).toHaveLength(1);
    expect(files()).not.toEqual([name]);
    expect(await loadBackupState(store.db, vault, now)).toMatchObject({ newestAt: BEGIN });
    await look({ MARQUEE_BACKUP_KEEP: '1' });
    expect(await states()).toEqual(['complete', 'deleted']);
  });

  it('that fails is logged and tried again, and no old one goes before a new one is proven', async () => {
    await look({ MARQUEE_BACKUP_KEEP: '1' });
    const [old = ''] = files();
    renameSync(vault, `${vault}.away`);
    now += HOUR;
    await look({ MARQUEE_BACKUP_KEEP: '1' });
    expect(logged).toContain('a scheduled backup failed');
    expect(logged).toContain('the folder or file does not exist');
    renameSync(`${vault}.away`, vault);
    expect(files()).toEqual([old]);
    now += 59_000;
    await look({ MARQUEE_BACKUP_KEEP: '1' });
    expect(files()).toEqual([old]);
    expect(await loadBackupState(store.db, vault, now)).toMatchObject({ newestAt: BEGIN, failures: 1 });
    now += 1_000;
    await look({ MARQUEE_BACKUP_KEEP: '1' });
    expect(files()).toHaveLength(1);
    expect(files()).not.toEqual([old]);
    expect(await loadBackupState(store.db, vault, now)).toMatchObject({ newestAt: now, failures: 0, lastFailure: null });
  });

  it('spares an old one if a newer one was taken away or changed', async () => {
    await look({ MARQUEE_BACKUP_KEEP: '2' });
    const [oldest = ''] = files();
    now += HOUR;
    await look({ MARQUEE_BACKUP_KEEP: '2' });
    const [, second = ''] = files();
    truncateSync(join(vault, second), 100);
    now += HOUR;
    await look({ MARQUEE_BACKUP_KEEP: '2' });
    expect(files()).toHaveLength(3);
    expect(files()).toContain(oldest);
    expect(await states()).toEqual(['complete', 'missing', 'complete']);
  });

  it('is made once if several workers look at the same time', async () => {
    await Promise.all([look(), look(), look()]);
    expect(files()).toHaveLength(1);
  });

  it('that was interrupted is begun again, and nothing of it stays', async () => {
    const name = 'marquee-20260616T190000Z-0a0a0a0a.backup';
    await store.db
      .insertInto('scheduled_backup')
      .values({ id: crypto.randomUUID(), place: vault, name, state: 'running', started_at: new Date(BEGIN - HOUR) })
      .execute();
    writeFileSync(join(vault, `.${name}.4711.marquee-draft`), 'half');
    writeFileSync(join(vault, name), 'got its name in the last moment');
    await look();
    expect(readdirSync(vault)).toEqual([expect.stringMatching(/^marquee-20260616T200000Z/)]);
    expect(await states()).toEqual(['deleted', 'complete']);
    expect(logged).toContain('a scheduled backup was interrupted');
  });

  it('ends when the service stops, and is made by the next one', async () => {
    const stopping = new AbortController();
    const stopped = look({}, stopping.signal);
    await expect.poll(states).toEqual(['running']);
    stopping.abort();
    await stopped;
    expect(files().filter((name) => name.endsWith('.backup'))).toEqual([]);
    now += 1000;
    await look();
    expect(files()).toHaveLength(1);
    expect(await states()).toEqual(['deleted', 'complete']);
  });
});

describe('a scheduled backup in a bucket', () => {
  it('is checked there: one that the storage spoiled, or never confirmed, counts as failed, and goes', async () => {
    const stub = await openS3Stub();
    const settings = { ...bucketOf(stub, 'auto'), MARQUEE_BACKUP_KEEP: '1' };
    try {
      await look(settings);
      const good = [...stub.objects.keys()];
      expect(good).toEqual([expect.stringMatching(/^vault\/auto\/marquee-20260616T200000Z-[0-9a-f]{8}\.backup$/)]);
      stub.objects.set('vault/auto/other.backup', Buffer.from('of another service'));
      const put = stub.objects.set.bind(stub.objects);
      stub.objects.set = (key, body) => put(key, body.subarray(0, body.length - 20));
      now += HOUR;
      await look(settings);
      stub.objects.set = put;
      expect([...stub.objects.keys()]).toEqual([...good, 'vault/auto/other.backup']);
      expect(logged).toContain('What was written ends too early');
      now += HOUR;
      // Each attempt of one request.
      stub.loseAnswers(4);
      await look(settings);
      expect(logged).toContain('the storage answered PUT with 504 GatewayTimeout');
      expect([...stub.objects.keys()]).toEqual([...good, 'vault/auto/other.backup']);
      now += HOUR;
      await look(settings);
      const left = [...stub.objects.keys()];
      expect(left).toHaveLength(2);
      expect(left).toContain('vault/auto/other.backup');
      expect(left).not.toContain(good[0]);
      expect(logged).not.toContain(stub.secretAccessKey);
    } finally {
      await stub.close();
    }
  });

  it('whose process is killed between writing and checking counts as failed, and nothing of it stays', async () => {
    const stub = await openS3Stub();
    const put = stub.objects.set.bind(stub.objects);
    let asked: Promise<void> | undefined;
    stub.objects.set = (key, body) => {
      asked = stub.fallSilent();
      return put(key, body);
    };
    try {
      const looking = look(bucketOf(stub, 'auto'));
      await expect.poll(() => asked !== undefined).toBe(true);
      await asked;
      stub.answerAgain();
      for (const pid of ownProcesses('backup-process')) process.kill(pid, 'SIGKILL');
      await looking;
      expect(await states()).toEqual(['failed']);
      expect([...stub.objects.keys()]).toEqual([]);
    } finally {
      await stub.close();
    }
  });

  it('has a list of its own, also beside one of the same name on another server', async () => {
    const [stub, other] = [await openS3Stub(), await openS3Stub()];
    try {
      await look(bucketOf(stub, 'auto'));
      expect([stub.objects.size, other.objects.size]).toEqual([1, 0]);
      // Due at once: there is none yet.
      await look(bucketOf(other, 'auto'));
      expect([stub.objects.size, other.objects.size]).toEqual([1, 1]);
      expect(await states()).toEqual(['complete', 'complete']);
    } finally {
      await Promise.all([stub.close(), other.close()]);
    }
  });
});

describe('a worker', () => {
  it('makes backups, and continues after a worker that was killed', async () => {
    const stub = await openS3Stub();
    const env = { ...demo.env, ...bucketOf(stub, 'work'), MARQUEE_BACKUP_EVERY: '1h' };
    const asked = stub.fallSilent();
    try {
      const first = await startService(['serve', '--role', 'worker'], env);
      await asked;
      await first.stop('SIGKILL');
      stub.answerAgain();
      expect(await states()).toEqual(['running']);
      // What a minute does.
      await sql`update lease set until = now() - interval '1 second' where name = 'backup'`.execute(store.db);
      const second = await startService(['serve', '--role', 'worker'], env);
      try {
        await expect.poll(states).toEqual(['deleted', 'complete']);
        expect([...stub.objects.keys()]).toEqual([expect.stringMatching(/^vault\/work\/marquee-/)]);
      } finally {
        await second.stop();
      }
    } finally {
      await stub.close();
    }
  });

  it('with the role api makes none', async () => {
    const service = await startService(['serve', '--role', 'api'], { ...demo.env, MARQUEE_BACKUP_URL: vault, PORT: '0' });
    try {
      expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
      expect([files(), await states()]).toEqual([[], []]);
    } finally {
      await service.stop();
    }
  });
});

describe('the settings of scheduled backups', () => {
  it.each([
    [{ MARQUEE_BACKUP_URL: 'https://bucket' }, 'must be a folder, or an address such as s3://'],
    [{ MARQUEE_BACKUP_URL: 's3://bucket/a' }, 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set for MARQUEE_BACKUP_URL'],
    [{ MARQUEE_BACKUP_URL: '/srv', MARQUEE_BACKUP_EVERY: '10s' }, 'must be a time from 1m to 366d'],
    [{ MARQUEE_BACKUP_URL: '/srv', MARQUEE_BACKUP_KEEP: '0' }, 'must be a whole number from 1 to 9999'],
  ])('%j are refused in one sentence', (settings, sentence) => {
    expect(() => readConfig(settings)).toThrow(sentence);
  });

  it('default to a backup a day, and seven of them', () => {
    expect(readConfig({ MARQUEE_BACKUP_URL: '/srv/backups' }).backups).toEqual({
      ...{ place: '/srv/backups', placeName: '/srv/backups', everyMs: 24 * HOUR, keep: 7 },
    });
    expect(readConfig({}).backups).toBeNull();
  });
});
