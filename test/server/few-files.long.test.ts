import { execFile } from 'node:child_process';
import { afterEach, describe, expect, test } from 'vitest';
import { copyDemoFolder } from '../support/database/demo-folder.ts';
import { POSTGRES_PROGRAMS, startCluster } from '../support/database/postgres.ts';
import { temporaryFolder } from '../support/database/store.ts';
import { openRawClient, type RawClient } from '../support/network/raw-client.ts';
import { ask, keysIn, limitedFiles, pagesReady, startService } from '../support/rigs/service.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** The service holds what it can of 200 connections, serves those who ask, and ends in order. */
async function expectServed(folder: string, files: number, env: Record<string, string> = {}): Promise<void> {
  const service = await startService(['serve', '--role', 'api'], { MARQUEE_DATA_DIR: folder, ...env }, limitedFiles(files));
  cleanups.push(() => service.stop('SIGKILL'));
  await pagesReady(service);
  const clients: RawClient[] = [];
  cleanups.push(() => {
    for (const client of clients) client.close();
  });
  const port = Number(new URL(service.url).port);
  await expect.poll(() => service.printed()).toContain('the limit of open files');
  for (let n = 0; n < 200; n++) clients.push(await openRawClient({ port }).catch(() => ({ close() {} }) as RawClient));
  const health = await fetch(`${service.url}/healthz`);
  expect(health.status).toBe(200);
  const { status, body } = await ask(service, '/events?limit=2', keysIn(folder).growth);
  expect([status, body.data.length]).toEqual([200, 2]);
  expect((await fetch(`${service.url}/sign-in`, { headers: { accept: 'text/html' } })).status).toBe(200);
  expect(clients.filter((client) => client.ended?.()).length).toBeGreaterThan(100);
  expect(await service.stop()).toBe(0);
}

describe('a service that may open few files sheds connections, answers, and ends in order', () => {
  test.each([256, 128])('with the embedded database: %i', async (files) => {
    const { folder, remove } = await copyDemoFolder();
    cleanups.push(remove);
    await expectServed(folder, files);
  });

  test.skipIf(!POSTGRES_PROGRAMS)('with a PostgreSQL server: 64', async () => {
    const cluster = await startCluster();
    cleanups.push(cluster.dispose);
    const { folder, remove } = temporaryFolder();
    cleanups.push(remove);
    const env = { DATABASE_URL: cluster.url };
    const first = await startService(['start'], { MARQUEE_DATA_DIR: folder, ...env });
    expect(await first.stop()).toBe(0);
    await expectServed(folder, 64, env);
  });
});

test('a process with fewer files than the embedded database needs is refused in one sentence', async () => {
  const { folder, remove } = temporaryFolder();
  cleanups.push(remove);
  const [program, ...words] = limitedFiles(64);
  const { promise, resolve } = Promise.withResolvers<[unknown, string]>();
  execFile(
    program,
    [...words, 'serve', '--role', 'worker'],
    { env: { ...process.env, MARQUEE_DATA_DIR: folder } },
    (error, _, stderr) => resolve([error?.code, stderr]),
  );
  expect(await promise).toEqual([
    1,
    'The embedded database needs 128 open files, but this process may open only 64 (ulimit -n). Raise the limit, or use a PostgreSQL server.\n',
  ]);
});
