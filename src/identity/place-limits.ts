/** Limits of the comparison of places. Documented in docs/places.md. */

/** From here on the facts speak for one site; below `UNKNOWN_FROM` they speak against it. */
export const SAME_FROM = 0.45;
export const UNKNOWN_FROM = 0.35;
/** Points further apart are of two places, whatever their names; within it a long name may have a badly geocoded point. */
export const QUARTER_METRES = 1_200;
/** A point more doubtful than this neither proves nor refutes. */
export const MOST_DOUBT_METRES = 200;
/** Half the diagonal of a borough: what a point that stands for a larger place may be wrong by. */
export const APPROXIMATE_METRES = 10_000;
/** Two places of one name this near may be one with a bad point: a person is asked. */
export const ASK_METRES = 5_000;
