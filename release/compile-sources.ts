/**
 * The sources as JavaScript. Node strips no types below `node_modules`, so a package cannot hold TypeScript. Types become spaces:
 * a stack trace has the line and the column of the source.
 */

import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';

/** Compiles or copies every file below `from` that a service may read. */
export function compileSources(from: string, into: string): void {
  const paths = readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(from.length + 1))
    .filter((path) => !ONLY_BUILT.test(path));
  for (const path of paths) {
    const target = join(into, path.replace(SOURCE_FILE, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    if (SOURCE_FILE.test(path)) writeFileSync(target, compile(readFileSync(join(from, path), 'utf8')));
    else copyFileSync(join(from, path), target);
  }
}

/** The same code without types. Relative names of modules and threads end in `.js`, which is as long. */
export function compile(source: string): string {
  return stripTypeScriptTypes(source, { mode: 'strip' })
    .replace(RELATIVE_MODULE, '$1$2.js$1')
    .replace(/[ \t]+$/gm, '');
}

const SOURCE_FILE = /\.ts$/;
const RELATIVE_MODULE = /(['"])(\.{1,2}\/[^'"\n]+)\.ts\1/g;
/** Components and styles are part of the finished pages; the settings of compilers serve nobody. */
const ONLY_BUILT = /\.(?:tsx|css)$|\btsconfig\.json$/;
