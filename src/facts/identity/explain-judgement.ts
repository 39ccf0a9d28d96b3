/** A judgement in words: the evidence that is kept with a review candidate and shown to a person. */

import { type Judgement, judge, sharesPerformer } from './compare-events.ts';
import type { TitleLikeness } from './compare-titles.ts';
import { type ProviderClocks, readEvent } from './compared-event.ts';
import type { EventFacts, Evidence, PairOutcome, PairVerdict, PlaceFacts } from './compared-facts.ts';
import type { BillLikeness } from './event-bill.ts';
import type { PlaceKinship, SharedBill } from './event-thresholds.ts';
import { distanceOf } from './place-point.ts';

/** Symmetric. The rules and thresholds are those of docs/identity.md. */
export function compareEvents(a: EventFacts, b: EventFacts, context: { clocks: ProviderClocks }): PairVerdict {
  return explain(judge(readEvent(a, context.clocks), readEvent(b, context.clocks)));
}

/** Puts a judgement in words. */
export function explain(judgement: Judgement): PairVerdict {
  const { outcome, score, left, right, place, titles, bill } = judgement;
  const evidence: Evidence[] = [startEvidence(judgement)];
  const findings = [left.start.finding, right.start.finding].filter((finding) => finding !== null);
  for (const { sentence } of new Set(findings)) evidence.push({ kind: 'clock', speaksFor: 'neither', detail: sentence });
  if (left.fact.provider === right.fact.provider) evidence.push(providerEvidence(judgement));
  if (left.fact.isCancelled !== right.fact.isCancelled)
    evidence.push({ kind: 'status', speaksFor: 'different', detail: 'Only one of them is cancelled.' });
  if (place !== null) evidence.push(placeEvidence(left.fact.place, right.fact.place, place));
  if (titles !== null) evidence.push(...titleEvidence(judgement, titles));
  if (bill !== null) evidence.push(...billEvidence(bill));
  return { outcome, score, evidence: evidence.sort((a, b) => weightOf(b, outcome) - weightOf(a, outcome)) };
}

/** What speaks for the outcome comes first; the sort is stable. */
const weightOf = (evidence: Evidence, outcome: PairOutcome): number =>
  evidence.speaksFor === 'neither' ? 0 : evidence.speaksFor === outcome ? 2 : 1;

function startEvidence({ left, right, start, minutes }: Judgement): Evidence {
  const [a, b] = [left.start, right.start];
  if (start === 'another night')
    return { kind: 'start', speaksFor: 'different', detail: `They are on different nights: ${left.night} and ${right.night}.` };
  if (minutes === null) {
    const known = [a, b].find(({ precision }) => precision === 'time');
    const detail = known
      ? `Both are on ${left.night}; only one says when, at ${known.localStart.slice(11)}.`
      : `Both are on ${left.night}; neither says when.`;
    return { kind: 'start', speaksFor: 'neither', detail };
  }
  const clocks = `${a.localStart.replace('T', ' ')} and ${b.localStart.slice(11)}`;
  if (start === 'exact') return { kind: 'start', speaksFor: 'same', detail: `Both start at ${a.localStart.replace('T', ' ')}.` };
  return {
    kind: 'start',
    speaksFor: start === 'apart' ? 'different' : 'neither',
    detail: `They start ${minutes} minutes apart, ${clocks}.`,
  };
}

function providerEvidence({ left, right }: Judgement): Evidence {
  if (left.fact.externalId === right.fact.externalId)
    return { kind: 'provider', speaksFor: 'same', detail: `${left.fact.provider} gives both the id ${left.fact.externalId}.` };
  return {
    kind: 'provider',
    speaksFor: 'different',
    detail: `${left.fact.provider} lists both, as ${left.fact.externalId} and ${right.fact.externalId}.`,
  };
}

function placeEvidence(a: PlaceFacts, b: PlaceFacts, place: PlaceKinship): Evidence {
  const distance = distanceOf(a, b);
  const apart = distance === null ? '' : `, ${Math.round(distance.meters)} m apart`;
  const names = a.name === b.name ? `Both are at “${a.name}”${apart}` : `“${a.name}” and “${b.name}”${apart}`;
  return { kind: place === 'room' ? 'room' : 'place', speaksFor: PLACE_SPEAKS[place], detail: `${names}: ${PLACE_SAYS[place]}.` };
}

function titleEvidence({ left, right, outcome }: Judgement, titles: TitleLikeness): Evidence[] {
  const likeness = `“${left.fact.title}” and “${right.fact.title}” are ${Math.round(titles.likeness * 100)}% alike.`;
  const evidence: Evidence[] = [{ kind: 'title', speaksFor: outcome === 'different' ? 'different' : 'same', detail: likeness }];
  if (sharesPerformer(left, right))
    evidence.push({ kind: 'performers', speaksFor: 'same', detail: 'A performer is named by both.' });
  for (const mark of [titles.contradiction, titles.doubt, titles.onlyOne])
    if (mark !== null) evidence.push({ kind: 'mark', speaksFor: 'different', detail: `${mark}.` });
  return evidence;
}

function billEvidence({ shared, names }: BillLikeness): Evidence[] {
  if (shared === null) return [];
  const listed = names.map((name) => `“${name}”`).join(', ');
  return [{ kind: 'bill', speaksFor: shared === 'rival' ? 'neither' : 'same', detail: BILL_SAYS[shared](listed) }];
}

const BILL_SAYS: Readonly<Record<SharedBill, (names: string) => string>> = {
  lead: (names) => `Both name ${names} as the main act.`,
  act: (names) => `Both bills have ${names}.`,
  support: (names) => `Both bills have ${names}, and neither as the main act.`,
  party: (names) => `Both name the night ${names}.`,
  house: () => 'One title names a night and the other an act, and nobody lists another event in this house at this hour.',
  rival: () => 'The titles name two acts, and nobody lists another event in this house at this hour.',
};
const PLACE_SAYS: Readonly<Record<PlaceKinship, string>> = {
  same: 'the same place',
  room: 'a room and its house',
  alias: 'one name is a part of the other, close by',
  namesake: 'one name, but points that lie apart',
  near: 'two names close to each other',
  similar: 'two names that share a word, apart from each other',
  unknown: 'not enough to tell whether that is one place',
  different: 'two places',
};
const PLACE_SPEAKS: Readonly<Record<PlaceKinship, Evidence['speaksFor']>> = {
  same: 'same',
  room: 'same',
  alias: 'same',
  namesake: 'neither',
  near: 'neither',
  similar: 'neither',
  unknown: 'neither',
  different: 'different',
};
