/**
 * The data folder is taken for what it is: ours, somebody else's, or a copy; and nobody else may look into it. One engine is
 * enough: only the embedded database lies in the folder.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SETTINGS, type SettingName } from '../../src/config.ts';
import { takeLock } from '../../src/store/engine/data-folder.ts';
import { copyDemoFolder } from '../support/database/demo-folder.ts';
import { copyDataFolder, temporaryFolder } from '../support/database/store.ts';
import { BRIEF_NODE } from '../support/processes/brief-node.ts';
import { eventually, openStoreChild } from '../support/processes/child-process.ts';
import { ask, keysIn, marquee, marqueeHere, startService } from '../support/rigs/service.ts';
import { openSite } from '../support/rigs/site.ts';

let folder: string;
let remove: () => void;
beforeEach(() => {
  ({ folder, remove } = temporaryFolder());
});
afterEach(() => remove());

const listKeys = (dataDir: string) =>
  marquee(['key', 'list', '--account', 'nobody@marquee.example'], { MARQUEE_DATA_DIR: dataDir });
/** The command got as far as the database. */
const OPENED = { status: 1, stderr: expect.stringContaining('nobody@marquee.example') };

/** Paths below the folder with their bytes. */
function contents(of: string): Record<string, string> {
  const files = readdirSync(of, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [relative(of, path), readFileSync(path, 'latin1')];
    }),
  );
}

test.each([
  ['755', true],
  ['700', false],
])('of mode %s is served as it is; a warning says what to do if others may look into it: %s', async (mode, isWarned) => {
  chmodSync(folder, Number.parseInt(mode, 8));
  const site = await openSite({ demo: false, settings: { MARQUEE_DATA_DIR: folder } });
  const warning = 'other users can read the data folder; run chmod 700 to prevent this';
  expect(site.logged().some((line) => line.includes(warning))).toBe(isWarned);
  expect((statSync(folder).mode & 0o777).toString(8)).toBe(mode);
  await site.close();
});

describe('a folder in the place of the database', () => {
  test.each([
    ['a database that lost its version', 'database', { 'base/5/1259': 'rows', global: null }],
    ['a draft under the name of the database', 'database', { 'marquee-database': 'This folder is the database of Marquee.\n' }],
    ['a draft that Marquee did not make', 'database.new', { 'notes.txt': 'mine', PG_VERSION: '18\n' }],
  ])('is refused and left as it is: %s', async (_, name, files) => {
    for (const [path, text] of Object.entries(files)) {
      const target = join(folder, name, path);
      mkdirSync(text === null ? target : join(target, '..'), { recursive: true });
      if (text !== null) writeFileSync(target, text);
    }
    const before = contents(join(folder, name));
    const { status, stderr } = await listKeys(folder);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^The embedded database in \S+ did not start: \S+ holds files .+ start again\.\n$/);
    expect(contents(join(folder, name))).toEqual(before);
  });

  test('is used when it is empty, and a draft of our own beside it is removed', async () => {
    mkdirSync(join(folder, 'database'));
    mkdirSync(join(folder, 'database.new'));
    for (const name of ['marquee-database', 'half']) writeFileSync(join(folder, 'database.new', name), '');
    expect(await listKeys(folder)).toMatchObject(OPENED);
    expect(readdirSync(folder)).not.toContain('database.new');
    expect(readdirSync(join(folder, 'database'))).not.toContain('half');
  });

  test('of an earlier version, without a mark and open to others, is opened and closed to them', async () => {
    const { options, remove: removeCopy } = await copyDataFolder();
    const database = join(options.dataDir, 'database');
    rmSync(join(database, 'marquee-database'));
    chmodSync(database, 0o755);
    chmodSync(join(database, 'postgresql.conf'), 0o644);
    expect(await listKeys(options.dataDir)).toMatchObject(OPENED);
    expect(statSync(join(database, 'postgresql.conf')).mode & 0o777).toBe(0o600);
    expect(statSync(database).mode & 0o777).toBe(0o700);
    expect(readdirSync(database)).toContain('marquee-database');
    await removeCopy();
  });
});

describe('a data folder', () => {
  test('that was copied while its service ran is refused with advice; the original is not', async () => {
    const { options, remove: removeCopy } = await copyDataFolder();
    const owner = await openStoreChild(options);
    const copy = join(folder, 'copy');
    cpSync(options.dataDir, copy, { recursive: true, filter: (path) => !path.endsWith('.s.PGSQL.5432') });
    const { status, stderr } = await listKeys(copy);
    expect(status).toBe(1);
    expect(stderr).toMatch(/ was copied while it was in use\. Stop the service and copy it again, or use a backup\. .+\.\n$/);
    await owner.kill();
    // Killed in its place it recovers, and so it does under another name.
    renameSync(options.dataDir, join(folder, 'moved'));
    expect(await listKeys(join(folder, 'moved'))).toMatchObject(OPENED);
    await removeCopy();
  });

  test('gets the room of a killed backup and restore back when its service starts; a backup that runs keeps its copy', async () => {
    const copies = ['database.copy', 'database.restore'].map((name) => join(folder, name));
    for (const copy of copies) mkdirSync(join(copy, 'database'), { recursive: true });
    const endBackup = takeLock(folder, join(folder, 'database.copy.lock'));
    const start = async () => (await openSite({ demo: false, settings: { MARQUEE_DATA_DIR: folder } })).close();
    await start();
    expect(copies.map((copy) => existsSync(copy))).toEqual([true, false]);
    endBackup?.();
    await start();
    expect(copies.map((copy) => existsSync(copy))).toEqual([false, false]);
  });

  test('whose service was stopped may be copied', async () => {
    const { options, remove: removeCopy } = await copyDataFolder();
    await (await openStoreChild(options)).close();
    const copy = join(folder, 'copy');
    cpSync(options.dataDir, copy, { recursive: true });
    expect(await listKeys(copy)).toMatchObject(OPENED);
    await removeCopy();
  });

  // Nobody else gives files away.
  if (process.getuid?.() === 0) {
    const SOMEBODY = 12_345;
    const ownersIn = (dataDir: string) => [
      ...new Set(readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).map((path) => statSync(join(dataDir, path)).uid)),
    ];
    const give = (dataDir: string) => {
      for (const path of ['', ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' })])
        chownSync(join(dataDir, path), SOMEBODY, SOMEBODY);
    };

    test('of another user stays theirs after commands of root', async () => {
      const { options, remove: removeCopy } = await copyDataFolder();
      give(options.dataDir);
      // As a killed one leaves it.
      chownSync(join(options.dataDir, 'database', 'PG_VERSION'), 0, 0);
      const { stdout } = await marqueeHere(['key', 'list', '--account', 'nobody@marquee.example'], {
        MARQUEE_DATA_DIR: options.dataDir,
      });
      expect([stdout, ownersIn(join(options.dataDir, 'database'))]).toEqual(['', [SOMEBODY]]);
      await removeCopy();
    });

    test('of another user stays theirs after a backup by root beside the service', async () => {
      const { options, remove: removeCopy } = await copyDataFolder();
      const service = await openStoreChild(options);
      chownSync(options.dataDir, SOMEBODY, SOMEBODY);
      const backup = await marquee(['backup', join(folder, 'of-root.backup')], { MARQUEE_DATA_DIR: options.dataDir });
      expect([backup.status, backup.stderr]).toEqual([0, '']);
      expect(statSync(join(options.dataDir, 'database.copy.lock')).uid).toBe(SOMEBODY);
      await service.close();
      await removeCopy();
    });

    test('of another user lets them remove what a killed backup of root leaves', async () => {
      const { folder: dataDir, remove: removeCopy } = await copyDemoFolder();
      give(dataDir);
      // Nobody reads: it has copied the database, and waits.
      const program = new URL('../../bin/marquee.mjs', import.meta.url).pathname;
      const child = spawn(process.execPath, [...BRIEF_NODE, program, 'backup', '-'], {
        env: { ...process.env, MARQUEE_DATA_DIR: dataDir },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const ended = once(child, 'exit');
      const copy = join(dataDir, 'database.copy');
      await eventually(() => existsSync(join(copy, '.s.PGSQL.5432')));
      child.kill('SIGKILL');
      await ended;
      // Files of root go with a folder that is theirs. A folder of root with files in it would stay.
      const folders = readdirSync(copy, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory());
      const foreign = ['', ...folders.map(({ parentPath, name }) => relative(copy, join(parentPath, name)))].filter(
        (path) => statSync(join(copy, path)).uid !== SOMEBODY,
      );
      expect(folders.length).toBeGreaterThan(10);
      expect(foreign).toEqual([]);
      removeCopy();
    });

    test('of another user is theirs after the first command of root, and after a restore', async () => {
      const { folder: source, remove: removeSource } = await copyDemoFolder();
      const file = join(folder, 'marquee.backup');
      expect(await marquee(['backup', file], { MARQUEE_DATA_DIR: source })).toMatchObject({ status: 0 });
      const dataDir = join(folder, 'data');
      mkdirSync(dataDir);
      chownSync(dataDir, SOMEBODY, SOMEBODY);
      expect(await listKeys(dataDir)).toMatchObject(OPENED);
      expect(ownersIn(dataDir)).toEqual([SOMEBODY]);
      expect(await marqueeHere(['restore', file], { MARQUEE_DATA_DIR: dataDir })).toMatchObject({ status: 0, stderr: '' });
      expect(ownersIn(dataDir)).toEqual([SOMEBODY]);
      removeSource();
    });
  }

  test('holds files of mode 0600 and folders of mode 0700 after the run of a whole service', async () => {
    const { folder: dataDir, remove: removeCopy } = await copyDemoFolder();
    const umask = process.umask(0o022);
    try {
      const service = await startService(['start'], { MARQUEE_DATA_DIR: dataDir });
      await ask(service, '/events?limit=1', keysIn(dataDir).growth);
      const body = new URLSearchParams({ email: 'ada@marquee.example', password: 'a long enough phrase of words', name: 'Ada' });
      await fetch(`${service.url}/sign-up`, { method: 'POST', body, headers: { Origin: service.url } });
      expect(wideIn(dataDir)).toEqual([]);
      await service.stop();
    } finally {
      process.umask(umask);
    }
    expect(wideIn(dataDir)).toEqual([]);
    expect(readdirSync(dataDir)).toEqual(expect.arrayContaining(['secret', 'address', 'owner.lock', 'search.snapshot', 'mail']));
    removeCopy();
  });

  /** What others than the owner may do anything with. */
  function wideIn(dataDir: string): string[] {
    return readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).filter((path) => {
      const found = statSync(join(dataDir, path), { throwIfNoEntry: false });
      return found && (found.mode & 0o777) !== (found.isDirectory() ? 0o700 : 0o600);
    });
  }
});

describe('a start is refused in one sentence', () => {
  test('when the lock file is not one of Marquee', async () => {
    writeFileSync(join(folder, 'owner.lock'), 'rubbish that is no database of SQLite\n'.repeat(40));
    const before = contents(folder);
    const { status, stderr } = await listKeys(folder);
    expect(status).toBe(1);
    expect(stderr).toBe(
      `Marquee did not create the lock file ${folder}/owner.lock. Nothing was changed. Move or delete the file, then start again.\n`,
    );
    expect(contents(folder)).toEqual(before);
  });

  test.each(['', 'short\n'])('when the secret is %j', async (text) => {
    writeFileSync(join(folder, 'secret'), text);
    const { status, stderr } = await marquee(['serve'], { MARQUEE_DATA_DIR: folder });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^The file \S+secret must hold a secret of 32 characters or more, but holds \d: restore it .+\.\n$/);
    // No database was made or opened before the refusal.
    expect(contents(folder)).toEqual({ secret: text });
  });

  /** A value that is refused, or null where any text may be one. */
  const BAD: Record<SettingName, Record<string, string> | null> = {
    PORT: { PORT: '70000' },
    HOST: { HOST: 'ada:s3cret@localhost' },
    MARQUEE_DATA_DIR: { MARQUEE_DATA_DIR: '/proc/nowhere' },
    MARQUEE_PUBLIC_URL: { MARQUEE_PUBLIC_URL: 'https://ada:s3cret@events.example.org' },
    MARQUEE_METRICS_PORT: { MARQUEE_METRICS_PORT: 'on' },
    MARQUEE_TRUST_PROXY: { MARQUEE_TRUST_PROXY: 'ada:s3cret@10.0.0.1' },
    MARQUEE_ALLOWED_HOSTS: { MARQUEE_ALLOWED_HOSTS: 'ada:s3cret@intranet' },
    MARQUEE_CONTACT: { MARQUEE_CONTACT: 'http://example.org' },
    MARQUEE_GEOCODER: { MARQUEE_GEOCODER: 'nominatim+https://ada:s3cret@nominatim.example.org/' },
    MARQUEE_NOW: { MARQUEE_NOW: 'yesterday' },
    EXPORT_URL: { EXPORT_URL: 's3://ada:s3cret@bucket' },
    MARQUEE_BACKUP_URL: { MARQUEE_BACKUP_URL: 'https://ada:s3cret@bucket' },
    MARQUEE_BACKUP_EVERY: { MARQUEE_BACKUP_URL: '/srv/backups', MARQUEE_BACKUP_EVERY: 'daily' },
    MARQUEE_BACKUP_KEEP: { MARQUEE_BACKUP_URL: '/srv/backups', MARQUEE_BACKUP_KEEP: '0' },
    AWS_ACCESS_KEY_ID: null,
    AWS_SECRET_ACCESS_KEY: null,
    LOG_LEVEL: { LOG_LEVEL: 'loud' },
    NODE_ENV: null,
    DATABASE_URL: { DATABASE_URL: 'mysql://ada:s3cret@host/city' },
    REDIS_URL: null,
    OTEL_EXPORTER_OTLP_ENDPOINT: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://ada:s3cret@collector' },
    OTEL_EXPORTER_OTLP_HEADERS: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector', OTEL_EXPORTER_OTLP_HEADERS: 's3cret' },
    OTEL_SERVICE_NAME: null,
    OTEL_TRACES_SAMPLER_ARG: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector', OTEL_TRACES_SAMPLER_ARG: '2' },
    MARQUEE_SECRET: { MARQUEE_SECRET: 's3cret' },
    STRIPE_SECRET_KEY: stripeWith('STRIPE_SECRET_KEY', 's3cret'),
    STRIPE_WEBHOOK_SECRET: stripeWith('STRIPE_WEBHOOK_SECRET', 's3cret'),
    STRIPE_PRICE_STARTER: stripeWith('STRIPE_PRICE_STARTER', ''),
    STRIPE_PRICE_GROWTH: stripeWith('STRIPE_PRICE_GROWTH', '149'),
    STRIPE_PRICE_ENTERPRISE: stripeWith('STRIPE_PRICE_ENTERPRISE', ''),
    STRIPE_CHECKOUT_ORIGIN: stripeWith('STRIPE_CHECKOUT_ORIGIN', 'https://ada:s3cret@pay.example.com'),
    STRIPE_API_URL: stripeWith('STRIPE_API_URL', 'http://ada:s3cret@stripe.example.com'),
    TICKETMASTER_API_KEY: null,
    SEATGEEK_CLIENT_ID: null,
    EVENTBRITE_TOKEN: null,
    BANDSINTOWN_APP_ID: null,
    OPENAGENDA_KEY: null,
    SOCRATA_APP_TOKEN: null,
    SMTP_URL: { SMTP_URL: 'http://ada:s3cret@mail' },
    MARQUEE_MAIL_FROM: { MARQUEE_MAIL_FROM: 'ada' },
    MARQUEE_SECURITY_CONTACT: { MARQUEE_SECURITY_CONTACT: 'http://example.org' },
    MARQUEE_TILES: { MARQUEE_TILES: '/nowhere.pmtiles' },
    MARQUEE_TILES_ATTRIBUTION: null,
    MARQUEE_SCANNER_KEYS: { MARQUEE_SCANNER_KEYS: '/nowhere.pem' },
  };

  function stripeWith(name: SettingName, value: string): Record<string, string> {
    const good = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };
    const prices = { STRIPE_PRICE_STARTER: 'price_1', STRIPE_PRICE_GROWTH: 'price_2', STRIPE_PRICE_ENTERPRISE: 'price_3' };
    return { ...good, ...prices, [name]: value };
  }

  test.each(Object.entries(BAD).filter(([, env]) => env !== null))(
    'when %s is missing or invalid, by its name and without a password',
    async (name, env) => {
      const { status, stderr } = await marqueeHere(['key', 'list', '--account', 'a@b.example'], {
        MARQUEE_DATA_DIR: folder,
        ...env,
      });
      expect(status).toBe(1);
      expect(stderr).toMatch(/^[^\n]+\n$/);
      expect(stderr).toContain(name === 'MARQUEE_DATA_DIR' ? 'the data folder /proc/nowhere' : name);
      expect(stderr).not.toContain('s3cret');
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  test('whichever setting it is', () => {
    expect(Object.keys(BAD).sort()).toEqual(SETTINGS.map(({ name }) => name).sort());
  });
});
