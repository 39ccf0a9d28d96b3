/** What two bills share. */

import type { BilledAct, EventBill } from './event-bill.ts';
import type { SharedBill } from './event-thresholds.ts';

export interface BillLikeness {
  shared: SharedBill | null;
  /** As the first of the two writes them. */
  names: readonly string[];
}

/** `isAlone`: at that minute each provider lists one event in that house. Symmetric but for the names. */
export function compareBills(a: EventBill, b: EventBill, isAlone: boolean): BillLikeness {
  const pairs = sharedActs(a, b);
  const names = [...new Set(pairs.map(([act]) => act.name))];
  if (pairs.some(([one, other]) => one.isLead && other.isLead)) return { shared: 'lead', names };
  if (pairs.some(([one, other]) => one.isLead || other.isLead) || isSeveral(pairs)) return { shared: 'act', names };
  if (pairs.length > 0) return { shared: 'support', names };
  const party = sharedParty(a, b);
  if (party !== null) return { shared: 'party', names: [party] };
  if (!isAlone || a.isOccasion === b.isOccasion) return { shared: isAlone && a.isLineup && b.isLineup ? 'rival' : null, names };
  return { shared: a.isLineup || b.isLineup ? 'house' : null, names };
}

function sharedActs(a: EventBill, b: EventBill): [BilledAct, BilledAct][] {
  const pairs: [BilledAct, BilledAct][] = [];
  for (const [key, act] of a.acts) {
    const equal = b.acts.get(key);
    if (equal) pairs.push([act, equal]);
    else for (const other of b.acts.values()) if (isNameOf(act.words, other.words)) pairs.push([act, other]);
  }
  return pairs;
}

const isSeveral = (pairs: readonly [BilledAct, BilledAct][]): boolean =>
  new Set(pairs.map(([one]) => one)).size > 1 && new Set(pairs.map(([, other]) => other)).size > 1;

/** `Frank Marrow` and `Frank Marrow's Guitar Night`: the shorter name has two words or more and begins the longer. */
function isNameOf(a: readonly string[], b: readonly string[]): boolean {
  const [shorter, longer] = a.length < b.length ? [a, b] : [b, a];
  return shorter.length >= 2 && shorter.length < longer.length && shorter.every((word, index) => longer[index] === word);
}

/** One names the night alone, the other the night or one of its acts; two nights of one series with other acts share nothing. */
function sharedParty(a: EventBill, b: EventBill): string | null {
  return partyIn(a, b) ?? partyIn(b, a);
}

function partyIn(named: EventBill, other: EventBill): string | null {
  for (const [key, words] of named.parties)
    for (const [otherKey, otherWords] of [...other.parties, ...[...other.acts].map(([each, act]) => [each, act.words] as const)])
      if ((key === otherKey || isNameOf(words, otherWords)) && (other.isOccasion || !other.isLineup)) return words.join(' ');
  return null;
}
