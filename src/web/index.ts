// The pages: what Marquee is and costs, the developers' dashboard, the operators' desk. One React Router app.
// Requests for pages enter, with the rooms that the service has opened; HTML, redirects and event streams leave.
// What stands in `server/` runs in the service; all else is built for the browser too (`buildPages`) and reaches rooms through loaders.
export { createPages, type PagesOptions } from './server/answer-page.ts';
export { type Build, type BuildOptions, buildPages } from './server/build-pages.ts';
export { type HeldPages, type HoldOptions, holdPages } from './server/held-pages.ts';
export { mountPages } from './server/mount-pages.ts';
export { openPagesThread, type PagesThreadOptions } from './server/open-pages-thread.ts';
export type { PageAnswer, PageQuestion, Pages, PagesHost } from './server/page-messages.ts';
export { createPatientDatabase, type PatientDatabase, type PatientDatabaseOptions } from './server/patient-database.ts';
export type { Runs } from './server/rooms.ts';
export { runPagesThread, type ThreadEnds } from './server/run-pages-thread.ts';
