/** Exports whose storage goes away. One engine is enough: test/exports/cancel.test.ts tries the queue on both. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openS3Stub, type S3Stub } from '../support/fakes/s3.ts';
import { type Customer, type ExportRig, openExportRig, until } from '../support/rigs/exports.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let stub: S3Stub;
let rig: ExportRig;
let ada: Customer;
beforeAll(async () => {
  stub = await openS3Stub();
  rig = await openExportRig({
    settings: {
      EXPORT_URL: `s3://exports/port-alder?region=eu-central-1&endpoint=${stub.endpoint}`,
      AWS_ACCESS_KEY_ID: stub.accessKeyId,
      AWS_SECRET_ACCESS_KEY: stub.secretAccessKey,
    },
  });
  ada = await rig.createCustomer('ada@exports.example', 'enterprise');
});
afterAll(async () => {
  await rig?.site.close();
  await stub?.close();
});
afterEach(() => stub.fail(0));

/** As the API tells it, when it waits for its try after so many. */
async function waiting(of: ExportRig, owner: Customer, requestId: string, tries: number) {
  return until(async () => {
    const [found] = await of.exportsOf(owner, requestId);
    if (!found || found.state === 'failed') throw new Error(found?.error ?? 'no export');
    const { body } = await of.api(`/exports/${found.id}`, owner.key);
    const row = await of.site.store.db.selectFrom('export').selectAll().where('id', '=', found.id).executeTakeFirst();
    return body.data.waitingFor !== null && row?.storage_tries === tries && { ...body.data, claim: row.claim };
  });
}

/** The clock runs on while an export is written. */
const minutesUntil = (moment: string) => Math.ceil((Date.parse(moment) - rig.site.now()) / MINUTE_MS);

async function pass(of: ExportRig, ms: number) {
  of.site.pass(ms);
  await of.touch();
}

describe('an export whose storage does not answer', () => {
  it.each([503, 403])('(%i) waits, tells when it is tried again, and is ready after the storage is back', async (status) => {
    stub.fail(Number.POSITIVE_INFINITY, status);
    const requestId = await rig.request(ada);
    const first = await waiting(rig, ada, requestId, 1);
    expect(minutesUntil(first.retryAt)).toBe(1);
    expect(first).toMatchObject({ state: 'queued', waitingFor: 'storage', error: null, claim: null });
    await pass(rig, MINUTE_MS);
    const second = await waiting(rig, ada, requestId, 2);
    expect(minutesUntil(second.retryAt)).toBe(2);
    stub.fail(0);
    await pass(rig, 2 * MINUTE_MS);
    const ready = await rig.ready(ada, requestId);
    expect((await rig.api(`/exports/${ready.id}`, ada.key)).body.data).toMatchObject({ waitingFor: null, retryAt: null });
    expect([...stub.objects.keys()].filter((key) => key.includes(ready.id)).every((key) => key.includes('-3/'))).toBe(true);
    expect(rig.site.logged().filter((line) => line.includes(ready.id) && line.includes('trying again later'))).toHaveLength(2);
  });

  it('is tried more than three times, every 15 minutes at last, and fails after a day with the reason', async () => {
    stub.fail(Number.POSITIVE_INFINITY);
    const requestId = await rig.request(ada);
    for (const [tries, minutes] of [1, 2, 4, 8, 15, 15].entries()) {
      const found = await waiting(rig, ada, requestId, tries + 1);
      expect(minutesUntil(found.retryAt), `try ${tries + 1}`).toBe(minutes);
      await pass(rig, minutes * MINUTE_MS);
    }
    await waiting(rig, ada, requestId, 7);
    await pass(rig, DAY_MS);
    const failed = await until(async () => (await rig.exportsOf(ada, requestId)).find(({ state }) => state === 'failed'));
    expect(failed).toMatchObject({ error: 'The file storage did not answer for 24 hours.', retryAt: null });
  });

  it('is tried for no longer than a day, although the clock was far ahead when the storage went away', async () => {
    stub.fail(Number.POSITIVE_INFINITY);
    const requestId = await rig.request(ada);
    const { id } = await waiting(rig, ada, requestId, 1);
    const ahead = new Date(rig.site.now() + 300 * DAY_MS);
    await rig.site.store.db
      .updateTable('export')
      .set({ storage_away_since: ahead, retry_at: ahead })
      .where('id', '=', id)
      .execute();
    await rig.touch();
    await waiting(rig, ada, requestId, 2);
    await pass(rig, DAY_MS);
    const [failed] = await until(async () => {
      const all = await rig.exportsOf(ada, requestId);
      return all[0]?.state === 'failed' && all;
    });
    expect(failed?.error).toBe('The file storage did not answer for 24 hours.');
  });

  it('can be canceled while it waits, and is not tried again', async () => {
    stub.fail(Number.POSITIVE_INFINITY);
    const requestId = await rig.request(ada);
    const { id } = await waiting(rig, ada, requestId, 1);
    expect(await rig.own.cancel(ada, id)).toEqual({ ok: true });
    stub.fail(0);
    await pass(rig, MINUTE_MS);
    await rig.ready(ada, await rig.request(ada));
    const { data } = (await rig.api(`/exports/${id}`, ada.key)).body;
    expect(data).toMatchObject({ state: 'cancelled', waitingFor: null, retryAt: null });
  });

  it('waits also for a local folder', async () => {
    const local = await openExportRig();
    try {
      const bob = await local.createCustomer('bob@exports.example', 'enterprise');
      const folder = join(local.site.dataDir, 'exports', 'ready');
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(dirname(folder), { recursive: true });
      writeFileSync(folder, 'no folder');
      const requestId = await local.request(bob);
      await waiting(local, bob, requestId, 1);
      rmSync(folder);
      await pass(local, MINUTE_MS);
      await local.ready(bob, requestId);
    } finally {
      await local.site.close();
    }
  });
});
