/** A version of the code that nobody has to remember to raise: a digest of the rooms that take part. */

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Changes with every change of a file of these rooms (`records` is `src/records`), of a dependency, and of the tables of time zones
 * and scripts that Node brings. 43 characters.
 */
export function codeVersion(rooms: readonly string[]): string {
  const { node, v8, icu = '', unicode = '', tz = '' } = process.versions;
  const digest = createHash('sha256');
  digest.update(JSON.stringify([node, v8, icu, unicode, tz]));
  digest.update(readFileSync(join(SOURCE, '..', 'package.json')));
  for (const room of [...rooms].sort()) {
    const folder = join(SOURCE, room);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => CODE.test(file));
    for (const file of files.sort()) digest.update(`${room}/${file}`).update(readFileSync(join(folder, file)));
  }
  return digest.digest('base64url');
}

const SOURCE = join(import.meta.dirname, '..');
/** A package holds them compiled. */
const CODE = /\.[jt]s$/;
