// One run: listings are read, checked, placed in their neighborhood, scored and written to the catalog.
// Bundles and sources enter, untrusted; records of the directory and a report of counts and rejected lines leave.
// The same input twice changes nothing, a run may be stopped at any moment, and nothing is rejected silently.
export type { Bundle } from './bundle.ts';
export type { Counts } from './context.ts';
export type { Reject } from './drafts.ts';
export { type ImportOptions, type ImportProgress, type ImportReport, importBundle } from './import.ts';
export { IngestError, type IngestErrorCode } from './ingest-error.ts';
export { createLocator, type Locate } from './locate.ts';
export { readScoreFacts } from './read-score-facts.ts';
export { rescore } from './rescore.ts';
export { runDueSources } from './run-due-sources.ts';
export { runSource, type SourceReport, testSource } from './run-source.ts';
export { addSource, listSources, type NewSource, removeSource, type Source } from './sources.ts';
