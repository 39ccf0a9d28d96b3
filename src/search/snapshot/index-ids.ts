/** Ids in order, and what each leads to. */

import { ABSENT, STATES } from '../directory/record-columns.ts';
import { type IdIndex, LEADS_TO, MERGED_FROM } from '../snapshot-data.ts';
import { sharedInt32, sharedUint32 } from '../structures/shared-memory.ts';

/**
 * `inOrder` are all slots by id; `itemOf` gives the item of a published one. A merged id leads to the last survivor of its chain;
 * one whose survivors are gone, or that goes in a circle, is gone itself.
 */
export function indexIds(
  words: Uint32Array,
  inOrder: Uint32Array,
  columns: { state: Uint8Array; mergedInto: Uint32Array },
  itemOf: (slot: number) => number,
): IdIndex {
  const ids = sharedUint32(inOrder.length * 4);
  const leads = sharedInt32(inOrder.length);
  const placeOf = new Uint32Array(inOrder.length);
  for (let place = 0; place < inOrder.length; place += 1) placeOf[inOrder[place]!] = place;
  for (let place = 0; place < inOrder.length; place += 1) {
    const slot = inOrder[place]!;
    for (let word = 0; word < 4; word += 1) ids[place * 4 + word] = words[slot * 4 + word]!;
    const last = survivor(slot, columns);
    const state = columns.state[last]!;
    if (slot === last && state === ABSENT) leads[place] = LEADS_TO.unknown;
    else if (state !== STATES.published) leads[place] = LEADS_TO.removed;
    else leads[place] = slot === last ? itemOf(slot) : MERGED_FROM - placeOf[last]!;
  }
  return { ids, leads };
}

function survivor(slot: number, { state, mergedInto }: { state: Uint8Array; mergedInto: Uint32Array }): number {
  let last = slot;
  for (let step = 0; step < MAX_CHAIN && state[last] === STATES.merged; step += 1) last = mergedInto[last]!;
  return last;
}

/** Merges of merges of merges; a longer chain is a circle. */
const MAX_CHAIN = 1000;
