/**
 * PGlite that keeps what it acknowledged, through kill -9 and power loss alike. As it comes, it runs PostgreSQL with `-F`
 * (no fsync) on a file system layer without one, and it fills a new data folder in place, where a kill would leave half of it.
 */

import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { dataDir as readyMadeCluster } from '@electric-sql/pglite-prepopulatedfs';
import { parseTar } from 'nanotar';
import type { Backend } from './multiplexer.ts';

export interface PgliteOptions {
  /** The folder of PostgreSQL's files; made when it does not exist. Its parent must exist. */
  directory: string;
  /** PostgreSQL gave up (a PANIC). The instance is unusable; its files are recovered at the next start. */
  onAbort?: () => void;
  /** Makes the bytes of an open file durable. */
  fsync?: (fileDescriptor: number) => void;
}

/** Opens the database, recovering it if it was killed. Rejects with PostgreSQL's own last complaint. */
export async function openPglite(options: PgliteOptions): Promise<PGlite> {
  const { directory, fsync = fsyncSync } = options;
  if (!existsSync(join(directory, 'PG_VERSION'))) {
    const draft = `${directory}.new`;
    rmSync(draft, { recursive: true, force: true });
    await unpackCluster(draft);
    fsyncTree(draft, fsync);
    rmSync(directory, { recursive: true, force: true });
    renameSync(draft, directory);
    fsyncPath(join(directory, '..'), fsync);
  }
  return start(options);
}

/** The protocol door of an open database, as the multiplexer wants it. */
export function pgliteBackend(db: PGlite): Backend {
  return (message) =>
    db.runExclusive(async () => {
      const answer: Uint8Array[] = [];
      // The bytes are a view of the engine's memory, overwritten by what comes next.
      await db.execProtocolRawStream(message, { syncToFs: false, onRawData: (bytes) => answer.push(bytes.slice()) });
      return answer;
    });
}

/** A new cluster as initdb makes one, which would take the engine three seconds; to unpack this one it would be started once more. */
async function unpackCluster(folder: string): Promise<void> {
  const packed = await readyMadeCluster();
  // As PostgreSQL wants it: nobody else may look in.
  mkdirSync(folder, { mode: 0o700 });
  for (const { name, type, data } of parseTar(gunzipSync(await packed.arrayBuffer()))) {
    const path = join(folder, name);
    mkdirSync(type === 'directory' ? path : dirname(path), { recursive: true });
    if (type === 'file') writeFileSync(path, data ?? '');
  }
}

async function start({ directory, onAbort, fsync = fsyncSync }: PgliteOptions): Promise<PGlite> {
  const complaints: string[] = [];
  const files = new NodeFS(directory);
  const mount = files.init.bind(files);
  files.init = (pg, engine) =>
    mount(pg, {
      ...engine,
      ...{ onAbort },
      preRun: [...(engine.preRun ?? []), (mod) => addFsync(mod as unknown as EngineModule, fsync)],
    });
  try {
    return await PGlite.create({
      fs: files,
      startParams: START_PARAMETERS,
      onStderr: (line: string) => {
        complaints.push(line);
        complaints.splice(0, complaints.length - KEPT_COMPLAINTS);
        return false;
      },
    });
  } catch (error) {
    const fatal = complaints.findLast((line) => /FATAL|PANIC/.test(line));
    throw new Error(fatal?.replace(/^.*?(FATAL|PANIC):\s*/, '') ?? (error instanceof Error ? error.message : String(error)), {
      cause: error,
    });
  }
}

function addFsync(mod: EngineModule, fsync: (fileDescriptor: number) => void): void {
  mod.FS.filesystems.NODEFS.stream_ops.fsync = (stream) => {
    if (stream.nfd === undefined) return 0;
    try {
      fsync(stream.nfd);
      return 0;
    } catch {
      // As an errno PostgreSQL sees it and gives up (PANIC) rather than acknowledge what is not on disk.
      throw new mod.FS.ErrnoError(EIO);
    }
  };
}

function fsyncTree(folder: string, fsync: (fileDescriptor: number) => void): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) fsyncTree(path, fsync);
    else fsyncPath(path, fsync);
  }
  fsyncPath(folder, fsync);
}

function fsyncPath(path: string, fsync: (fileDescriptor: number) => void): void {
  const descriptor = openSync(path, 'r');
  try {
    fsync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** What of Emscripten's module the library's types leave out. */
interface EngineModule {
  FS: {
    ErrnoError: new (errno: number) => Error;
    filesystems: { NODEFS: { stream_ops: { fsync?: (stream: { nfd?: number }) => number } } };
  };
}

const START_PARAMETERS = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'fsync=on',
  // Emscripten's fdatasync, the default, does nothing.
  '-c',
  'wal_sync_method=fsync',
  // A batch of an import fits in: its log is written at the commit, not page by page (default: 4 MB).
  '-c',
  'wal_buffers=16MB',
  // The system keeps the files of the database in memory, too; here they would be kept once more (default: 128 MB).
  '-c',
  'shared_buffers=32MB',
];
/** WASI's number, as Emscripten counts. */
const EIO = 29;
const KEPT_COMPLAINTS = 20;
