/** A PostgreSQL server whose files are damaged: what Marquee says of it, with the rights of a superuser and without. */

import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../src/log.ts';
import { checkRelations, openStore, watchDamage } from '../../src/store/index.ts';
import { flipBytes } from '../support/database/damage.ts';
import { type Cluster, POSTGRES_PROGRAMS, startCluster } from '../support/database/postgres.ts';
import { temporaryFolder } from '../support/database/store.ts';
import { marquee } from '../support/rigs/service.ts';
import { until } from '../support/runs/patience.ts';

describe.skipIf(POSTGRES_PROGRAMS === null)('a server with a damaged table', () => {
  let cluster: Cluster;
  const { folder, remove } = temporaryFolder();
  beforeAll(async () => {
    cluster = await startCluster();
    const store = await openStore({ databaseUrl: cluster.url, dataDir: folder });
    await sql`insert into source (id, name, kind, created_at)
      select gen_random_uuid(), 'radio ' || n, 'json', now() from generate_series(1, 400) n`.execute(store.db);
    await sql`create role plain login`.execute(store.db);
    await sql`grant select on all tables in schema public to plain`.execute(store.db);
    const { rows } = await sql<{ path: string }>`select pg_relation_filepath('source') as path`.execute(store.db);
    await sql`checkpoint`.execute(store.db);
    await store.close();
    await cluster.stop();
    await cluster.addChecksums();
    flipBytes(join(cluster.folder, 'cluster', rows[0]?.path ?? ''), 30);
    await cluster.start();
  });
  afterAll(async () => {
    await cluster?.dispose();
    remove();
  });

  test('is found by doctor --deep, which names the table', async () => {
    const { status, stdout, stderr } = await marquee(['doctor', '--deep'], {
      DATABASE_URL: cluster.url,
      MARQUEE_DATA_DIR: folder,
    });
    expect(status).toBe(1);
    expect(stdout).toMatch(/^ {14}table source: .*invalid page/m);
    expect(stdout).toMatch(/^rows {10}\d+ tables and \d+ indexes read; 1 DAMAGED$/m);
    expect(stderr).toMatch(/^The database .+ is damaged: table source: .+\.\n$/);
    const again = await marquee(['doctor'], { DATABASE_URL: cluster.url, MARQUEE_DATA_DIR: folder });
    expect(again.stdout).toMatch(/^checksums {5}are on; \d+ PAGES FAILED: run marquee doctor --deep$/m);
  });

  test('is noticed by the count of the server', async () => {
    const store = await openStore({ databaseUrl: cluster.url, dataDir: folder });
    const end = watchDamage({ store, log: createLog('silent'), pauseMs: 10 });
    try {
      await until(() => expect(store.damage.last()?.reason).toMatch(/^the server counts \d+ pages that failed their checksum$/));
    } finally {
      await end();
      await store.close();
    }
  });

  test('is found without special rights, too, and doctor says what was not read', async () => {
    const url = new URL(cluster.url);
    url.username = 'plain';
    const store = await openStore({ databaseUrl: url.href, dataDir: folder, onOlder: 'keep' });
    try {
      const { faults, without, notRead } = await checkRelations(store.db);
      expect(faults).toEqual([expect.stringMatching(/^table source: invalid page/)]);
      expect(without.amcheck).toContain('permission denied');
      expect(notRead).toContain('source_pkey (its table is damaged)');
    } finally {
      await store.close();
    }
  });
});
