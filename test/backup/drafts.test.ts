/** Files that a killed backup leaves beside the one it was to write. One engine is enough: nothing here asks a database. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTarget } from '../../src/backup/index.ts';
import { temporaryFolder } from '../support/database/store.ts';

let place: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  place = temporaryFolder();
});
afterEach(() => place.remove());

it('a draft of a killed process does not block a later process of the same number, as in a container', async () => {
  const file = join(place.folder, 'marquee.backup');
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
