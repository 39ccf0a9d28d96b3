/**
 * The queue of exports: who may run, what is made by the clock, and what is left of a process that died.
 * Both engines: workers take the same rows at once.
 */

import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OwnExports } from '../../src/exports/index.ts';
import { recordChanges } from '../../src/records/index.ts';
import { type Customer, EVERYTHING, type ExportRig, openExportRig, until } from '../support/rigs/exports.ts';
import type { Site } from '../support/rigs/site.ts';

let rig: ExportRig;
let site: Site;
let own: OwnExports;
let api: ExportRig['api'];
let exportsOf: ExportRig['exportsOf'];
let fetchLines: ExportRig['fetchLines'];
let foldersOf: ExportRig['foldersOf'];
let manifestOf: ExportRig['manifestOf'];
let ready: ExportRig['ready'];
let request: ExportRig['request'];
let touch: ExportRig['touch'];
let ada: Customer;
let bob: Customer;

beforeAll(async () => {
  rig = await openExportRig();
  ({ site, own, api, exportsOf, fetchLines, foldersOf, manifestOf, ready, request, touch } = rig);
  ada = await rig.createCustomer('ada@exports.example', 'enterprise');
  bob = await rig.createCustomer('bob@exports.example', 'enterprise');
});
afterAll(() => site.close());

describe('the end of an export', () => {
  it('comes after seven days: 410, and the files are deleted', async () => {
    const requestId = await request(ada);
    const { id } = await ready(ada, requestId);
    const link = await own.createLink(ada, requestId);
    const path = `/exports/${link.ok && link.token}/${id}/manifest.json`;
    expect((await site.ask(path)).status).toBe(200);
    site.pass(7 * 86_400_000);
    await touch();
    await until(async () => (await site.ask(path)).status === 410);
    expect((await api(`/exports/${id}`, ada.key)).status).toBe(410);
    await until(async () => !foldersOf(id).length);
  });

  it('comes when its owner removes it: at once for readers, soon for the files', async () => {
    const requestId = await request(ada);
    const { id } = await ready(ada, requestId);
    expect(foldersOf(id)).toHaveLength(1);
    const { manifestUrl } = (await api(`/exports/${id}`, ada.key)).body.data;
    await own.remove(ada, requestId);
    expect((await fetch(manifestUrl)).status).toBe(410);
    expect(await own.findRequest(ada.accountId, requestId)).toBeNull();
    await touch();
    await until(async () => !foldersOf(id).length);
  });
});

describe('a schedule', () => {
  it('makes increments by the hour that lead from one full export to the next', async () => {
    const requestId = await request(ada, { repeat: 'hourly' });
    const full = await manifestOf(ada, requestId);
    expect([full.previous, full.deleted]).toEqual([null, []]);
    const copy = new Map((await fetchLines(full, 'events')).map((event) => [event.id, event]));
    const [first, second] = [...copy.keys()];
    await site.store.db
      .updateTable('event')
      .set({ title: 'Renamed for the increment' })
      .where('id', '=', first ?? '')
      .execute();
    await site.store.db
      .updateTable('event')
      .set({ state: 'removed' })
      .where('id', '=', second ?? '')
      .execute();
    await tellChange([first, second]);
    site.pass(3_600_000);
    await touch();
    const increment = await manifestOf(ada, requestId, 2);
    expect(increment.previous).toEqual({ id: full.id, epoch: full.epoch, sequence: full.sequence });
    expect(increment.deleted).toEqual([second]);
    const changed = await fetchLines(increment, 'events');
    expect(changed.map(({ id, title }) => [id, title])).toEqual([[first, 'Renamed for the increment']]);
    await own.remove(ada, requestId);
  });

  it('makes a full export every day', async () => {
    const requestId = await request(ada, { repeat: 'daily', format: 'csv' });
    await ready(ada, requestId);
    site.pass(86_400_000);
    await touch();
    const { isFull } = await ready(ada, requestId, 2);
    expect(isFull).toBe(true);
    // As if the clock had been ahead by mistake.
    await sql`update export_request set next_at = next_at + interval '1 year' where id = ${requestId}`.execute(site.store.db);
    await touch();
    await ready(ada, requestId, 3);
    await own.remove(ada, requestId);
  });
});

describe('the queue', () => {
  it('has at most two of one account at work, and does all of twenty', async () => {
    const requests = await Promise.all(Array.from({ length: 20 }, () => request(bob)));
    // On a busy machine the first of them may be ready by now, and make room.
    let created = await own.create(bob, EVERYTHING);
    for (; created.ok; created = await own.create(bob, EVERYTHING)) requests.push(created.requestId);
    expect(created).toMatchObject({ reason: 'too_many_waiting' });
    await until(async () => {
      const { exports } = await own.list(bob.accountId, { limit: 100, offset: 0 });
      expect(exports.filter(({ state }) => state === 'running').length).toBeLessThanOrEqual(2);
      return exports.filter(({ state }) => state === 'ready').length === requests.length;
    });
    for (const id of requests) await own.remove(bob, id);
  });

  it('forgets an export that is cancelled before it is written', async () => {
    const requests = await Promise.all(Array.from({ length: 8 }, () => request(bob)));
    const [last] = await exportsOf(bob, requests.at(-1) ?? '');
    const cancelled = await own.cancel(bob, last?.id ?? '');
    // It may have been ready already.
    if (cancelled.ok) expect((await exportsOf(bob, requests.at(-1) ?? ''))[0]?.state).toBe('cancelled');
    for (const id of requests) await own.remove(bob, id);
    expect(await own.cancel(bob, last?.id ?? '')).toMatchObject({ reason: 'unknown_export' });
  });

  it('takes up the export of a process that died, and removes its half files', async () => {
    const requestId = randomUUID();
    const id = randomUUID();
    const begun = join(site.dataDir, 'exports', 'begun', `${id}-1`);
    mkdirSync(begun, { recursive: true });
    writeFileSync(join(begun, 'events-00001.ndjson'), 'half a li');
    const at = new Date(site.now());
    const of = { account_id: bob.accountId };
    await site.store.db
      .insertInto('export_request')
      .values({ id: requestId, ...of, format: 'ndjson', repeat: 'once', created_at: at })
      .execute();
    await site.store.db
      .insertInto('export')
      .values({
        id,
        request_id: requestId,
        ...of,
        state: 'running',
        queued_at: at,
        claim: randomUUID(),
        lease_until: new Date(0),
        attempts: 1,
      })
      .execute();
    const taken = await ready(bob, requestId);
    expect(taken.id).toBe(id);
    await touch();
    await until(async () => !existsSync(begun));
  });
});

async function tellChange(ids: readonly (string | undefined)[]): Promise<void> {
  await site.store.db.transaction().execute((trx) =>
    recordChanges(
      trx,
      ids.map((id) => ({ kind: 'updated', entity: 'event', entityId: id ?? '' })),
      site.now(),
    ),
  );
}
