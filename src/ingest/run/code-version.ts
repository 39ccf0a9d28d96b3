/** What the code at hand makes of a listing depends on: all of it that takes part, and the tables of zones, scripts and letters. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Changes with every change of the rooms that turn a listing into a record, so nobody has to remember to count. Read once. */
export function codeVersion(): string {
  version ??= readVersion();
  return version;
}

let version: string | undefined;

function readVersion(): string {
  const digest = createHash('sha256');
  const { node, v8, icu, unicode, tz } = process.versions;
  digest.update(JSON.stringify([node, v8, icu, unicode, tz]));
  digest.update(readFileSync(join(ROOT, 'package.json')));
  for (const room of ROOMS) {
    const folder = join(ROOT, 'src', room);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    for (const file of files.sort()) digest.update(file).update(readFileSync(join(folder, file)));
  }
  return digest.digest('base64url');
}

const ROOT = join(import.meta.dirname, '..', '..', '..');
const ROOMS = ['catalog', 'identity', 'ingest', 'providers'] as const;
