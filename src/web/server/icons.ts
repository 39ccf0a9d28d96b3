/** The icons that browsers ask for by fixed names. They were drawn from `design/icon.svg`. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../design/icons');
const icons = new Map<string, Uint8Array<ArrayBuffer>>();

/** `name`: of a file of `design/icons`. */
export function readIcon(name: 'favicon.ico' | 'apple-touch-icon.png' | 'icon-192.png' | 'icon-512.png'): Response {
  const bytes = icons.get(name) ?? new Uint8Array(readFileSync(join(FOLDER, name)));
  icons.set(name, bytes);
  const type = name.endsWith('.ico') ? 'image/x-icon' : 'image/png';
  return new Response(bytes, { headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=86400' } });
}
