/** Which compiled modules a service can load, and what they take from packages. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Reachable {
  /** Paths of our own modules. */
  modules: Set<string>;
  /** Specifier, such as `better-auth/api` → the names that are imported; null for all of them. */
  packages: Map<string, Set<string> | null>;
}

/** Follows every name of a module of ours that stands in quotes: imports, threads and processes alike. */
export function findReachable(stage: string, entries: readonly string[]): Reachable {
  const modules = new Set<string>();
  const packages: Reachable['packages'] = new Map();
  const waiting = entries.map((entry) => join(stage, entry));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (modules.has(path) || !existsSync(path)) continue;
    modules.add(path);
    const code = readFileSync(path, 'utf8');
    for (const [, relative = ''] of code.matchAll(OUR_MODULE)) waiting.push(join(dirname(path), relative));
    for (const [, name = ''] of code.matchAll(SERVICE_MODULE)) waiting.push(join(stage, 'src', `${name}.js`));
    notePackages(code, packages);
  }
  return { modules, packages };
}

function notePackages(code: string, packages: Reachable['packages']): void {
  for (const [, clause = '', specifier = ''] of code.matchAll(STATIC_IMPORT)) {
    const names = namesIn(clause);
    const known = packages.get(specifier);
    if (known === null || names === null) packages.set(specifier, null);
    else packages.set(specifier, known ? known.union(names) : names);
  }
  for (const [, specifier = ''] of code.matchAll(DYNAMIC_IMPORT)) packages.set(specifier, null);
}

/** `Stripe, { type A, b as c }` → `default`, `b`; null for `* as all`. */
function namesIn(clause: string): Set<string> | null {
  if (clause.includes('*')) return null;
  const [before = '', list = ''] = clause.split('{');
  const names = list
    .replace('}', '')
    .split(',')
    .map((part) => part.trim().split(/\s+as\s+/)[0] ?? '');
  return new Set([...(/\w/.test(before) ? ['default'] : []), ...names.filter(Boolean)]);
}

const OUR_MODULE = /['"](\.{1,2}\/[^'"\n]+\.js)['"]/g;
const SERVICE_MODULE = /['"]#service\/([^'"\n]+)\.ts['"]/g;
const STATIC_IMPORT = /(?:^|[\s;}])(?:import|export)\s*([\w\s$*{},]*?)\s*from\s*['"]([\w@][^'":\n]*)['"]/g;
const DYNAMIC_IMPORT = /\bimport\(\s*['"]([\w@][^'":\n]*)['"]/g;
