// What people decide: corrections, merges and splits by hand, answers about possible duplicates; and where each value comes from.
// A person's input enters, untrusted; stored decisions, corrected records and their provenance leave.
// The pipeline is above: what must run it again is handed `applyManualChanges`, and `ingest` lends its own.

export {
  type CorrectableEventField,
  type CorrectableVenueField,
  type EventValues,
  findField,
  type VenueValues,
  wantedField,
} from './correctable-fields.ts';
export {
  type CorrectedEntity,
  type Correction,
  hasCorrectedPlace,
  type Leads,
  loadRecordsSentTo,
} from './corrections/active-corrections.ts';
export {
  applyEventCorrections,
  applyVenueCorrections,
  type Corrected,
} from './corrections/apply-corrections.ts';
export { type CorrectionResult, correct, hide, uncorrect, unhide } from './corrections/correct.ts';
export { readCorrectionText } from './corrections/read-correction-text.ts';
export { rebuildEvents, rebuildVenue } from './corrections/rebuild.ts';
export { findEvents, findVenues } from './find-records.ts';
export { formatHours } from './hours-text.ts';
export {
  type FieldProvenance,
  loadProvenance,
  loadVenueProvenance,
  type Provenance,
  type ProvenanceRecord,
} from './provenance/provenance.ts';
export { type HistoryChange, type HistoryEntry, type ListedValue, readHistory } from './provenance/read-history.ts';
export {
  type CoListedNight,
  type LearnedAlias,
  learnedAliases,
  loadCoListings,
  writeCoListings,
} from './review/co-listings.ts';
export { readDecisions } from './review/decisions.ts';
export type { ApplyManualChanges, ManualChangeResult, ManualChanges } from './review/manual-changes.ts';
export {
  doManualWork,
  type ManualMergeResult,
  type ManualWork,
  mergeManually,
  splitManually,
  undoManually,
} from './review/manual-merge.ts';
export {
  countCandidates,
  type DecidedPair,
  findCandidate,
  loadCandidatePair,
  type Queue,
  type QueuedCandidate,
  type QueueSide,
  readAnswerTo,
  readLastAnswer,
  readQueue,
} from './review/read-queue.ts';
export {
  type ApplyOptions,
  applyDecisions,
  type DecideOptions,
  hasPendingDecisions,
  listCandidates,
  type OpenCandidate,
  revokeDecision,
  storeDecision,
  type UndecideOptions,
} from './review/review-candidates.ts';
export { loadOpenPairs, type ReviewCandidate, writeReviewCandidates } from './review/write-candidates.ts';
