// How listings become the directory: sources and what each has listed, the pipeline of a run with its undo, bundles, scores, and
// decisions of people, which every run respects. Bundles, sources and answers of operators enter, untrusted.
// Records of the directory leave, with reports of counts, differences and rejections; keys of providers never do.
// The same input twice changes nothing, a run may be stopped at any moment, and nothing is rejected silently.

export { type ImportOptions, importBundle } from './bundle/import-bundle.ts';
export type { Bundle } from './bundle/open-bundle.ts';
export { loadCredits } from './credits.ts';
export {
  answerHere,
  answerIgnore,
  answerSame,
  type HereInput,
  listPlaceAnswers,
  undoPlaceAnswer,
} from './curation/answer-places.ts';
export { type CorrectionResult, correct, hide, uncorrect, unhide } from './curation/correct.ts';
export { findEvents, findVenues } from './curation/find-records.ts';
export { doManualWork, type ManualWork, mergeManually, splitManually, undoManually } from './curation/manual-merge.ts';
export {
  type FieldProvenance,
  loadProvenance,
  loadVenueProvenance,
  type Provenance,
  type ProvenanceRecord,
} from './curation/provenance.ts';
export { formatHours, readCorrectionText } from './curation/read-correction-text.ts';
export { type HistoryChange, type HistoryEntry, type ListedValue, readHistory } from './curation/read-history.ts';
export {
  countCandidates,
  type DecidedPair,
  findCandidate,
  loadCandidatePair,
  type QueuedCandidate,
  type QueueSide,
  readAnswerTo,
  readLastAnswer,
  readQueue,
} from './curation/read-queue.ts';
export {
  applyDecisions,
  decide,
  hasPendingDecisions,
  listCandidates,
  type OpenCandidate,
  revokeDecision,
  storeDecision,
  undecide,
} from './curation/review-candidates.ts';
export { listWaitingPlaces, type WaitingPlace } from './curation/waiting-places.ts';
export { createDecisionJob } from './decision-job.ts';
export { learnedAliases, loadCoListings } from './decisions/co-listings.ts';
export {
  type CorrectableEventField,
  type CorrectableVenueField,
  findField,
  wantedField,
} from './decisions/correctable-fields.ts';
export { readDecisions } from './decisions/decisions.ts';
export { sourceOfPlace } from './decisions/place-answers.ts';
export { IngestError } from './ingest-error.ts';
export type { ManualChangeResult } from './manual-changes.ts';
export { CONDITIONS, type OverseenSource, overseeSources, redactKeys } from './oversee-sources.ts';
export { loadListedTitles, loadTitlesByProvider } from './records/load-listings.ts';
export { removeSource } from './remove-source.ts';
export { areasOf, type TextPlace } from './run/find-place.ts';
export { type RunSourceOptions, runSource } from './run/run-source.ts';
export {
  answerHereInProcess,
  applyDecisionsInProcess,
  createAddressFinder,
  findAddressInProcess,
  type ProcessPlace,
  runInProcess,
  traceRun,
  undoInProcess,
  workInProcess,
} from './run-in-process.ts';
export { listedContexts } from './scores/listed-events.ts';
export { contextAlone, readScoreFacts, readTrend, rescore, scoreOf, type UnscoredEvent } from './scores/score-events.ts';
export { createSourceJobs, type SourceJobs } from './source-jobs.ts';
export { addSource, type NewSource } from './sources/add-source.ts';
export { listSources, loadSourceId, releaseSource, type Source, setSourceState, wantRun } from './sources/sources.ts';
export { type RunLine, readRun, readRunLines, type WholeRun } from './stored-runs/read-runs.ts';
export type { EventDifference, RunDifference, SourceReport } from './stored-runs/run-report.ts';
export { beginRun, endRun, listRuns, type Run } from './stored-runs/runs.ts';
export { undoRun } from './undo-run.ts';
export { unlistSilent } from './unlist-silent.ts';
