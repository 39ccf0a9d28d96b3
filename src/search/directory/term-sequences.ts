/** The text of each record as its terms in order: what word search and phrase search read. */

import type { EventRow } from '../rows.ts';
import type { SequenceColumns } from '../structures/compact.ts';
import type { DictionaryBuilder } from '../text/dictionary.ts';
import { words } from '../text/words.ts';
import type { DirectoryArenas } from './arenas.ts';
import { tagTerm } from './tag-terms.ts';

export interface TermSequences {
  /** The terms of a venue's name, unmarked. */
  ofName(name: string): Uint32Array;
  putVenue(at: SequenceColumns, slot: number, nameTerms: Uint32Array): void;
  /**
   * Title, venue, description and tags; a gap between them, so that no phrase spans two fields. Behind `NAMES_BEGIN` the names of
   * performers, each before a gap, all marked as repeated: `q` does not read them.
   */
  putEvent(at: SequenceColumns, slot: number, event: EventRow, venueTerms: Uint32Array): void;
  /** Leaves the sequence of a record behind. */
  drop(at: SequenceColumns, slot: number): void;
}

export function createTermSequences(dictionary: DictionaryBuilder, arenas: DirectoryArenas): TermSequences {
  /** By term: the last record it was seen in. */
  let seenBy = new Uint32Array(0);
  let round = 0;

  function markRepeated(terms: Uint32Array): Uint32Array {
    if (seenBy.length < dictionary.termCount()) seenBy = new Uint32Array(dictionary.termCount() * 2);
    round += 1;
    for (let i = 0; i < terms.length; i += 1) {
      const term = terms[i]!;
      if (seenBy[term] === round) terms[i] = (term | REPEATED) >>> 0;
      else if (term !== FIELD_GAP) seenBy[term] = round;
    }
    return terms;
  }

  function put(at: SequenceColumns, slot: number, terms: Uint32Array): void {
    arenas.sequences.garbage += at.sequenceTerms[slot]! * Uint32Array.BYTES_PER_ELEMENT;
    const place = arenas.sequences.appendWords(terms, terms.length);
    at.sequenceChunk[slot] = place.chunk;
    at.sequenceOffset[slot] = place.offset;
    at.sequenceTerms[slot] = terms.length;
  }

  const namesOf = (performers: readonly string[]): number[] => {
    const names = performers.map((name) => dictionary.termIdsOfNames(words(name))).filter((terms) => terms.length > 0);
    if (names.length === 0) return [];
    return [NAMES_BEGIN, ...names.flatMap((terms) => [...Array.from(terms, (term) => (term | REPEATED) >>> 0), FIELD_GAP])];
  };

  return {
    ofName: (name) => dictionary.termIdsOf(words(name)),
    putVenue: (at, slot, nameTerms) => put(at, slot, markRepeated(nameTerms.slice())),
    putEvent(at, slot, event, venueTerms) {
      const title = dictionary.termIdsOf(words(event.title));
      const description = dictionary.termIdsOf(words(event.description ?? ''));
      const tags = dictionary.termIdsOf(event.tags.map(tagTerm));
      const names = namesOf(event.performers);
      const length = title.length + venueTerms.length + description.length + tags.length + 3;
      const terms = new Uint32Array(length + names.length).fill(FIELD_GAP);
      terms.set(title, 0);
      terms.set(venueTerms, title.length + 1);
      terms.set(description, title.length + venueTerms.length + 2);
      terms.set(tags, title.length + venueTerms.length + description.length + 3);
      markRepeated(terms.subarray(0, length));
      terms.set(names, length);
      put(at, slot, terms);
    },
    drop(at, slot) {
      arenas.sequences.garbage += at.sequenceTerms[slot]! * Uint32Array.BYTES_PER_ELEMENT;
      at.sequenceTerms[slot] = 0;
    },
  };
}

/** Set on a term that stood in the same record before, so that nobody has to remember which did. */
const REPEATED = 0x80000000;
/** Stands for no term. */
export const FIELD_GAP = 0xffffffff;
/** Stands for no term either. What follows are names of performers. */
export const NAMES_BEGIN = 0xfffffffe;
