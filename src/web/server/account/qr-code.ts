/** QR codes (ISO/IEC 18004) as drawings. */

import { encode } from 'uqr';

/** Rows of dark (true) and light modules, without the quiet zone of four. Throws a `RangeError` for more than 2,953 bytes. */
export function qrModules(text: string): boolean[][] {
  const bytes = [...new TextEncoder().encode(text)];
  if (bytes.length > MAX_BYTES) throw new RangeError(`a QR code holds ${MAX_BYTES} bytes, but the text has ${bytes.length}`);
  return encode(bytes, { ecc: 'L', boostEcc: false, border: 0 }).data;
}

/** One path for an `svg` whose `viewBox` is `0 0 size size`, quiet zone included. */
export function qrPath(text: string): { size: number; path: string } {
  const modules = qrModules(text);
  const runs = modules.flatMap((row, y) => {
    const line = row.map((dark) => (dark ? '#' : '.')).join('');
    return [...line.matchAll(/#+/g)].map(({ 0: run, index: x }) => `M${x + QUIET} ${y + QUIET}h${run.length}v1h-${run.length}z`);
  });
  return { size: modules.length + 2 * QUIET, path: runs.join('') };
}

/** Modules of light around the code (§6.3.8). */
const QUIET = 4;
/** Of version 40 in byte mode with error correction level L (table 7). */
const MAX_BYTES = 2_953;
