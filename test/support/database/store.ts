/**
 * Fresh stores for tests, on either engine. The embedded one copies a migrated data folder that is made once and kept as long as
 * what it is made of stays the same; PostgreSQL gets a database of its own, dropped afterwards. Most tests do not mind a store
 * that another test had before, emptied: starting an engine takes a hundred times as long.
 */

import { createHash, randomBytes } from 'node:crypto';
import {
  accessSync,
  appendFileSync,
  closeSync,
  constants,
  existsSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import pg from 'pg';
import { describe } from 'vitest';
import { openPglite } from '../../../src/store/engine/durable-pglite.ts';
import { openStore, type Store, type StoreOptions } from '../../../src/store/index.ts';
import { type Emptying, prepareEmptying } from './empty-store.ts';

export type Engine = 'embedded' | 'postgres';

const SERVER_URL = process.env.MARQUEE_TEST_DATABASE_URL;

/** The engines at hand; PostgreSQL is one when `MARQUEE_TEST_DATABASE_URL` names a server on which databases may be created. */
export const ENGINES: readonly Engine[] = SERVER_URL ? ['embedded', 'postgres'] : ['embedded'];

/** What tests of everything above the store run on. */
export const DEFAULT_ENGINE = (process.env.MARQUEE_TEST_ENGINE ?? 'embedded') as Engine;

const BOTH_ENGINES: readonly Engine[] = ['embedded', 'postgres'];

/** The same tests on both engines, or on the one that was asked for; those of an engine that is not at hand are reported as skipped. */
export function describeEachEngine(name: string, tests: (engine: Engine) => void): void {
  for (const engine of process.env.MARQUEE_TEST_ENGINE ? [DEFAULT_ENGINE] : BOTH_ENGINES) {
    describe.skipIf(!ENGINES.includes(engine))(`${name} (${engine})`, () => tests(engine));
  }
}

export interface TestStore {
  store: Store;
  /** To open the same store once more, here or in another process. */
  options: StoreOptions;
  /** Closes the store and removes all of it. */
  dispose(): Promise<void>;
}

/** Migrated and empty; of an engine that another test may have used before. */
export async function openTestStore(engine: Engine = DEFAULT_ENGINE): Promise<TestStore> {
  const { store, options, emptying, dispose } = idle[engine].pop() ?? (await openReusable(engine));
  return {
    store,
    options,
    async dispose() {
      if (await emptying.empty()) idle[engine].push({ store, options, emptying, dispose });
      else await dispose();
    },
  };
}

/** Migrated, empty and never used before: for tests of opening, of migrating, and of sudden ends. */
export async function openNewTestStore(engine: Engine = DEFAULT_ENGINE): Promise<TestStore> {
  const { options, remove } = engine === 'embedded' ? await copyDataFolder() : await createDatabase();
  try {
    const store = await openStore(options);
    return {
      store,
      options,
      async dispose() {
        await store.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

interface ReusableStore extends TestStore {
  emptying: Emptying;
}

/** Open, and nobody's at the moment. What lies here when the process ends is removed with the folder of the run. */
const idle: Record<Engine, ReusableStore[]> = { embedded: [], postgres: [] };

async function openReusable(engine: Engine): Promise<ReusableStore> {
  const made = await openNewTestStore(engine);
  return { ...made, emptying: await prepareEmptying(made.store, made.options.dataDir) };
}

/** A folder for one test, directly usable as data folder, and its removal. */
export function temporaryFolder(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(runFolder(), 'marquee-test-'));
  // A process that was killed may write a last time.
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }) };
}

/** Of what this run leaves behind: idle stores, and what a test that was cut off could not remove. */
export function beginRun(): { end(): Promise<void> } {
  process.env.TMPDIR ??= folderInMemory() ?? tmpdir();
  const run = mkdtempSync(join(tmpdir(), 'marquee-run-'));
  process.env[RUN_FOLDER] = run;
  return {
    async end() {
      rmSync(run, { recursive: true, force: true, maxRetries: 20 });
      if (!SERVER_URL) return;
      const left = await onServer(`select datname from pg_database where starts_with(datname, '${databasePrefix(run)}')`);
      for (const { datname } of left) await onServer(`drop database if exists ${datname} with (force)`);
    },
  };
}

/** Where Linux keeps files in memory, if it gives them room: a data folder is a thousand small files. */
function folderInMemory(): string | null {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    accessSync(MEMORY, constants.W_OK);
    return bavail * bsize > ROOM_BYTES ? MEMORY : null;
  } catch {
    return null;
  }
}

const MEMORY = '/dev/shm';
/** A run was seen to use 250 MB. */
const ROOM_BYTES = 2 * 2 ** 30;

const RUN_FOLDER = 'MARQUEE_TEST_RUN_FOLDER';
export const runFolder = () => process.env[RUN_FOLDER] ?? tmpdir();
const databasePrefix = (run: string) => `marquee_test_${Buffer.from(basename(run)).toString('hex').slice(-12)}_`;

/** The closed data folder of a migrated, empty embedded store. */
export async function templateFolder(): Promise<string> {
  const cache = new URL('../../../node_modules/.cache/marquee/', import.meta.url).pathname;
  const template = join(cache, `template-${templateHash()}`);
  if (existsSync(template)) return template;
  for (const old of existsSync(cache) ? readdirSync(cache) : []) {
    if (old.startsWith('template-')) rmSync(join(cache, old), { recursive: true, force: true });
  }
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, 'draft-'));
  const store = await openStore({ dataDir: draft });
  await store.close();
  await slim(join(draft, 'database'));
  try {
    renameSync(draft, template);
  } catch {
    // Another run was quicker.
    rmSync(draft, { recursive: true, force: true });
  }
  return template;
}

/**
 * Less to copy and quicker to start: without the databases that new databases are copied from, which nobody makes here, and with
 * few buffers, which an engine fills with zeros when it starts.
 */
async function slim(directory: string): Promise<void> {
  const db = await openPglite({ directory });
  await db.exec('update pg_database set datistemplate = false');
  for (const name of ['template0', 'template1']) await db.exec(`drop database ${name}`);
  await db.close();
  appendFileSync(join(directory, 'postgresql.conf'), "\nshared_buffers = '8MB'\n");
}

/** The data folder of a migrated, empty embedded store that nobody has open; `below` is where in the temporary folder it is. */
export async function copyDataFolder(below = '.'): Promise<{ options: StoreOptions; remove(): Promise<void> }> {
  template ??= readTree(await templateFolder());
  const { folder: root, remove } = temporaryFolder();
  const folder = join(root, below);
  writeTree(template, folder);
  return { options: { dataDir: folder }, remove: async () => remove() };
}

/** From memory: copying a thousand small files one by one takes five times as long. */
export function writeTree(tree: ReadonlyMap<string, Buffer | undefined>, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [path, content] of tree) {
    if (content) writeSparse(join(folder, path), content);
    else mkdirSync(join(folder, path), { mode: 0o700 });
  }
}

/** The zeros at the end, most of a new log, are a hole. */
function writeSparse(path: string, content: Buffer): void {
  const file = openSync(path, 'wx', 0o600);
  const end = content.length - trailingZeros(content);
  if (end > 0) writeSync(file, content, 0, end);
  if (end < content.length) ftruncateSync(file, content.length);
  closeSync(file);
}

function trailingZeros(content: Buffer): number {
  let page = content.length;
  while (page >= PAGE.length && content.compare(PAGE, 0, PAGE.length, page - PAGE.length, page) === 0) page -= PAGE.length;
  return content.length - page;
}

const PAGE = Buffer.alloc(8192);

let template: ReadonlyMap<string, Buffer | undefined> | undefined;

/** Paths inside the folder, parents first, with the bytes of the files. */
export function readTree(folder: string): Map<string, Buffer | undefined> {
  const tree = new Map<string, Buffer | undefined>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    tree.set(relative(folder, path), entry.isDirectory() ? undefined : readFileSync(path));
  }
  return new Map([...tree].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A database of its own on the server, empty. */
export async function createDatabase(): Promise<{ options: StoreOptions; remove(): Promise<void> }> {
  if (!SERVER_URL) throw new Error('MARQUEE_TEST_DATABASE_URL is not set');
  const name = `${databasePrefix(runFolder())}${randomBytes(8).toString('hex')}`;
  const url = new URL(SERVER_URL);
  url.pathname = `/${name}`;
  await onServer(`create database ${name}`);
  const { folder, remove } = temporaryFolder();
  return {
    options: { databaseUrl: url.href, dataDir: folder },
    async remove() {
      await onServer(`drop database if exists ${name} with (force)`);
      remove();
    },
  };
}

async function onServer(statement: string): Promise<{ datname: string }[]> {
  const client = new pg.Client({ connectionString: SERVER_URL });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

function templateHash(): string {
  const hash = createHash('sha256');
  for (const folder of ['../../../src/store/migrations/', '../../../src/store/engine/']) {
    const url = new URL(folder, import.meta.url);
    for (const file of readdirSync(url).sort()) hash.update(file).update(readFileSync(new URL(file, url)));
  }
  hash.update(readFileSync(new URL(import.meta.url)));
  hash.update(readFileSync(new URL('../../../node_modules/@electric-sql/pglite/package.json', import.meta.url)));
  return hash.digest('hex').slice(0, 16);
}
