/** The icons that browsers ask for by fixed names. They were drawn from `design/icon.svg`. */

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../design/icons');
const icons = new Map<string, Uint8Array<ArrayBuffer>>();

/** `url`: of the page, which ends with the name of a file of `design/icons`; `routes.ts` has no others. */
export function answerIcon({ pathname }: URL): Response {
  const name = basename(decodeURIComponent(pathname));
  const bytes = icons.get(name) ?? new Uint8Array(readFileSync(join(FOLDER, name)));
  icons.set(name, bytes);
  const type = name.endsWith('.ico') ? 'image/x-icon' : 'image/png';
  return new Response(bytes, { headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=86400' } });
}
