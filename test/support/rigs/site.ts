/** The whole service in this process, pages included, on a clock that tests move. */

import { createHmac, randomBytes, randomUUIDv7 } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { createAccounts } from '../../../src/accounts/index.ts';
import { digestToken } from '../../../src/accounts/sign-in/engine.ts';
import { createPasswordHasher } from '../../../src/accounts/sign-in/passwords.ts';
import { ensureDemo } from '../../../src/commands/index.ts';
import { readConfig } from '../../../src/config.ts';
import { createContext } from '../../../src/context.ts';
import { createLog } from '../../../src/log.ts';
import { startService } from '../../../src/start/index.ts';
import type { Store } from '../../../src/store/index.ts';
import { buildPages } from '../../../src/web/index.ts';
import { copyDemoFolder } from '../database/demo-folder.ts';
import { engineElsewhere, type FaultyDatabase, networkBefore } from '../database/faulty-database.ts';
import { copyDataFolder, createDatabase, DEFAULT_ENGINE } from '../database/store.ts';
import { DEMO_NOW, DEMO_OFFSET } from '../runs/demo-clock.ts';
import { PATIENCE_MS } from '../runs/patience.ts';

export interface Site {
  /** Without a trailing slash. */
  url: string;
  store: Store;
  dataDir: string;
  /** Only where a database that can go away was asked for. */
  database: FaultyDatabase | null;
  /** Moves the directory's and the accounts' clock forward. It goes on from `DEMO_NOW`, as limits do. */
  pass(milliseconds: number): void;
  now(): number;
  /** The limits' wall clock. */
  limitsNow(): number;
  /** All log lines so far. */
  logged(): string[];
  /**
   * Somebody with a session, as if signed in: `cookie` for requests, `cookies` for a browser's context. Made anew when the
   * address is not known yet; on trial unless a tier is given.
   */
  signIn(person: { email: string; tier?: string; operator?: boolean; password?: string }): Promise<Person>;
  /** A path of the site as a stranger without a browser would ask for it. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

export interface Person {
  accountId: string;
  email: string;
  /** A `Cookie` header. */
  cookie: string;
  /** For `context.addCookies`. */
  cookies: { name: string; value: string; url: string }[];
}

export interface SiteOptions {
  /** Loads the demo city; else the directory is empty. */
  demo?: boolean;
  /** Beside those that keep it on loopback and quiet. */
  settings?: Record<string, string>;
  /** What is printed is seen on a terminal. */
  terminal?: boolean;
  /** As in service: then `pass` does not move the clock of pages, and what they log is not seen here. */
  pagesThread?: boolean;
  /** On a database that can go away: see `FaultyDatabase`. */
  faulty?: boolean;
  /** How long pages wait for the database; as in service if it can go away and nothing is told, long otherwise. */
  pagesPatienceMs?: number | undefined;
  /** Tests ask for more pages than people do, and hold up the event loop they share with the service. */
  pageLimits?: Parameters<typeof startService>[1]['pageLimits'];
  /** The limits' wall clock; `Date.now` where others compare it with their own. */
  limitsClock?: () => number;
}

/**
 * One demo site for all files of a process that take it as it is: they add to it, and neither move its clock nor empty it. It ends
 * with the process.
 */
export function sharedSite(): Promise<Site> {
  shared ??= openSite();
  return shared;
}

let shared: Promise<Site> | undefined;

export async function openSite({
  demo = true,
  settings = {},
  terminal: isTTY = false,
  pagesThread = false,
  faulty = false,
  // A database that is slow with everything else is not away.
  pagesPatienceMs = faulty ? undefined : PATIENCE_MS,
  pageLimits = {},
  limitsClock,
}: SiteOptions = {}): Promise<Site> {
  // No test's patience is meant for the builder.
  await buildPages();
  const { folder, database, remove } = await openPlace(demo);
  const { DATABASE_URL } = database;
  const broken = faulty ? await (DATABASE_URL ? networkBefore(DATABASE_URL) : engineElsewhere(folder)) : null;
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const terminal = Object.assign(sink, { isTTY }) as unknown as NodeJS.WriteStream;
  const config = readConfig({
    PORT: '0',
    MARQUEE_DATA_DIR: folder,
    MARQUEE_METRICS_PORT: 'off',
    MARQUEE_NOW: DEMO_OFFSET,
    ...database,
    ...broken?.settings,
    ...settings,
  });
  const clock = { passed: 0 };
  const now = () => config.clocks.directory() + clock.passed;
  const clocks = { directory: now, limits: limitsClock ?? config.clocks.limits };
  const context = createContext({ ...config, clocks }, createLog('info', sink), {
    out: terminal,
    err: terminal,
  });
  const service = await startService(context, {
    role: 'all',
    pagesThread,
    ...(pagesPatienceMs !== undefined && { pagesPatienceMs }),
    pageLimits: { ...NO_LIMITS, ...pageLimits },
    ...(demo && { prepareDemo: (store) => ensureDemo(context, store) }),
  });
  const url = service.url ?? '';
  return {
    url,
    store: service.store,
    dataDir: folder,
    database: broken,
    pass: (milliseconds) => {
      clock.passed += milliseconds;
    },
    now,
    limitsNow: clocks.limits,
    logged: () => lines,
    async signIn({ email, tier, operator = false, password }) {
      const { db } = service.store;
      await createAccounts({ db, now }).createAccount({ email, operator, ...(tier && { tier }) });
      const { id } = await db.selectFrom('account').select('id').where('email', '=', email).executeTakeFirstOrThrow();
      await db
        .updateTable('account')
        .set({ default_tier: tier ?? null })
        .where('id', '=', id)
        .execute();
      if (password) await givePassword(service.store, id, password);
      const token = randomBytes(24).toString('base64url');
      const moment = new Date();
      await db
        .insertInto('session')
        .values({
          id: randomUUIDv7(),
          account_id: id,
          token: digestToken(token),
          expires_at: new Date(moment.getTime() + A_DAY_MS),
          ip_address: '127.0.0.1',
          user_agent: 'a test',
          created_at: moment,
          updated_at: moment,
        })
        .execute();
      const signature = createHmac('sha256', readFileSync(join(folder, 'secret'), 'utf8').trim())
        .update(token)
        .digest('base64');
      const value = encodeURIComponent(`${token}.${signature}`);
      return { accountId: id, email, cookie: `marquee_session=${value}`, cookies: [{ name: 'marquee_session', value, url }] };
    },
    ask: (path, init) => fetch(url + path, { redirect: 'manual', ...init }),
    async close() {
      broken?.thaw();
      await service.close();
      await broken?.close();
      await remove();
    },
  };
}

async function givePassword({ db }: Store, accountId: string, password: string): Promise<void> {
  const moment = new Date();
  await db
    .insertInto('credential')
    .values({
      id: randomUUIDv7(),
      account_id: accountId,
      provider: 'credential',
      provider_account: accountId,
      password: await createPasswordHasher().hash(password),
      created_at: moment,
      updated_at: moment,
    })
    .execute();
}

interface Place {
  folder: string;
  database: Record<string, string>;
  remove(): void | Promise<void>;
}

/** On the engine that the tests are run for. */
async function openPlace(demo: boolean): Promise<Place> {
  if (DEFAULT_ENGINE === 'embedded' && demo) return { ...(await copyDemoFolder(DEMO_NOW)), database: {} };
  const { options, remove } = DEFAULT_ENGINE === 'embedded' ? await copyDataFolder() : await createDatabase();
  return { folder: options.dataDir, database: options.databaseUrl ? { DATABASE_URL: options.databaseUrl } : {}, remove };
}

const A_DAY_MS = 86_400_000;

/** One network asks for everything, on a busy machine. */
const NO_LIMITS = { burst: 1e6, documentBurstMs: 1e6, maxStallMs: Number.POSITIVE_INFINITY, maxMakingMs: PATIENCE_MS };
