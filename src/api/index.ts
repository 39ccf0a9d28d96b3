// REST v1: the gate's verdict, the parameters, the endpoints, the envelope, the errors, OpenAPI.
// HTTP requests and snapshots of the read model enter; answers of the documented shapes leave, each written down by the observer.
// `createApi` gives the door of /api/v1 and its description beside it; the room `http` mounts both.
export { type Api, type ApiOptions, createApi } from './api.ts';
export { changedFields, formatPrevious } from './changes/format-change.ts';
export { type EventChoice, readEventChoice } from './changes/within-query.ts';
export { COMPRESS_FROM_BYTES, compress } from './compress.ts';
export {
  PARAMETER_FAULTS,
  PROBLEM_CODES,
  PROBLEM_TYPE,
  PROBLEMS,
  type Problem,
  type ProblemCode,
  writeProblem,
} from './errors.ts';
export type { Arrival } from './exchange.ts';
export { createFeedUrlRoutes, FEED_ROUTE, type FeedUrlRoutes } from './feeds/feed-url-routes.ts';
export { readSavedQuery, SAVED_PARAMETERS } from './feeds/saved-query.ts';
export { type EventQueryReading, parseEventQuery, sampleEvents } from './list-events.ts';
export { checkMessage } from './message-checks.ts';
export { type AnswerTimes, createMetrics, type Metrics } from './metrics.ts';
export { chooseEncoding, type Encoding, matchesTag } from './negotiation.ts';
export { UNKNOWN_ROUTE } from './observer.ts';
export { createOpenApi, type OpenApiDocument, type OpenApiOperation, type OpenApiParameter } from './openapi.ts';
export { API_PREFIX } from './prefix.ts';
export { readHead } from './request-head.ts';
export { createRequestIds } from './request-id.ts';
export { FORM_ROUTES, ROUTES } from './route-table.ts';
export { createSecretScanning } from './secret-scanning.ts';
