/** Opens every room once, in order of dependence, and closes them in the reverse order. */

import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checkSecret, checkStoredSecret, readSecret, type TierName } from '../accounts/index.ts';
import { type Billing, openBilling } from '../billing/index.ts';
import { watchTimeline } from '../catalog/index.ts';
import type { Role } from '../config.ts';
import type { Context } from '../context.ts';
import {
  applyDecisionsInProcess,
  createDecisionJob,
  createSourceJobs,
  runInProcess,
  type SourceJobs,
  traceRun,
} from '../ingest/index.ts';
import type { Log } from '../log.ts';
import { openMailer, senderOfEmails } from '../mail/index.ts';
import { runPlace } from '../run-place.ts';
import { beginSearch } from '../search/index.ts';
import { type ClaimedAddress, claimAddress, type ListenAddress, type PageLimits, startJobs } from '../server/index.ts';
import { noteAddress, writeUrl } from '../site-address.ts';
import { openStore, removeLeftCopies, type Store, watchDamage } from '../store/index.ts';
import { noteQuery, openTelemetry, type Tracing } from '../telemetry/index.ts';
import { baseUrl } from '../values/base-url.ts';
import { limitHeapGrowth } from '../values/heap-growth.ts';
import { isLoopbackHost } from '../values/loopback.ts';
import { WELCOME_FILE, welcomeUrl, wordOutcome } from '../web/index.ts';
import { openApi } from './open-api.ts';
import { openExportRunner } from './open-exports.ts';
import { openFigures } from './open-figures.ts';
import { openSending } from './open-webhooks.ts';
import { printWelcome, type Welcome } from './welcome.ts';

export interface ServeOptions {
  role: Role;
  /** Loads the demo city into an empty directory; gives keys to try, one for each tier. */
  prepareDemo?: (store: Store) => Promise<Record<TierName, string>>;
  /** How commands are typed here, for what is printed with the keys. */
  command?: string;
  /** Pages stand in a thread of their own, which has clocks of its own; `false`: in this one, on the clocks of the settings given. */
  pagesThread?: boolean;
  /** So long pages of this thread wait for a silent database: for tests on a machine that is busy. */
  pagesPatienceMs?: number;
  /** For tests that ask for more pages than people do. */
  pageLimits?: Partial<PageLimits>;
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
  { role, prepareDemo, command, pagesThread = true, pagesPatienceMs, pageLimits = {} }: ServeOptions,
): Promise<Service> {
  const { config, log } = context;
  const closers: Closer[] = [];
  try {
    if (role === 'worker') limitHeapGrowth();
    // First of all: a refused start leaves the database as it is.
    const address = role === 'worker' ? null : await claimCheckedAddress(context, closers);
    const publicUrl = config.publicUrl ?? address?.url ?? baseUrl(config.host, config.port);
    const begun = address ? beginSearch({ dataDir: config.dataDir, publicUrl, nowSetting: config.nowSetting, log }) : null;
    if (begun) closers.push(begun.cancel);
    const telemetry = await openTelemetry(config.telemetry, log);
    closers.push(telemetry.close);
    const { tracing } = telemetry;
    const store = await openTracedStore(context, tracing);
    closers.push(store.close);
    const isReplica = config.databaseUrl !== null;
    await checkStoredSecret({ db: store.db, dataDir: config.dataDir, setting: config.secret, isReplica, log });
    closers.push(await watchServer(store, log));
    closers.push(watchDamage({ store, log }));
    warnOfWideModes(context);
    await clearLeftCopies(context);
    const mail = mailSettings(context, publicUrl);
    const mailer = openMailer({ ...mail, log });
    closers.push(mailer.close);
    const keys = prepareDemo ? await prepareDemo(store) : null;
    // An API process has more of them, and opens its own.
    if (role === 'worker') await openFigures(context, { store, telemetry }, closers);
    const billing = await openCheckedBilling(context, store, publicUrl);
    closers.push(billing.close);
    const sources = role === 'api' ? null : openSourceJobs(context, store, tracing);
    const openSearch = begun && once(() => begun.open(store.address));
    if (sources) {
      const secret = readSecret(config.dataDir, config.secret);
      const exports = openExportRunner(context, { store, publicUrl, secret }, openSearch);
      closers.push(sources.close, exports.close);
      closers.push((await openSending(context, { store, mailer, publicUrl, secret, tracing }, openSearch)).close);
      const applyDecisions = createDecisionJob({
        store,
        apply: (signal) => applyDecisionsInProcess(runPlace(config), { signal }),
      });
      const parts = { context, store, billing, sources, applyDecisions, exports, mailer, wordOutcome, publicUrl, secret };
      closers.push(startJobs(parts, tracing));
    }
    const server =
      address && openSearch
        ? await openApi(
            context,
            {
              store,
              openSearch,
              billing,
              sources,
              mailer,
              publicUrl,
              mail,
              pagesThread,
              pagesPatienceMs,
              pageLimits,
              telemetry,
            },
            address,
            closers,
          )
        : null;
    printStart(context, { address, publicUrl, isReadable: mail.isReadable, keys, command });
    const announceEnd = async () => server?.announceEnd();
    return { url: address?.url ?? null, store, announceEnd, close: () => closeAll(closers) };
  } catch (error) {
    // Why the start was refused is told, and not what could not be closed because of it.
    await closeAll(closers).catch(() => undefined);
    throw error;
  }
}

const openTracedStore = ({ config: { dataDir, databaseUrl }, log }: Context, tracing: Tracing | null): Promise<Store> =>
  openStore({
    dataDir,
    log,
    onDamage: (reason) => log.error({ reason }, 'the database is damaged; marquee doctor --deep lists all damage'),
    ...(databaseUrl !== null && { databaseUrl }),
    ...(tracing && { onQuery: noteQuery }),
  });

/** Before the first backup, which needs their room. */
async function clearLeftCopies({ config: { dataDir }, log }: Context): Promise<void> {
  await removeLeftCopies(dataDir).catch(({ message: reason }: Error) =>
    log.warn(
      { dataDir, reason },
      'cannot remove what a killed backup or restore left; remove database.copy and database.restore',
    ),
  );
}

/** Before anything follows the change log. */
async function watchServer({ kind, db }: Store, log: Log): Promise<Closer> {
  return kind === 'postgres' ? (await watchTimeline({ db, log })).close : () => {};
}

async function claimCheckedAddress({ config }: Context, closers: Closer[]): Promise<ClaimedAddress> {
  const address = await claimAddress(config);
  closers.push(address.release);
  checkSecret(config.dataDir, config.secret);
  return address;
}

interface Start {
  address: ListenAddress | null;
  publicUrl: string;
  /** Whether pages show e-mails to whoever opened the link of the welcome. */
  isReadable: boolean;
  keys: Welcome['keys'] | null;
  command: string | undefined;
}

function printStart(context: Context, { address, publicUrl, isReadable, keys, command = 'marquee' }: Start): void {
  const { config, print, printsToTerminal } = context;
  if (!address) {
    print('working');
    return;
  }
  noteAddress(config.dataDir, publicUrl);
  const link = isReadable ? welcomeUrl(publicUrl, readSecret(config.dataDir, config.secret)) : null;
  keepWelcomeLink(context, link, keys !== null && printsToTerminal);
  if (keys) printWelcome(print, { url: address.url, link: printsToTerminal ? link : null, keys, command });
  print(`listening on ${address.url}`);
}

/** In a file whoever owns the service finds it; it is printed on a terminal alone, because other outputs are kept. Null: there is none. */
function keepWelcomeLink({ config: { dataDir }, log }: Context, link: string | null, isPrinted: boolean): void {
  const file = join(dataDir, WELCOME_FILE);
  if (link === null) {
    rmSync(file, { force: true });
    return;
  }
  writeUrl(file, link);
  if (!isPrinted) log.info({ file }, 'no mail server is set: to read e-mails, open the link in this file');
}

type Closer = () => Promise<void> | void;

/** The room that was opened last is closed first. */
async function closeAll(closers: Closer[]): Promise<void> {
  const failures: unknown[] = [];
  // One that fails must not keep the others open, the store last of all.
  for (const closer of closers.splice(0).reverse()) await Promise.try(closer).catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

function mailSettings({ config }: Context, publicUrl: string) {
  const { smtpUrl, mailFrom, dataDir, isProduction } = config;
  // Links of e-mails lead to the public URL. If that is another machine's, no developer's browser is meant.
  const isReadable = smtpUrl === null && !isProduction && isLoopbackHost(new URL(publicUrl).hostname);
  return { smtpUrl, from: mailFrom ?? senderOfEmails(publicUrl), dataDir, isReadable };
}

/** What is set up wrongly is in the log. */
async function openCheckedBilling({ config, log }: Context, store: Store, publicUrl: string): Promise<Billing> {
  const { stripe, clocks } = config;
  const billing = await openBilling({ db: store.db, settings: stripe, publicUrl: () => publicUrl, log, clocks });
  void billing.check().then((wrong) => {
    for (const sentence of wrong) log.error(`billing is not set up correctly: ${sentence}`);
  });
  return billing;
}

/** The folder may be what an operator gave for other things, too: its mode is left to them. What Marquee puts there is private. */
function warnOfWideModes({ config: { dataDir }, log }: Context): void {
  const mode = statSync(dataDir, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & 0o077) === 0) return;
  log.warn({ dataDir, mode: (mode & 0o777).toString(8) }, 'other users can read the data folder; run chmod 700 to prevent this');
}

/** The read model is opened by whoever needs it first. */
function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opening: Promise<T> | undefined;
  return () => {
    opening ??= open();
    return opening;
  };
}

function openSourceJobs({ config, log }: Context, store: Store, tracing: Tracing | null): SourceJobs {
  const run = (name: string, signal: AbortSignal) =>
    traceRun(tracing, name, (onStep) => runInProcess({ ...runPlace(config), name }, { signal, ...(onStep && { onStep }) }));
  return createSourceJobs({ store, run, now: config.clocks.directory, log });
}
