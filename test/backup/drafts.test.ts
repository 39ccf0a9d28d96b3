/** Files that a backup writes beside the one that it is to be. One engine is enough: nothing here asks a database. */

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTarget } from '../../src/backup/index.ts';
import { temporaryFolder } from '../support/database/store.ts';
import { BRIEF_NODE } from '../support/processes/brief-node.ts';

let place: ReturnType<typeof temporaryFolder>;
let file: string;
beforeEach(() => {
  place = temporaryFolder();
  file = join(place.folder, 'marquee.backup');
});
afterEach(() => place.remove());

it('a draft of a killed process does not block a later process of the same number, as in a container', async () => {
  // Neither kept nor discarded: so does kill -9 leave it.
  const killed = await openTarget(file);
  try {
    const next = await openTarget(file);
    await once(next.out.end('whole'), 'finish');
    await next.keep();
    expect(readFileSync(file, 'utf8')).toBe('whole');
  } finally {
    await killed.discard();
  }
});

it('a draft that nobody writes any more goes with the next backup to the same file, and one that is written stays', async () => {
  const left = [
    // Of a killed process: nobody holds its lock, whatever is in it.
    ['.marquee.backup.0a0b0c0d.locked.marquee-draft', 'half a backup'.repeat(1000)],
    ['.marquee.backup.0a0b0c0e.locked.marquee-draft', ''],
    // Of another file, and of a version that took no lock: somebody may be writing them.
    ['.other.backup.0a0b0c0d.locked.marquee-draft', 'half'],
    ['.marquee.backup.0a0b0c0d.marquee-draft', 'half'],
  ] as const;
  for (const [name, content] of left) writeFileSync(join(place.folder, name), content);
  const first = await openTarget(file);
  const stays = left.slice(2).map(([name]) => name);
  const [own = ''] = readdirSync(place.folder).filter((name) => !stays.includes(name as never));
  expect(readdirSync(place.folder).sort()).toEqual([...stays, own].sort());
  // Locked while it is written, for other processes as for this one.
  first.out.write('first');
  const second = await openTarget(file);
  expect(readdirSync(place.folder)).toHaveLength(4);
  expect(readdirSync(place.folder)).toContain(own);
  expect(await openedElsewhere()).toBe(5);
  await once(first.out.end(' and last'), 'finish');
  await first.keep();
  expect(readFileSync(file, 'utf8')).toBe('first and last');
  await second.discard();
  expect(readdirSync(place.folder).sort()).toEqual([...stays, 'marquee.backup'].sort());
});

/** How many files another process sees while it writes a backup to the same file. */
async function openedElsewhere(): Promise<number> {
  const program = `
    import { readdirSync } from 'node:fs';
    import { openTarget } from '${new URL('../../src/backup/index.ts', import.meta.url)}';
    const target = await openTarget(process.argv[1]);
    console.log(readdirSync(process.argv[2]).length);
    await target.discard();`;
  const words = ['--input-type=module', '-e', program, file, place.folder];
  const { stdout } = await promisify(execFile)(process.execPath, [...BRIEF_NODE, ...words]);
  return Number(stdout);
}

it('a draft that cannot get its name is told in a sentence', async () => {
  const target = await openTarget(file);
  await once(target.out.end('whole'), 'finish');
  rmSync(place.folder, { recursive: true });
  await expect(target.keep()).rejects.toMatchObject({
    code: 'cannot_write',
    message: `Cannot write ${file}: the folder or file does not exist.`,
  });
  // As commands do: it closes the file.
  await target.discard();
});
