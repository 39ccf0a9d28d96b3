// How good an event is, and whether it is on the rise. Recorded facts and a moment enter; an explained score of 0–100 or a
// trend leaves. Everything here is pure: the same facts at the same moment give the same answer, so any ranking can be replayed.
// The formulas stand in docs/scoring.md, which a test compares with the tables of this room.
export { DISCOVERY_WEIGHTS, discoveryScore } from './discovery-score.ts';
export type { ScoreBreakdown, ScoreFacts, ScoreSignal, TrendFacts } from './model.ts';
export { isQuiet, isSteady, type Momentum, momentumOf, steadyMomentum } from './momentum.ts';
export { createPeers, type Peers } from './peers.ts';
export { scoreFacts } from './score-facts.ts';
export { MAX_SHOWINGS, type Showing, showings } from './showings.ts';
export { outdone, type Rival, settleTrends, TREND_RULES, trendOf, trendScores } from './trend-scores.ts';
export { explainTrend } from './trend-signals.ts';
