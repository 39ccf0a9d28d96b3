/** The inverted indexes of events: which of them each term stands in, in their titles, and in the names of their performers. */

import { type EventColumns, STATES } from '../directory/record-columns.ts';
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

export interface TermIndexOptions {
  /** Of each rank. */
  records: Uint32Array;
  columns: Pick<EventColumns, 'state' | 'sequenceChunk' | 'sequenceOffset' | 'sequenceTerms'>;
  /** How many events the columns have. */
  slots: number;
  /** How many terms there are. */
  terms: number;
  sequences: Arena;
}

export function indexTerms(options: TermIndexOptions): TermIndexes {
  const { records, terms, sequences } = options;
  const n = records.length / RECORD.words;
  const { all, titles, names } = countTerms(options);
  const [byTerm, byTitleTerm, byNameTerm] = [openGroups(n, all), openGroups(n, titles), openGroups(n, names)];
  const visit = createVisitor(terms, sequences, {
    title(term, rank) {
      byTitleTerm.add(term, rank);
      byTerm.add(term, rank);
    },
    text: byTerm.add,
    name: byNameTerm.add,
  });
  const { words, sequenceChunk, sequenceOffset, sequenceTerms } = RECORD;
  for (let record = 0, rank = 0; rank < n; record += words, rank += 1)
    visit(rank, records[record + sequenceChunk]!, records[record + sequenceOffset]!, records[record + sequenceTerms]!);
  return { byTerm: byTerm.groups, byTitleTerm: byTitleTerm.groups, byNameTerm: byNameTerm.groups };
}

/** How many events each term stands in. In the order of slots, the sequences lie one behind the other in memory: that is quicker than by rank. */
function countTerms({ columns, slots, terms, sequences }: TermIndexOptions) {
  const { state, sequenceChunk, sequenceOffset, sequenceTerms } = columns;
  const [all, titles, names] = [sharedUint32(terms), sharedUint32(terms), sharedUint32(terms)];
  const visit = createVisitor(terms, sequences, {
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
  for (let slot = 0; slot < slots; slot += 1)
    if (state[slot] === STATES.published) visit(slot, sequenceChunk[slot]!, sequenceOffset[slot]!, sequenceTerms[slot]!);
  return { all, titles, names };
}

type Visit = (term: number, event: number) => void;

/** Each hears of every term of an event once. Terms of the title are not told again as text. */
interface TermVisitor {
  title: Visit;
  text: Visit;
  name: Visit;
}

/** Gives what goes through the sequence of an event. Sequences lie anywhere in memory: one way for all indexes costs a third of three. */
function createVisitor(terms: number, sequences: Arena, { title, text, name }: TermVisitor) {
  const chunks = sequences.chunks.map((chunk) => new Int32Array(chunk, 0, chunk.byteLength >>> 2));
  const [visitTitle, visitText, visitName] = [unlessMarked(title), unlessMarked(text), once(name, terms)];
  /** `offset` in bytes; `count`: of terms and marks. */
  return (event: number, chunkNumber: number, offset: number, count: number): void => {
    const chunk = chunks[chunkNumber]!;
    const end = (offset >>> 2) + count;
    let i = offset >>> 2;
    for (; chunk[i] !== GAP_MARK; i += 1) visitTitle(chunk[i]!, event);
    for (; i < end && chunk[i] !== NAMES_MARK; i += 1) visitText(chunk[i]!, event);
    for (i += 1; i < end; i += 1) visitName(chunk[i]!, event);
  };
}

/** Read as signed numbers, gaps and repeated terms are negative. */
function unlessMarked(visit: Visit): Visit {
  return (term, event) => {
    if (term >= 0) visit(term, event);
  };
}

/** Names are marked as repeated throughout, so which were seen is remembered here. */
function once(visit: Visit, terms: number): Visit {
  const seenIn = new Int32Array(terms).fill(-1);
  return (marked, event) => {
    const term = marked & TERM;
    if (marked === GAP_MARK || seenIn[term] === event) return;
    seenIn[term] = event;
    visit(term, event);
  };
}

/** As signed numbers. */
const GAP_MARK = FIELD_GAP | 0;
const NAMES_MARK = NAMES_BEGIN | 0;
/** Without the mark of a repeated term. */
const TERM = 0x7fffffff;
