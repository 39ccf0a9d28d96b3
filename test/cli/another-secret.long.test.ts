/** A store that one secret has signed and sealed for is not served with another one, unless an operator says so. */

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { copyDemoFolder } from '../support/database/demo-folder.ts';
import { temporaryFolder } from '../support/database/store.ts';
import { marquee, type RunningService, startService } from '../support/rigs/service.ts';

const OLD = 'the old secret of forty characters or so';
const OTHER = 'another secret of forty characters or so';
const started: RunningService[] = [];
let folder = '';
let files: ReturnType<typeof temporaryFolder>;
beforeAll(async () => {
  folder = (await copyDemoFolder()).folder;
  files = temporaryFolder();
  await serve(folder, OLD);
});
afterAll(async () => {
  for (const service of started) await service.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  files?.remove();
});

const settings = (dataDir: string, secret: string | null) => ({
  MARQUEE_DATA_DIR: dataDir,
  ...(secret !== null && { MARQUEE_SECRET: secret }),
});

/** Starts, and ends in order. */
async function serve(dataDir: string, secret: string | null): Promise<void> {
  const service = await startService(['serve', '--role', 'worker'], settings(dataDir, secret));
  started.push(service);
  expect(await service.stop()).toBe(0);
}

const refusal = (dataDir: string, secret: string | null): Promise<string> =>
  serve(dataDir, secret).then(
    () => 'started',
    (error: Error) => error.message,
  );

it('another secret, or a new one in place of a lost file, is refused in one sentence that names the way out', async () => {
  const said = await refusal(folder, OTHER);
  expect(said).toMatch(/ended with 1 .*: MARQUEE_SECRET is not the secret of this database, .* "marquee secret accept" .*\.\n$/);
  expect([said.includes(OTHER), said.includes(OLD)]).toEqual([false, false]);
  rmSync(join(folder, 'secret'), { force: true });
  expect(await refusal(folder, null)).toContain(`The file ${join(folder, 'secret')} is missing, so sessions`);
  expect(existsSync(join(folder, 'secret'))).toBe(false);
  await serve(folder, OLD);
});

it('a store that a backup without its secret has filled knows its secret, too', async () => {
  const file = join(files.folder, 'kept');
  expect(await marquee(['backup', file, '--without-secret'], settings(folder, OLD))).toMatchObject({ status: 0 });
  const restored = join(files.folder, 'restored');
  expect(await marquee(['restore', file], settings(restored, OTHER))).toMatchObject({ status: 0 });
  expect(await refusal(restored, OTHER)).toContain('is not the secret of this database');
  await serve(restored, OLD);
});

it('a restore into a folder that was served before knows the secret of the backup alone', async () => {
  const file = join(files.folder, 'whole');
  expect(await marquee(['backup', file], settings(folder, OLD))).toMatchObject({ status: 0 });
  const used = join(files.folder, 'used');
  await serve(used, null);
  expect(await marquee(['restore', file], settings(used, null))).toMatchObject({ status: 0 });
  await serve(used, null);
  expect(await refusal(used, OTHER)).toContain('is not the secret of this database');
});

it('secret accept says what it ends, and the other secret is the one from then on', async () => {
  const accepted = await marquee(['secret', 'accept'], settings(folder, OTHER));
  expect(accepted).toMatchObject({ status: 0, stderr: '' });
  expect(accepted.stdout).toMatch(
    /^The database knows this secret from now on\. It ends:\n- all sessions[\s\S]+webhook endpoints/,
  );
  await serve(folder, OTHER);
  expect(await refusal(folder, OLD)).toContain('is not the secret of this database');
  expect((await marquee(['secret', 'accept'], settings(folder, OTHER))).stdout).toBe('The database knows this secret already.\n');
});
