// Scores and trends of events in the directory. Recorded facts are loaded, `ranking` computes, and the scores are written.
// Events and a moment enter; scored events, facts that explain a score, and numbered changes leave.
// An event is compared with all that are listed: those at its venue, of its series, of its performers and of its day.
export { listedContexts, readContexts, type ShownEvent } from './listed-events.ts';
export { readTrend } from './read-trend.ts';
export {
  contextAlone,
  readScoreFacts,
  rescore,
  scoreAll,
  scoreOf,
  settleScores,
  settleScoresInSteps,
  type UnscoredEvent,
} from './score-events.ts';
