/** What a page answers while the database is away: 503, whatever its loader, its action or the rooms below made of the failure. */

import { data, isRouteErrorResponse, type ServerBuild } from 'react-router';
import { requestFacts } from '../rooms.ts';

type Routes = ServerBuild['routes'];
type Work = (
  page: { context: { get(key: typeof requestFacts): { trouble: { isAway: boolean } } } },
  ...more: unknown[]
) => unknown;

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
