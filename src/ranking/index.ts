// How good an event is, and whether it is on the rise. Recorded facts and a moment enter; an explained score of 0–100 or a
// trend leaves. Everything here is pure: the same facts at the same moment give the same answer, so any ranking can be replayed.
// The formulas stand in docs/scoring.md, which a test compares with the tables of this room.
export { CATEGORY_VALUES, DISCOVERY_WEIGHTS, discoveryScore, FAME } from './discovery-score.ts';
export { type ScoreBreakdown, type ScoreFacts, type ScoreSignal, scoreFacts, type TrendFacts } from './model.ts';
export { isQuiet, isSteady, type Momentum, momentumOf, steadyMomentum } from './momentum.ts';
export { PICKS_PER_DAY, SMALL_BELOW } from './picks.ts';
export { decodeContext, encodeContext, type ScoreContext } from './score-context.ts';
export { scoreContexts } from './score-contexts.ts';
export { type ContextEvent, MAX_SHOWINGS, type Showing, showings } from './shows.ts';
export { outdone, type Rival, settleTrends, TREND_RULES, trendOf, trendScores } from './trend-scores.ts';
export { createPeers, explainTrend, type Peers } from './trend-signals.ts';
export { CAPACITY_VALUES, EVIDENCE, type RatedVenue, TYPE_VALUES } from './venue-profile.ts';
