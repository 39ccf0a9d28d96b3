/** The bill of a listing, as it is compared: by names in one spelling. */

import { parseBill } from '../parse-bill.ts';
import type { EventFacts } from './compared-facts.ts';
import type { SharedBill } from './event-thresholds.ts';
import { nameWords } from './names.ts';
import { AREA_WORDS } from './place-words.ts';
import { ENSEMBLE_WORDS, GENERIC_WORDS, GENRE_WORDS, OCCASION_WORDS } from './title-words.ts';

export interface BilledAct {
  name: string;
  words: readonly string[];
  isLead: boolean;
}

export interface EventBill {
  /** By the words without spaces: `DeanLauro` is `Dean Lauro`. */
  acts: ReadonlyMap<string, BilledAct>;
  /** Names of the night, in the same form. */
  parties: ReadonlyMap<string, readonly string[]>;
  /** The title names a night, and no act that is certain. */
  isOccasion: boolean;
  /** The title is the name of an act, or a list of acts. */
  isLineup: boolean;
}

/** Concerts and nights have bills; to other listings a name on a list means little. */
export const mayHaveBill = ({ category }: Pick<EventFacts, 'category'>): boolean => BILLED.has(category);

export function readBill({ title, performers, place }: Pick<EventFacts, 'title' | 'performers' | 'place'>): EventBill {
  const bill = parseBill(title, place.name);
  const acts = new Map<string, BilledAct>();
  const add = (name: string, isLead: boolean): void => {
    const words = actWords(name);
    const key = words.join('');
    if (key.length < MIN_KEY_CHARS || words.every(isNoName)) return;
    acts.set(key, { name, words, isLead: isLead || acts.get(key)?.isLead === true });
  };
  for (const { name, role, isLead } of bill.acts) add(name, isLead && (role === 'headliner' || role === 'presenter'));
  for (const [index, name] of performers.entries()) add(name, index === 0);
  const parties = new Map(
    bill.parties.map((name) => nameWords(name)).flatMap((words) => (words.every(isNoName) ? [] : [[words.join(''), words]])),
  );
  const certain = bill.acts.filter(({ isCertain }) => isCertain).length;
  const isOccasion = certain === 0 && nameWords(title).some((word) => OCCASION_WORDS.has(word));
  return { acts, parties, isOccasion, isLineup: !isOccasion && certain > 0 };
}

/** `Marcus King Band` is `Marcus King`, `DJ Salt` is `Salt`. */
function actWords(name: string): string[] {
  const words = nameWords(name);
  let [from, to] = [0, words.length];
  while (from < to - 1 && BEFORE_NAME.has(words[from] ?? '')) from++;
  while (to > from + 1 && ENSEMBLE_WORDS.has(words[to - 1] ?? '')) to--;
  return words.slice(from, to);
}

const isNoName = (word: string): boolean =>
  GENERIC_WORDS.has(word) ||
  OCCASION_WORDS.has(word) ||
  GENRE_WORDS.has(word) ||
  AREA_WORDS.has(word) ||
  /^\d+(?:st|nd|rd|th)?$/.test(word);

const BILLED = new Set<EventFacts['category']>(['concert', 'nightlife', 'comedy', 'festival']);
const BEFORE_NAME = new Set(['dj', 'mc', 'special', 'guest', 'legendary', 'sir', 'with']);
const MIN_KEY_CHARS = 3;

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
