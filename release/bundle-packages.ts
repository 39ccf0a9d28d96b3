/**
 * The packages of others, as few files that hold what the service imports. So an installation is small, starts quickly, and has the
 * versions that were tested.
 */

import { join } from 'node:path';
import { type Plugin, rolldown } from 'rolldown';
import type { Reachable } from './reachable-modules.ts';

export interface PackagesBundle {
  /** Folders of the packages whose code is in the bundle, from the project. */
  sources: string[];
}

/** Writes one module for each specifier into `into`: `better-auth/api` becomes `better-auth/api.js`. */
export async function bundlePackages(
  project: string,
  packages: Reachable['packages'],
  external: readonly string[],
  into: string,
): Promise<PackagesBundle> {
  const entries = new Map<string, string>();
  for (const [specifier, names] of packages) entries.set(specifier, await reexport(specifier, names));
  const bundle = await rolldown({
    cwd: project,
    platform: 'node',
    input: Object.fromEntries([...entries.keys()].map((specifier) => [specifier, entryPath(project, specifier)])),
    external: (id) => external.some((name) => id === name || id.startsWith(`${name}/`)),
    plugins: [serveEntries(project, entries)],
    // What a package does at its edges is its own affair.
    logLevel: 'silent',
  });
  const { output } = await bundle.write({
    dir: into,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    // Their licenses are in a file beside them.
    comments: false,
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  });
  await bundle.close();
  const modules = output.flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []));
  const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
  return { sources: [...new Set(folders)].map((folder) => folder.slice(project.length + 1)).sort() };
}

/** The names are written out: of a CommonJS module no bundler knows all of them. */
async function reexport(specifier: string, names: Set<string> | null): Promise<string> {
  const all = Object.keys(await import(specifier)).filter((name) => name !== 'module.exports');
  const wanted = names ? all.filter((name) => names.has(name)) : all;
  const missing = [...(names ?? [])].filter((name) => !all.includes(name));
  if (missing.length > 0) throw new Error(`${specifier} does not export ${missing.join(', ')}`);
  return `export { ${wanted.join(', ')} } from ${JSON.stringify(specifier)};`;
}

function serveEntries(project: string, entries: ReadonlyMap<string, string>): Plugin {
  const codes = new Map([...entries].map(([specifier, code]) => [entryPath(project, specifier), code]));
  return {
    name: 'serve-entries',
    resolveId: (source) => (codes.has(source) ? source : null),
    load: (id) => codes.get(id) ?? null,
  };
}

/** A place from which packages are found as the project finds them; `.mjs` makes CommonJS modules look as they do to Node. */
const entryPath = (project: string, specifier: string): string => join(project, 'entries', `${specifier}.mjs`);
