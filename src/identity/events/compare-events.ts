/** Whether two listings are one event: by facts first; the likeness of titles decides only within what the facts allow. */

import {
  APART_MINUTES,
  EXACT_MINUTES,
  type LikenessLimit,
  NEAR_MINUTES,
  type PlaceKinship,
  type StartRelation,
  THRESHOLDS,
  type Threshold,
} from '../event-thresholds.ts';
import type { EventFacts, Evidence, PairOutcome, PairVerdict, PlaceFacts } from '../model.ts';
import { placeName } from '../places/place-name.ts';
import { distanceOf } from '../places/place-point.ts';
import { type CorrectedStart, clockOf, correctedStart, MS_PER_MINUTE, type ProviderClocks } from './clocks.ts';
import { compareTitles, type TitleLikeness } from './compare-titles.ts';
import { type EventTitle, readTitle } from './event-title.ts';
import { nightOf } from './nights.ts';
import { placeKinship } from './place-kinship.ts';

/** An event as it is compared: read once, compared often. */
export interface ComparedEvent {
  fact: EventFacts;
  night: string;
  start: CorrectedStart;
  title: EventTitle;
}

export function readEvent(fact: EventFacts, clocks: ProviderClocks): ComparedEvent {
  const start = correctedStart(fact, clocks);
  return { fact, start, night: nightOf(fact, clocks), title: readTitle(fact.title, fact.localStart.slice(0, 10)) };
}

/** Symmetric. The rules and thresholds are those of docs/identity.md. */
export function compareEvents(a: EventFacts, b: EventFacts, context: { clocks: ProviderClocks }): PairVerdict {
  return explain(judge(readEvent(a, context.clocks), readEvent(b, context.clocks)));
}

/** What was found, before it is put in words. */
export interface Judgement {
  left: ComparedEvent;
  right: ComparedEvent;
  outcome: PairOutcome;
  /** Different by a fact or a mark, not merely because the titles are unlike: no third listing can bring them together. */
  isFirm: boolean;
  score: number;
  start: StartRelation | 'apart' | 'another night';
  /** Minutes between the starts as read; null when an hour is unknown. */
  minutes: number | null;
  place: PlaceKinship | null;
  titles: TitleLikeness | null;
}

/** `kinship` may be remembered by the caller: places repeat. */
export function judge(a: ComparedEvent, b: ComparedEvent, kinship: typeof placeKinship = placeKinship): Judgement {
  const [left, right] = a.fact.id <= b.fact.id ? [a, b] : [b, a];
  const { start, minutes } = startRelation(left, right);
  const found = { left, right, start, minutes, place: null, titles: null, isFirm: true };
  const isOneProvider = left.fact.provider === right.fact.provider;
  if (start === 'another night') return { ...found, outcome: 'different', score: 0 };
  if (isOneProvider && left.fact.externalId === right.fact.externalId) return { ...found, outcome: 'same', score: 1 };
  if (start === 'apart' || (isOneProvider && minutes !== null && start !== 'exact'))
    return { ...found, start: 'apart', outcome: 'different', score: 0 };
  const place = kinship(left.fact.place, right.fact.place);
  const threshold = thresholdFor(isOneProvider ? 'one' : 'two', start, place);
  if (!threshold) return { ...found, place, outcome: 'different', score: 0 };
  return judgeTitles({ ...found, start, place }, threshold, isOneProvider);
}

/** The facts allow that they are one: the titles decide. */
function judgeTitles(
  found: Omit<Judgement, 'outcome' | 'score'> & { start: StartRelation; place: PlaceKinship },
  threshold: Threshold,
  isOneProvider: boolean,
): Judgement {
  const { left, right, start, place } = found;
  const titles = compareTitles(left.title, right.title, sharedPlaceWords(left, right, place));
  const likeness =
    titles.likeness > 0 && sharesPerformer(left, right) ? Math.max(titles.likeness, PERFORMER_LIKENESS) : titles.likeness;
  const judged = { ...found, titles, score: scoreOf(left, right, { start, place, likeness }) };
  const reaches = (limit: LikenessLimit | null) => limit !== null && likeness >= limit[0] && titles.told >= limit[1];
  if (titles.contradiction !== null) return { ...judged, outcome: 'different' };
  if (!reaches(threshold.ask ?? threshold.same)) {
    const isOnePlace = place === 'same' || place === 'room' || place === 'alias' || place === 'namesake';
    return { ...judged, outcome: 'different', isFirm: isOneProvider || (!isOnePlace && likeness < WEAK_LIKENESS) };
  }
  const isDoubtful = titles.doubt !== null || (isOneProvider && titles.onlyOne !== null);
  if (reaches(threshold.same) && !isDoubtful) return { ...judged, outcome: 'same' };
  return { ...judged, outcome: threshold.ask === null ? 'different' : 'ask' };
}

const thresholdFor = (providers: Threshold['providers'], start: StartRelation, place: PlaceKinship): Threshold | undefined =>
  THRESHOLDS.find((each) => each.providers === providers && each.start === start && each.place === place);

function startRelation(a: ComparedEvent, b: ComparedEvent): Pick<Judgement, 'start' | 'minutes'> {
  if (a.night !== b.night) return { start: 'another night', minutes: null };
  if (a.start.precision !== 'time' || b.start.precision !== 'time') return { start: 'unknown', minutes: null };
  const minutes = Math.abs(a.start.startsAt - b.start.startsAt) / MS_PER_MINUTE;
  if (minutes <= EXACT_MINUTES) return { start: 'exact', minutes };
  if (minutes <= NEAR_MINUTES) return { start: 'near', minutes };
  return { start: minutes < APART_MINUTES ? 'loose' : 'apart', minutes };
}

/** The words of the names of the places, where the place is one: `Yoga at Bryant Park` and `Bryant Park Bingo` share nothing by them. */
function sharedPlaceWords(a: ComparedEvent, b: ComparedEvent, place: PlaceKinship): ReadonlySet<string> {
  if (place === 'near' || place === 'unknown' || place === 'different') return new Set();
  return new Set([a, b].flatMap(({ fact }) => placeName(fact.place.name).words));
}

function sharesPerformer(a: ComparedEvent, b: ComparedEvent): boolean {
  const names = new Set(a.fact.performers.map(folded));
  return b.fact.performers.some((name) => names.has(folded(name)));
}

const folded = (name: string): string => name.normalize('NFKC').toLowerCase().trim();

/** 0–1. Orders candidates: of two performances on one day, a listing without an hour goes to the one nearer to the usual hour. */
function scoreOf(
  a: ComparedEvent,
  b: ComparedEvent,
  found: { start: StartRelation; place: PlaceKinship; likeness: number },
): number {
  const start = found.start === 'unknown' ? UNKNOWN_START_SCORE * (1 - hoursFromUsual(a, b) / 24) : START_SCORES[found.start];
  const score = LIKENESS_SHARE * found.likeness + START_SHARE * start + PLACE_SHARE * PLACE_SCORES[found.place];
  return Math.round(score * 1000) / 1000;
}

/** From the placeholder that was printed, or else from the usual hour of an evening, to the hour of the other. */
function hoursFromUsual(a: ComparedEvent, b: ComparedEvent): number {
  const [unknown, known] = a.start.precision === 'time' ? [b, a] : [a, b];
  if (known.start.precision !== 'time') return 0;
  const usual = unknown.start.finding ? minutesOf(clockOf(unknown.fact)) : USUAL_MINUTE;
  return Math.abs(minutesOf(known.start.localStart.slice(11, 16)) - usual) / 60;
}

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5));

/** Puts a judgement in words. */
export function explain(judgement: Judgement): PairVerdict {
  const { outcome, score, left, right, place, titles } = judgement;
  const evidence: Evidence[] = [startEvidence(judgement)];
  const findings = [left.start.finding, right.start.finding].filter((finding) => finding !== null);
  for (const { sentence } of new Set(findings)) evidence.push({ kind: 'clock', speaksFor: 'neither', detail: sentence });
  if (left.fact.provider === right.fact.provider) evidence.push(providerEvidence(judgement));
  if (place !== null) evidence.push(placeEvidence(left.fact.place, right.fact.place, place));
  if (titles !== null) evidence.push(...titleEvidence(judgement, titles));
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
  const apart = distance === null ? '' : `, ${Math.round(distance.metres)} m apart`;
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

const PLACE_SAYS: Readonly<Record<PlaceKinship, string>> = {
  same: 'the same place',
  room: 'a room and its house',
  alias: 'one name is a part of the other, close by',
  namesake: 'one name, but points that lie apart',
  near: 'two names close to each other',
  unknown: 'not enough to tell whether that is one place',
  different: 'two places',
};
const PLACE_SPEAKS: Readonly<Record<PlaceKinship, Evidence['speaksFor']>> = {
  same: 'same',
  room: 'same',
  alias: 'same',
  namesake: 'neither',
  near: 'neither',
  unknown: 'neither',
  different: 'different',
};
/** Below this the titles themselves speak against, where it is not known whether the place is one. */
const WEAK_LIKENESS = 0.5;
/** Of titles that share a word, where both name one performer. */
const PERFORMER_LIKENESS = 0.8;
/** Shares of the score; they add up to 1. */
const LIKENESS_SHARE = 0.55;
const START_SHARE = 0.3;
const PLACE_SHARE = 0.15;
const START_SCORES = { exact: 1, near: 0.8, loose: 0.5 } as const;
const UNKNOWN_START_SCORE = 0.6;
const PLACE_SCORES: Readonly<Record<PlaceKinship, number>> = {
  same: 1,
  room: 0.8,
  alias: 0.8,
  namesake: 0.6,
  near: 0.5,
  unknown: 0.4,
  different: 0,
};
/** 19:30: when evenings begin. */
const USUAL_MINUTE = 1_170;
