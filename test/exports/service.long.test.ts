/** Exports through the front door: asked for, written by a whole service, read through the API. */

import { randomUUID } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OwnExports } from '../../src/exports/index.ts';
import { createFeeds } from '../../src/feeds/index.ts';
import { readSavedQuery } from '../../src/query/index.ts';
import { type Customer, EVERYTHING, type ExportRig, openExportRig, until } from '../support/rigs/exports.ts';
import type { Site } from '../support/rigs/site.ts';

let rig: ExportRig;
let site: Site;
let own: OwnExports;
let api: ExportRig['api'];
let exportsOf: ExportRig['exportsOf'];
let fetchLines: ExportRig['fetchLines'];
let manifestOf: ExportRig['manifestOf'];
let ready: ExportRig['ready'];
let request: ExportRig['request'];
let touch: ExportRig['touch'];
let ada: Customer;
let bob: Customer;
let eve: Customer;

beforeAll(async () => {
  rig = await openExportRig();
  ({ site, own, api, exportsOf, fetchLines, manifestOf, ready, request, touch } = rig);
  ada = await rig.createCustomer('ada@exports.example', 'enterprise');
  bob = await rig.createCustomer('bob@exports.example', 'enterprise');
  eve = await rig.createCustomer('eve@exports.example', 'growth');
});
afterAll(() => site.close());

describe('an export of everything', () => {
  it('is written by the service and found through the API, with files that need no key', async () => {
    const manifest = await manifestOf(ada, await request(ada));
    const events = await fetchLines(manifest, 'events');
    // Nobody else on the machine reads them.
    const kept = join(site.dataDir, 'exports');
    for (const path of ['', ...readdirSync(kept, { recursive: true, encoding: 'utf8' })]) {
      const found = statSync(join(kept, path));
      expect(found.mode & 0o777, path).toBe(found.isDirectory() ? 0o700 : 0o600);
    }
    const venues = await fetchLines(manifest, 'venues');
    const { count } = await site.store.db
      .selectFrom('event')
      .select((select) => select.fn.countAll().as('count'))
      .where('state', 'in', ['published', 'unlisted'])
      .executeTakeFirstOrThrow();
    expect(events).toHaveLength(Number(count));
    const { data } = (await api(`/events/${events[3].id}`, ada.key)).body;
    expect(events[3]).toEqual(data);
    expect(venues[2]).toEqual((await api(`/venues/${venues[2].id}`, ada.key)).body.data);
    const { body } = await api('/changes?limit=1', ada.key);
    expect([manifest.epoch, manifest.sequence]).toEqual([body.meta.epoch, body.meta.head]);
  });

  it('is where a copy begins again when its cursor is of another history', async () => {
    const manifest = await manifestOf(ada, await request(ada));
    const { body } = await api('/changes?after=0b6f1c4e-6f0a-4b57-9a55-0a7b8f1d2c3e.3', ada.key);
    expect([body.code, body.fullExport]).toEqual(['resync', `${site.url}/api/v1/exports/${manifest.id}`]);
    const { data } = (await api(new URL(body.fullExport).pathname.replace('/api/v1', ''), ada.key)).body;
    expect(data.manifest.sequence).toBe(manifest.sequence);
    const next = await api(`/changes?after=${manifest.epoch}.${manifest.sequence}`, ada.key);
    expect([next.status, next.body.meta.epoch]).toEqual([200, manifest.epoch]);
    const other = await api('/changes?after=0b6f1c4e-6f0a-4b57-9a55-0a7b8f1d2c3e.3', bob.key);
    expect([other.body.code, other.body.fullExport]).toEqual(['resync', undefined]);
  });

  it('is listed with state, rows and bytes, page by page', async () => {
    await ready(ada, await request(ada, { format: 'csv' }));
    const { body, headers } = await api('/exports?limit=1', ada.key);
    expect(body.meta).toMatchObject({ limit: 1, offset: 0, hasMore: true });
    expect(headers.get('link')).toContain('offset=1');
    expect(body.data[0]).toMatchObject({ state: 'ready', format: 'csv', repeat: 'once', isFull: true, error: null });
    expect(body.data[0].rows).toBeGreaterThan(100);
    expect((await fetch(body.data[0].manifestUrl)).status).toBe(200);
  });
});

describe('an export of a saved query', () => {
  it('has the events that GET /events lists for it', async () => {
    const query = readSavedQuery('category=concert&sort=start', { timezone: 'America/Chicago', now: site.now() });
    if (!query.ok) throw new Error('no query');
    const feeds = createFeeds({ db: site.store.db, now: site.now });
    const created = await feeds.create(ada, { name: 'Concerts', query: query.query });
    if (!created.ok) throw new Error(created.detail);
    const manifest = await manifestOf(ada, await request(ada, { feedId: created.feed.id }));
    expect(manifest.query).toBe('category=concert&sort=start');
    const listed: string[] = [];
    for (let offset = 0; ; offset += 100) {
      const { body } = await api(`/events?category=concert&sort=start&limit=100&offset=${offset}`, ada.key);
      listed.push(...body.data.map(({ id }: { id: string }) => id));
      if (!body.meta.hasMore) break;
    }
    expect((await fetchLines(manifest, 'events')).map(({ id }) => id)).toEqual(listed);
    expect(await own.create(bob, { ...EVERYTHING, feedId: created.feed.id })).toMatchObject({ reason: 'unknown_feed' });
    const failing = await request(ada, { feedId: created.feed.id, repeat: 'hourly' });
    await ready(ada, failing);
    await feeds.remove(ada, created.feed.id);
    site.pass(3_600_000);
    await touch();
    const failed = await until(async () => (await exportsOf(ada, failing)).find(({ state }) => state === 'failed'));
    expect(failed.error).toBe('The saved query was removed.');
    await own.remove(ada, failing);
  });

  it('is empty when the days of the query are over, and says what is gone', async () => {
    const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Chicago' }).format(site.now());
    const query = readSavedQuery(`end_date=${day}`, { timezone: 'America/Chicago', now: site.now() });
    if (!query.ok) throw new Error('no query');
    const created = await createFeeds({ db: site.store.db, now: site.now }).create(ada, { name: 'Soon', query: query.query });
    if (!created.ok) throw new Error(created.detail);
    const requestId = await request(ada, { feedId: created.feed.id, repeat: 'hourly' });
    const full = await manifestOf(ada, requestId);
    const ids = (await fetchLines(full, 'events')).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    // Increments follow for a day.
    site.pass(23 * 3_600_000);
    await touch();
    const over = await manifestOf(ada, requestId, 2);
    expect([over.previous?.id, over.rows]).toEqual([full.id, 0]);
    expect(over.deleted).toEqual(expect.arrayContaining(ids));
    await own.remove(ada, requestId);
  });
});

describe('who may', () => {
  it('is the account alone: to others an export does not exist', async () => {
    const requestId = await request(ada, { format: 'parquet' });
    const { id } = await ready(ada, requestId);
    expect((await api(`/exports/${id}`, bob.key)).status).toBe(404);
    expect((await api(`/exports/${randomUUID()}`, ada.key)).status).toBe(404);
    expect((await api('/exports/nonsense', ada.key)).status).toBe(400);
    expect((await api('/exports', bob.key)).body.data).toEqual([]);
    for (const refused of [
      await own.cancel(bob, id),
      await own.remove(bob, requestId),
      await own.createLink(bob, requestId),
      await own.revokeLink(bob, requestId),
    ])
      expect(refused).toMatchObject({ ok: false, reason: 'unknown_export' });
  });

  it('is an Enterprise account: others get 403, and nothing is queued', async () => {
    for (const path of ['/exports', `/exports/${randomUUID()}`]) {
      const { status, body } = await api(path, eve.key);
      expect({ status, ...body }).toMatchObject({ status: 403, code: 'tier_required', requiredTier: 'enterprise' });
    }
    expect(await own.create(eve, EVERYTHING)).toMatchObject({ reason: 'tier_required' });
  });

  it('ends with the plan: links and signed addresses answer 403, and waiting exports fail', async () => {
    const cat = await rig.createCustomer('cat@exports.example', 'enterprise');
    const requestId = await request(cat);
    const manifest = await manifestOf(cat, requestId);
    const link = await own.createLink(cat, requestId);
    const subscription = site.store.db.updateTable('subscription').where('account_id', '=', cat.accountId);
    await subscription.set({ tier: 'growth' }).execute();
    const url = manifest.files[0]?.url ?? '';
    expect((await fetch(url)).status).toBe(403);
    expect((await site.ask(`/exports/${link.ok && link.token}/${manifest.id}/manifest.json`)).status).toBe(403);
    await subscription.set({ tier: 'enterprise' }).execute();
    expect((await fetch(url)).status).toBe(200);
  });
});

describe('the key of manifests', () => {
  it('is public', async () => {
    const answer = await site.ask('/.well-known/marquee-export-key');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ algorithm: 'ed25519', keyId: expect.stringMatching(/^[0-9a-f]{16}$/) });
  });
});
