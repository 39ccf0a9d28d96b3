import { execFileSync, type StdioOptions, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, copyFileSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const ENTRY = new URL('../../bin/marquee.mjs', import.meta.url).pathname;

/** Where no Node was installed beside it. */
const lonelyFolder = mkdtempSync(join(tmpdir(), 'marquee-entry-'));
const LONELY_ENTRY = join(lonelyFolder, 'marquee.mjs');
copyFileSync(ENTRY, LONELY_ENTRY);
afterAll(() => rmSync(lonelyFolder, { recursive: true, force: true }));

/** Each older Node of this machine as it is, and two that this one plays. */
const older = [
  ...(process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .filter((program) => existsSync(program))
    .map((program) => ({
      version: execFileSync(program, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim(),
      words: [program],
    }))
    .filter(({ version }) => Number(version.split('.')[0]) < 26),
  ...['20.20.2', '25.9.0'].map((version) => ({ version, words: [process.execPath, '--import', playing(version)] })),
];

function playing(version: string): string {
  const code = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

describe('bin/marquee.mjs', () => {
  it.each(older)(
    'tells Node $version in one sentence what is wanted, what came and what to do',
    ({ version, words: [program = '', ...words] }) => {
      const { status, stdout, stderr } = spawnSync(program, [...words, LONELY_ENTRY, 'doctor'], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH },
      });
      expect(status).toBe(1);
      expect(stdout).toBe('');
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
      expect(stderr).toMatch(/Node 26 or newer/);
      expect(stderr).toContain(version);
      expect(stderr).toContain('npm ci');
      // After `npm ci --ignore-scripts` (O1).
      expect(stderr).toContain('npm rebuild node');
    },
  );

  it.each(older)(
    'goes on under the Node that npm installed when Node $version starts it',
    ({ words: [program = '', ...words] }) => {
      const { status, stdout, stderr } = spawnSync(program, [...words, ENTRY, '--help'], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH },
      });
      expect(stderr).toBe('');
      expect(stdout).toContain('serve');
      expect(status).toBe(0);
      // Its exit code is passed on.
      expect(spawnSync(program, [...words, ENTRY, 'nothing'], { stdio: 'ignore' }).status).toBe(1);
    },
  );

  it('hands its words to the program on the Node that npm ci brings', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [ENTRY, '--help'], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout).toContain('serve');
  });

  it('ends quietly when its reader has gone', async () => {
    const child = spawn(process.execPath, [ENTRY, '--help'], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.destroy();
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(said).toBe('');
  });

  it.skipIf(!existsSync('/dev/full'))('says in one sentence that what it printed found no room, and ends with 1', () => {
    const full = openSync('/dev/full', 'w');
    const print = (stdio: StdioOptions) =>
      spawnSync(process.execPath, [ENTRY, '--help'], { stdio, encoding: 'utf8', env: { PATH: process.env.PATH } });
    const { status, stderr } = print(['ignore', full, 'pipe']);
    expect([status, stderr]).toEqual([1, 'Cannot write the output: ENOSPC: no space left on device, write.\n']);
    expect(print(['ignore', full, full]).status).toBe(1);
    closeSync(full);
  });

  it('may be started by its name and holds nothing that an old Node cannot read', () => {
    expect(statSync(ENTRY).mode & 0o111).toBe(0o111);
    const source = readFileSync(ENTRY, 'utf8');
    expect(source).toMatch(/^#!\/usr\/bin\/env node\n/);
    expect(source).not.toMatch(/^import |^await |\?\?=|\?\.|\?\?/m);
  });
});
