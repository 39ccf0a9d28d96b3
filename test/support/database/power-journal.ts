/**
 * Loaded before a process that owns a database (`--import`): of every write to a file of the database it notes what stood there
 * before, until the file is synced. `cutPower` takes back what was not synced, as a power cut does with what only the system's memory
 * held. Names and sizes of folders count as kept: file systems with a journal keep their order.
 */

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

/** One line of the journal each. */
export type PowerNote =
  | { kind: 'change'; ino: number /** Of the file before. */; size: number; at: number /** base64 */; before: string }
  | { kind: 'sync'; ino: number };

const [root, path, deaf] = (process.env.MARQUEE_TEST_POWER_JOURNAL ?? '').split(':');
if (root && path) keepJournal(root, path, deaf === 'deaf');

/** A deaf disk says that it has synced, and has not. */
function keepJournal(root: string, path: string, isDeaf: boolean): void {
  const real = { ...fs, Worker: threads.Worker };
  const journal = real.openSync(path, 'a');
  const files = new Map<number, number>();
  const note = (line: PowerNote) => real.writeSync(journal, `${JSON.stringify(line)}\n`);

  function noteChange(file: number, at: number, length: number): void {
    const ino = files.get(file);
    if (ino === undefined) return;
    const { size } = real.fstatSync(file);
    const before = Buffer.alloc(Math.max(0, Math.min(length, size - at)));
    if (before.length > 0) real.readSync(file, before, 0, before.length, at);
    note({ kind: 'change', ino, size, at, before: before.toString('base64') });
  }

  Object.assign(fs, {
    openSync(name: fs.PathLike, flags: fs.OpenMode = 'r', mode?: fs.Mode) {
      const text = String(name);
      const isOurs = text.startsWith(root);
      const cuts = isOurs && real.existsSync(text) && isTruncating(flags);
      const file = real.openSync(name, cuts ? Number(flags) & ~fs.constants.O_TRUNC : flags, mode);
      if (!isOurs || !real.fstatSync(file).isFile()) return file;
      files.set(file, real.fstatSync(file).ino);
      if (cuts) fs.ftruncateSync(file, 0);
      return file;
    },
    closeSync(file: number) {
      files.delete(file);
      real.closeSync(file);
    },
    writeSync(file: number, bytes: NodeJS.ArrayBufferView, offset?: number, length?: number, at?: number | null) {
      if (files.has(file)) noteChange(file, at ?? real.fstatSync(file).size, length ?? bytes.byteLength);
      return real.writeSync(file, bytes, offset, length, at);
    },
    ftruncateSync(file: number, size = 0) {
      if (files.has(file)) noteChange(file, size, Math.max(0, real.fstatSync(file).size - size));
      real.ftruncateSync(file, size);
    },
    truncateSync(name: fs.PathLike, size = 0) {
      const file = fs.openSync(name, 'r+');
      fs.ftruncateSync(file, size);
      fs.closeSync(file);
    },
    fsyncSync(file: number) {
      if (isDeaf) return;
      real.fsyncSync(file);
      const ino = files.get(file);
      if (ino !== undefined) note({ kind: 'sync', ino });
    },
  });
  // The engine lives in a thread, which begins without what its process was begun with.
  threads.Worker = class extends real.Worker {
    constructor(module: string | URL, options: threads.WorkerOptions = {}) {
      super(module, { ...options, execArgv: [...(options.execArgv ?? []), '--import', import.meta.url] });
    }
  };
  syncBuiltinESMExports();
}

const isTruncating = (flags: fs.OpenMode): boolean => typeof flags === 'number' && (flags & fs.constants.O_TRUNC) !== 0;
