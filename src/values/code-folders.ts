/** The folders of the program itself: all that a process without rights may read. */

import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const AROUND = dirname(ROOT);

/** Each ends with `/`. Installed packages may stand elsewhere, behind a link, and beside the program if it is a package itself. */
export const CODE_FOLDERS: readonly string[] = [
  ROOT,
  join(ROOT, 'node_modules'),
  ...(basename(AROUND) === 'node_modules' ? [AROUND] : []),
]
  .filter(existsSync)
  .map((path) => `${realpathSync(path)}/`);
