/**
 * `npm run package -- [folder]` makes the package that an operator installs. `npm run release -- --key FILE` checks the version and makes all
 * files of a release: package, bill of materials, upgrade notes, checksums and their signature.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { withoutBuilders } from './bill-of-materials.ts';
import { compareVersions, findObstacles, sectionOf } from './check-version.ts';
import { formatChecksums, readSigningKey, signText } from './checksums.ts';
import { stagePackage } from './stage-package.ts';
import { formatUpgradeNotes } from './upgrade-notes.ts';

const PROJECT = resolve(import.meta.dirname, '..');
const STAGE = join(PROJECT, 'build', 'release', 'package');
const RELEASES = join(PROJECT, 'build', 'release');
const MIGRATIONS = 'src/store/migrations';
/** They turn sources into pages, and are not in the package. */
const BUILDERS = ['@react-router/dev', 'vite'];

const MAX_OUTPUT_BYTES = 2 ** 26;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { key: { type: 'string' }, pack: { type: 'boolean', default: false } },
});

try {
  if (options.pack) process.stdout.write(`${await pack(resolve(positionals[0] ?? RELEASES))}\n`);
  else await release();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

/** Gives the path of the package. */
async function pack(into: string): Promise<string> {
  mkdirSync(into, { recursive: true });
  await stagePackage(PROJECT, STAGE);
  const name = run('npm', ['pack', '--silent', '--pack-destination', into], STAGE).trim().split('\n').at(-1) ?? '';
  return join(into, name);
}

async function release(): Promise<void> {
  if (options.key === undefined) throw new Error('--key must name the file of the private key that signs the checksums');
  const key = readSigningKey(options.key);
  const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { version: string };
  const changelog = readFileSync(join(PROJECT, 'CHANGELOG.md'), 'utf8');
  const released = lines(run('git', ['tag', '--list', 'v*.*.*'])).map((tag) => tag.slice(1));
  const obstacles = findObstacles({ version, changelog, changedFiles: lines(run('git', ['status', '--porcelain'])), released });
  if (obstacles.length > 0) throw new Error(`cannot release:\n- ${obstacles.join('\n- ')}`);
  const folder = join(RELEASES, version);
  rmSync(folder, { recursive: true, force: true });
  const previous = released.sort(compareVersions).at(-1) ?? null;
  const migrations = newMigrations(previous);
  const files = [
    await pack(folder),
    write(folder, `marquee-${version}.cdx.json`, `${JSON.stringify(billOfMaterials(), null, 2)}\n`),
    write(
      folder,
      `upgrade-notes-${version}.md`,
      formatUpgradeNotes({ version, previous, changes: sectionOf(changelog, version), migrations }),
    ),
  ];
  const checksums = formatChecksums(files);
  write(folder, 'SHA256SUMS', checksums);
  writeFileSync(join(folder, 'SHA256SUMS.sig'), signText(checksums, key));
  process.stdout.write(`${folder}\n${readdirSync(folder).join('\n')}\n`);
}

function billOfMaterials(): unknown {
  const bill = JSON.parse(run('npm', ['sbom', '--package-lock-only', '--omit', 'dev', '--sbom-format', 'cyclonedx']));
  return withoutBuilders(bill, BUILDERS);
}

/** Those that the version before did not have. */
function newMigrations(previous: string | null): string[] {
  const names = readdirSync(join(PROJECT, MIGRATIONS)).filter((name) => name.endsWith('.sql'));
  if (previous === null) return names;
  const known = new Set(lines(run('git', ['ls-tree', '--name-only', `v${previous}`, `${MIGRATIONS}/`])));
  return names.filter((name) => !known.has(`${MIGRATIONS}/${name}`));
}

function write(folder: string, name: string, text: string): string {
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function run(program: string, words: readonly string[], cwd = PROJECT): string {
  return execFileSync(program, words, {
    cwd,
    encoding: 'utf8',
    maxBuffer: MAX_OUTPUT_BYTES,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function lines(text: string): string[] {
  return text.split('\n').filter(Boolean);
}
