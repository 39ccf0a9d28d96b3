// The pages: what Marquee is and costs, the developers' dashboard, the operators' desk. One React Router app.
// Requests for pages enter, with the rooms that the service has opened; HTML, redirects and event streams leave.
// What stands in `server/` runs in the service; all else is built for the browser too (`buildPages`) and reaches rooms through loaders.
export { type BuildOptions, buildPages } from './server/build-pages.ts';
export { openWeb, type Web, type WebOptions } from './server/open-web.ts';
export type { Runs } from './server/rooms.ts';
