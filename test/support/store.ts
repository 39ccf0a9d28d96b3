/**
 * Fresh stores for tests, on either engine. The embedded one copies a migrated data folder that is made once and kept as long as
 * what it is made of stays the same; PostgreSQL gets a database of its own, dropped afterwards.
 */

import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import pg from 'pg';
import { describe } from 'vitest';
import { openStore, type Store, type StoreOptions } from '../../src/store/index.ts';

export type Engine = 'embedded' | 'postgres';

const SERVER_URL = process.env.MARQUEE_TEST_DATABASE_URL;

/** The engines at hand; PostgreSQL is one when `MARQUEE_TEST_DATABASE_URL` names a server on which databases may be created. */
export const ENGINES: readonly Engine[] = SERVER_URL ? ['embedded', 'postgres'] : ['embedded'];

const DEFAULT_ENGINE = (process.env.MARQUEE_TEST_ENGINE ?? 'embedded') as Engine;

/** The same tests on both engines; those of an engine that is not at hand are reported as skipped. */
export function describeEachEngine(name: string, tests: (engine: Engine) => void): void {
  for (const engine of ['embedded', 'postgres'] as const) {
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

/** Migrated and empty. */
export async function openTestStore(engine: Engine = DEFAULT_ENGINE): Promise<TestStore> {
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

/** A folder for one test, directly usable as data folder, and its removal. */
export function temporaryFolder(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-test-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The closed data folder of a migrated, empty embedded store. */
export async function templateFolder(): Promise<string> {
  const cache = new URL('../../node_modules/.cache/marquee/', import.meta.url).pathname;
  const template = join(cache, `template-${templateHash()}`);
  if (existsSync(template)) return template;
  for (const old of existsSync(cache) ? readdirSync(cache) : []) {
    if (old.startsWith('template-')) rmSync(join(cache, old), { recursive: true, force: true });
  }
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, 'draft-'));
  const store = await openStore({ dataDir: draft });
  await store.close();
  try {
    renameSync(draft, template);
  } catch {
    // Another run was quicker.
    rmSync(draft, { recursive: true, force: true });
  }
  return template;
}

/** The data folder of a migrated, empty embedded store that nobody has open; `below` is where in the temporary folder it is. */
export async function copyDataFolder(below = '.'): Promise<{ options: StoreOptions; remove(): Promise<void> }> {
  template ??= readTree(await templateFolder());
  const { folder: root, remove } = temporaryFolder();
  const folder = join(root, below);
  mkdirSync(folder, { recursive: true });
  // Written from memory: copying a thousand small files one by one takes five times as long.
  for (const [path, content] of template) {
    if (content) writeFileSync(join(folder, path), content, { mode: 0o600 });
    else mkdirSync(join(folder, path), { mode: 0o700 });
  }
  return { options: { dataDir: folder }, remove: async () => remove() };
}

let template: ReadonlyMap<string, Buffer | undefined> | undefined;

/** Paths inside the folder, parents first, with the bytes of the files. */
function readTree(folder: string): Map<string, Buffer | undefined> {
  const tree = new Map<string, Buffer | undefined>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    tree.set(relative(folder, path), entry.isDirectory() ? undefined : readFileSync(path));
  }
  return new Map([...tree].sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function createDatabase(): Promise<{ options: StoreOptions; remove(): Promise<void> }> {
  if (!SERVER_URL) throw new Error('MARQUEE_TEST_DATABASE_URL is not set');
  const name = `marquee_test_${randomBytes(8).toString('hex')}`;
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

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: SERVER_URL });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function templateHash(): string {
  const hash = createHash('sha256');
  for (const folder of ['../../src/store/migrations/', '../../src/store/engine/']) {
    const url = new URL(folder, import.meta.url);
    for (const file of readdirSync(url).sort()) hash.update(file).update(readFileSync(new URL(file, url)));
  }
  hash.update(readFileSync(new URL('../../node_modules/@electric-sql/pglite/package.json', import.meta.url)));
  return hash.digest('hex').slice(0, 16);
}
