// The pages: what Marquee is and costs, the developers' dashboard, the operators' desk. One React Router app.
// Requests for pages enter, with the rooms that the service has opened; HTML, redirects and event streams leave.
// `server/` runs in the service. The other folders are built for the browser, too (`buildPages`), and reach rooms through loaders.

export { type MapSettings, TILES_PATH } from './model/map.ts';
export { wordOutcome } from './server/report.ts';
export type { Runs } from './server/rooms.ts';
export { createPages, type PagesOptions } from './server/serving/answer-page.ts';
export { type Build, type BuildOptions, buildPages } from './server/serving/build-pages.ts';
export { type CachedPages, cachePages, type PageCacheOptions } from './server/serving/cached-pages.ts';
export { createDatabaseWaits } from './server/serving/database-away.ts';
export { mountPages } from './server/serving/mount-pages.ts';
export type { BrowserRequest, PageResponse, Pages, PagesHost } from './server/serving/page-messages.ts';
export { openPagesThread, type PagesThreadOptions, runPagesThread, type ThreadEnds } from './server/serving/pages-thread.ts';
export { WELCOME_FILE, welcomeTokenOf, welcomeUrl } from './server/sign-in.ts';
