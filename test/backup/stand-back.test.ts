/** A backup stands back with all of its threads. One engine is enough: nothing here asks a database. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const MODULE = new URL('../../src/values/stand-back.ts', import.meta.url);
/** Begins the threads of the pool before, as the loading of modules does, and prints the priority of each thread (proc(5), `nice`). */
const PROGRAM = `
  import { readFile } from 'node:fs/promises';
  import { readdirSync, readFileSync } from 'node:fs';
  import { standBack } from '${MODULE}';
  await Promise.all(['a', 'b', 'c', 'd'].map(() => readFile('/proc/self/stat')));
  standBack();
  const nice = (thread) => readFileSync('/proc/self/task/' + thread + '/stat', 'utf8').split(') ')[1].split(' ')[16];
  console.log(readdirSync('/proc/self/task').map(nice).join(' '));`;

it('every thread of the process has a lower priority, also those of the pool', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM]);
  const priorities = stdout.trim().split(' ');
  expect(priorities.length).toBeGreaterThan(4);
  expect(new Set(priorities)).toEqual(new Set(['10']));
});
