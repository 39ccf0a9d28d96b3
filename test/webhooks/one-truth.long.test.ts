/**
 * A thousand random saved queries: webhooks tell of the records that `/events` holds with the same query, no more and no fewer.
 * One engine is enough: the queries are answered by the read model, in memory.
 */

import { Writable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApi } from '../../src/api/index.ts';
import { createLog } from '../../src/log.ts';
import { readSavedQuery } from '../../src/query/index.ts';
import { CATEGORIES, EVENT_STATUSES } from '../../src/records/index.ts';
import { EVENT_SORTS, type Snapshot } from '../../src/search/index.ts';
import { createServer } from '../../src/server/index.ts';
import { createRandom, NOW, PUBLIC_URL, type Random, randomEvent } from '../search/random-directory.ts';
import { createFakeChanges } from '../support/fakes/changes.ts';
import { createFakeExports } from '../support/fakes/exports.ts';
import { createFakeFeeds } from '../support/fakes/feeds.ts';
import { createFakeGate, FAKE_KEYS } from '../support/fakes/gate.ts';
import { openWebhookRig, type WebhookRig } from '../support/rigs/webhooks.ts';

let rig: WebhookRig;
beforeAll(async () => {
  rig = await openWebhookRig();
});
afterAll(() => rig.close());

let snapshot: Snapshot;
const log = createLog('silent', new Writable({ write: (_chunk, _encoding, done) => done() }));
const api = createApi({
  search: { current: () => snapshot },
  changes: createFakeChanges(),
  feeds: createFakeFeeds(),
  exports: createFakeExports(),
  gate: createFakeGate(),
  publicUrl: () => PUBLIC_URL,
  clocks: { directory: () => NOW, limits: () => NOW },
  log,
});
const server = createServer({ api, log, ready: () => true });
afterAll(() => server.drain());

it('a thousand random saved queries match the records of /events, before and after a batch of changes', async () => {
  const random = createRandom(20);
  const queries = Array.from({ length: QUERIES }, () => randomSavedQuery(random));
  const endpoints = await addEndpoints(queries);
  await putRandomEvents(random);
  await rig.renewSnapshot();
  const webhooks = await rig.work();
  await webhooks.catchUp();
  const before = await listAll(queries);
  const [{ position } = { position: '0' }] = await rig.opened.store.db
    .selectFrom('webhook_follower')
    .select('position')
    .where('lane', '=', 'matched')
    .execute();
  expect(Number(position)).toBe(snapshot.seq);
  await rig.opened.store.db.deleteFrom('webhook_delivery').execute();

  // Later than changes of one record are waited for.
  rig.pass(5_000);
  const changed = await putRandomEvents(random);
  await rig.renewSnapshot();
  await webhooks.catchUp();
  const after = await listAll(queries);
  const told = await readTold();
  let moved = 0;
  for (const [index, query] of queries.entries()) {
    const [was, is] = [before[index] ?? new Set<string>(), after[index] ?? new Set<string>()];
    const of = (type: string) => [...(told.get(`${endpoints[index]} ${type}`) ?? [])].sort();
    expect(of('feed.matched'), query).toEqual([...is.difference(was)].sort());
    expect(of('feed.unmatched'), query).toEqual([...was.difference(is)].sort());
    const records = RECORD_TYPES.flatMap(of).sort();
    if (index < WITH_RECORDS) expect(records, query).toEqual([...is].filter((id) => changed.has(id)).sort());
    moved += is.symmetricDifference(was).size;
  }
  expect(moved).toBeGreaterThan(5_000);
});

/** Nothing leaves: they are left alone until long after the test. The first ask for the records, too. Gives their ids. */
async function addEndpoints(queries: readonly string[]): Promise<string[]> {
  const owner = await rig.customer();
  const receiver = await rig.receiver();
  const model = await rig.add(owner, receiver, { feedId: await rig.feed(owner, 'category=concert') });
  const { db } = rig.opened.store;
  const ids = queries.map(() => crypto.randomUUID());
  const feeds = queries.map(() => crypto.randomUUID());
  await sql`
    insert into feed (id, account_id, name, query, created_at, updated_at)
    select id, ${owner.accountId}, 'a query', query, now(), now()
    from unnest(${feeds}::uuid[], ${[...queries]}::text[]) as feed (id, query)`.execute(db);
  const columns = sql.raw(
    'account_id, description, url, payload, delivery_order, secret, state, state_at, challenge, lane, since_seq, created_at, updated_at',
  );
  await sql`
    insert into webhook_endpoint (id, feed_id, event_types, open_until, ${columns})
    select made.id, made.feed_id,
      case when made.number <= ${WITH_RECORDS} then '{event.created,event.updated,event.cancelled,event.rescheduled,feed.matched,feed.unmatched}'::text[] else '{feed.matched,feed.unmatched}' end,
      '9999-01-01', ${columns}
    from webhook_endpoint, unnest(${ids}::uuid[], ${feeds}::uuid[]) with ordinality as made (id, feed_id, number)
    where webhook_endpoint.id = ${model.id}`.execute(db);
  await rig.endpoints.pause(owner, model.id);
  return ids;
}

/** All events become others, all with the same kind of change. Gives those that are published. */
async function putRandomEvents(random: Random): Promise<Set<string>> {
  const rows = rig.rows.events.map((_, number) => {
    const {
      id: _id,
      slug: _slug,
      state: _state,
      mergedInto: _into,
      ...fields
    } = randomEvent(random, number, rig.rows.venues, 40);
    return rig.event(number, fields);
  });
  await rig.put(...rows);
  return new Set(rows.map(({ id }) => id));
}

/** What `/events` holds with each query, now. */
async function listAll(queries: readonly string[]): Promise<Set<string>[]> {
  snapshot = rig.snapshot();
  const lists: Set<string>[] = [];
  for (const query of queries) {
    const parameters = new URLSearchParams(query);
    // Without dates webhooks are of all time, and lists of what is to come.
    if (!parameters.has('start_date') && !parameters.has('when')) parameters.set('start_date', '2026-03-01');
    const answer = await server.app.inject({
      url: `/api/v1/events?${parameters}&limit=100`,
      headers: { 'x-api-key': FAKE_KEYS.enterprise },
    });
    expect(answer.statusCode, query).toBe(200);
    lists.push(new Set(answer.json().data.map(({ id }: { id: string }) => id)));
  }
  return lists;
}

/** Ids of records by endpoint and type. */
async function readTold(): Promise<Map<string, Set<string>>> {
  const { rows } = await sql<{ endpoint: string; type: string; record: string }>`
    select d.endpoint_id as endpoint, m.type, m.entity_id as record
    from webhook_delivery d join webhook_message m on m.id = d.message_id`.execute(rig.opened.store.db);
  const told = new Map<string, Set<string>>();
  for (const { endpoint, type, record } of rows) {
    const key = `${endpoint} ${type}`;
    told.set(key, (told.get(key) ?? new Set()).add(record));
  }
  return told;
}

/** As the dashboard would save it. */
function randomSavedQuery(random: Random): string {
  const values: Record<string, () => string> = {
    q: () => random.one(['jazz', '"rock concert"', 'cafe', 'opera', '音楽']),
    category: () => random.some(CATEGORIES.slice(0, 4)).join(),
    neighborhood: () => `n${random.below(4)}`,
    start_date: () => random.one(['2026-03-07', '2026-03-08T01:00', '2026-03-01']),
    end_date: () => random.one(['2026-03-09', '2026-03-10']),
    free: () => random.one(['true', '1']),
    price_max: () => random.one(['0', '12.5', '100']),
    tags: () => random.one(['live', 'late,opera', 'concert']),
    updated_since: () => random.one(['2026-03-08', '2026-03-01']),
    status: () => random.one(['any', random.one(EVENT_STATUSES)]),
    ongoing: () => '1',
    bbox: () => random.one(['-180,-90,180,90', '170,-10,-170,10', '-75,40,-73,41']),
    sort: () => random.one(EVENT_SORTS.filter((sort) => sort !== 'distance' && sort !== 'relevance')),
  };
  for (;;) {
    const chosen = Object.entries(values).filter(() => random.chance(0.15));
    const text = new URLSearchParams(chosen.map(([name, value]) => [name, value()])).toString();
    const reading = readSavedQuery(text, { timezone: snapshotZone(), now: NOW });
    if (reading.ok) return reading.query;
  }
}

const snapshotZone = () => rig.snapshot().city.timezone;

const QUERIES = 1_000;
const WITH_RECORDS = 100;
const RECORD_TYPES = ['event.created', 'event.updated', 'event.cancelled', 'event.rescheduled'];
