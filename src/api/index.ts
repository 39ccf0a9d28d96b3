// REST v1: the gate's verdict, the parameters, the endpoints, the envelope, the errors, OpenAPI.
// HTTP requests and snapshots of the read model enter; answers of the documented shapes leave, each written down by the observer.
// `createApi` gives the request handler of /api/v1 and its description beside it; the room `server` mounts both.

export { type Api, type ApiOptions, createApi } from './api.ts';
export { API_CHANGES, type ApiChange, type ApiChangeKind, apiChangeAnchor } from './api-changes.ts';
export { type Deprecation, deprecationAnchor, MIN_NOTICE_DAYS } from './deprecations.ts';
export { sampleEvents } from './endpoints/list-events.ts';
export { createFeedUrlRoutes, FEED_ROUTE, type FeedUrlRoutes } from './feed-url-routes.ts';
export { createMetrics, type Metrics } from './metrics.ts';
export { type AnswerTimes, type AnswerTotals, DURATION_BOUNDS_MS, type Observe, UNKNOWN_ROUTE } from './observer.ts';
export {
  createOpenApi,
  type DeprecationNotice,
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiParameter,
} from './openapi.ts';
export { entryRefusal } from './refusals.ts';
export type { ConnectionInfo } from './request-context.ts';
export { listAllowanceHeaders } from './request-context.ts';
export { API_PREFIX } from './route.ts';
export { FORM_ROUTES, ROUTES } from './route-table.ts';
export { createSecretScanning } from './secret-scanning.ts';
