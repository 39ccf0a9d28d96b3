// Who performs, read from the words of a title. A title and perhaps the name of its place enter; a bill leaves: acts with their roles,
// names of parties, the presenter and the tour. Pure functions without a store or a clock. `normalize` fills performers from the
// certain acts, and `identity` compares all acts. docs/identity.md describes the signs.

export { lineupOf } from './lineup-text.ts';
export { type ActRole, type Bill, type BillAct, parseBill } from './parse-bill.ts';
