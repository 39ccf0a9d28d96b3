/**
 * kill -9 of the service and of a worker at random points while changes flow to ten receivers: every change arrives, none is
 * invented, ordered endpoints see no message after a later one, and hardly any message is taken twice.
 */

import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { createAttempts, readSecret } from '../../src/accounts/index.ts';
import { createFeeds } from '../../src/feeds/index.ts';
import { importBundle } from '../../src/ingest/index.ts';
import { openOutbound } from '../../src/outbound/index.ts';
import { listHead } from '../../src/store/index.ts';
import { createEndpoints, createSeal, WEBHOOK_LIMITS } from '../../src/webhooks/index.ts';
import { eventLine, venueLine } from '../support/records/bundle.ts';
import type { Context } from './context.ts';
import { BOTH, EMBEDDED, type Experiment, openVerdict } from './experiment.ts';
import { openWebhookReceivers, type WebhookReceiver } from './webhook-receivers.ts';

interface Progress {
  /** Changes written so far. */
  written: number;
  /** The writer waits here: those who kill have not come so far. */
  upTo: number;
}

export const webhooks: Experiment = {
  name: 'webhooks',
  engines: BOTH,
  shortEngines: EMBEDDED,
  async run(context) {
    const size = context.short ? SHORT : LONG;
    const progress: Progress = { written: 0, upTo: 0 };
    const isDown = () =>
      Math.floor((progress.written / size.changes) * size.deaths * 4) % 4 === 1 && progress.written < size.changes;
    const receivers = await openWebhookReceivers(isDown);
    context.onClose(() => Promise.all(receivers.map(({ receiver }) => receiver.close())));
    const env = {
      MARQUEE_PUBLIC_URL: PUBLIC_URL,
      MARQUEE_ALLOWED_HOSTS: receivers.map(({ receiver }) => receiver.host).join(),
    };
    const roles = { service: { words: ['serve'], env }, worker: { words: ['serve', '--role', 'worker'], env } } as const;
    const running = { service: await context.start(roles.service), worker: await context.start(roles.worker) };
    await insist(() => importBundle({ store: context.connect(), bundle: { venues: [venueLine('cellar')] } }));
    await addEndpoints(context, receivers);
    const after = await insist(() => listHead(context.connect().db, 'change'));

    const writing = keepWriting(context, size, progress);
    for (const point of pointsOf(size)) {
      progress.upTo = point + size.slack;
      while (progress.written < point) await pause(5);
      const victims = VICTIMS[randomInt(VICTIMS.length)] ?? [];
      await Promise.all(victims.map((role) => running[role].kill()));
      const again = await Promise.all(victims.map(async (role) => [role, await context.start(roles[role])] as const));
      Object.assign(running, Object.fromEntries(again));
    }
    progress.upTo = size.changes;
    await writing;
    const expected = await waitForAll(context, receivers, after);
    return judge(size, receivers, expected);
  },
};

/** Moments of the flow at which something is killed. */
function pointsOf({ kills, changes }: Size): number[] {
  return Array.from({ length: kills }, () => randomInt(Math.ceil(changes / 20), changes - 1)).sort((a, b) => a - b);
}

async function addEndpoints(context: Context, receivers: readonly WebhookReceiver[]): Promise<void> {
  const { db } = context.connect();
  const email = 'webhooks@marquee.example';
  const account = await context.accounts().createAccount({ email, tier: 'enterprise' });
  const key = await context.accounts().createKey({ email });
  if (!account.ok || !key.ok) throw new Error('no account');
  const owner = { accountId: account.id, actor: { id: account.id, name: email } };
  const clocks = { directory: Date.now, limits: Date.now };
  const outbound = openOutbound({ allowedHosts: receivers.map(({ receiver }) => receiver.host), limits: WEBHOOK_LIMITS });
  const seal = createSeal(readSecret(context.folder, null));
  const endpoints = createEndpoints({ db, clocks, seal, outbound, attempts: createAttempts(Date.now), publicUrl: PUBLIC_URL });
  const feed = await createFeeds({ db, now: Date.now }).create(owner, { name: 'Concerts', query: 'category=concert' as never });
  if (!feed.ok) throw new Error(feed.detail);
  for (const { receiver, input, hasFeed } of receivers) {
    const created = await endpoints.create(owner, {
      url: receiver.url,
      description: '',
      eventTypes: EVENT_TYPES,
      payload: 'full',
      order: 'parallel',
      publicKey: false,
      feedId: hasFeed ? feed.feed.id : null,
      ...input,
    });
    const proven = created.ok ? await endpoints.prove(owner, created.id) : created;
    if (!proven.ok) throw new Error(proven.detail);
  }
  await outbound.close();
}

/** New titles for the same events, again and again. */
async function keepWriting(context: Context, size: Size, progress: Progress): Promise<void> {
  for (let turn = 0; progress.written < size.changes; turn += 1) {
    while (progress.written >= progress.upTo) await pause(5);
    const events = Array.from({ length: size.batch }, (_, index) => {
      const number = (turn * size.batch + index) % size.records;
      return eventLine(`hook-${number}`, { title: `Turn ${turn} of ${number}`, startDatetime: '2030-06-20T20:00' });
    });
    // What is under way at a kill is written again.
    const report = await insist(() =>
      importBundle({ store: context.connect(), bundle: { venues: [venueLine('cellar')], events } }),
    );
    progress.written += report.events.created + report.events.updated;
    await pause(size.pauseMs);
  }
}

/** Until every change has arrived, or nothing comes any more. Gives the changes. */
async function waitForAll(context: Context, receivers: readonly WebhookReceiver[], after: number): Promise<Set<number>> {
  const { db } = context.connect();
  const { rows } = await sql<{ seq: string }>`
    select seq from change where entity = 'event' and seq > ${after} and kind in ('created', 'updated')`.execute(db);
  const expected = new Set(rows.map(({ seq }) => Number(seq)));
  const lacking = () => receivers.reduce((sum, { sequences }) => sum + missingOf(sequences, expected), 0);
  let least = lacking();
  for (let patience = 0; least > 0 && patience < PATIENCE; patience += 1) {
    // Each fifth second stands for the hours of the schedule: what waits for another attempt is due.
    if (patience % 5 === 4) await insist(() => makeDue(context));
    await pause(1_000);
    const now = lacking();
    if (now < least) patience = Math.min(patience, 3);
    least = now;
  }
  return expected;
}

async function makeDue(context: Context): Promise<void> {
  const { db } = context.connect();
  await sql`update webhook_delivery set due_at = now() where state = 'pending' and due_at > now()`.execute(db);
  await sql`update webhook_endpoint set open_until = null, work_at = now() where pending > 0`.execute(db);
}

const missingOf = (sequences: ReadonlySet<number>, expected: ReadonlySet<number>): number =>
  [...expected].filter((seq) => !sequences.has(seq)).length;

function judge(size: Size, receivers: readonly WebhookReceiver[], expected: ReadonlySet<number>) {
  const verdict = openVerdict();
  let [messages, doubles, brokenOff] = [0, 0, 0];
  verdict.require(expected.size >= size.changes, `only ${expected.size} changes were written`);
  for (const { name, sequences, taken, input, outOfOrder, ...got } of receivers) {
    const missing = missingOf(sequences, expected);
    verdict.require(missing === 0, `${name}: ${missing} changes did not arrive`);
    const invented = [...sequences].filter((seq) => !expected.has(seq)).length;
    verdict.require(invented === 0, `${name}: ${invented} changes are not in the log`);
    const isOrdered = input.order === 'fifo';
    verdict.require(!isOrdered || outOfOrder === 0, `${name}: ${outOfOrder} messages came after a later one`);
    messages += taken.size;
    brokenOff += got.brokenOff;
    for (const times of taken.values()) doubles += times - 1;
  }
  const share = (100 * doubles) / messages;
  // A few kills prove little about a share: the short form says no only to what no luck explains.
  const most = size === SHORT ? size.kills * LUCK : (messages * MAX_DOUBLES_PERCENT) / 100;
  verdict.require(doubles <= most, `${doubles} of ${messages} messages were taken twice`);
  return {
    figures: `${size.kills} kills, ${expected.size} changes, ${receivers.length} receivers: ${messages} messages, none lost or invented unless said; ${doubles} taken twice (${share.toFixed(3)} %), ${brokenOff} requests broken off by a kill`,
    failures: verdict.failures,
  };
}

/** While no process has the database, a question fails, and so may one that is in the way of a sender. */
async function insist<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch {
      await pause(50);
    }
  }
}

interface Size {
  kills: number;
  changes: number;
  /** Events that change: so many that two changes of one are seldom within two seconds, and each is a message of its own. */
  records: number;
  /** Changes of one transaction. */
  batch: number;
  /** Between two transactions. */
  pauseMs: number;
  /** How often some of the receivers die. */
  deaths: number;
  /** How many changes the writer may be ahead of those who kill. */
  slack: number;
}

const SHORT: Size = { kills: 2, changes: 120, records: 20, batch: 10, pauseMs: 100, deaths: 1, slack: 100 };
const LONG: Size = { kills: 200, changes: 50_000, records: 1_000, batch: 20, pauseMs: 350, deaths: 4, slack: 400 };
const VICTIMS = [['service'], ['worker'], ['service', 'worker']] as const;
const EVENT_TYPES = ['event.created', 'event.updated'];
const PUBLIC_URL = 'https://marquee.example';
const MAX_DOUBLES_PERCENT = 0.1;
const LUCK = 8;
/** Seconds without any progress. */
const PATIENCE = 60;
