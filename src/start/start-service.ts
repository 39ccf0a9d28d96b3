/** Opens every room once, in order of dependence, and closes them in the reverse order. */

import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checkSecret, checkStoredSecret, readSecret, TIER_NAMES, type TierName } from '../accounts/index.ts';
import { type Billing, openBilling } from '../billing/index.ts';
import type { Config, Role } from '../config.ts';
import type { Context } from '../context.ts';
import { createSourceJobs, runInProcess, type SourceJobs, traceRun } from '../ingest/index.ts';
import type { Log } from '../log.ts';
import { openMailer, senderOfEmails } from '../mail/index.ts';
import { watchTimeline } from '../records/index.ts';
import { runPlace } from '../run-place.ts';
import { beginSearch } from '../search/index.ts';
import { type ClaimedAddress, claimAddress } from '../server/index.ts';
import type { Services } from '../services.ts';
import { noteAddress, writeUrl } from '../site-address.ts';
import { openStore, removeLeftCopies, type Store, watchDamage } from '../store/index.ts';
import { noteQuery, openTelemetry, type Tracing } from '../telemetry/index.ts';
import { baseUrl } from '../values/base-url.ts';
import { limitHeapGrowth } from '../values/heap-growth.ts';
import { isLoopbackHost } from '../values/loopback.ts';
import { WELCOME_FILE, welcomeUrl } from '../web/index.ts';
import { openApi } from './open-api.ts';
import { openFigures } from './open-figures.ts';
import { openWork } from './open-work.ts';
import type { ServedPages } from './serve-pages.ts';

export interface ServeOptions extends ServedPages {
  role: Role;
  /** Loads the demo city into an empty directory; gives keys to try, one for each tier. */
  prepareDemo?: (store: Store) => Promise<Record<TierName, string>>;
  /** How commands are typed here, for what is printed with the keys. */
  command?: string;
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
export async function startService(context: Context, options: ServeOptions): Promise<Service> {
  const { role, prepareDemo, command } = options;
  const closers: Closer[] = [];
  try {
    if (role === 'worker') limitHeapGrowth();
    // First of all: a refused start leaves the database as it is.
    const address = role === 'worker' ? null : await claimCheckedAddress(context, closers);
    const services = await openServices(context, role, address, closers);
    const { store, sources, openSearch } = services;
    const keys = prepareDemo ? await prepareDemo(store) : null;
    // An API process has more of them, and opens its own.
    if (role === 'worker') await openFigures(services, null, null);
    if (sources) await openWork(services, sources);
    const server = address && openSearch ? await openApi(services, openSearch, address, options) : null;
    printStart(context, services, address?.url ?? null, keys, command);
    const announceEnd = async () => server?.announceEnd();
    return { url: address?.url ?? null, store, announceEnd, close: () => closeAll(closers) };
  } catch (error) {
    // Why the start was refused is told, and not what could not be closed because of it.
    await closeAll(closers).catch(() => undefined);
    throw error;
  }
}

type Closer = () => Promise<void> | void;

/** `address`: null for a worker. */
async function openServices(context: Context, role: Role, address: ClaimedAddress | null, closers: Closer[]): Promise<Services> {
  const { config, log } = context;
  const { dataDir } = config;
  const onClose = (close: Closer) => void closers.push(close);
  const publicUrl = config.publicUrl ?? address?.url ?? baseUrl(config.host, config.port);
  const begun = address ? beginSearch({ dataDir, publicUrl, nowSetting: config.nowSetting, log }) : null;
  if (begun) onClose(begun.cancel);
  const telemetry = await openTelemetry(config.telemetry, log);
  onClose(telemetry.close);
  const store = await openTracedStore(context, telemetry.tracing);
  onClose(store.close);
  const isReplica = config.databaseUrl !== null;
  await checkStoredSecret({ db: store.db, dataDir, setting: config.secret, isReplica, log });
  onClose(await watchServer(store, log));
  onClose(watchDamage({ store, log }));
  warnOfWideModes(context);
  await clearLeftCopies(context);
  const secret = readSecret(dataDir, config.secret);
  const mail = mailSettings(config, publicUrl);
  const mailer = openMailer({ ...mail, log });
  onClose(mailer.close);
  const billing = await openCheckedBilling(context, store, publicUrl);
  onClose(billing.close);
  const openSearch = begun && once(() => begun.open(store.address));
  const sources = role === 'api' ? null : openSourceJobs(context, store, telemetry.tracing);
  if (sources) onClose(sources.close);
  return { config, log, publicUrl, telemetry, store, secret, mail, mailer, billing, openSearch, sources, onClose };
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

/** The room that was opened last is closed first. */
async function closeAll(closers: Closer[]): Promise<void> {
  const failures: unknown[] = [];
  // One that fails must not keep the others open, the store last of all.
  for (const closer of closers.splice(0).reverse()) await Promise.try(closer).catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

function mailSettings({ smtpUrl, mailFrom, dataDir, isProduction }: Config, publicUrl: string): Services['mail'] {
  // Links of e-mails lead to the public URL. If that is another machine's, no developer's browser is meant.
  const isReadable = smtpUrl === null && !isProduction && isLoopbackHost(new URL(publicUrl).hostname);
  return { smtpUrl, from: mailFrom ?? senderOfEmails(publicUrl), dataDir, isReadable };
}

/** What is set up wrongly is in the log. */
async function openCheckedBilling({ config, log }: Context, store: Store, publicUrl: string): Promise<Billing> {
  const { stripe, clocks, userAgent } = config;
  const billing = await openBilling({ db: store.db, settings: stripe, publicUrl: () => publicUrl, userAgent, log, clocks });
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

/* What a start prints, and what it leaves in the data folder for whoever owns the service. */

/** `url`: where it listens; null for a worker. `keys`: to try, if the demo city was prepared. */
function printStart(
  context: Context,
  { publicUrl, mail, secret }: Services,
  url: string | null,
  keys: Welcome['keys'] | null,
  command = 'marquee',
): void {
  const { config, print, printsToTerminal } = context;
  if (url === null) {
    print('working');
    return;
  }
  noteAddress(config.dataDir, publicUrl);
  const link = mail.isReadable ? welcomeUrl(publicUrl, secret) : null;
  keepWelcomeLink(context, link, keys !== null && printsToTerminal);
  if (keys) printWelcome(print, { url, link: printsToTerminal ? link : null, keys, command });
  print(`listening on ${url}`);
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

interface Welcome {
  url: string;
  /** Lets a browser read e-mails; null where it does not show them, or where what is printed may be kept for others to read. */
  link: string | null;
  keys: Record<TierName, string>;
  /** As it is typed here, before the name of a command. */
  command: string;
}

/** Where the pages are, keys to try, and a first request. */
export function printWelcome(print: (line: string) => void, { url, link, keys, command }: Welcome): void {
  const lines = [
    '',
    `  pages       ${link ?? url}`,
    `  base URL    ${url}/api/v1`,
    `  reference   ${url}/docs`,
    `  desk        ${url}/desk, for operators. To become an operator, run in another terminal:`,
    `              ${command} account create --email you@example.org --operator`,
    ...TIER_NAMES.map((tier) => `  ${tier.padEnd(10)}  ${keys[tier]}`),
    '',
    `  curl -H 'X-API-Key: ${keys.growth}' '${url}/api/v1/events?category=concert&limit=3'`,
    '',
  ];
  for (const line of lines) print(line);
}
