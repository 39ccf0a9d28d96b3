/** The inverted indexes of events: which of them each term stands in, in their titles, and in the names of their performers. */

import { FIELD_GAP, NAMES_BEGIN } from '../directory/term-sequences.ts';
import { RECORD } from '../snapshot-data.ts';
import type { Arena } from '../structures/arena.ts';
import { type GroupedRanks, openGroups } from '../structures/grouped-ranks.ts';
import { sharedUint32 } from '../structures/shared-memory.ts';

export interface TermIndexes {
  byTerm: GroupedRanks;
  byTitleTerm: GroupedRanks;
  byNameTerm: GroupedRanks;
}

/** `records`: of each rank; `terms`: how many there are. */
export function indexTerms(records: Uint32Array, terms: number, sequences: Arena): TermIndexes {
  const n = records.length / RECORD.words;
  const visitTerms = createWalk(records, terms, sequences);
  const [all, titles, names] = [sharedUint32(terms), sharedUint32(terms), sharedUint32(terms)];
  visitTerms({
    title(term) {
      titles[term] = titles[term]! + 1;
      all[term] = all[term]! + 1;
    },
    text(term) {
      all[term] = all[term]! + 1;
    },
    name(term) {
      names[term] = names[term]! + 1;
    },
  });
  const [byTerm, byTitleTerm, byNameTerm] = [openGroups(n, all), openGroups(n, titles), openGroups(n, names)];
  visitTerms({
    title(term, rank) {
      byTitleTerm.add(term, rank);
      byTerm.add(term, rank);
    },
    text: byTerm.add,
    name: byNameTerm.add,
  });
  return { byTerm: byTerm.groups, byTitleTerm: byTitleTerm.groups, byNameTerm: byNameTerm.groups };
}

type Visit = (term: number, rank: number) => void;

/** Each hears of every term of an event once. Terms of the title are not told again as text. */
interface TermVisitor {
  title: Visit;
  text: Visit;
  name: Visit;
}

/** Goes through all sequences, in the order of ranks. They lie anywhere in memory: one way for all indexes costs a third of three. */
function createWalk(records: Uint32Array, terms: number, sequences: Arena): (visitor: TermVisitor) => void {
  const chunks = sequences.chunks.map((chunk) => new Int32Array(chunk, 0, chunk.byteLength >>> 2));
  return ({ title, text, name }) => {
    const [visitTitle, visitText, visitName] = [unlessMarked(title), unlessMarked(text), once(name, terms)];
    for (let record = 0, rank = 0; record < records.length; record += RECORD.words, rank += 1) {
      const chunk = chunks[records[record + RECORD.sequenceChunk]!]!;
      const first = records[record + RECORD.sequenceOffset]! >>> 2;
      const end = first + records[record + RECORD.sequenceTerms]!;
      let i = first;
      for (; chunk[i] !== GAP_MARK; i += 1) visitTitle(chunk[i]!, rank);
      for (; i < end && chunk[i] !== NAMES_MARK; i += 1) visitText(chunk[i]!, rank);
      for (i += 1; i < end; i += 1) visitName(chunk[i]!, rank);
    }
  };
}

/** Read as signed numbers, gaps and repeated terms are negative. */
function unlessMarked(visit: Visit): Visit {
  return (term, rank) => {
    if (term >= 0) visit(term, rank);
  };
}

/** Names are marked as repeated throughout, so which were seen is remembered here. */
function once(visit: Visit, terms: number): Visit {
  const seenIn = new Int32Array(terms).fill(-1);
  return (marked, rank) => {
    const term = marked & TERM;
    if (marked === GAP_MARK || seenIn[term] === rank) return;
    seenIn[term] = rank;
    visit(term, rank);
  };
}

/** As signed numbers. */
const GAP_MARK = FIELD_GAP | 0;
const NAMES_MARK = NAMES_BEGIN | 0;
/** Without the mark of a repeated term. */
const TERM = 0x7fffffff;
