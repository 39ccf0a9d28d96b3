/** Backups in storage that speaks S3. PostgreSQL is enough: the bytes are the same from both. */

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openSource, openTarget } from '../../src/backup/index.ts';
import { readConfig } from '../../src/config.ts';
import { PART_BYTES } from '../../src/object-storage/index.ts';
import { DEFAULT_ENGINE } from '../support/database/store.ts';
import { openS3Stub, type S3Stub } from '../support/fakes/s3.ts';
import { demoPlace, emptyPlace, type Place } from '../support/rigs/backup.ts';
import { marquee } from '../support/rigs/service.ts';

let stub: S3Stub;
let demo: Place;
let keys: Record<string, string>;
beforeAll(async () => {
  stub = await openS3Stub();
  keys = { AWS_ACCESS_KEY_ID: stub.accessKeyId, AWS_SECRET_ACCESS_KEY: stub.secretAccessKey };
  demo = await demoPlace(DEFAULT_ENGINE);
});
afterAll(async () => {
  await demo?.remove();
  await stub?.close();
});
afterEach(() => {
  stub.objects.clear();
  stub.uploads.clear();
});

const urlOf = (key: string) => `s3://vault/${key}?endpoint=${stub.endpoint}`;
/** As the commands find it. */
const placeOf = (key: string) => readConfig(keys).readStorageUrl(urlOf(key));

describe('marquee backup s3://…', () => {
  it('writes an object that is verified and restored from there', async () => {
    const env = { ...demo.env, ...keys };
    expect(await marquee(['backup', urlOf('city/first.backup'), '--now'], env)).toMatchObject({ status: 0, stderr: '' });
    expect([...stub.objects.keys()]).toEqual(['vault/city/first.backup']);
    const verified = await marquee(['backup', '--verify', urlOf('city/first.backup'), '--now'], env);
    expect([verified.stderr, verified.stdout]).toEqual(['', expect.stringContaining('every row is as it was written')]);
    const empty = await emptyPlace(DEFAULT_ENGINE);
    try {
      const restored = await marquee(['restore', urlOf('city/first.backup')], { ...empty.env, ...keys });
      expect(restored).toMatchObject({ status: 0, stderr: '' });
      const count = (place: Place) =>
        place.withStore(({ db }) => db.selectFrom('event').select(db.fn.countAll().as('count')).executeTakeFirstOrThrow());
      expect(await count(empty)).toEqual(await count(demo));
    } finally {
      await empty.remove();
    }
  });

  it('uses the server of EXPORT_URL if its own URL names none', async () => {
    const env = { ...demo.env, ...keys, EXPORT_URL: `s3://exports?endpoint=${stub.endpoint}` };
    expect(await marquee(['backup', 's3://vault/second.backup', '--now'], env)).toMatchObject({ status: 0, stderr: '' });
    expect([...stub.objects.keys()]).toEqual(['vault/second.backup']);
  });

  it.each<[string, string, (env: Record<string, string>) => Record<string, string>, RegExp]>([
    ['a bucket without a file', '', (env) => env, /^Cannot write s3:\/\/vault\/: name a file in the bucket\.$/m],
    ['a wrong key', 'a', (env) => ({ ...env, AWS_SECRET_ACCESS_KEY: 'wrong' }), /answered PUT with 403 SignatureDoesNotMatch/],
    ['no key', 'a', ({ AWS_SECRET_ACCESS_KEY: _, ...env }) => env, /^AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set/],
  ])('refuses %s in one sentence', async (_, key, change, sentence) => {
    const { status, stderr } = await marquee(['backup', urlOf(key), '--now'], change({ ...demo.env, ...keys }));
    expect([status, stderr]).toEqual([1, expect.stringMatching(sentence)]);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stub.objects.size).toBe(0);
  });

  it('refuses an object that is not there, and one that is cut', async () => {
    const env = { ...demo.env, ...keys };
    const missing = await marquee(['backup', '--verify', urlOf('none.backup'), '--now'], env);
    expect([missing.status, missing.stderr]).toEqual([1, 'Cannot read s3://vault/none.backup: the bucket has no such object.\n']);
    await marquee(['backup', urlOf('cut.backup')], env);
    const whole = stub.objects.get('vault/cut.backup') ?? Buffer.alloc(0);
    stub.objects.set('vault/cut.backup', whole.subarray(0, whole.length - 100));
    const verified = await marquee(['backup', '--verify', urlOf('cut.backup'), '--now'], env);
    expect([verified.status, verified.stderr]).toEqual([1, expect.stringContaining('ends too early')]);
  });
});

describe('an upload in parts', () => {
  const bytes = randomBytes(2 * PART_BYTES + 12_345);

  async function write(key: string, part: Buffer) {
    const target = await openTarget(placeOf(key));
    // In pieces that do not fit the parts.
    for (let at = 0; at < part.length; at += 5_000_011) {
      if (!target.out.write(part.subarray(at, at + 5_000_011))) await once(target.out, 'drain');
    }
    return target;
  }

  it('is one object in the end, of the same bytes, and is read in ranges', async () => {
    const target = await write('large.backup', bytes);
    target.out.end();
    await once(target.out, 'finish');
    expect(stub.objects.size).toBe(0);
    await target.keep();
    expect(stub.uploads.size).toBe(0);
    const source = await openSource(placeOf('large.backup'));
    expect(source.bytes).toBe(bytes.length);
    const before = stub.asked.length;
    expect((await buffer(source.stream)).equals(bytes)).toBe(true);
    expect(stub.asked.slice(before).filter((line) => line.startsWith('GET')).length).toBeGreaterThan(2);
  });

  it('leaves nothing that can be read if it is interrupted, and its parts go with the next backup of this name', async () => {
    await write('killed.backup', bytes.subarray(0, PART_BYTES + 1000));
    // Whoever wrote it is killed here.
    expect([stub.objects.size, stub.uploads.size]).toEqual([0, 1]);
    await expect(openSource(placeOf('killed.backup'))).rejects.toMatchObject({ code: 'cannot_read' });
    for (const upload of stub.uploads.values()) upload.initiated = new Date(Date.now() - 2 * 86_400_000);
    await openTarget(placeOf('killed.backup'));
    expect(stub.uploads.size).toBe(0);
  });

  it('drops its parts if the backup fails', async () => {
    const target = await write('failed.backup', bytes.subarray(0, PART_BYTES + 1000));
    await target.discard();
    expect([stub.objects.size, stub.uploads.size]).toEqual([0, 0]);
  });

  it('reports a fault that the storage finds after its status', async () => {
    const target = await write('broken.backup', bytes.subarray(0, PART_BYTES + 1000));
    for (const upload of stub.uploads.values()) upload.parts.set(1, Buffer.from('other bytes'));
    target.out.end();
    await once(target.out, 'finish');
    await expect(target.keep()).rejects.toThrow('answered POST with 200 InvalidPart');
    expect(stub.objects.size).toBe(0);
  });

  it('continues when the storage fails for a moment', async () => {
    const target = await write('slow.backup', bytes.subarray(0, PART_BYTES));
    stub.fail(2);
    target.out.end();
    await once(target.out, 'finish');
    await target.keep();
    expect(stub.objects.get('vault/slow.backup')?.equals(bytes.subarray(0, PART_BYTES))).toBe(true);
  });

  it('is not mixed with another object that takes its place while it is read', async () => {
    stub.objects.set('vault/moved.backup', bytes);
    const { stream } = await openSource(placeOf('moved.backup'));
    const reading = (async () => {
      for await (const _ of stream) stub.objects.set('vault/moved.backup', randomBytes(bytes.length));
    })();
    await expect(reading).rejects.toMatchObject({ code: 'cannot_read' });
  });
});
