/** A check of a backup gives way to other work, and says so; with `--now` it does not. One engine is enough: it fills a folder of its own. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/database/store.ts';
import { BRIEF_NODE } from '../support/processes/brief-node.ts';
import { eventually } from '../support/processes/child-process.ts';
import { demoPlace, type Place } from '../support/rigs/backup.ts';

let files: ReturnType<typeof temporaryFolder>;
let demo: Place;
let backup: Buffer;
beforeAll(async () => {
  files = temporaryFolder();
  demo = await demoPlace('embedded');
  const file = join(files.folder, 'demo.backup');
  expect(await demo.type('backup', file)).toMatchObject({ status: 0, stderr: '' });
  backup = readFileSync(file);
});
afterAll(async () => {
  await demo?.remove();
  files?.remove();
});

/** A check that has begun to fill its folder, and waits for the rest of the backup. */
async function beginCheck(...words: string[]) {
  const temporary = join(files.folder, words.join() || 'check');
  mkdirSync(temporary);
  const program = new URL('../../bin/marquee.mjs', import.meta.url).pathname;
  const child = spawn(process.execPath, [...BRIEF_NODE, program, 'backup', '--verify', '-', ...words], {
    env: { ...process.env, ...demo.env, TMPDIR: temporary, LOG_LEVEL: 'warn' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let [said, printed] = ['', ''];
  child.stderr.on('data', (chunk) => (said += chunk));
  child.stdout.on('data', (chunk) => (printed += chunk));
  const ended = once(child, 'exit');
  child.stdin.write(backup.subarray(0, backup.length / 2));
  await eventually(() => readdirSync(temporary).some((name) => existsSync(join(temporary, name, 'database/PG_VERSION'))));
  return {
    said: () => said,
    priority: () => getPriority(child.pid),
    async finish() {
      child.stdin.end(backup.subarray(backup.length / 2));
      const [status] = await ended;
      return { status, said, printed };
    },
  };
}

const SLOW = 'Still at work: this command gives way to other work on this machine. With --now it does not.\n';
const WHOLE = expect.stringContaining('every row is as it was written');

test('a check that takes long says once that it gives way to other work', async () => {
  const check = await beginCheck();
  expect(check.priority()).toBe(10);
  await eventually(() => check.said() !== '');
  expect(await check.finish()).toEqual({ status: 0, said: SLOW, printed: WHOLE });
});

test('a check with --now keeps its priority, and has nothing to say', async () => {
  const check = await beginCheck('--now');
  expect(check.priority()).toBe(getPriority());
  expect(await check.finish()).toEqual({ status: 0, said: '', printed: WHOLE });
});
