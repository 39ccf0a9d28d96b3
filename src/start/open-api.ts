/** Opens everything an API process has: the gate, the read model, the figures, the pages and the server. */

import { createAccounts, createAttempts, createRedisAttempts, openGate, openRedisLimits } from '../accounts/index.ts';
import { type Api, createApi, createFeedUrlRoutes, createSecretScanning } from '../api/index.ts';
import { createEmbedRoutes, loadCityMap } from '../embeds/index.ts';
import {
  createDownloadRoutes,
  createExportReader,
  createOwnExports,
  createSigningKey,
  createUrlSigner,
} from '../exports/index.ts';
import { createFeeds, type FeedReader, openFeedReader } from '../feeds/index.ts';
import { composeEmail } from '../mail/index.ts';
import { createDocumentRoutes, createEventSubscriptions, type OpenedMcp, openMcp } from '../mcp/index.ts';
import { openOutbound } from '../outbound/index.ts';
import { createPictureRoutes, createPictures, createPosterRoutes, PICTURE_LIMITS } from '../pictures/index.ts';
import { loadLastChangeTime, notePublicUrl } from '../records/index.ts';
import { type ChangeReader, createChangeReader, createMergedLoader, type Search } from '../search/index.ts';
import { type ClaimedAddress, createSecurityTxt, createServer, refusedPort, type Server } from '../server/index.ts';
import type { ApiServices, Services } from '../services.ts';
import { createStatusRoutes } from '../status/index.ts';
import { openTestCity } from '../test-city/index.ts';
import { baseUrl } from '../values/base-url.ts';
import { isLoopbackHost } from '../values/loopback.ts';
import { withTimeout } from '../values/waiting/with-timeout.ts';
import { buildPages } from '../web/index.ts';
import { createSeal, WEBHOOK_LIMITS } from '../webhooks/index.ts';
import { openFigures } from './open-figures.ts';
import { openServiceStatus } from './open-status.ts';
import { storageOf } from './open-work.ts';
import { type ServedPages, servePages } from './serve-pages.ts';

/** Resolves when the server listens. */
export async function openApi(
  opened: Services,
  openSearch: () => Promise<Search>,
  address: ClaimedAddress,
  pages: ServedPages,
): Promise<Server> {
  const { config, log, store, secret, publicUrl, billing, onClose } = opened;
  // Made beside the rest of the start.
  const build = buildPages({ onBegin: () => log.info('building the web pages') });
  build.catch((err: unknown) => log.error({ err }, 'cannot build the web pages; the API still runs'));
  const services = await openApiServices(opened, openSearch);
  const { search } = services;
  const status = openServiceStatus(services);
  onClose(status.close);
  await notePublicUrl(store.db, publicUrl).catch((err: unknown) => log.warn({ err }, 'cannot store the public URL'));
  const now = config.clocks.directory;
  const feeds = await openFeedReader({ db: store.db, commitWatcher: store.createCommitWatcher(), now, log });
  onClose(feeds.close);
  const { api, changes } = createDirectoryApi(services, feeds);
  const mcp = openMcpServer(services, api, changes);
  const server = createServer({
    api,
    mcp: mcp.handler,
    log,
    ready: () => true,
    trustProxy: config.trustProxy,
    // Where no name is set and other machines may connect, they do so by an address.
    acceptsAddresses: config.publicUrl === null && !isLoopbackHost(new URL(baseUrl(config.host, 0)).hostname),
    pageLimits: pages.pageLimits ?? {},
  });
  const { refuse } = server;
  const loadMerged = createMergedLoader({ db: store.db, publicUrl });
  server.mountFeeds(createFeedUrlRoutes({ feeds, search, now, publicUrl: () => publicUrl, loadMerged, refuse }));
  mountPublicFiles(services, server);
  server.mount(createDocumentRoutes(api.publicUrl));
  server.mount(createEmbedRoutes({ db: store.db, search, now, publicUrl: api.publicUrl, log, refuse }));
  server.mount(createStatusRoutes(status, publicUrl, () => search.current().city.name));
  server.mount(
    createDownloadRoutes({
      db: store.db,
      storage: storageOf(config),
      signer: createUrlSigner(secret),
      key: createSigningKey(secret),
      publicUrl,
      now,
      log,
      refuse,
    }),
  );
  if (billing.routes) server.mount(billing.routes);
  if (config.scannerKeys.length > 0) server.mount(createLeakReports(services));
  const { ready } = await servePages(services, server, status, build, pages);
  onClose(server.drain);
  await withTimeout(ready, PAGES_READY_MS, () => undefined);
  await listen(server, address);
  onClose(mcp.close);
  return server;
}

async function openApiServices(services: Services, openSearch: () => Promise<Search>): Promise<ApiServices> {
  const [limited, search] = await Promise.all([openLimits(services), openSearch()]);
  services.onClose(search.close);
  const metrics = await openFigures(services, search, limited.redis);
  return { ...services, ...limited, search, metrics };
}

/** What this process counts in: its memory, or Redis. */
async function openLimits({
  config: { clocks, redis: place },
  log,
  store,
  onClose,
}: Services): Promise<Pick<ApiServices, 'gate' | 'redis' | 'attempts'>> {
  const redis = place && (await openRedisLimits({ place, log }));
  if (redis) onClose(redis.close);
  const gate = await openGate({ db: store.db, commitWatcher: store.createCommitWatcher(), clocks, log, redis });
  onClose(gate.close);
  const own = createAttempts(() => performance.now());
  return { gate, redis, attempts: redis ? createRedisAttempts(redis.link, own) : own };
}

function createDirectoryApi(services: ApiServices, feeds: FeedReader): { api: Api; changes: ChangeReader } {
  const { config, log, publicUrl, store, secret, telemetry, search, gate, metrics } = services;
  const { db } = store;
  const { clocks } = config;
  const now = clocks.directory;
  const changes = createChangeReader({ db, commitWatcher: store.createCommitWatcher(), publicUrl, now });
  const exports = createExportReader(
    createOwnExports({ db, feeds: createFeeds({ db, now }), now }),
    createUrlSigner(secret),
    publicUrl,
    now,
  );
  const testCity = openTestCity({ publicUrl, now });
  const { tracing } = telemetry;
  const sources = { search, changes, feeds, exports };
  return { api: createApi({ ...sources, gate, testCity, publicUrl: () => publicUrl, clocks, log, metrics, tracing }), changes };
}

function openMcpServer(
  { config, log, store, secret, search, gate, onClose }: ApiServices,
  api: Api,
  changes: ChangeReader,
): OpenedMcp {
  const { allowedHosts, userAgent, clocks } = config;
  const { publicUrl, observe } = api;
  const outbound = openOutbound({ allowedHosts, userAgent, limits: WEBHOOK_LIMITS, now: clocks.limits });
  onClose(() => outbound.close());
  const seal = createSeal(secret);
  return openMcp({
    subscriptions: createEventSubscriptions({ db: store.db, now: clocks.limits, outbound, publicUrl, seal }),
    search,
    changes,
    gate,
    publicUrl,
    clocks,
    observe,
    log,
    loadChangedAt: () => loadLastChangeTime(store.db),
    loadMap: () => loadCityMap(store.db),
  });
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
function mountPublicFiles({ config, log, search, publicUrl, onClose }: ApiServices, server: Server): void {
  const { allowedHosts, userAgent, clocks, dataDir, securityContact: contact } = config;
  const outbound = openOutbound({ allowedHosts, userAgent, limits: PICTURE_LIMITS, now: clocks.limits });
  const pictures = createPictures({ dataDir, outbound, log, now: clocks.limits });
  onClose(pictures.close);
  if (contact !== null) server.mount(createSecurityTxt(contact, publicUrl, clocks.directory));
  server.mount(createPosterRoutes(() => search.current().city.name));
  const { takeCost, refuse } = server;
  server.mount(createPictureRoutes({ pictures, current: search.current, publicUrl, takeCost, refuse }));
}

/** A key that was found in public is revoked at once, and its owner told. */
function createLeakReports({ config, log, store, mailer, publicUrl }: Services) {
  const accounts = createAccounts({ db: store.db, now: config.clocks.directory });
  return createSecretScanning(
    config.scannerKeys,
    async (token, found) => {
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
    log,
  );
}

/** A service whose pages are not made by then begins without them: the API does not wait for ever. */
const PAGES_READY_MS = 60_000;
