/** Files that a backup writes beside the one that it is to be. One engine is enough: nothing here asks a database. */

import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTarget } from '../../src/backup/index.ts';
import { temporaryFolder } from '../support/database/store.ts';

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

it('a draft that cannot get its name is told in a sentence', async () => {
  const target = await openTarget(file);
  await once(target.out.end('whole'), 'finish');
  rmSync(place.folder, { recursive: true });
  await expect(target.keep()).rejects.toMatchObject({
    code: 'cannot_write',
    message: `Cannot write ${file}: the folder or file does not exist.`,
  });
});
