/** The folder that is packed: the compiled service, the finished pages, the code of packages, and a `package.json` of its own. */

import { copyFileSync, cpSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildPages } from '../src/web/index.ts';
import { bundlePackages } from './bundle-packages.ts';
import { compile, compileSources } from './compile-sources.ts';
import { findReachable } from './reachable-modules.ts';

/** Empties `stage` and fills it. */
export async function stagePackage(project: string, stage: string): Promise<void> {
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(join(stage, 'bin'), { recursive: true });
  await stagePages(stage);
  compileSources(join(project, 'src'), join(stage, 'src'));
  writeFileSync(join(stage, 'bin', 'marquee.mjs'), compile(readFileSync(join(project, 'bin', 'marquee.mjs'), 'utf8')));
  const manifest: Manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const carried = carryPackages(project, stage);
  await stagePackages(project, stage, [...carried, ...NATIVE]);
  for (const file of PAPERS) cpSync(join(project, file), join(stage, file), { recursive: true });
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(packageManifest(manifest, carried), null, 2)}\n`);
}

async function stagePages(stage: string): Promise<void> {
  const { client, server } = await buildPages();
  cpSync(client, join(stage, 'pages', 'client'), { recursive: true });
  cpSync(dirname(server), join(stage, 'pages', 'server'), { recursive: true });
}

/** Drops modules that only browsers load, and leads all others to the bundle instead of to packages. */
async function stagePackages(project: string, stage: string, others: readonly string[]): Promise<void> {
  const { modules, packages } = findReachable(stage, ['bin/marquee.mjs', 'pages/server/index.js']);
  for (const file of globSync('src/**/*.js', { cwd: stage })) if (!modules.has(join(stage, file))) rmSync(join(stage, file));
  for (const name of others) {
    for (const specifier of packages.keys())
      if (specifier === name || specifier.startsWith(`${name}/`)) packages.delete(specifier);
  }
  const { sources } = await bundlePackages(project, packages, others, join(stage, 'packages'));
  for (const module of modules) writeFileSync(module, leadToBundle(readFileSync(module, 'utf8'), packages));
  writeFileSync(join(stage, 'packages', 'LICENSES.txt'), sources.map((folder) => licenseOf(project, folder)).join('\n'));
}

function leadToBundle(code: string, packages: ReadonlyMap<string, unknown>): string {
  return code.replace(IMPORTED, (whole, before: string, quote: string, specifier: string) =>
    packages.has(specifier) ? `${before}${quote}#packages/${specifier}${quote}` : whole,
  );
}

/** Packages with files that are no code travel as packages: those files alone that the service reads. Gives their names. */
function carryPackages(project: string, stage: string): string[] {
  for (const [name, patterns] of Object.entries(CARRIED)) {
    const folder = join(project, 'node_modules', name);
    for (const file of ['package.json', ...patterns, ...readdirSync(folder).filter((each) => LICENSE_FILE.test(each))].flatMap(
      (pattern) => globSync(pattern, { cwd: folder }),
    )) {
      const target = join(stage, 'node_modules', name, file);
      mkdirSync(dirname(target), { recursive: true });
      copyFileSync(join(folder, file), target);
    }
  }
  return Object.keys(CARRIED);
}

function licenseOf(project: string, folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(project, folder, 'package.json'), 'utf8')) as Manifest;
  const file = readdirSync(join(project, folder)).find((each) => LICENSE_FILE.test(each));
  const text = file ? readFileSync(join(project, folder, file), 'utf8').trim() : `License: ${license}`;
  return `${name} ${version}\n\n${text}\n`;
}

type Manifest = Record<string, unknown> & { dependencies: Record<string, string> };

function packageManifest(manifest: Manifest, carried: readonly string[]): Record<string, unknown> {
  const { name, version, description, license, type, bin, engines, dependencies } = manifest;
  return {
    ...{ name, version, description, license, type, bin, engines },
    imports: {
      // The finished pages name the modules of the service as its sources do.
      '#service/*.ts': './src/*.js',
      '#packages/*': './packages/*.js',
    },
    dependencies: Object.fromEntries([...carried, ...NATIVE].map((each) => [each, dependencies[each]])),
    bundleDependencies: carried,
  };
}

const IMPORTED = /(\bfrom\s*|\bimport\s*\(?\s*)(['"])([\w@][^'":\n]*)\2/g;
const LICENSE_FILE = /^(?:licen[cs]e|notice|copying)(?:[.-].*)?$/i;
const PAPERS = ['LICENSE', 'README.md', 'CHANGELOG.md', 'deploy'];
/** The runtime, and the library for pictures: npm chooses the binaries of the machine. */
const NATIVE = ['node', 'sharp'];
const CARRIED = {
  '@electric-sql/pglite': [
    'dist/index.js',
    'dist/chunk-*.js',
    'dist/fs/*.js',
    'dist/*.wasm',
    'dist/pglite.data',
    'dist/contrib/{amcheck,pageinspect}.js',
    'dist/{amcheck,pageinspect}.tar.gz',
  ],
  '@electric-sql/pglite-prepopulatedfs': ['dist/index.js', 'dist/prepopulatedfs.tgz'],
  '@fontsource/bricolage-grotesque': ['files/bricolage-grotesque-{latin,latin-ext,vietnamese}-700-normal.woff'],
  '@fontsource/instrument-sans': ['files/instrument-sans-{latin,latin-ext}-500-normal.woff'],
} as const;
