/**
 * The database as pages see it: one that does not answer in time counts as one that is down. This is the only place that decides how
 * long a page waits for it, and what a page answers then: 503, whatever its loader, its action or the rooms below made of the failure.
 * `store` says which of its errors mean "later" and not "broken".
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { data, isRouteErrorResponse, type ServerBuild } from 'react-router';
import type { Log } from '../../../log.ts';
import { causeOf, describeFailure, type InTime, isUnavailable, limitQueries, limitWaits } from '../../../store/index.ts';
import { type DatabaseTrouble, requestFacts } from '../rooms.ts';

export interface DatabaseWaits {
  /** Runs `work` with limited waits for the database, and notes its trouble with it. Other work waits as long as the pool lets it. */
  noteTrouble<T>(trouble: DatabaseTrouble, work: () => Promise<T>): Promise<T>;
  /** The same limit for work that another thread does with the database. */
  waitFor<T>(work: Promise<T>): Promise<T>;
  /** The same for work that the page can do without where the database takes no writes. */
  tryFor(work: Promise<unknown>): Promise<void>;
}

/** Waits for the database that end after `patienceMs` without a sign of it. */
export function createDatabaseWaits(log: Log, patienceMs: number = PATIENCE_MS): DatabaseWaits {
  const asking = new AsyncLocalStorage<DatabaseTrouble>();
  let heardAt = performance.now();
  let failing = false;

  function note(error: unknown): void {
    const trouble = asking.getStore();
    if (!trouble || !isUnavailable(error)) return;
    trouble.isAway = true;
    if (!failing) log.warn({ error: describeFailure(causeOf(error)) }, 'database unreachable for the pages');
    failing = true;
  }

  const inTime: InTime = async (work, isQueued) => {
    const late = Promise.withResolvers<never>();
    const began = performance.now();
    const giveUp = () => {
      const quiet = performance.now() - (isQueued ? Math.max(began, heardAt) : began);
      // What came while this process stood still is read first: its own standstill is none of the database.
      if (quiet >= patienceMs) return void setImmediate(() => late.reject(new NoAnswer(patienceMs)));
      timer = setTimeout(giveUp, patienceMs - quiet + 1);
    };
    let timer = asking.getStore() ? setTimeout(giveUp, patienceMs) : undefined;
    try {
      const result = await Promise.race([work, late.promise]);
      heardAt = performance.now();
      if (failing) log.info('database reachable again for the pages');
      failing = false;
      return result;
    } catch (error) {
      note(error);
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    noteTrouble: (trouble, work) => asking.run(trouble, () => limitQueries(CONNECTION_MS, () => limitWaits(inTime, work))),
    waitFor: (work) => inTime(work, false),
    async tryFor(work) {
      try {
        await inTime(work, false);
      } catch (error) {
        if (error instanceof NoAnswer || !isUnavailable(error)) throw error;
      }
    },
  };
}

class NoAnswer extends Error {
  readonly code = 'database_silent';

  constructor(patienceMs: number) {
    super(`the database did not answer within ${patienceMs} ms`);
  }
}

type Routes = ServerBuild['routes'];
type Work = (page: { context: { get(key: typeof requestFacts): { trouble: DatabaseTrouble } } }, ...more: unknown[]) => unknown;

/** The routes with loaders, actions and middleware that answer so. */
export function refuseWhileAway(routes: Routes): Routes {
  const patient = Object.entries(routes).map(([id, route]) => {
    if (!route) return [id, route];
    const { loader, action, middleware } = route.module;
    const module = {
      ...route.module,
      ...(loader && { loader: guarded(loader as Work) }),
      ...(action && { action: guardedAction(action as Work) }),
      ...(middleware && { middleware: middleware.map((each) => guarded(each as unknown as Work)) }),
    };
    return [id, { ...route, module }];
  });
  return Object.fromEntries(patient) as Routes;
}

function guarded(work: Work): Work {
  return async (page, ...more) => {
    try {
      return await work(page, ...more);
    } catch (error) {
      // A refusal that was meant stays what it is.
      const isMeant = error instanceof Response || isRouteErrorResponse(error) || isData(error);
      if (isMeant || !isAway(page)) throw error;
      throw data(null, { status: UNAVAILABLE });
    }
  };
}

/** A refusal that came of the failure is none: the rooms below may take a session that nobody can read for one that is not there. */
function guardedAction(action: Work): Work {
  const work = guarded(action);
  return async (page, ...more) => {
    const outcome = await work(page, ...more);
    if (isAway(page) && statusOf(outcome) >= BAD_REQUEST) throw data(null, { status: UNAVAILABLE });
    return outcome;
  };
}

const isAway: (page: Parameters<Work>[0]) => boolean = ({ context }) => context.get(requestFacts).trouble.isAway;

const isData = (value: unknown): value is { init: ResponseInit | null } =>
  typeof value === 'object' && value !== null && (value as { type?: unknown }).type === 'DataWithResponseInit';

const statusOf = (outcome: unknown): number =>
  outcome instanceof Response ? outcome.status : isData(outcome) ? (outcome.init?.status ?? 200) : 200;

const BAD_REQUEST = 400;
const UNAVAILABLE = 503;
/** With what a page needs to say so, within two seconds. */
const PATIENCE_MS = 1_700;
/** A server's connection that is silent for longer is left behind. */
const CONNECTION_MS = 5_000;
