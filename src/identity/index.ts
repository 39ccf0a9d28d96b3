// Whether two listings are one: pure functions of what the listings say, no store, no clock. Facts of events and places enter;
// verdicts with their evidence, groups of what is the same, and reports on the clocks of providers leave.
// The answers do not depend on the order in which facts are given. The rules are described in docs/identity.md.
export { type ClockFinding, type Clocks, type CorrectedStart, correctedStart, NO_CLOCKS } from './clocks.ts';
export { type Clusters, clusterEvents, type Decision } from './cluster-events.ts';
export { compareEvents } from './compare-events.ts';
export { detectClocks } from './detect-clocks.ts';
export type { EventFacts, Evidence, Outcome, PlaceFacts, Verdict } from './model.ts';
export { blockKeys, nightOf } from './nights.ts';
export { groupPlaces, type PlaceGroups, type PlaceListing } from './place-groups.ts';
export { createPlaceIndex } from './place-index.ts';
export { type PlaceName, placeName } from './place-name.ts';
export { comparePlaces, type PlaceRelation } from './place-relation.ts';
