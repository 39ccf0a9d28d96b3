/** Wires the rooms into one running service and stops it in order. Started by the command line, imported by nothing else. */

import { statSync } from 'node:fs';
import { createServer as createProbe } from 'node:net';
import {
  checkSecret,
  createAccounts,
  openGate,
  readSecret,
  SecretError,
  sendTrialLetters,
  TIER_NAMES,
  type TierName,
  tidyUsage,
} from './accounts/index.ts';
import { createApi, createMetrics, createSecretScanning, type Metrics } from './api/index.ts';
import { type Billing, openBilling } from './billing/index.ts';
import { notePublicUrl } from './catalog/index.ts';
import { type Context, ensureDemo, Refusal, runPlace } from './commands/index.ts';
import type { Config, Role } from './config.ts';
import { posterRoutes } from './demo/index.ts';
import { createServer, describeListenFault, type PageLimits, type Server } from './http/index.ts';
import { createSourceJobs, listSources, rescore, runInProcess, type SourceJobs, unlistSilent } from './ingest/index.ts';
import { type Job, startTimers } from './jobs.ts';
import { logStrayOutput, printWarnings } from './log.ts';
import { composeLetter, type Mailer, openMailer } from './mail/index.ts';
import { type OpenedPages, openPages, type PagesFacts } from './pages.ts';
import type { PagesThreadFacts } from './pages-thread.ts';
import { cleanUp } from './retention/index.ts';
import { type BegunSearch, beginSearch, createChangeReader, type Search } from './search/index.ts';
import { noteAddress, urlOf } from './site-address.ts';
import { openStore, type Store } from './store/index.ts';
import { isLoopbackHost } from './values/index.ts';
import { type Build, buildPages, holdPages, mountPages, openPagesThread, type PagesHost } from './web/index.ts';

export interface ServeOptions {
  role: Role;
  /** Loads the demo city into an empty directory and prints keys to try. */
  demo?: boolean;
  /** Pages stand in a thread of their own, which has clocks of its own; `false`: in this one, on the clocks of the settings given. */
  pagesThread?: boolean;
  /** For tests that ask for more pages than people do. */
  pageLimits?: Partial<PageLimits>;
}

/**
 * Serves until SIGTERM or SIGINT, then drains and ends with exit code 0; a second signal ends at once. SIGTERM comes from whoever runs
 * services, and load balancers get time to notice; SIGINT comes from a terminal, where nobody likes to wait. Prints
 * `listening on http://HOST:PORT` when ready. Rejects with a `Refusal` or the store's error when the start is refused.
 */
export async function serve(context: Context, options: ServeOptions): Promise<void> {
  const ending = heedSignals();
  printWarnings();
  const output = logStrayOutput(context.log);
  process.on('uncaughtException', (err, origin) => {
    context.log.fatal({ err, origin }, 'the service ends: an error that nobody expected');
    process.exit(1);
  });
  const service = await startService({ ...context, print: output.print }, options).catch((error: unknown) => {
    ending.forget();
    output.release();
    throw error;
  });
  const signal = await ending.told;
  context.log.info('draining');
  if (signal === 'SIGTERM') await service.announceEnd();
  await service.close();
  context.log.info('stopped');
  process.exit(0);
}

export interface Service {
  /** Null for a worker. */
  url: string | null;
  store: Store;
  /** See `Server.announceEnd`. */
  announceEnd(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the rooms in order of dependence; what was opened is closed again when a later one refuses. */
export async function startService(
  context: Context,
  { role, demo = false, pagesThread = true, pageLimits = {} }: ServeOptions,
): Promise<Service> {
  const { config, log } = context;
  for (const name of config.unusedSettings) log.warn(`${name} is set, but this version does nothing with it`);
  const closers: (() => Promise<void> | void)[] = [];
  const close = async () => {
    const failures: unknown[] = [];
    // One that fails must not keep the others open, the store last of all.
    for (const closer of closers.splice(0).reverse()) await Promise.try(closer).catch((error) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
  try {
    const address = role === 'worker' ? null : await claimAddress(config);
    // First of all: a refused start leaves the database as it is.
    if (address) claimSecret(config, checkSecret);
    const publicUrl = config.publicUrl ?? address?.url ?? urlOf(config.host, config.port);
    const begun = address ? beginSearch({ dataDir: config.dataDir, publicUrl, nowSetting: config.nowSetting, log }) : null;
    if (begun) closers.push(begun.cancel);
    const store = await openStore({
      dataDir: config.dataDir,
      log,
      ...(config.databaseUrl !== null && { databaseUrl: config.databaseUrl }),
    });
    closers.push(store.close);
    warnOfWideModes(context);
    const mail = {
      smtpUrl: config.smtpUrl,
      from: config.mailFrom ?? senderAt(publicUrl),
      dataDir: config.dataDir,
      isReadable: !config.isProduction,
    };
    const mailer = openMailer({ ...mail, log });
    closers.push(mailer.close);
    const keys = demo ? await ensureDemo(context, store) : null;
    const billing = await openBilling({
      db: store.db,
      settings: config.stripe,
      publicUrl: () => publicUrl,
      log,
      clocks: config.clocks,
    });
    closers.push(billing.close);
    void billing.check().then((wrong) => {
      for (const sentence of wrong) log.error(`billing is not set up well: ${sentence}`);
    });
    const sources = role === 'api' ? null : openSourceJobs(context, store);
    if (sources) closers.push(...startJobs(context, { store, billing, sources, mailer, publicUrl }));
    const server =
      address && begun
        ? await openDoors(
            context,
            { store, begun, billing, sources, mailer, publicUrl, mail, pagesThread, pageLimits },
            address,
            closers,
          )
        : null;
    if (address) noteAddress(config.dataDir, publicUrl);
    if (address && keys) welcome(context, address.url, keys);
    context.print(address ? `listening on ${address.url}` : 'working');
    return { url: address?.url ?? null, store, announceEnd: async () => server?.announceEnd(), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What both the jobs and the doors work with. */
interface Common {
  store: Store;
  billing: Billing;
  mailer: Mailer;
  publicUrl: string;
}

interface Address {
  host: string;
  port: number;
  url: string;
}

/** Everything an API process has: the gate, the read model, the figures, the pages and the server. */
async function openDoors(
  context: Context,
  { store, begun, billing, sources, mailer, publicUrl, mail, pagesThread, pageLimits }: Doors,
  address: Address,
  closers: (() => Promise<void> | void)[],
): Promise<Server> {
  const { config, log } = context;
  // Made beside the rest of the start: the API does not wait for the pages.
  const build = buildPages({ onBegin: () => log.info('building the pages') });
  build.catch((err: unknown) => log.error({ err }, 'there are no pages'));
  const [gate, search] = await Promise.all([
    openGate({ db: store.db, lookout: store.createLookout(), clocks: config.clocks, log }).then((opened) => {
      closers.push(opened.close);
      return opened;
    }),
    begun.open(store.address),
  ]);
  closers.push(search.close);
  const metrics = createMetrics({ freshness: search.freshness, sources: () => listSources({ store }) });
  await openMetrics(config, metrics, context);
  closers.push(metrics.close);
  await notePublicUrl(store.db, publicUrl).catch((err: unknown) => log.warn({ err }, 'the public URL could not be noted'));
  const changes = createChangeReader({ db: store.db, lookout: store.createLookout(), publicUrl, now: config.clocks.directory });
  const api = createApi({ search, changes, gate, publicUrl: () => publicUrl, clocks: config.clocks, log, metrics });
  // Where no name is set and other machines may connect, they do so by an address.
  const acceptsAddresses = config.publicUrl === null && !isLoopbackHost(new URL(urlOf(config.host, 0)).hostname);
  const server = createServer({ api, log, ready: () => true, trustProxy: config.trustProxy, acceptsAddresses, pageLimits });
  server.mount(posterRoutes);
  if (billing.routes) server.mount(billing.routes);
  if (config.scannerKeys.length > 0) server.mount(secretScanning(context, { store, mailer, publicUrl }));
  const host: PagesHost = {
    gate,
    answerTimes: metrics.answerTimes,
    askApi: server.askApi,
    wake: () => void sources?.look().catch((err: unknown) => log.error({ err }, 'sources could not be looked at')),
  };
  const { dataDir } = config;
  const facts = {
    publicUrl,
    dataDir,
    secret: claimSecret(config, readSecret),
    mail,
    stripe: config.stripe,
    place: runPlace(config),
  };
  const { pages, close: closePages } = pagesThread
    ? openPagesBeside(context, { store, search, host, facts, build })
    : await openPages({ ...facts, build: await build }, { store, search, clocks: config.clocks, host, log });
  closers.push(closePages);
  const edition = () => search.current().edition;
  const heldPages = holdPages(pages, { edition, now: config.clocks.directory, publicUrl, log });
  closers.push(heldPages.close);
  server.mount(mountPages(heldPages, { build, refuse: server.refuse, limit: server.limitPage }));
  try {
    await server.listen(address);
  } catch (error) {
    throw refusedPort(error, config.host, address.port, 'PORT');
  }
  closers.push(server.drain);
  return server;
}

/** With `readSecret` or `checkSecret`; a file that is no secret refuses the start. */
function claimSecret<T>({ dataDir, secret }: Config, claim: (dataDir: string, setting: string | null) => T): T {
  try {
    return claim(dataDir, secret);
  } catch (error) {
    throw error instanceof SecretError ? new Refusal(error.message, { cause: error }) : error;
  }
}

/** The folder may be what an operator gave for other things, too: its mode is left to them. What Marquee puts there is private. */
function warnOfWideModes({ config: { dataDir }, log }: Context): void {
  const mode = statSync(dataDir, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & 0o077) === 0) return;
  log.warn({ dataDir, mode: (mode & 0o777).toString(8) }, 'other users may look into the data folder: chmod 700 keeps them out');
}

interface Doors extends Common {
  begun: BegunSearch;
  /** Null where this process does not work by the clock. */
  sources: SourceJobs | null;
  mail: PagesFacts['mail'];
  pagesThread: boolean;
  pageLimits: Partial<PageLimits>;
}

interface BesidePlace {
  store: Store;
  search: Search;
  host: PagesHost;
  facts: Omit<PagesFacts, 'build'>;
  build: Promise<Build>;
}

/** The pages in a thread of their own. */
function openPagesBeside({ config, log }: Context, { store, search, host, facts, build }: BesidePlace): OpenedPages {
  const threadFacts: Omit<PagesThreadFacts, 'build'> = {
    ...facts,
    store: store.address,
    nowSetting: config.nowSetting,
    logLevel: config.logLevel,
  };
  const pages = openPagesThread({ module: PAGES_THREAD, build, facts: threadFacts, host, relay: search.relay, log });
  return { pages, close: pages.close };
}

/** Who letters are from where no setting says it. */
const senderAt = (publicUrl: string): string => `Marquee <no-reply@${new URL(publicUrl).hostname}>`;

/** The default port may be taken by another service on this machine; one that was asked for may not. */
async function openMetrics(config: Config, metrics: Metrics, context: Context): Promise<void> {
  if (!config.metrics) return;
  const { port, fixed } = config.metrics;
  const listening = metrics.listen(port).catch((error: unknown) => {
    if (fixed) throw refusedPort(error, '127.0.0.1', port, 'MARQUEE_METRICS_PORT');
    return metrics.listen(0);
  });
  context.log.info({ port: await listening }, 'metrics on loopback');
}

/** A key that was found in public is revoked at once, and its owner told. */
function secretScanning({ config, log }: Context, { store, mailer, publicUrl }: Pick<Common, 'store' | 'mailer' | 'publicUrl'>) {
  const accounts = createAccounts({ db: store.db, now: config.clocks.directory });
  return createSecretScanning({
    publicKeys: config.scannerKeys,
    log,
    async report(token, found) {
      const { isOurs, owner } = await accounts.reportLeak(token, found);
      if (!owner) return { isOurs };
      const facts = { site: publicUrl, link: `${publicUrl}/dashboard/keys`, keyId: owner.keyId, found };
      // The key is dead already: a letter that cannot be sent must not look like a report that was not taken.
      await mailer
        .send({ to: owner.email, ...composeLetter('key_leaked', facts) })
        .catch((err: unknown) => log.error({ err, keyId: owner.keyId }, 'the owner of a leaked key could not be told'));
      return { isOurs };
    },
  });
}

function openSourceJobs({ config, log }: Context, store: Store): SourceJobs {
  const run = (name: string, signal: AbortSignal) => runInProcess({ ...runPlace(config), name }, { signal });
  return createSourceJobs({ store, run, now: config.clocks.directory, log });
}

/** What a worker does by the clock. */
function startJobs(
  { config, log }: Context,
  { store, billing, sources, mailer, publicUrl }: Common & { sources: SourceJobs },
): (() => Promise<void>)[] {
  const now = config.clocks.directory;
  const ending = new AbortController();
  const jobs: Record<string, Job> = {
    // Scores follow the calendar: nearness in time counts.
    rescore: { every: RESCORE_EVERY_MS, run: () => rescore({ store, now }) },
    'unlist silent events': { every: RESCORE_EVERY_MS, run: () => unlistSilent({ store, now }) },
    'end payments of closed accounts': { every: LOOK_FOR_PAYMENTS_EVERY_MS, run: billing.releaseClosed },
    'look after payments': { every: LOOK_FOR_PAYMENTS_EVERY_MS, run: billing.reconcile },
    'clean up': { every: CLEAN_UP_EVERY_MS, run: () => cleanUpNow({ config, log }, store, ending.signal) },
    'send letters about trials': {
      every: LOOK_FOR_TRIALS_EVERY_MS,
      atStart: true,
      run: () => sendTrialLetters({ db: store.db, mailer, publicUrl, now, log }),
    },
    'add up usage': { every: ADD_UP_EVERY_MS, run: () => tidyUsage({ db: store.db, now: config.clocks.limits }) },
    'run due sources': { every: LOOK_FOR_SOURCES_EVERY_MS, run: sources.look },
  };
  // Closed in reverse order: what can be ended early is told first.
  return [sources.close, ...startTimers(jobs, log), async () => ending.abort()];
}

/** A clock that was set ahead of time deletes nothing early. */
function cleanUpNow({ config, log }: Pick<Context, 'config' | 'log'>, { db }: Store, signal: AbortSignal) {
  const { dataDir, clocks } = config;
  const machine = Date.now();
  const moments = { machine, directory: Math.min(clocks.directory(), machine), limits: Math.min(clocks.limits(), machine) };
  return cleanUp({ db, dataDir, moments, log, signal });
}

/** The address to listen on, free at the time of asking; port 0 becomes a free one. Refuses before the slow part of a start. */
async function claimAddress({ host, port }: Config): Promise<Address> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const probe = createProbe();
  probe.once('error', (error) => reject(refusedPort(error, host, port, 'PORT')));
  probe.listen(port, host, () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === 'object' && address ? address.port : port));
  });
  const free = await promise;
  return { host, port: free, url: urlOf(host, free) };
}

function refusedPort(error: unknown, host: string, port: number, setting: string): Refusal {
  const { isOfHost, reason } = describeListenFault(error);
  return new Refusal(`Cannot listen on ${host}:${port} (${isOfHost ? 'HOST' : setting}): ${reason}.`, { cause: error });
}

/** `told` resolves at the first signal to end; a second one ends at once. `forget` leaves signals to what they do by themselves. */
function heedSignals(): { told: Promise<NodeJS.Signals>; forget(): void } {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  let isTold = false;
  const heed = (signal: NodeJS.Signals) => {
    if (isTold) process.exit(1);
    isTold = true;
    resolve(signal);
  };
  for (const signal of ENDING) process.on(signal, heed);
  return {
    told: promise,
    forget() {
      for (const signal of ENDING) process.off(signal, heed);
    },
  };
}

function welcome(context: Context, url: string, keys: Record<TierName, string>): void {
  const lines = [
    '',
    `  pages       ${url}`,
    `  base URL    ${url}/api/v1`,
    `  reference   ${url}/docs`,
    `  desk        ${url}/desk, for operators. To become one, type in another terminal:`,
    '              npm run marquee -- account create --email you@example.org --operator',
    ...TIER_NAMES.map((tier) => `  ${tier.padEnd(10)}  ${keys[tier]}`),
    '',
    `  curl -H 'X-API-Key: ${keys.growth}' '${url}/api/v1/events?category=concert&limit=3'`,
    '',
  ];
  for (const line of lines) context.print(line);
}

const PAGES_THREAD = new URL('./pages-thread.ts', import.meta.url);
const ENDING = ['SIGTERM', 'SIGINT'] as const;
const RESCORE_EVERY_MS = 3_600_000;
const CLEAN_UP_EVERY_MS = 3_600_000;
const ADD_UP_EVERY_MS = 600_000;
const LOOK_FOR_TRIALS_EVERY_MS = 300_000;
const LOOK_FOR_SOURCES_EVERY_MS = 15_000;
const LOOK_FOR_PAYMENTS_EVERY_MS = 60_000;
