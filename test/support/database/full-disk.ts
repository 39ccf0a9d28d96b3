/**
 * Loaded before a process (`--import`): while a file lies beside the data folder (`fillDisk`), the disk under the folder is full. What
 * would make a file longer fails with ENOSPC, in every thread; bytes that the disk already holds may be written again.
 */

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

const root = process.env.MARQUEE_TEST_FULL_DISK;
if (root) mayFill(root);

/** For the process that starts one on such a disk. */
export function fullDisk(folder: string): {
  execArgv: readonly string[];
  env: Record<string, string>;
  fill(): void;
  free(): void;
} {
  const mark = markOf(folder);
  return {
    execArgv: ['--import', import.meta.url],
    env: { MARQUEE_TEST_FULL_DISK: folder },
    fill: () => fs.writeFileSync(mark, ''),
    free: () => fs.rmSync(mark, { force: true }),
  };
}

function mayFill(root: string): void {
  const real = { ...fs, Worker: threads.Worker, writeFile: fs.promises.writeFile };
  const ours = new Set<number>();
  const isFull = () => real.existsSync(markOf(root));
  const isOurs = (name: unknown) => String(name).startsWith(root);

  function assertRoom(file: number, end: number): void {
    if (ours.has(file) && isFull() && end > real.fstatSync(file).size) throw noSpace();
  }

  Object.assign(fs, {
    openSync(name: fs.PathLike, flags: fs.OpenMode = 'r', mode?: fs.Mode) {
      const file = real.openSync(name, flags, mode);
      if (isOurs(name) && real.fstatSync(file).isFile()) ours.add(file);
      return file;
    },
    closeSync(file: number) {
      ours.delete(file);
      real.closeSync(file);
    },
    writeSync(file: number, bytes: NodeJS.ArrayBufferView, offset?: number, length?: number, at?: number | null) {
      const size = length ?? bytes.byteLength;
      if (ours.has(file)) assertRoom(file, (at ?? real.fstatSync(file).size) + size);
      return real.writeSync(file, bytes, offset, length, at);
    },
    ftruncateSync(file: number, size = 0) {
      assertRoom(file, size);
      real.ftruncateSync(file, size);
    },
  });
  fs.promises.writeFile = async (name, ...rest) => {
    if (!isOurs(name) || !isFull()) return real.writeFile(name, ...rest);
    // As the kernel does it: the name is there, the bytes are not.
    await real.writeFile(name, '');
    throw noSpace();
  };
  // A thread begins without what its process was begun with.
  threads.Worker = class extends real.Worker {
    constructor(module: string | URL, options: threads.WorkerOptions = {}) {
      super(module, { ...options, execArgv: [...(options.execArgv ?? []), '--import', import.meta.url] });
    }
  };
  syncBuiltinESMExports();
}

const markOf = (root: string): string => `${root}.full`;
const noSpace = (): Error => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28 });
