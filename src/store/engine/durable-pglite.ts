/**
 * PGlite that keeps what it acknowledged, through kill -9 and power loss alike. As it comes, it runs PostgreSQL with `-F`
 * (no fsync) on a file system layer without one.
 */

import { fsyncSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { amcheck } from '@electric-sql/pglite/contrib/amcheck';
import { pageinspect } from '@electric-sql/pglite/contrib/pageinspect';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import type { Backend } from './multiplexer.ts';

export interface PgliteOptions {
  /** The folder of PostgreSQL's files; see `database-folder.ts`. */
  directory: string;
  /** PostgreSQL keeps so many files open, at most; its own least is 64. */
  maxFiles?: number | undefined;
  /** PostgreSQL gave up (a PANIC). The instance is unusable; its files are recovered at the next start. */
  onAbort?: () => void;
  /** Makes the bytes of an open file durable. */
  fsync?: (fileDescriptor: number) => void;
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

/** Opens the database, recovering it if it was killed. Rejects with PostgreSQL's own last complaint. */
export async function openPglite({ directory, maxFiles, onAbort, fsync = fsyncSync }: PgliteOptions): Promise<PGlite> {
  const complaints: string[] = [];
  const files = new NodeFS(directory);
  const mount = files.init.bind(files);
  files.init = (pg, engine) =>
    mount(pg, {
      ...engine,
      onAbort,
      preRun: [
        ...(engine.preRun ?? []),
        (mod) => {
          addFsync(mod as unknown as EngineModule, fsync);
          makePrivate(mod as unknown as EngineModule);
        },
      ],
    });
  try {
    return await PGlite.create({
      fs: files,
      // There, and in no database: `damage/inspection.ts` adds them for as long as it looks.
      extensions: { amcheck, pageinspect },
      startParams: maxFiles === undefined ? START_PARAMETERS : [...START_PARAMETERS, '-c', `max_files_per_process=${maxFiles}`],
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

/** PostgreSQL sets a mask for new files, which Emscripten ignores. */
function makePrivate(mod: EngineModule): void {
  const { node_ops: operations } = mod.FS.filesystems.NODEFS;
  const { mknod, setattr } = operations;
  operations.mknod = (parent, name, mode, device) => mknod(parent, name, mode & ~OTHERS, device);
  // It gives a new file its mode only after opening it.
  operations.setattr = (node, change) => {
    setattr(node, typeof change.mode === 'number' ? { ...change, mode: change.mode & ~OTHERS } : change);
  };
}

/** What of Emscripten's module the library's types leave out. */
interface EngineModule {
  FS: {
    ErrnoError: new (errno: number) => Error;
    filesystems: {
      NODEFS: {
        stream_ops: { fsync?: (stream: { nfd?: number }) => number };
        node_ops: {
          mknod: (parent: unknown, name: string, mode: number, device: unknown) => unknown;
          setattr: (node: unknown, change: { mode?: number }) => void;
        };
      };
    };
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
/** Of a file's mode: group and everybody. */
const OTHERS = 0o077;
const KEPT_COMPLAINTS = 20;
