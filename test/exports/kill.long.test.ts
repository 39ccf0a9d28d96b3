/**
 * A service that is killed while it writes exports.
 * Both engines: a killed process leaves a connection on a server, and a folder on the embedded engine.
 */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { createOwnExports, EXPORT_FORMATS, type ExportOwner, type Manifest, type OwnExports } from '../../src/exports/index.ts';
import { createFeeds } from '../../src/feeds/index.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import { copyDemoFolder } from '../support/database/demo-folder.ts';
import { EVERYTHING, until } from '../support/rigs/exports.ts';
import { startService } from '../support/rigs/service.ts';

const MAX_ROUNDS = 5;

it('that are being written when the service is killed are written again: nothing half is served, counted or left', async () => {
  const { folder, remove } = await copyDemoFolder();
  const env = { MARQUEE_DATA_DIR: folder };
  const inStore = async <T>(work: (store: Store, own: OwnExports) => Promise<T>): Promise<T> => {
    const store = await openStore({ dataDir: folder });
    try {
      return await work(store, createOwnExports({ db: store.db, feeds: createFeeds({ db: store.db }) }));
    } finally {
      await store.close();
    }
  };
  let service = await startService(['start'], env);
  try {
    const ada = await inStore(({ db }) => createOwner(db));
    const listed = () => inStore(async (_, own) => (await own.list(ada.accountId, { limit: 100, offset: 0 })).exports);
    let interrupted: { id: string; token: string }[] = [];
    for (let round = 0; interrupted.length === 0 && round < MAX_ROUNDS; round += 1) {
      const begun = join(folder, 'exports', 'begun');
      await inStore(async (_, own) => {
        for (const format of [...EXPORT_FORMATS, ...EXPORT_FORMATS]) await own.create(ada, { ...EVERYTHING, format });
      });
      // Some file is open: the export is in the middle of its work.
      await until(async () => existsSync(begun) && readdirSync(begun).some((name) => readdirOf(join(begun, name)).length > 0));
      await service.stop('SIGKILL');
      interrupted = await inStore(async (_, own) => {
        const { exports } = await own.list(ada.accountId, { limit: 100, offset: 0 });
        const running = exports.filter(({ state }) => state === 'running');
        return Promise.all(
          running.map(async ({ id, requestId }) => {
            const link = await own.createLink(ada, requestId);
            if (!link.ok) throw new Error(link.detail);
            return { id, token: link.token };
          }),
        );
      });
      if (interrupted.length === 0) service = await startService(['start'], env);
    }
    expect(interrupted.length).toBeGreaterThan(0);

    service = await startService(['start'], env);
    const statusOf = async (path: string) => (await fetch(`${service.url}/exports/${path}`, { redirect: 'manual' })).status;
    for (const { id, token } of interrupted) {
      // As long as the lease lasts, and as long as it is written again, there is nothing.
      const isReady = (await listed()).some((each) => each.id === id && each.state === 'ready');
      if (!isReady)
        expect([await statusOf(`${token}/manifest.json`), await statusOf(`${token}/${id}/manifest.json`)]).toEqual([404, 404]);
    }
    // The lease of a process that died lasts for thirty seconds.
    await inStore(({ db }) =>
      db
        .updateTable('export')
        .set({ lease_until: new Date(0) })
        .where('state', '=', 'running')
        .where('attempts', '=', 1)
        .execute(),
    );
    const exports = await until(async () => {
      const all = await listed();
      return all.every(({ state }) => state === 'ready') && all;
    });
    for (const { id, token } of interrupted) {
      const from = `${service.url}/exports/${token}/${id}/manifest.json`;
      const manifest = (await (await fetch(from)).json()) as Manifest;
      for (const { url, sha256, bytes } of manifest.files) {
        const file = Buffer.from(await (await fetch(new URL(url, from))).arrayBuffer());
        expect([file.length, createHash('sha256').update(file).digest('hex')]).toEqual([bytes, sha256]);
      }
      expect(manifest.rows).toBe(exports.find((each) => each.id === id)?.rows);
    }
    // What all hold is the same directory.
    expect(new Set(exports.map(({ rows }) => rows)).size).toBe(1);
    const foldersIn = (name: string) => readdirOf(join(folder, 'exports', name)).map((each) => each.replace(/-\d+$/, ''));
    const ids = exports.map(({ id }) => id).sort();
    await until(async () => foldersIn('begun').length === 0 && String(foldersIn('ready').sort()) === String(ids));
  } finally {
    await service.stop('SIGKILL');
    remove();
  }
});

const readdirOf = (path: string): string[] => {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
};

async function createOwner(db: Store['db']): Promise<ExportOwner> {
  const email = 'ada@exports.example';
  const created = await createAccounts({ db }).createAccount({ email, tier: 'enterprise' });
  const key = await createAccounts({ db }).createKey({ email });
  if (!created.ok || !key.ok) throw new Error('no account');
  return { accountId: created.id, actor: { id: created.id, name: email } };
}
