/** Flips bytes in files of a database, as a failing disk or another program would. */

import { readFileSync, writeFileSync } from 'node:fs';

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
