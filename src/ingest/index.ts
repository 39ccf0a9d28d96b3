// The pipeline of one run: fetch, parse, resolve venues, compare, check, plan, write. Its log can be undone.
// Bundles and sources enter, untrusted; records of the directory and a report of counts and rejected lines leave.
// The same input twice changes nothing, a run may be stopped at any moment, and nothing is rejected silently.

export { type ImportOptions, type ImportProgress, type ImportReport, importBundle } from './bundle/import-bundle.ts';
export type { Bundle } from './bundle/open-bundle.ts';
export { createDecisionJob } from './decision-job.ts';
export { applyDecisions, decide, mergeManually, splitManually, undecide, undoManually } from './manual-changes.ts';
export { removeSource } from './remove-source.ts';
export { type RunSourceOptions, runSource } from './run/run-source.ts';
export {
  applyDecisionsInProcess,
  type ProcessOptions,
  type ProcessPlace,
  runInProcess,
  undoInProcess,
  workInProcess,
} from './run-in-process.ts';
export { createSourceJobs, type SourceJobs } from './source-jobs.ts';
export { traceRun } from './trace-run.ts';
export { undoRun } from './undo-run.ts';
export { unlistSilent } from './unlist-silent.ts';
