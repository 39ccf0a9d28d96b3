/** kill -9 at random moments while keys are made, bundles imported and requests counted: what was acknowledged is there afterwards. */

import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { importBundle } from '../../src/ingest/index.ts';
import { eventLine, venueLine } from '../support/records/bundle.ts';
import type { Context, MadeKey, Service } from './context.ts';
import { BOTH, type Experiment, openVerdict } from './experiment.ts';
import { startGoodClient } from './good-client.ts';

interface Acknowledged {
  keys: string[];
  titles: string[];
  /** Requests answered with 200 longer than the grace before a kill. */
  requests: number;
}

export const killStorm: Experiment = {
  name: 'kill storm',
  engines: BOTH,
  shortEngines: BOTH,
  async run(context) {
    const verdict = openVerdict();
    const kills = context.short ? 2 : 40;
    const done: Acknowledged = { keys: [], titles: [], requests: 0 };
    let service = await context.start();
    const [counted] = await context.makeKeys(1);
    if (!counted) throw new Error('no key');
    let slowestStart = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      const { ended } = await workUntilKilled(context, service, counted, done, kill);
      const begun = performance.now();
      service = await context.start();
      slowestStart = Math.max(slowestStart, (performance.now() - begun) / 1_000);
      await ended;
    }
    const lost = await countLost(context, counted, done);
    verdict.require(lost.keys === 0, `${lost.keys} of ${done.keys.length} acknowledged keys are lost`);
    verdict.require(lost.titles === 0, `${lost.titles} of ${done.titles.length} acknowledged events are lost`);
    verdict.require(lost.requests <= 0, `${lost.requests} of ${done.requests} counted requests are lost`);
    verdict.require(
      done.keys.length > 0 && done.titles.length > 0 && done.requests > 0,
      'too little was acknowledged to tell anything',
    );
    const figures = `${kills} kills, all starts succeed (slowest ${slowestStart.toFixed(1)} s); of ${done.keys.length} keys, ${done.titles.length} events and ${done.requests} counted requests ${lost.keys}, ${lost.titles} and ${Math.max(0, lost.requests)} lost`;
    return { figures, failures: verdict.failures };
  },
};

async function workUntilKilled(
  context: Context,
  service: Service,
  counted: MadeKey,
  done: Acknowledged,
  round: number,
): Promise<{ ended: Promise<unknown> }> {
  const email = `storm-${round}@marquee.example`;
  let killed = false;
  const accounts = context.accounts();
  await accounts.createAccount({ email, tier: 'starter' });
  const untilKilled = async (work: (turn: number) => Promise<void>) => {
    // What is under way at the kill is not acknowledged; that is all.
    for (let turn = 0; !killed; turn += 1) await work(turn).catch(() => pause(20));
  };
  const client = await startGoodClient({ url: service.url, key: counted.key, rate: RATE });
  const work = [
    untilKilled(async (turn) => {
      const made = await accounts.createKey({ email, name: `key ${turn}` });
      if (made.ok && !killed) done.keys.push(made.id);
    }),
    untilKilled(async (turn) => {
      const titles = Array.from({ length: EVENTS }, (_, index) => `Storm ${round}-${turn}-${index}`);
      const report = await importBundle({
        store: context.connect(),
        bundle: { venues: [venueLine('cellar')], events: titles.map((title) => eventLine(title, { title })) },
      });
      if (report.events.created !== titles.length) throw new Error(`not imported: ${JSON.stringify(report).slice(0, 500)}`);
      if (!killed) done.titles.push(...titles);
    }),
  ];
  await pause(MIN_WORK_MS + randomInt(MAX_WORK_MS - MIN_WORK_MS));
  const at = Date.now();
  killed = true;
  await service.kill();
  const { answeredAt } = await client.stop();
  done.requests += answeredAt.filter((moment) => moment < at - USAGE_GRACE_MS).length;
  // With the embedded engine they wait for the next process that runs it.
  return { ended: Promise.all(work) };
}

async function countLost(context: Context, counted: MadeKey, done: Acknowledged) {
  const { db } = context.connect();
  const keys = await db.selectFrom('api_key').select('id').where(sql<boolean>`id = any(${done.keys})`).execute();
  const titles = await db.selectFrom('event').select('title').where(sql<boolean>`title = any(${done.titles})`).execute();
  const usage = await db
    .selectFrom('usage_day')
    .select(({ fn }) => fn.sum('requests').as('requests'))
    .where('subscription_id', '=', counted.subscriptionId)
    .executeTakeFirst();
  return {
    keys: done.keys.length - keys.length,
    titles: done.titles.length - new Set(titles.map(({ title }) => title)).size,
    requests: done.requests - Number(usage?.requests ?? 0),
  };
}

const RATE = 10;
const EVENTS = 10;
const MIN_WORK_MS = 1_600;
const MAX_WORK_MS = 3_000;
/** Counters are written every second; the documents promise no more. */
const USAGE_GRACE_MS = 1_250;
