// Scores and trends of events in the directory. Recorded facts are loaded, `ranking` computes, and the scores are written.
// Events and a moment enter; scored events, facts that explain a score, and numbered changes leave.
// An event of a series counts by its place among those still to come.
export { readScoreFacts } from './read-score-facts.ts';
export { readTrend } from './read-trend.ts';
export { rescore } from './rescore.ts';
export { rescoreSeries } from './rescore-series.ts';
export { scoreAll, type UnscoredEvent } from './score-all.ts';
export { readShowings, scoreOf } from './score-event.ts';
