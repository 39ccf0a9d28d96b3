/** How many files this process may have open. Node raises its own limit to what the system allows. */

import { readFileSync } from 'node:fs';

/** Null where the limit cannot be read: it is in `/proc` on Linux. */
export function readFileLimit(): number | null {
  try {
    const [, files] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return files === undefined ? null : Number(files);
  } catch {
    return null;
  }
}
