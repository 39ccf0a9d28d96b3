/** Where the files of finished exports are kept. */

import type { Readable } from 'node:stream';

export interface StoredFile {
  bytes: number;
  /** Opened once; `start` and `end` are inclusive, as in `Range`. */
  read(range?: { start: number; end: number }): Promise<Readable>;
}

export interface ExportStorage {
  /** How often its folders may be listed. */
  sweepEveryMs: number;
  /**
   * Takes a finished folder over: all of its files, and nothing of it stays where it was. Where that takes time, `signal` ends it;
   * some files may be there then.
   */
  keep(folder: string, localFolder: string, signal: AbortSignal): Promise<void>;
  /** Null where there is no such file. */
  open(folder: string, name: string): Promise<StoredFile | null>;
  /** The path of a file on this machine until `release`; null where there is no such file. Where that takes time, `signal` ends it. */
  fetch(folder: string, name: string, signal: AbortSignal): Promise<{ path: string; release(): Promise<void> } | null>;
  /** Whether others may keep things beside its folders. */
  isShared: boolean;
  folders(): Promise<string[]>;
  remove(folder: string): Promise<void>;
}
