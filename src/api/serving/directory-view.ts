/** What answers are made of: the directory, or the test city in its place. Each has caches of its own, so that nothing of one is ever answered for the other. */

import type { InFlight } from '../../accounts/index.ts';
import type { ExportReader } from '../../exports/index.ts';
import type { FeedReader } from '../../feeds/index.ts';
import type { Log } from '../../log.ts';
import type { ChangeReader, SearchReader } from '../../search/index.ts';
import { createBodyCache } from '../answer/body-cache.ts';
import type { Answering } from '../answer/request-context.ts';
import { createRequestTargets, type RequestTargets } from '../answer/request-targets.ts';
import { createResponses, type Responses } from '../answer/responses.ts';
import { createEndpointCall, type EndpointCall } from '../endpoint-call.ts';

export interface DirectorySources {
  search: SearchReader;
  changes: ChangeReader;
  feeds: Pick<FeedReader, 'list' | 'find'>;
  exports: ExportReader;
}

/** The test city, which is built when it is first asked for. */
export interface TestCitySource {
  open(): Pick<DirectorySources, 'search' | 'changes'> | Promise<Pick<DirectorySources, 'search' | 'changes'>>;
}

/** What is remembered of one of them. */
export interface AnsweringPlace {
  targets: RequestTargets;
  responses: Responses;
  callEndpoint: EndpointCall;
}

/** `bodyBytes`: of bodies that are kept. */
export function createAnsweringPlace(
  answering: Omit<Answering, 'bodies'>,
  inFlight: InFlight,
  log: Log,
  bodyBytes?: number,
): AnsweringPlace {
  const targets = createRequestTargets();
  const responses = createResponses({ ...answering, bodies: createBodyCache(bodyBytes) }, targets, log);
  return { targets, responses, callEndpoint: createEndpointCall(inFlight, responses) };
}

/** Accounts have no feeds and no exports of the test city. */
export const NO_FEEDS: DirectorySources['feeds'] = { list: async () => [], find: async () => null };
export const NO_EXPORTS: ExportReader = {
  list: async () => ({ total: 0, exports: [] }),
  newestFull: async () => null,
  find: async () => null,
};
/** The test city is small. */
export const TEST_BODY_BYTES = 4 * 2 ** 20;
