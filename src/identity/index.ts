// Whether two listings are one: pure functions of what the listings say, no store, no clock. Facts of events and places enter;
// verdicts with their evidence, groups of what is the same, and reports on the clocks of providers leave.
// The answers do not depend on the order in which facts are given. The rules are described in docs/identity.md.

export { blockKeys } from './events/candidate-pairs.ts';
export {
  type ClockFinding,
  type CorrectedStart,
  correctedStart,
  NO_CLOCKS,
  type ProviderClocks,
} from './events/clocks.ts';
export { type Clusters, type CoListing, type CoListingKinship, clusterEvents } from './events/cluster-events.ts';
export { nightOf } from './events/compared-event.ts';
export { detectClocks } from './events/detect-clocks.ts';
export { compareEvents } from './events/explain-judgement.ts';
export { rememberedKinship } from './events/place-kinship.ts';
export type {
  EventFacts,
  Evidence,
  PairDecision,
  PairOutcome,
  PairVerdict,
  PlaceFacts,
} from './model.ts';
export {
  type AreaCity,
  type AreaIndex,
  createAreaIndex,
  type FoundArea,
  isPublicGround,
  type NamedArea,
} from './places/area-index.ts';
export { compareAddresses, readAddress } from './places/place-address.ts';
export { groupPlaces, type PlaceGroups, type PlaceListing } from './places/place-groups.ts';
export { createPlaceIndex } from './places/place-index.ts';
export { type PlaceName, placeName, placeNameOf } from './places/place-name.ts';
export { comparePlaces, type PlaceRelation } from './places/place-relation.ts';
