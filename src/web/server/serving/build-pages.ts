/** The pages as files: one build for each state of their sources, made when it is missing. */

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { DAY_MS } from '../../../values/duration.ts';

export interface BuildOptions {
  /** Folder that holds the builds; beside the sources unless told. */
  into?: string;
  /** Called when a build begins: it takes some seconds. */
  onBegin?: () => void;
}

export interface Build {
  /** Folder of what browsers load. */
  client: string;
  /** The module that answers requests. */
  server: string;
}

/**
 * The build of the sources as they are now; made if it is not there. Any number of processes may ask at once: each builds beside the
 * others' and the first that ends wins. Rejects with what the builder said when the sources cannot be built.
 */
export async function buildPages({ into = BUILDS, onBegin }: BuildOptions = {}): Promise<Build> {
  if (existsSync(FINISHED)) return buildIn(FINISHED);
  const name = await digestSources();
  const finished = join(into, name);
  if (!existsSync(finished)) {
    onBegin?.();
    await makeBuild(into, finished);
    await removeOldBuilds(into, name);
  }
  return buildIn(finished);
}

const buildIn = (folder: string): Build => ({ client: join(folder, 'client'), server: join(folder, 'server', 'index.js') });

async function makeBuild(into: string, finished: string): Promise<void> {
  await mkdir(into, { recursive: true });
  // As deep as the finished one: the server's half refers to the sources by relative paths.
  const making = join(into, `making-${process.pid}-${performance.now().toString(36).replace('.', '')}`);
  try {
    await runBuilder(making);
    await compressAssets(join(making, 'client'));
    await rename(making, finished).catch((error: NodeJS.ErrnoException) => {
      if (!existsSync(finished)) throw error;
    });
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

function runBuilder(folder: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const child = spawn(process.execPath, [BUILDER, 'build'], {
    cwd: PROJECT,
    env: { PATH: dirname(process.execPath), NODE_ENV: 'production', MARQUEE_BUILD_FOLDER: relative(PROJECT, folder) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  child.once('error', reject);
  child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`cannot build the pages:\n${output.trim()}`))));
  return promise;
}

/** Names of assets hold their digests: they are compressed once and as small as can be. */
async function compressAssets(client: string): Promise<void> {
  const files = (await readdir(client, { recursive: true })).filter((file) => TEXT_ASSET.test(file));
  await Promise.all(
    files.map(async (file) => {
      const path = join(client, file);
      const bytes = await readFile(path);
      const best = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
      await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, best));
      await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }));
    }),
  );
}

/** Services of versions before may still give out their own files. */
async function removeOldBuilds(into: string, current: string): Promise<void> {
  const names = (await readdir(into)).filter((name) => DIGEST.test(name) && name !== current);
  for (const name of names) {
    const folder = join(into, name);
    const age = Date.now() - (await stat(folder)).mtimeMs;
    if (age > KEPT_MS) await rm(folder, { recursive: true, force: true });
  }
}

/** What the pages are made of: their sources, how they are built, and the versions of what they are built with. */
async function digestSources(): Promise<string> {
  const digest = createHash('sha256');
  const inWeb = (await readdir(WEB, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const paths = [...inWeb, ...BUILT_BY.map((file) => join(PROJECT, file))];
  for (const path of paths.sort())
    digest
      .update(relative(PROJECT, path))
      .update('\0')
      .update(await readFile(path))
      .update('\0');
  return digest.digest('hex').slice(0, DIGEST_LENGTH);
}

const WEB = join(import.meta.dirname, '..', '..');
const PROJECT = join(WEB, '..', '..');
const BUILDS = join(PROJECT, 'build', 'pages');
/** A package holds the pages as they are served, and nothing to build them with. */
const FINISHED = join(PROJECT, 'pages');
const BUILDER = join(PROJECT, 'node_modules', '@react-router', 'dev', 'bin.cjs');
const BUILT_BY = ['package-lock.json', 'react-router.config.ts', 'vite.config.ts'];
const TEXT_ASSET = /\.(?:js|css|svg|txt|webmanifest)$/;
const DIGEST_LENGTH = 16;
const DIGEST = /^[0-9a-f]{16}$/;
/** Longer than a service runs on after its sources were replaced. */
const KEPT_MS = 7 * DAY_MS;
