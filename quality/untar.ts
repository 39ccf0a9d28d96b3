/** Files of a tar archive (POSIX.1-1988 ustar), plain or gzipped. */

import { gunzipSync } from 'node:zlib';

export interface ArchivedFile {
  path: string;
  bytes: Uint8Array;
}

/** Ordinary files only, in their order. */
export function untar(archive: Uint8Array): ArchivedFile[] {
  const bytes = archive[0] === 0x1f && archive[1] === 0x8b ? gunzipSync(archive) : Buffer.from(archive);
  const files: ArchivedFile[] = [];
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0; ) {
    const text = (from: number, length: number) =>
      bytes.toString('latin1', at + from, at + from + length).split('\0', 1)[0] ?? '';
    const size = Number.parseInt(text(124, 12), 8) || 0;
    const path = [text(345, 155), text(0, 100)].filter((part) => part !== '').join('/');
    const kind = text(156, 1);
    if (kind === '' || kind === '0') files.push({ path, bytes: bytes.subarray(at + BLOCK, at + BLOCK + size) });
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

const BLOCK = 512;
