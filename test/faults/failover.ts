/**
 * The PostgreSQL primary is killed and its synchronous standby promoted, again and again, while keys are made and requests answered: no
 * acknowledged key is lost, and known keys get their answers meanwhile. The killed server comes back as the standby of the new primary.
 */

import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { createAccounts } from '../../src/accounts/index.ts';
import { generateKey } from '../../src/accounts/keys/key-format.ts';
import { type Connection, connectStore } from '../../src/store/index.ts';
import { type Cluster, type Standby, startCluster, startStandby } from '../support/database/postgres.ts';
import { eventually } from '../support/processes/child-process.ts';
import { type Context, loadDemo } from './context.ts';
import { type Experiment, openVerdict, POSTGRES } from './experiment.ts';
import { formatStatuses, startGoodClient } from './good-client.ts';

export const failover: Experiment = {
  name: 'failover',
  engines: POSTGRES,
  shortEngines: POSTGRES,
  async run(context) {
    const verdict = openVerdict();
    const kills = context.short ? 2 : 50;
    const pair = await openPair(context);
    const service = await context.start({ env: { DATABASE_URL: pair.url } });
    const writers = openWriters(pair.url);
    context.onClose(writers.close);
    const client = await startGoodClient({ url: service.url, key: await writers.makeKnownKey(), rate: RATE });
    const reconnects: number[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      const target = writers.acknowledged.length + WRITES_BETWEEN_KILLS;
      await eventually(() => writers.acknowledged.length >= target);
      await pair.failOver();
      reconnects.push(await secondsUntilRead(service.url));
      await pair.rejoin();
    }
    const target = writers.acknowledged.length + WRITES_BETWEEN_KILLS;
    await eventually(() => writers.acknowledged.length >= target);
    const { statuses } = await client.stop();
    await writers.stop();
    const lost = await writers.countLost();
    verdict.require(lost === 0, `${lost} of ${writers.acknowledged.length} acknowledged keys are lost`);
    verdict.require(Object.keys(statuses).join() === '200', `a known key was answered ${formatStatuses(statuses)}`);
    const slowest = Math.max(...reconnects);
    verdict.require(slowest <= MAX_SECONDS, `the new primary was read after ${slowest.toFixed(1)} s, wanted ${MAX_SECONDS} s`);
    return {
      figures: `${kills} kills of the primary; of ${writers.acknowledged.length} acknowledged keys ${lost} lost; known keys: ${formatStatuses(statuses)}; the new primary was read ${slowest.toFixed(1)} s after its promotion at most`,
      failures: verdict.failures,
    };
  },
};

/** Two servers at two addresses that stay: one is the primary, the other its synchronous standby. */
async function openPair(context: Context) {
  let primary: Cluster = await startCluster();
  let standby: Standby | null = null;
  /** The port of the server that was killed last. */
  let freed = 0;
  context.onClose(async () => {
    await standby?.dispose();
    await primary.dispose();
  });
  await loadDemo(primary.url, context.folder);
  // The copy takes it over: whichever server is the primary waits for the other one.
  await onServer(primary, "alter system set synchronous_standby_names = '*'");
  standby = await startStandby(primary);
  await onServer(primary, 'select pg_reload_conf()');
  await waitForSync(primary);
  const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join();
  return {
    url: `postgresql://marquee@${hosts}/postgres?target_session_attrs=read-write`,
    async failOver() {
      if (!standby) throw new Error('no standby');
      const killed = primary;
      await killed.kill();
      await standby.promote();
      primary = standby;
      standby = null;
      await killed.dispose();
      freed = killed.port;
    },
    /** The server that was killed follows the new primary. Until then no commit is acknowledged. */
    async rejoin() {
      standby = await startStandby(primary, freed);
      await waitForSync(primary);
    },
  };
}

const waitForSync = (primary: Cluster) =>
  eventually(async () => (await onServer(primary, "select from pg_stat_replication where sync_state = 'sync'")) === 1);

/** Gives the number of rows. */
async function onServer({ url }: Cluster, statement: string): Promise<number> {
  const { db, close } = connectStore({ kind: 'postgres', databaseUrl: url }, 1);
  return sql
    .raw(statement)
    .execute(db)
    .then(({ rows }) => rows.length)
    .finally(close);
}

/** Makes keys without end, and knows which of them were acknowledged. */
function openWriters(databaseUrl: string) {
  const connection: Connection = connectStore({ kind: 'postgres', databaseUrl });
  const { db } = connection;
  const accounts = createAccounts({ db });
  const acknowledged: string[] = [];
  let isOver = false;
  const write = async (writer: number) => {
    for (let turn = 0; !isOver; turn += 1) {
      // What is under way at the kill is not acknowledged; that is all.
      const made = await accounts.createKey({ email: EMAIL, name: `key ${writer}-${turn}` }).catch(() => null);
      if (made?.ok) acknowledged.push(made.id);
      else await pause(50);
    }
  };
  let writing: Promise<unknown> = Promise.resolve();
  return {
    acknowledged,
    /** Of an account of its own: what was changed a moment before a kill cannot be believed until it can be read. */
    async makeKnownKey(): Promise<string> {
      await accounts.createAccount({ email: EMAIL, tier: 'enterprise' });
      const account = await accounts.createAccount({ email: KNOWN_EMAIL, tier: 'enterprise' });
      const made = account.ok ? await accounts.createKey({ email: KNOWN_EMAIL }) : account;
      if (!made.ok) throw new Error(made.detail);
      writing = Promise.all([0, 1].map(write));
      return made.key;
    },
    async stop() {
      isOver = true;
      await writing;
    },
    async countLost(): Promise<number> {
      const kept = await db.selectFrom('api_key').select('id').where(sql<boolean>`id = any(${acknowledged})`).execute();
      return acknowledged.length - kept.length;
    },
    async close() {
      isOver = true;
      await connection.close();
    },
  };
}

/** Until the service can tell that a key does not exist, for which it must read the database. */
async function secondsUntilRead(url: string): Promise<number> {
  const begun = performance.now();
  const isRead = async () => {
    const answer = await fetch(`${url}/api/v1/events?limit=1`, { headers: { 'x-api-key': generateKey().key } });
    await answer.arrayBuffer();
    return answer.status === 401;
  };
  await eventually(isRead);
  return (performance.now() - begun) / 1_000;
}

const EMAIL = 'failover@marquee.example';
const KNOWN_EMAIL = 'known@marquee.example';
/** A second: within the limit of the tier. */
const RATE = 15;
const WRITES_BETWEEN_KILLS = 20;
const MAX_SECONDS = 5;
