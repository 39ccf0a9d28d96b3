/** Wires the rooms into one running service and stops it in order. Started by the command line, imported by nothing else. */

import { randomInt } from 'node:crypto';
import { statSync } from 'node:fs';
import { createServer as createProbe } from 'node:net';
import { checkSecret, readSecret, TIER_NAMES, type TierName } from './accounts/index.ts';
import { openBilling } from './billing/index.ts';
import { type Context, ensureDemo, runPlace } from './commands/index.ts';
import type { Config, Role } from './config.ts';
import type { PageLimits } from './http/index.ts';
import { createSourceJobs, runInProcess, type SourceJobs } from './ingest/index.ts';
import { startJobs } from './jobs.ts';
import { logStrayOutput, printWarnings } from './log.ts';
import { openMailer } from './mail/index.ts';
import { type Address, claimSecret, openApi, refusedPort } from './open-api.ts';
import { openExportRunner } from './open-exports.ts';
import { openSending } from './open-webhooks.ts';
import { beginSearch } from './search/index.ts';
import { noteAddress, urlOf } from './site-address.ts';
import { openStore, type Store } from './store/index.ts';

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
    const openSearch = begun && once(() => begun.open(store.address));
    if (sources) {
      const secret = claimSecret(config, readSecret);
      const exports = openExportRunner(context, { store, publicUrl, secret }, openSearch);
      const stopJobs = startJobs({ context, store, billing, sources, exports, mailer, publicUrl });
      const webhooks = await openSending(context, { store, mailer, publicUrl, secret }, openSearch);
      closers.push(sources.close, exports.close, webhooks.close, stopJobs);
    }
    const server =
      address && openSearch
        ? await openApi(
            context,
            { store, openSearch, billing, sources, mailer, publicUrl, mail, pagesThread, pageLimits },
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

/** The folder may be what an operator gave for other things, too: its mode is left to them. What Marquee puts there is private. */
function warnOfWideModes({ config: { dataDir }, log }: Context): void {
  const mode = statSync(dataDir, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & 0o077) === 0) return;
  log.warn({ dataDir, mode: (mode & 0o777).toString(8) }, 'other users may look into the data folder: chmod 700 keeps them out');
}

/** The read model is opened by whoever needs it first. */
function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opening: Promise<T> | undefined;
  return () => {
    opening ??= open();
    return opening;
  };
}

/** Who e-mails are from where no setting says it. */
const senderAt = (publicUrl: string): string => `Marquee <no-reply@${new URL(publicUrl).hostname}>`;

function openSourceJobs({ config, log }: Context, store: Store): SourceJobs {
  const run = (name: string, signal: AbortSignal) => runInProcess({ ...runPlace(config), name }, { signal });
  return createSourceJobs({ store, run, now: config.clocks.directory, log });
}

/** The address to listen on, free at the time of asking; port 0 becomes a free one. Refuses before the slow part of a start. */
async function claimAddress({ host, port }: Config): Promise<Address> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const probe = createProbe();
  // Any port will do for 0, but not one that the system may give to an outgoing connection meanwhile.
  const wanted = () => port || randomInt(...FREE_PORTS);
  let triesLeft = port === 0 ? 20 : 0;
  probe.on('error', (error) => {
    if (triesLeft === 0) return reject(refusedPort(error, host, port, 'PORT'));
    triesLeft -= 1;
    probe.listen(wanted(), host);
  });
  probe.listen(wanted(), host, () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === 'object' && address ? address.port : port));
  });
  const free = await promise;
  return { host, port: free, url: urlOf(host, free) };
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

/** Below the ports of outgoing connections (RFC 6335 §6; Linux gives those from 32768 on). */
const FREE_PORTS = [20_000, 32_768] as const;
const ENDING = ['SIGTERM', 'SIGINT'] as const;
