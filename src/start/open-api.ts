/** Opens everything an API process has: the gate, the read model, the figures, the pages and the server. */

import { createAccounts, readSecret } from '../accounts/index.ts';
import { createFeedUrlRoutes, createSecretScanning } from '../api/index.ts';
import type { Billing } from '../billing/index.ts';
import { notePublicUrl } from '../catalog/index.ts';
import type { Config } from '../config.ts';
import type { Context } from '../context.ts';
import { createEmbedRoutes } from '../embeds/index.ts';
import { type FeedReader, openFeedReader } from '../feeds/index.ts';
import type { SourceJobs } from '../ingest/index.ts';
import { composeEmail, type Mailer } from '../mail/index.ts';
import { createDocumentRoutes } from '../mcp/index.ts';
import { openOutbound } from '../outbound/index.ts';
import { createPictureRoutes, createPictures, createPosterRoutes, PICTURE_LIMITS } from '../pictures/index.ts';
import { runPlace } from '../run-place.ts';
import { createMergedLoader, type Search } from '../search/index.ts';
import {
  type ClaimedAddress,
  createSecurityTxt,
  createServer,
  type PageLimits,
  refusedPort,
  type Server,
} from '../server/index.ts';
import { createStatusRoutes } from '../status/index.ts';
import type { Store } from '../store/index.ts';
import type { Telemetry } from '../telemetry/index.ts';
import { baseUrl } from '../values/base-url.ts';
import { isLoopbackHost } from '../values/loopback.ts';
import { withTimeout } from '../values/waiting/with-timeout.ts';
import {
  type Build,
  buildPages,
  type CachedPages,
  cachePages,
  mountPages,
  openPagesThread,
  type Pages,
  type PagesHost,
  TILES_PATH,
} from '../web/index.ts';
import { openDirectoryApi } from './open-directory-api.ts';
import { openDownloads } from './open-exports.ts';
import { openFigures } from './open-figures.ts';
import { openLimitedGate } from './open-limited-gate.ts';
import { openMcpServer } from './open-mcp.ts';
import { openServiceStatus } from './open-status.ts';
import { type OpenedPages, openPages, type PagesFacts } from './pages.ts';
import type { PagesThreadFacts } from './pages-thread.ts';
import { takePageQueries } from './trace-pages.ts';

export interface ApiParts {
  store: Store;
  billing: Billing;
  mailer: Mailer;
  publicUrl: string;
  /** Once it is asked for, the read model is this process's. */
  openSearch(): Promise<Search>;
  /** Null where this process does not work by the clock. */
  sources: SourceJobs | null;
  mail: PagesFacts['mail'];
  pagesThread: boolean;
  pagesPatienceMs: number | undefined;
  pageLimits: Partial<PageLimits>;
  telemetry: Telemetry;
}

/** What is opened adds what closes it to `closers`. */
export async function openApi(
  context: Context,
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
  }: ApiParts,
  address: ClaimedAddress,
  closers: (() => Promise<void> | void)[],
): Promise<Pick<Server, 'announceEnd'>> {
  const { config, log } = context;
  // Made beside the rest of the start.
  const build = buildPages({ onBegin: () => log.info('building the web pages') });
  build.catch((err: unknown) => log.error({ err }, 'cannot build the web pages; the API still runs'));
  const [{ gate, redis, attempts }, search] = await Promise.all([
    openLimitedGate(context, store, closers),
    openSearch(),
  ]);
  closers.push(search.close);
  const metrics = await openFigures(context, { store, search, redis, telemetry }, closers);
  const status = openServiceStatus(context, { store, search, metrics, mail, redis });
  closers.push(status.close);
  await notePublicUrl(store.db, publicUrl).catch((err: unknown) => log.warn({ err }, 'cannot store the public URL'));
  const feeds = await openFeeds(context, store, closers);
  const secret = readSecret(config.dataDir, config.secret);
  const exports = openDownloads(context, { store, publicUrl, secret });
  const parts = {
    store,
    search,
    gate,
    feeds,
    publicUrl,
    secret,
    clocks: config.clocks,
    log,
    metrics,
    tracing: telemetry.tracing,
  };
  const { api, changes } = openDirectoryApi(parts);
  // Where no name is set and other machines may connect, they do so by an address.
  const acceptsAddresses = config.publicUrl === null && !isLoopbackHost(new URL(baseUrl(config.host, 0)).hostname);
  const mcp = openMcpServer(context, { store, secret, search, changes, gate, api });
  closers.push(mcp.closeOutbound);
  const { trustProxy } = config;
  const server = createServer({ api, mcp: mcp.handler, log, ready: () => true, trustProxy, acceptsAddresses, pageLimits });
  const { refuse } = server;
  const loadMerged = createMergedLoader({ db: store.db, publicUrl });
  server.mountFeeds(
    createFeedUrlRoutes({ feeds, search, now: config.clocks.directory, publicUrl: () => publicUrl, loadMerged, refuse }),
  );
  mountPublicFiles(context, server, { search, publicUrl }, closers);
  server.mount(createDocumentRoutes(api.publicUrl));
  server.mount(createEmbedRoutes({ db: store.db, search, now: config.clocks.directory, publicUrl: api.publicUrl, log, refuse }));
  server.mount(createStatusRoutes({ status, publicUrl, cityName: () => search.current().city.name }));
  server.mount(exports(server.refuse));
  if (billing.routes) server.mount(billing.routes);
  if (config.scannerKeys.length > 0) server.mount(secretScanning(context, { store, mailer, publicUrl }));
  const host: PagesHost = {
    gate,
    attempts,
    answerTimes: metrics.answerTimes,
    status: status.report,
    askApi: server.askApi,
    wake: () => void sources?.look().catch((err: unknown) => log.error({ err }, 'cannot check the sources')),
  };
  const facts = pagesFacts(config, { publicUrl, secret, mail });
  const { pages, close: closePages } = pagesThread
    ? openPagesBeside(context, { store, search, host, facts, build })
    : await openPages(
        { ...facts, build: await build },
        { store, search, clocks: config.clocks, host, log, patienceMs: pagesPatienceMs },
      );
  closers.push(closePages);
  const heldPages = holdPages(context, pages, { search, publicUrl });
  closers.push(heldPages.close);
  server.mount(
    mountPages(heldPages, { build, tiles: config.tiles?.file ?? null, refuse: server.refuse, limit: server.limitPage }),
  );
  closers.push(server.drain);
  await withTimeout(heldPages.ready, PAGES_READY_MS, () => undefined);
  await listen(server, address);
  closers.push(mcp.close);
  return server;
}

const holdPages = (
  { config: { clocks }, log }: Context,
  pages: Pages,
  { search, publicUrl }: { search: Search; publicUrl: string },
): CachedPages => cachePages(pages, { edition: () => search.current().edition, now: clocks.directory, publicUrl, log });

async function openFeeds({ config, log }: Context, store: Store, closers: (() => Promise<void> | void)[]): Promise<FeedReader> {
  const commitWatcher = store.createCommitWatcher();
  const feeds = await openFeedReader({ db: store.db, commitWatcher, now: config.clocks.directory, log });
  closers.push(feeds.close);
  return feeds;
}

async function listen(server: Server, { release, ...address }: ClaimedAddress): Promise<void> {
  await release();
  try {
    await server.listen(address);
  } catch (error) {
    throw refusedPort(error, address.host, address.port, 'PORT');
  }
}

/** What is read without a key, and is no page. */
function mountPublicFiles(
  { config: { allowedHosts, clocks, dataDir, securityContact: contact }, log }: Context,
  server: Server,
  { search, publicUrl }: { search: Search; publicUrl: string },
  closers: (() => Promise<void> | void)[],
): void {
  const outbound = openOutbound({ allowedHosts, limits: PICTURE_LIMITS, now: clocks.limits });
  const pictures = createPictures({ dataDir, outbound, log, now: clocks.limits });
  closers.push(pictures.close);
  if (contact !== null) server.mount(createSecurityTxt({ contact, publicUrl, now: clocks.directory }));
  server.mount(createPosterRoutes(() => search.current().city.name));
  const { takeCost, refuse } = server;
  server.mount(createPictureRoutes({ pictures, current: search.current, publicUrl, takeCost, refuse }));
}

/** What the pages are told. */
function pagesFacts(
  config: Config,
  { publicUrl, secret, mail }: Pick<PagesFacts, 'publicUrl' | 'secret' | 'mail'>,
): Omit<PagesFacts, 'build'> {
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
    isTraced: config.telemetry !== null,
  };
  const pages = openPagesThread({ module: PAGES_THREAD, build, facts: threadFacts, host, relay: search.relay, log });
  return { pages: config.telemetry ? takePageQueries(pages) : pages, close: pages.close };
}

/** A key that was found in public is revoked at once, and its owner told. */
function secretScanning(
  { config, log }: Context,
  { store, mailer, publicUrl }: Pick<ApiParts, 'store' | 'mailer' | 'publicUrl'>,
) {
  const accounts = createAccounts({ db: store.db, now: config.clocks.directory });
  return createSecretScanning({
    publicKeys: config.scannerKeys,
    log,
    async report(token, found) {
      const { isOurs, owner } = await accounts.reportLeak(token, found);
      if (!owner) return { isOurs };
      const facts = {
        site: publicUrl,
        link: `${publicUrl}/dashboard/keys`,
        keyId: owner.keyId,
        keyPrefix: token.slice(0, token.indexOf(owner.keyId)),
        found,
      };
      // The key is dead already: an e-mail that cannot be sent must not look like a report that was not taken.
      await mailer
        .send({ to: owner.email, ...composeEmail('key_leaked', facts) })
        .catch((err: unknown) => log.error({ err, keyId: owner.keyId }, 'cannot notify the owner of a leaked key'));
      return { isOurs };
    },
  });
}

const PAGES_THREAD = new URL('./pages-thread.ts', import.meta.url);

/** A service whose pages are not made by then begins without them: the API does not wait for ever. */
const PAGES_READY_MS = 60_000;
