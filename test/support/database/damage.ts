/** Damages files of a database, as a failing disk or another program would. */

import { closeSync, openSync, readFileSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';

const PAGE_BYTES = 8192;

/** Spread over the file, past the headers of its pages. */
export function flipBytes(file: string, count: number): void {
  const bytes = readFileSync(file);
  if (bytes.length < PAGE_BYTES) throw new Error(`wanted a file with pages, got ${bytes.length} bytes in ${file}`);
  for (let i = 0; i < count; i += 1) {
    const at = Math.floor(((i + 0.5) / count) * bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ 0x5a;
  }
  // In place: a running database keeps its files open.
  writeFileSync(file, bytes, { flag: 'r+' });
}

/** Overwrites whole pages with zeros. */
export function zeroPages(file: string, ...blocks: number[]): void {
  const open = openSync(file, 'r+');
  for (const block of blocks) {
    if (block >= countPages(file)) throw new Error(`wanted block ${block}, got ${countPages(file)} in ${file}`);
    writeSync(open, Buffer.alloc(PAGE_BYTES), 0, PAGE_BYTES, block * PAGE_BYTES);
  }
  closeSync(open);
}

/** Removes whole pages at the end. */
export function cutPages(file: string, count: number): void {
  if (count >= countPages(file)) throw new Error(`wanted more than ${count} pages, got ${countPages(file)} in ${file}`);
  truncateSync(file, (countPages(file) - count) * PAGE_BYTES);
}

export const countPages = (file: string): number => statSync(file).size / PAGE_BYTES;
