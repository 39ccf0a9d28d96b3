/** Limits of the comparison of places. Each has a row in docs/places.md. */

/** From here on the facts speak for one site; below `UNKNOWN_FROM` they speak against it. */
export const SAME_FROM = 0.5;
export const UNKNOWN_FROM = 0.35;
/** Points further apart are of two places, whatever their names; within it a long name may have a badly geocoded point. */
export const QUARTER_METERS = 1_200;
/** A point more doubtful than this neither proves nor refutes. */
export const MAX_DOUBT_METERS = 200;
/** Across a large city: what a point that stands for a larger place may be wrong by. */
export const APPROXIMATE_METERS = 100_000;
/** Two places of one name this near may be one with a bad point: a person is asked. */
export const ASK_METERS = 5_000;
/** What is assumed of a place whose point is unknown: neither near nor far. */
export const UNKNOWN_METERS = 200;
/** Two providers of one door are this far apart: doors, roofs and middles of lots. */
export const DOOR_METERS = 25;
/** From here on nearness says nothing. */
export const MILE_METERS = 1_600;
/** Numbers of one street this near are neighbouring doors, or two doors of one building. */
export const NEAR_NUMBERS = 10;
/** Of a name that says nothing about where it is. */
export const NEUTRAL_SCORE = 0.5;
/** The most that can be said for places whose names or points contradict each other. */
export const CLASH_SCORE = 0.1;
/** How much a word tells that only says what kind of place it is, and one of an area; any other word weighs 1. */
export const KIND_WEIGHT = 0.35;
export const AREA_WEIGHT = 0.2;
