/** The pages, seen from the thread that serves: what they are told, where they run, and what is kept of them. */

import { runPlace } from '../run-place.ts';
import type { PageLimits, Server } from '../server/index.ts';
import type { ApiServices } from '../services.ts';
import type { ServiceStatus } from '../status/index.ts';
import { type Build, cachePages, mountPages, openPagesThread, type PagesHost, TILES_PATH } from '../web/index.ts';
import { type OpenedPages, openPages, type PagesFacts, takePageQueries } from './pages.ts';
import type { PagesThreadFacts } from './pages-thread.ts';

/** How pages are served. */
export interface ServedPages {
  /** Pages stand in a thread of their own, which has clocks of its own; `false`: in this one, on the clocks of the settings given. */
  pagesThread?: boolean;
  /** So long pages of this thread wait for a silent database: for tests on a machine that is busy. */
  pagesPatienceMs?: number;
  /** For tests that ask for more pages than people do. */
  pageLimits?: Partial<PageLimits>;
}

/** `ready`: when the front page is there in each language. */
export async function servePages(
  services: ApiServices,
  server: Server,
  status: ServiceStatus,
  build: Promise<Build>,
  { pagesThread = true, pagesPatienceMs: patienceMs }: ServedPages,
): Promise<{ ready: Promise<void> }> {
  const { config, log, store, search, publicUrl, onClose } = services;
  const { clocks } = config;
  const host = hostOf(services, server, status);
  const facts = factsOf(services);
  const { pages, close } = pagesThread
    ? openPagesBeside(services, host, facts, build)
    : await openPages({ ...facts, build: await build }, { store, search, clocks, host, log, patienceMs });
  onClose(close);
  const cached = cachePages(pages, { edition: () => search.current().edition, now: clocks.directory, publicUrl, log });
  onClose(cached.close);
  server.mount(mountPages(cached, { build, tiles: config.tiles?.file ?? null, refuse: server.refuse, limit: server.limitPage }));
  return cached;
}

function hostOf({ gate, attempts, metrics, sources, log }: ApiServices, server: Server, status: ServiceStatus): PagesHost {
  return {
    gate,
    attempts,
    answerTimes: metrics.answerTimes,
    status: status.report,
    credits: status.credits,
    askApi: server.askApi,
    wake: () => void sources?.look().catch((err: unknown) => log.error({ err }, 'cannot check the sources')),
  };
}

function factsOf({ config, publicUrl, secret, mail }: ApiServices): Omit<PagesFacts, 'build'> {
  return {
    publicUrl,
    dataDir: config.dataDir,
    secret,
    mail,
    stripe: config.stripe,
    place: runPlace(config),
    allowedHosts: config.allowedHosts,
    map: { tiles: config.tiles && TILES_PATH, attribution: config.tiles?.attribution ?? null },
  };
}

/** The pages in a thread of their own. */
function openPagesBeside(
  { config, log, store, search }: ApiServices,
  host: PagesHost,
  facts: Omit<PagesFacts, 'build'>,
  build: Promise<Build>,
): OpenedPages {
  const threadFacts: Omit<PagesThreadFacts, 'build'> = {
    ...facts,
    store: store.address,
    nowSetting: config.nowSetting,
    logLevel: config.logLevel,
    isTraced: config.telemetry !== null,
  };
  const pages = openPagesThread({ module: PAGES_THREAD, build, facts: threadFacts, host, relay: search.relay, log });
  return { pages: config.telemetry ? takePageQueries(pages) : pages, close: pages.close };
}

const PAGES_THREAD = new URL('./pages-thread.ts', import.meta.url);
