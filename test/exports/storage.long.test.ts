/**
 * Exports in storage that speaks S3: the same files by the same addresses as from the data folder. One engine is enough: the files of
 * both are the same.
 */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createS3Storage } from '../../src/exports/index.ts';
import { createSweep } from '../../src/exports/worker/export-files.ts';
import { createLog } from '../../src/log.ts';
import { recordChanges } from '../../src/records/index.ts';
import { cleanUp } from '../../src/retention/index.ts';
import { temporaryFolder } from '../support/database/store.ts';
import { openS3Stub, type S3Stub } from '../support/fakes/s3.ts';
import { type Customer, type ExportRig, openExportRig, until } from '../support/rigs/exports.ts';

let stub: S3Stub;
let settings: Record<string, string>;
let rig: ExportRig;
let ada: Customer;
beforeAll(async () => {
  stub = await openS3Stub();
  settings = {
    EXPORT_URL: `s3://exports/port-alder?region=eu-central-1&endpoint=${stub.endpoint}`,
    AWS_ACCESS_KEY_ID: stub.accessKeyId,
    AWS_SECRET_ACCESS_KEY: stub.secretAccessKey,
  };
  rig = await openExportRig({ settings });
  ada = await rig.createCustomer('ada@exports.example', 'enterprise');
});
afterAll(async () => {
  await rig?.site.close();
  await stub?.close();
});

describe('exports in S3', () => {
  it('are put there, read by range, and followed by increments', async () => {
    const requestId = await rig.request(ada, { repeat: 'hourly' });
    const full = await rig.manifestOf(ada, requestId);
    const keys = [...stub.objects.keys()];
    expect(keys.every((key) => key.startsWith(`exports/port-alder/${full.id}-1/`))).toBe(true);
    expect(keys.map((key) => key.split('/').at(-1)).sort()).toEqual(
      ['events-00001.ndjson', 'manifest.json', 'neighborhoods.geojson', 'records.bin', 'venues-00001.ndjson'].sort(),
    );
    expect(existsSync(join(rig.site.dataDir, 'exports', 'ready'))).toBe(false);
    const events = await rig.fetchLines(full, 'events');
    const url = full.files.find(({ name }) => name.startsWith('events'))?.url ?? '';
    const part = await fetch(url, { headers: { Range: 'bytes=10-19' } });
    const whole = stub.objects.get(keys.find((key) => key.includes('/events-')) ?? '');
    expect([part.status, await part.text()]).toEqual([206, whole?.subarray(10, 20).toString()]);

    const { id } = events[0];
    await rig.site.store.db.updateTable('event').set({ title: 'Renamed' }).where('id', '=', id).execute();
    await rig.site.store.db
      .transaction()
      .execute((trx) => recordChanges(trx, [{ kind: 'updated', entity: 'event', entityId: id }], rig.site.now()));
    rig.site.pass(3_600_000);
    await rig.touch();
    const increment = await rig.manifestOf(ada, requestId, 2);
    expect(increment.previous?.id).toBe(full.id);
    expect((await rig.fetchLines(increment, 'events')).map((event) => event.title)).toEqual(['Renamed']);
    expect(readdirSync(join(rig.site.dataDir, 'exports', 'fetched'))).toEqual([]);
  });

  it('are written when the storage fails for a moment', async () => {
    stub.fail(2);
    const requestId = await rig.request(ada, { format: 'csv' });
    await rig.ready(ada, requestId);
  });

  it('answer 503 when the storage fails or an object is gone, and say nothing of the storage', async () => {
    const requestId = await rig.request(ada);
    const manifest = await rig.manifestOf(ada, requestId);
    const refusal = async () => {
      const answer = await fetch(manifest.files.at(-1)?.url ?? '');
      const text = await answer.text();
      const { headers } = answer;
      return [
        answer.status,
        text.includes('s3') || text.includes(stub.endpoint),
        headers.get('cache-control'),
        headers.get('etag'),
      ];
    };
    stub.fail(Number.POSITIVE_INFINITY);
    expect(await refusal()).toEqual([503, false, 'no-store', null]);
    stub.fail(0);
    for (const key of stub.objects.keys()) if (key.includes(manifest.id)) stub.objects.delete(key);
    expect(await refusal()).toEqual([503, false, 'no-store', null]);
  });

  it('are deleted when they are over, and nothing else that stands beside them', async () => {
    const { id } = await rig.manifestOf(ada, await rig.request(ada));
    const under = (folder: string) => `exports/port-alder/${folder}/events-00001.ndjson`;
    const [given, foreign, backups] = [under(`${id}-7`), under(`${randomUUID()}-1`), under('backups')];
    for (const key of [given, foreign, backups]) stub.objects.set(key, Buffer.from('{}'));
    const { exportPlace } = readConfig(settings);
    const storage = createS3Storage(exportPlace!, join(rig.site.dataDir, 'exports', 'fetched'));
    const workFolder = join(rig.site.dataDir, 'exports', 'work');
    await createSweep(rig.site.store.db, storage, workFolder, createLog('silent'))();
    expect([given, foreign, backups].map((key) => stub.objects.has(key))).toEqual([false, true, true]);
    expect([...stub.objects.keys()].filter((key) => key.includes(`${id}-1/`)).length).toBeGreaterThan(2);
  });

  it('end at once with their account, and their rows go when their files have had the time to', async () => {
    const { db } = rig.site.store;
    const bob = await rig.createCustomer('bob@exports.example', 'enterprise');
    const { id } = await rig.manifestOf(bob, await rig.request(bob));
    await db.updateTable('account').set({ status: 'closed' }).where('id', '=', bob.accountId).execute();
    await rig.touch();
    const stateOf = async () => (await db.selectFrom('export').select('state').where('id', '=', id).executeTakeFirst())?.state;
    await expect.poll(stateOf).toBe('expired');
    const clean = (directory: number) =>
      cleanUp({
        ...{ db, dataDir: rig.site.dataDir, log: createLog('silent'), pauseMs: 0 },
        moments: { directory, limits: directory, machine: directory },
      });
    await clean(rig.site.now());
    expect(await stateOf()).toBe('expired');
    await clean(rig.site.now() + 25 * 3_600_000);
    expect(await stateOf()).toBeUndefined();
  });

  it('are no longer sent when the export is canceled, also to a storage that does not answer', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { folder, remove } = temporaryFolder();
    try {
      const from = join(folder, 'begun');
      mkdirSync(from);
      writeFileSync(join(from, 'events-00001.ndjson'), '{}\n');
      const place = {
        bucket: 'exports',
        path: '',
        region: 'eu-central-1',
        accessKeyId: 'a',
        secretAccessKey: 'b',
        userAgent: 'Marquee',
      };
      const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
      const canceling = new AbortController();
      const kept = createS3Storage({ ...place, endpoint }, join(folder, 'fetched')).keep('id-1', from, canceling.signal);
      const outcome = kept.then(
        () => 'kept',
        (error: Error) => error.message,
      );
      await once(silent, 'request');
      canceling.abort(new Error('the export was canceled'));
      expect(await outcome).toBe('the export was canceled');
    } finally {
      silent.closeAllConnections();
      silent.close();
      remove();
    }
  });

  it('never let the key out, not even into the log', async () => {
    await until(async () => rig.site.logged().length > 0);
    expect(rig.site.logged().join('\n')).not.toContain(stub.secretAccessKey);
  });
});

describe('EXPORT_URL', () => {
  const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'hidden-secret' };
  it.each([
    ['https://bucket', 'must be an address such as s3://'],
    ['s3://user:word@bucket', 'must be an address such as s3://'],
    ['s3://bucket?endpoint=ftp://x', 'endpoint must be http or https'],
    ['s3://bucket?key=1', 'accepts only region and endpoint'],
  ])('%s is refused in one sentence', (url, sentence) => {
    expect(() => readConfig({ ...keys, EXPORT_URL: url })).toThrow(sentence);
  });

  it('needs keys, and is printed without them', () => {
    expect(() => readConfig({ EXPORT_URL: 's3://bucket' })).toThrow('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set');
    const { exportPlace, settings } = readConfig({ ...keys, EXPORT_URL: 's3://bucket/a/b/?region=eu-west-1' });
    expect(exportPlace).toMatchObject({ endpoint: 'https://s3.eu-west-1.amazonaws.com', bucket: 'bucket', path: 'a/b' });
    expect(JSON.stringify(settings)).not.toContain('hidden-secret');
  });
});
