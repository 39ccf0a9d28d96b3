/** Whether two listings are one event: by facts first; the likeness of titles decides only within what the facts allow. */

import { compareTitles, type TitleLikeness } from './compare-titles.ts';
import { type ComparedEvent, clockOf, MS_PER_MINUTE } from './compared-event.ts';
import type { PairOutcome } from './compared-facts.ts';
import { type BillLikeness, compareBills, mayHaveBill } from './event-bill.ts';
import {
  APART_MINUTES,
  BILL_THRESHOLDS,
  EXACT_MINUTES,
  type LikenessLimit,
  NEAR_MINUTES,
  type PlaceKinship,
  type SharedBill,
  type StartRelation,
  THRESHOLDS,
  type Threshold,
} from './event-thresholds.ts';
import { shareHouseWord } from './houses.ts';
import { nameWords } from './names.ts';
import { isNameWord } from './place-alignment.ts';
import { placeKinship } from './place-kinship.ts';
import { placeNameOf } from './place-name.ts';
import { ROOM_WORDS } from './place-words.ts';

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
  bill: BillLikeness | null;
}

/**
 * `kinship` may be remembered by the caller: places repeat. `wereOne`: until now both were one event, so a start that one provider has
 * moved already and the other not yet counts as the next closer one.
 */
export function judge(
  a: ComparedEvent,
  b: ComparedEvent,
  kinship: typeof placeKinship = placeKinship,
  wereOne = false,
): Judgement {
  const [left, right] = a.fact.id <= b.fact.id ? [a, b] : [b, a];
  const { start: listed, minutes } = startRelation(left, right);
  const start = wereOne ? CLOSER[listed] : listed;
  const found = { left, right, start, minutes, place: null, titles: null, bill: null, isFirm: true };
  const isListedTwice = left.fact.provider === right.fact.provider;
  // A provider lists each kind of ticket apart.
  const isOneProvider = isListedTwice && !left.fact.ticket && !right.fact.ticket;
  if (start === 'another night') return { ...found, outcome: 'different', score: 0 };
  if (isListedTwice && left.fact.externalId === right.fact.externalId) return { ...found, outcome: 'same', score: 1 };
  if (start === 'apart' || (isListedTwice && minutes !== null && listed !== 'exact'))
    return { ...found, start: 'apart', outcome: 'different', score: 0 };
  const known = kinship(left.fact.place, right.fact.place);
  const place = known === 'different' ? furtherKinship(left, right) : known;
  const byTitles = judgeTitles({ ...found, start, place }, isOneProvider);
  return withDoubts(byTitles.outcome === 'same' ? byTitles : judgeBills(byTitles, start, place), isOneProvider);
}

/** What the other listings of the hour say against it. */
function withDoubts(judged: Judgement, isOneProvider: boolean): Judgement {
  const { left, right, outcome } = judged;
  if (outcome === 'same' && mayReplace(left, right))
    return { ...judged, outcome: isOneProvider ? 'different' : 'ask', isFirm: isOneProvider };
  return outcome === 'ask' && judged.bill === null && isInCrowd(left, right) ? { ...judged, outcome: 'different' } : judged;
}

/** The titles decide within what the facts allow. */
function judgeTitles(
  found: Omit<Judgement, 'outcome' | 'score'> & { start: StartRelation; place: PlaceKinship },
  isOneProvider: boolean,
): Judgement {
  const { left, right, start, place } = found;
  const threshold = thresholdFor(isOneProvider ? 'one' : 'two', start, place);
  if (!threshold) return { ...found, outcome: 'different', score: 0 };
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
  if (reaches(threshold.same) && !isDoubtful(titles, isOneProvider)) return { ...judged, outcome: 'same' };
  return { ...judged, outcome: threshold.ask === null ? 'different' : 'ask' };
}

const isDoubtful = ({ doubt, onlyOne }: TitleLikeness, isOneProvider: boolean): boolean =>
  doubt !== null || (isOneProvider && onlyOne !== null);

/** Two listings whose titles do not decide: what their bills share may. */
function judgeBills(judged: Judgement, start: StartRelation, place: PlaceKinship): Judgement {
  const { left, right } = judged;
  const billed = [left, right].filter(({ fact }) => mayHaveBill(fact)).length;
  if (billed === 0) return judged;
  const isOneProvider = left.fact.provider === right.fact.provider;
  if (isOneProvider && (start !== 'exact' || place !== 'same')) return judged;
  const isAlone =
    billed === 2 &&
    !isOneProvider &&
    // What is listed beside a cancelled event may replace it.
    left.fact.isCancelled === right.fact.isCancelled &&
    left.crowd === 1 &&
    right.crowd === 1 &&
    shareHouseWord(left.fact.place, right.fact.place);
  const bill = compareBills(left.bill(), right.bill(), isAlone);
  const threshold = BILL_THRESHOLDS.find((each) => each.shared === bill.shared && each.place === place);
  if (!threshold || bill.shared === null || (isOneProvider && bill.shared !== 'lead')) return judged;
  const titles = judged.titles ?? compareTitles(left.title, right.title, sharedPlaceWords(left, right, place));
  const likeness = Math.max(titles.likeness, BILL_LIKENESS[bill.shared]);
  const found: Judgement = { ...judged, titles, bill, score: scoreOf(left, right, { start, place, likeness }) };
  if (titles.contradiction !== null) return { ...found, outcome: 'different', isFirm: true };
  if (threshold.same.includes(start)) return { ...found, outcome: isDoubtful(titles, isOneProvider) ? 'ask' : 'same' };
  return threshold.ask.includes(start) ? { ...found, outcome: 'ask' } : judged;
}

/** One is cancelled, and the other is at its hour under a title with a word of its own: `Fitness`, `Fitness – Harvest Edition`. */
function mayReplace(a: ComparedEvent, b: ComparedEvent): boolean {
  if (a.fact.isCancelled === b.fact.isCancelled) return false;
  const [cancelled, on] = a.fact.isCancelled ? [a.title.words, b.title.words] : [b.title.words, a.title.words];
  return [...on].some(([word, weight]) => weight === 1 && !cancelled.has(word));
}

/** A pier from which boats leave: what is half alike there is two. */
const isInCrowd = (a: ComparedEvent, b: ComparedEvent): boolean => Math.min(a.crowd, b.crowd) >= CROWD;

/** Of two places that names and points do not make one: what the titles say of the place, and what their names share. */
function furtherKinship(a: ComparedEvent, b: ComparedEvent): PlaceKinship {
  if (nameOnePlace(a, b)) return 'alias';
  return areSimilar(a, b) ? 'similar' : 'different';
}

/** `Clean-up at Marrow Field` twice, at `Marrow Field` and at the playground beside it: both titles end with the place of one. */
function nameOnePlace(a: ComparedEvent, b: ComparedEvent): boolean {
  const [one, other] = [a, b].map(({ fact }) => nameWords(PLACE_IN_TITLE.exec(fact.title)?.[1] ?? ''));
  if (!one?.some(isNameWord) || one.join(' ') !== other?.join(' ')) return false;
  return [a, b].some(({ fact }) => placeNameOf(fact.place).words.join(' ') === one.join(' '));
}

/** Of one house name and far apart they are branches, unless both only name a room: `Old Mill (Outdoor)`, `Ruins at Old Mill`. */
function areSimilar(a: ComparedEvent, b: ComparedEvent): boolean {
  if (!mayHaveBill(a.fact) && !mayHaveBill(b.fact)) return false;
  const [nameA, nameB] = [placeNameOf(a.fact.place), placeNameOf(b.fact.place)];
  const rooms = [nameA.room, nameB.room].filter((room) => room !== null);
  const areRooms = rooms.length > 0 && rooms.every((room) => nameWords(room).every((word) => ROOM_WORDS.has(word)));
  if (nameA.house === nameB.house && !areRooms) return false;
  return shareHouseWord(a.fact.place, b.fact.place);
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
  return new Set([a, b].flatMap(({ fact }) => placeNameOf(fact.place).words));
}

export function sharesPerformer(a: ComparedEvent, b: ComparedEvent): boolean {
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

const PLACE_IN_TITLE = /\s(?:at|@)\s+([^@]{3,80})$/i;
/** Below this the titles themselves speak against, where it is not known whether the place is one. */
const WEAK_LIKENESS = 0.5;
const CLOSER: Readonly<Record<Judgement['start'], Judgement['start']>> = {
  exact: 'exact',
  near: 'exact',
  loose: 'near',
  unknown: 'unknown',
  apart: 'apart',
  'another night': 'another night',
};
/** So many events of one provider in one house around one hour. */
const CROWD = 3;
/** Of titles by themselves, whose bills share something. */
const BILL_LIKENESS: Readonly<Record<SharedBill, number>> = {
  lead: 0.9,
  act: 0.8,
  party: 0.7,
  support: 0.7,
  house: 0.5,
  rival: 0.4,
};
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
  similar: 0.4,
  unknown: 0.4,
  different: 0,
};
/** 19:30: when evenings begin. */
const USUAL_MINUTE = 1_170;
