/**
 * `node clients/generate/run-examples.ts <service>`: runs every example request
 * against a service. The key is in MARQUEE_KEY. A language that is not installed is named and left out.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CODE_LANGUAGES, EXAMPLE_REQUESTS } from '../../src/web/model/playground/languages.ts';

const RUNNERS: Readonly<Record<string, { file: string; command: string; args: readonly string[] }>> = {
  curl: { file: 'example.sh', command: 'bash', args: ['-eu'] },
  javascript: { file: 'example.mjs', command: 'node', args: [] },
  python: { file: 'example.py', command: 'python3', args: [] },
  go: { file: 'example.go', command: 'go', args: ['run'] },
  php: { file: 'example.php', command: 'php', args: [] },
  ruby: { file: 'example.rb', command: 'ruby', args: [] },
};

/** The first program in Go compiles Go's own library, too. */
const PATIENCE_MS = 240_000;

const [service = ''] = process.argv.slice(2);
const base = `${service}/api/v1`;
const folder = mkdtempSync(join(tmpdir(), 'marquee-examples-'));
const say = (text: string): void => void process.stdout.write(`${text}\n`);
let failures = 0;
/** Requests whose list is empty today, as JavaScript prints it. Ruby prints nothing for it. */
const empty = new Set<string>();

for (const { id, name, write } of CODE_LANGUAGES) {
  const runner = RUNNERS[id];
  if (!runner || !isInstalled(runner.command)) {
    say(`${name}: left out, ${runner?.command} is not installed`);
    continue;
  }
  const { file, command, args } = runner;
  for (const { title, ...request } of EXAMPLE_REQUESTS) {
    const path = join(folder, file);
    writeFileSync(path, write({ ...request, base }).replace(/^curl /, 'curl --fail --silent --show-error '));
    const { status, stdout, stderr } = spawnSync(command, [...args, path], { encoding: 'utf8', timeout: PATIENCE_MS });
    if (stdout.trim() === '[]') empty.add(title);
    const isGood = status === 0 && (stdout.trim() !== '' || empty.has(title));
    if (!isGood) failures += 1;
    say(`${name}: ${title}: ${isGood ? 'ok' : `FAILED (${status})\n${stderr.slice(0, 2_000)}`}`);
  }
}
rmSync(folder, { recursive: true });
process.exitCode = failures === 0 ? 0 : 1;

function isInstalled(command: string): boolean {
  try {
    execFileSync('/bin/sh', ['-c', `command -v ${command}`]);
    return true;
  } catch {
    return false;
  }
}
