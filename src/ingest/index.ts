// One run: listings are read, checked, placed in their neighborhood, scored and written to the catalog.
// Bundles and sources enter, untrusted; records of the directory and a report of counts and rejected lines leave.
// The same input twice changes nothing, a run may be stopped at any moment, and nothing is rejected silently.
export { addSource, type NewSource } from './add-source.ts';
export type { Bundle } from './bundle.ts';
export type { Counts } from './context.ts';
export {
  type CorrectionRefusal,
  type CorrectionResult,
  correct,
  hide,
  uncorrect,
  unhide,
} from './corrections/correct.ts';
export type { EventField, EventValues } from './corrections/event-fields.ts';
export { printHours } from './corrections/hours-text.ts';
export { readCorrectionText } from './corrections/read-correction-text.ts';
export { type HistoryChange, type HistoryEntry, readHistory } from './corrections/read-history.ts';
export type { CorrectedEntity, Correction } from './corrections/standing.ts';
export type { VenueField, VenueValues } from './corrections/venue-fields.ts';
export { CONDITIONS, type Condition, type OverseenSource, overseeSources } from './desk/oversee-sources.ts';
export { type ChangeLine, countOutOfLists, type OutOfLists, readLastChanges } from './desk/read-directory.ts';
export {
  type Answered,
  countQuestions,
  findQuestion,
  type Queue,
  type QueuedQuestion,
  type QueueSide,
  readAnswerTo,
  readLastAnswer,
  readQueue,
} from './desk/read-queue.ts';
export { type RunLine, readRun, readRunLines, type WholeRun } from './desk/read-runs.ts';
export { redactKeys } from './desk/redact.ts';
export type { Reject } from './drafts.ts';
export { type ImportOptions, type ImportProgress, type ImportReport, importBundle } from './import.ts';
export { IngestError, type IngestErrorCode } from './ingest-error.ts';
export { createLocator, type Locate } from './locate.ts';
export { printable } from './printable.ts';
export { readScoreFacts } from './read-score-facts.ts';
export { readTrend } from './read-trend.ts';
export { removeSource } from './remove-source.ts';
export { rescore } from './rescore.ts';
export type { Amendment } from './run/amend.ts';
export {
  type ByHandRefusal,
  type ByHandResult,
  type HandWork,
  mergeByHand,
  splitByHand,
  undoByHand,
  type workByHand,
} from './run/by-hand.ts';
export type { Difference } from './run/difference.ts';
export { listRuns, type Run } from './run/history.ts';
export type { RunSummary } from './run/kept-report.ts';
export { type DecideOptions, decide, listQuestions, type Question, undecide } from './run/questions.ts';
export { type RunOptions, runSource, type SourceReport } from './run/run-source.ts';
export { type FieldTrail, readTrail, readVenueTrail, type Trail, type TrailRecord } from './run/trail.ts';
export { undoRun } from './run/undo-run.ts';
export { type ProcessOptions, type ProcessPlace, runInProcess, undoInProcess, workInProcess } from './run-in-process.ts';
export { createSourceJobs, type SourceJobs } from './source-jobs.ts';
export { listSources, releaseSource, type Source, setSourceState, wantRun } from './sources.ts';
export { unlistSilent } from './unlist-silent.ts';
