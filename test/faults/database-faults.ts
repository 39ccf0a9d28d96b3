/** PostgreSQL stops, hangs, takes no writes, is locked or is killed: no answer is a 500, and all is well soon after. */

import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { connectStore } from '../../src/store/index.ts';
import { marquee } from '../support/rigs/service.ts';
import type { Cluster } from './cluster.ts';
import type { Context, Service } from './context.ts';
import { type Experiment, openVerdict, POSTGRES } from './experiment.ts';

interface Probe {
  name: string;
  path: string;
  init?: RequestInit;
  /** Must be so even while the database is away. */
  always?: number;
}

interface Fault {
  name: string;
  /** Gives the end of the fault. */
  begin(cluster: Cluster, context: Context): Promise<() => unknown>;
}

export const databaseFaults: Experiment = {
  name: 'database faults',
  engines: POSTGRES,
  shortEngines: POSTGRES,
  async run(context) {
    const { cluster } = context;
    if (!cluster) throw new Error('no cluster');
    const verdict = openVerdict();
    const service = await context.start();
    const person = await signIn(context, service);
    const known = (await context.makeKeys(1))[0]?.key ?? '';
    const fresh = (await context.makeKeys(FAULTS.length * MAX_ROUNDS)).map(({ key }) => key);
    const healthy = async () => probes({ person, known, fresh: fresh[0] ?? '' }).slice(0, 8);
    for (const probe of await healthy()) await ask(service, probe);
    let answers = 0;
    let slowestRecovery = 0;
    for (const fault of FAULTS) {
      const end = await fault.begin(cluster, context);
      for (let round = 0; round < (context.short ? 1 : MAX_ROUNDS); round += 1) {
        const asked = probes({ person, known, fresh: fresh.pop() ?? '' });
        const answered = await Promise.all(asked.map(async (probe) => ({ probe, ...(await ask(service, probe)) })));
        answers += answered.length;
        for (const { probe, status, seconds } of answered) {
          const where = `${probe.name} while the database ${fault.name}`;
          verdict.require(status !== 0, `no answer to ${where} within ${PATIENCE_MS / 1_000} s`);
          verdict.require(status < 500 || status === 503, `${status} for ${where}`);
          verdict.require(
            probe.always === undefined || status === probe.always,
            `${status} for ${where}, wanted ${probe.always}`,
          );
          verdict.require(status === 0 || seconds < MAX_SECONDS, `${seconds.toFixed(1)} s until an answer to ${where}`);
        }
      }
      await end();
      const seconds = await secondsUntilWell(service, probes({ person, known, fresh: known }));
      slowestRecovery = Math.max(slowestRecovery, seconds);
      verdict.require(seconds < MAX_RECOVERY_SECONDS, `not well ${MAX_RECOVERY_SECONDS} s after the database ${fault.name}`);
    }
    verdict.require(!service.printed().includes('"a request failed"'), 'the log has requests that failed');
    return {
      figures: `${FAULTS.length} faults, ${answers} answers; slowest recovery ${slowestRecovery.toFixed(1)} s`,
      failures: verdict.failures,
    };
  },
};

const FAULTS: readonly Fault[] = [
  {
    name: 'is stopped',
    async begin(cluster) {
      await cluster.stop();
      return () => cluster.start();
    },
  },
  {
    name: 'is frozen',
    async begin(cluster) {
      cluster.freeze();
      return () => cluster.thaw();
    },
  },
  {
    name: 'takes no writes',
    async begin(cluster) {
      await cluster.setReadOnly(true);
      // The sessions read the setting between two statements.
      await pause(300);
      return () => cluster.setReadOnly(false);
    },
  },
  {
    name: 'is locked',
    async begin(_cluster, { databaseUrl }) {
      const holder = connectStore({ kind: 'postgres', databaseUrl: databaseUrl ?? '' }, 1);
      const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const holding = holder.db.transaction().execute(async (trx) => {
        await sql`lock table account, session, api_key, subscription, usage_day in access exclusive mode`.execute(trx);
        locked.resolve();
        await released.promise;
      });
      await Promise.race([locked.promise, holding]);
      return async () => {
        released.resolve();
        await holding;
        await holder.close();
      };
    },
  },
  {
    name: 'is killed',
    async begin(cluster) {
      await cluster.kill();
      return () => cluster.start();
    },
  },
];

function probes({ person, known, fresh }: { person: string; known: string; fresh: string }): Probe[] {
  const api = (path: string, key: string) => ({ path: `/api/v1${path}`, init: { headers: { 'x-api-key': key } } });
  const page = (path: string, cookie = '') => ({ name: `GET ${path}`, path, init: { headers: { accept: 'text/html', cookie } } });
  const form = (path: string, fields: Record<string, string>, cookie = '') => ({
    name: `POST ${path}`,
    path,
    init: {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { accept: 'text/html', cookie, 'sec-fetch-site': 'same-origin' },
    },
  });
  const stranger = { email: 'nobody@marquee.example', password: 'a long enough password' };
  return [
    { name: 'a known key', ...api('/events?limit=1', known), always: 200 },
    { name: 'the usage of a known key', ...api('/usage', known) },
    { name: 'a key not seen before', ...api('/events?limit=1', fresh) },
    { name: 'health', path: '/healthz', always: 200 },
    { name: 'readiness', path: '/readyz' },
    ...['/', '/events', '/developers', '/pricing', '/playground', '/docs', '/sign-in', '/sign-up', '/forgot'].map((path) =>
      page(path),
    ),
    ...['/dashboard', '/dashboard/keys', '/dashboard/usage', '/dashboard/plans', '/desk', '/desk/events'].map((path) =>
      page(path, person),
    ),
    form('/sign-in', stranger),
    form('/sign-up', stranger),
    form('/forgot', { email: stranger.email }),
    form('/playground?endpoint=listEvents', { endpoint: 'listEvents', key: known, limit: '1' }),
    form('/dashboard/keys', { intent: 'create', token: crypto.randomUUID(), name: 'mine', plan: 'free' }, person),
  ];
}

async function ask({ url }: Service, { path, init }: Probe): Promise<{ status: number; seconds: number }> {
  const begun = performance.now();
  const answer = await fetch(url + path, { ...init, redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) })
    .then(async (got) => {
      await got.arrayBuffer();
      return got.status;
    })
    .catch(() => 0);
  return { status: answer, seconds: (performance.now() - begun) / 1_000 };
}

async function secondsUntilWell(service: Service, all: readonly Probe[]): Promise<number> {
  const begun = performance.now();
  const elapsed = () => (performance.now() - begun) / 1_000;
  for (;;) {
    const answered = await Promise.all(all.map((probe) => ask(service, probe)));
    const well = answered.every(({ status }) => status !== 0 && status < 500);
    if (well || elapsed() > GIVE_UP_SECONDS) return elapsed();
    await pause(100);
  }
}

/** An operator, signed in as for the first time; gives a `Cookie` header. */
async function signIn({ folder, databaseUrl }: Context, service: Service): Promise<string> {
  const email = 'operator@marquee.example';
  const place = { MARQUEE_DATA_DIR: folder, DATABASE_URL: databaseUrl ?? '' };
  const { stdout } = await marquee(
    ['account', 'create', '--email', email, '--operator', '--tier', 'enterprise', '--json'],
    place,
  );
  const token = new URL((JSON.parse(stdout) as { signInUrl: string }).signInUrl).searchParams.get('token') ?? '';
  const password = 'correct horse battery staple';
  const post = (path: string, fields: Record<string, string>) =>
    fetch(service.url + path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
      headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin' },
    });
  await post('/reset', { token, password });
  const cookies = (await post('/sign-in', { email, password })).headers.getSetCookie();
  if (cookies.length === 0) throw new Error('nobody was signed in');
  return cookies.map((line) => line.split(';')[0]).join('; ');
}

const MAX_ROUNDS = 5;
const PATIENCE_MS = 30_000;
const MAX_SECONDS = 20;
const MAX_RECOVERY_SECONDS = 15;
const GIVE_UP_SECONDS = 30;
