/** Wires the rooms that pages are made of. What they need of the serving thread they ask it for, so that they can stand in a thread of their own. */

import { openSignIn } from '../accounts/index.ts';
import { createOpenApi } from '../api/index.ts';
import { openBilling, type StripeSettings, withdrawRequests } from '../billing/index.ts';
import type { Clocks } from '../clock.ts';
import { createUrlSigner } from '../exports/index.ts';
import {
  answerHere,
  answerHereInProcess,
  createAddressFinder,
  findAddressInProcess,
  IngestError,
  type ProcessPlace,
  undoInProcess,
  workInProcess,
} from '../ingest/index.ts';
import type { Log } from '../log.ts';
import { openMailer } from '../mail/index.ts';
import { openOutbound } from '../outbound/index.ts';
import { createChangeReader, type SearchReader } from '../search/index.ts';
import type { Services } from '../services.ts';
import type { Store } from '../store/index.ts';
import { addQueries, createQueryNotes, noteQueriesIn, type QueryNotes } from '../telemetry/index.ts';
import {
  type Build,
  createDatabaseWaits,
  createPages,
  type MapSettings,
  type Pages,
  type PagesHost,
  type Runs,
  welcomeTokenOf,
} from '../web/index.ts';
import { createEndpoints, createRedelivery, createSeal, WEBHOOK_LIMITS } from '../webhooks/index.ts';

/** Plain data: it crosses threads. Holds secrets: never log it. */
export interface PagesFacts {
  /** Without a trailing slash. */
  publicUrl: string;
  dataDir: string;
  /** See `readSecret`. */
  secret: string;
  mail: Services['mail'];
  /** Null: billing by hand. */
  stripe: StripeSettings | null;
  /** Where runs of sources take place. */
  place: ProcessPlace;
  /** As `openOutbound` takes them. */
  allowedHosts: readonly string[];
  map: MapSettings;
  build: Build;
}

export interface PagesNeeds {
  /** Stays open until the pages are closed. */
  store: Store;
  search: SearchReader;
  clocks: Clocks;
  host: PagesHost;
  log: Log;
  /** So long a silent database is waited for; as in service unless given. */
  patienceMs?: number | undefined;
}

export interface OpenedPages {
  pages: Pages;
  /** Ends searches for addresses. Waits for answers that are being made, for e-mails on their way and for work that somebody at the desk has begun. */
  close(): Promise<void>;
}

export async function openPages(
  { publicUrl, dataDir, secret, mail, stripe, place, allowedHosts, map, build }: PagesFacts,
  { store, search, clocks, host: serving, log, patienceMs }: PagesNeeds,
): Promise<OpenedPages> {
  const { db } = store;
  const waits = createDatabaseWaits(log, patienceMs);
  const gate: PagesHost['gate'] = {
    ...serving.gate,
    flush: () => waits.tryFor(serving.gate.flush()),
    allowancesOf: (ids) => waits.waitFor(serving.gate.allowancesOf(ids)),
  };
  const host = { ...serving, gate };
  const openedMailer = openMailer({ ...mail, log });
  // A disk that is full keeps neither rows nor e-mails.
  const mailer = { ...openedMailer, assertWritable: () => waits.waitFor(openedMailer.assertWritable()) };
  const billing = await openBilling({
    db,
    settings: stripe,
    publicUrl: () => publicUrl,
    userAgent: place.userAgent,
    log,
    clocks,
  });
  const signIn = await openSignIn({
    db,
    mailer,
    publicUrl,
    secret,
    dataDir,
    log,
    now: clocks.directory,
    attempts: host.attempts,
    beforeDelete: billing.release,
    withdrawRequests,
  });
  const runs = openRuns(place, host, { store, now: clocks.directory, log });
  const openApi = createOpenApi(publicUrl);
  const signer = createUrlSigner(secret);
  const exportPath = (id: string, name: string) => signer.pathOf(id, name, clocks.directory());
  const outbound = openOutbound({ allowedHosts, userAgent: place.userAgent, limits: WEBHOOK_LIMITS, now: clocks.limits });
  const seal = createSeal(secret);
  const changes = createChangeReader({ db, commitWatcher: store.createCommitWatcher(), publicUrl, now: clocks.directory });
  const webhooks = {
    endpoints: createEndpoints({ db, clocks, seal, outbound, attempts: host.attempts, publicUrl }),
    redelivery: createRedelivery({ db, clocks, changes, search, publicUrl }),
  };
  const answering = new Set<Promise<unknown>>();
  const rooms = {
    ...host,
    webhooks,
    exportPath,
    store,
    search,
    signIn,
    billing,
    mailer,
    clocks,
    publicUrl,
    map,
    runs,
    welcomeToken: welcomeTokenOf(secret),
    reportSecret: secret,
    openApi: () => openApi,
  };
  const pages = createPages({ rooms, log, build, waits, formTargets: billing.payOrigins });
  return {
    pages: {
      ...pages,
      answer(request) {
        const answer = pages.answer(request);
        const settled = answer.catch(() => undefined).finally(() => answering.delete(settled));
        answering.add(settled);
        return answer;
      },
    },
    async close() {
      runs.endSearches();
      // Whoever asked may have left: then the server does not wait for the answer, which still needs the database.
      await Promise.all(answering);
      await runs.close();
      await outbound.close();
      await billing.close();
      await signIn.onIdle();
      await mailer.close();
    },
  };
}

/** What pages ask for: runs now, by a worker of this process if there is one, and runs taken back. */
function openRuns(
  place: ProcessPlace,
  host: PagesHost,
  { store, now, log }: { store: Store; now: () => number; log: Log },
): Runs & { endSearches(): void; close(): Promise<void> } {
  const working = new Set<Promise<unknown>>();
  const awaited = <T>(work: Promise<T>, onError: (err: unknown) => void): Promise<T> => {
    const settled = work.catch(onError);
    working.add(settled);
    settled.finally(() => working.delete(settled));
    return work;
  };
  const warnUnlessKnown = (err: unknown): void => {
    if (!(err instanceof IngestError)) log.warn({ err }, 'cannot place an address');
  };
  const finder = createAddressFinder((address, signal) => findAddressInProcess({ ...place, address }, signal));
  return {
    wake: () => host.wake(),
    undo: (id) => awaited(undoInProcess({ ...place, undo: id }), (err) => log.warn({ err, run: id }, 'cannot undo a run')),
    byHand: (hand) =>
      awaited(workInProcess({ ...place, hand, patienceMs: HAND_PATIENCE_MS }), (err) =>
        log.warn({ err, work: hand.do }, 'cannot apply an operator decision'),
      ),
    here: (here) =>
      here.point === null && (here.house ?? null) === null
        ? awaited(answerHereInProcess({ ...place, here }), warnUnlessKnown)
        : answerHere({ ...here, store, now: now() }),
    findAddress: (address) => awaited(finder.find(address), warnUnlessKnown),
    endSearches: () => finder.close(),
    close: async () => void (await Promise.all(working)),
  };
}

/** Notes the queries of a page, in the thread of the pages: they are told with the answer. */
export const notePageQueries = (pages: Pages): Pages => ({
  ...pages,
  async answer(request) {
    const queries = createQueryNotes();
    const answer = await noteQueriesIn(queries, () => pages.answer(request));
    return answer && { ...answer, queries };
  },
});

/** Makes them steps of the request, in the serving thread. */
export const takePageQueries = <P extends Pages>(pages: P): P => ({
  ...pages,
  async answer(request: Parameters<Pages['answer']>[0]) {
    const answer: NotedAnswer = await pages.answer(request);
    if (answer?.queries) addQueries(answer.queries);
    return answer;
  },
});

type NotedAnswer = (NonNullable<Awaited<ReturnType<Pages['answer']>>> & { queries?: QueryNotes }) | null;

/** How long somebody at the desk waits for a run that is writing. */
const HAND_PATIENCE_MS = 15_000;
