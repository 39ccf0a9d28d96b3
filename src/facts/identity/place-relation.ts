/** Whether two listings of a place mean one place, a room and its house, or two. */

import type { Evidence, PlaceFacts } from './compared-facts.ts';
import { nameWords } from './names.ts';
import { type AddressRelation, compareAddresses, readAddress, type StreetAddress } from './place-address.ts';
import { type Alignment, alignWords, isNameWord } from './place-alignment.ts';
import {
  CLASH_SCORE,
  DOOR_METERS,
  MAX_DOUBT_METERS,
  MILE_METERS,
  NEUTRAL_SCORE,
  QUARTER_METERS,
  SAME_FROM,
  UNKNOWN_FROM,
  UNKNOWN_METERS,
} from './place-limits.ts';
import { type PlaceName, placeKey, placeName, placeNameOf } from './place-name.ts';
import { doubtOf, metersBetween } from './place-point.ts';
import {
  ALWAYS_PARTS,
  CAMPUSES,
  KIND_WORDS,
  NAMED_AFTER_GROUNDS,
  OPEN_GROUNDS,
  OPPOSITES,
  PARTS,
  STREET_WORDS,
} from './place-words.ts';

export interface PlaceRelation {
  /** `room_of`: the first is a room of the second; `has_room`: the second is a room of the first; `unknown`: nothing speaks clearly. */
  relation: 'same' | 'room_of' | 'has_room' | 'different' | 'unknown';
  /** 0–1: how much speaks for one site, as the same place or as house and room. Two rooms of one house are `different` with a high score. */
  score: number;
  /** The weightiest first. */
  evidence: readonly Evidence[];
}

/** A place with its name and address taken apart; reading them is the dear part of a comparison. */
export interface ComparedPlace {
  facts: PlaceFacts;
  name: PlaceName;
  address: StreetAddress | null;
  /** Meters by which its point may be wrong. */
  doubt: number;
  /** Of two places the one that is compared first: words are paired from the left, so the order of two is always the same. */
  order: string;
}

export const readPlace = (facts: PlaceFacts): ComparedPlace => ({
  facts,
  name: placeNameOf(facts),
  address: readAddress(facts.address) ?? addressInName(facts.name),
  doubt: doubtOf(facts),
  order: `${facts.name}\0${facts.address ?? ''}\0${facts.latitude ?? ''}\0${facts.longitude ?? ''}\0${facts.isApproximate ?? ''}\0${facts.isArea ?? ''}\0${facts.quarter ?? ''}`,
});

/** Symmetric: with the two exchanged, `room_of` and `has_room` are exchanged and nothing else changes but the order in the evidence. */
export const comparePlaces = (a: PlaceFacts, b: PlaceFacts): PlaceRelation => compareRead(readPlace(a), readPlace(b));

export function compareRead(a: ComparedPlace, b: ComparedPlace): PlaceRelation {
  const { relation, score, explain } = judgeInOrder(a, b);
  return { relation, score, evidence: explain() };
}

/** The same without the evidence, which takes longer to write than to find: a large city has a million pairs. */
export function relateRead(a: ComparedPlace, b: ComparedPlace): PlaceVerdict {
  const { relation, score } = judgeInOrder(a, b);
  return { relation, score };
}

export type PlaceVerdict = Pick<PlaceRelation, 'relation' | 'score'>;

function judgeInOrder(a: ComparedPlace, b: ComparedPlace): Judged {
  if (a.order <= b.order) return judge(a, b);
  const judged = judge(b, a);
  return { ...judged, relation: MIRRORED[judged.relation] };
}

/** The name of a place in one spelling, without blanks: what two listings of one name have in common. */
export const nameKey = (name: string): string => nameWords(name).join('') || name.normalize('NFKC').toLowerCase().trim();

/** 0–1: how much of two names is the same; 0 where they share no word that tells one place from another. Symmetric. */
export function nameLikeness(a: string, b: string): number {
  const { shared, onlyA, onlyB, sharedNames } = alignWords(placeName(a).words, placeName(b).words);
  return sharedNames === 0 ? 0 : (2 * shared) / (2 * shared + onlyA + onlyB);
}

/** Whether two located places would be the same if they stood at one door: their names do not contradict each other. */
export function wouldBeSame(a: ComparedPlace, b: ComparedPlace): boolean {
  const { latitude, longitude } = a.facts;
  return relateRead(a, { ...b, facts: { ...b.facts, latitude, longitude }, address: null }).relation === 'same';
}

/** Whether the points alone say that two are different places, whatever their names. */
export const areFarApart = (a: ComparedPlace, b: ComparedPlace): boolean =>
  isBeyond(metersBetween(a.facts, b.facts), a.doubt + b.doubt);

const isBeyond = (meters: number | null, doubt: number): boolean => meters !== null && meters - doubt > QUARTER_METERS;

interface Judged extends PlaceVerdict {
  explain(): readonly Evidence[];
}

function judge(a: ComparedPlace, b: ComparedPlace): Judged {
  if (isNowhere(a) || isNowhere(b)) {
    const { name } = (isNowhere(a) ? a : b).facts;
    return {
      relation: 'unknown',
      score: NEUTRAL_SCORE,
      explain: () => [{ kind: 'name', speaksFor: 'neither', detail: `“${name}” is no single place.` }],
    };
  }
  const ground = groundOf(a, b);
  if (ground.address === 'same' && !ground.isFar && (isCalledByAddress(a) || isCalledByAddress(b))) return sameAddress(a, b);
  const { view, score } = bestView(viewsOf(a.name, b.name), ground);
  return { relation: verdict(view, score, ground), score, explain: () => evidenceOf(a, b, view, ground) };
}

/** A place without a name is called by its street and number. */
function isCalledByAddress({ facts, address }: ComparedPlace): boolean {
  return address !== null && compareAddresses(addressInName(facts.name), address) === 'same';
}

function addressInName(name: string): StreetAddress | null {
  // Most names hold no number, and to read an address takes long.
  if (!HOUSE_NUMBER.test(name)) return null;
  const read = readAddress(name);
  return read?.from != null && nameWords(name).some((word) => STREET_WORDS.has(word)) ? read : null;
}

function sameAddress(a: ComparedPlace, b: ComparedPlace): Judged {
  const detail = `“${a.facts.name.trim()}” and “${b.facts.name.trim()}” have one address, which is the name of one of them.`;
  return { relation: 'same', score: ADDRESS_SCORE, explain: () => [{ kind: 'address', speaksFor: 'same', detail }] };
}

const isNowhere = ({ name, facts }: ComparedPlace): boolean => name.kind === 'nowhere' || facts.isArea === true;

function verdict({ relation, names, isLabel }: View, score: number, ground: Ground): PlaceRelation['relation'] {
  if (score < UNKNOWN_FROM || relation === 'rooms' || relation === 'namesakes') return 'different';
  if (score < SAME_FROM || !ground.isProven) return 'unknown';
  if (names.sharedNames === 0 && !isEqual(names)) return 'unknown';
  // Each has something the other has not: two neighbours that share the name of their street, or two rooms of one house.
  const isTornApart = (names.kindsDiffer || (names.namesA > 0 && names.namesB > 0)) && names.sharedNames < MANY_NAMES;
  if (isTornApart && ground.address !== 'same') return 'unknown';
  // `Mad Mex` and `Mad Mex - Oakland` at one door: what follows the dash names the branch.
  return isLabel && ground.meters !== null && ground.meters <= SITE_METERS ? 'same' : relation;
}

function bestView(views: readonly View[], ground: Ground): { view: View; score: number } {
  const [first, ...rest] = views.map((view) => ({ view, score: scoreOf(view, ground) }));
  if (!first) throw new RangeError('two names can always be read in one way at least');
  return rest.reduce((best, next) => (next.score > best.score ? next : best), first);
}

/** What is known of the ground: how far, which address, and whether that proves anything. */
interface Ground {
  /** Meters between the points as given. */
  distance: number | null;
  /** The same; null when unknown, or too uncertain to count. */
  meters: number | null;
  isFar: boolean;
  address: AddressRelation;
  /** A point, an address, or the very name in one postal code speaks: a name alone proves nothing, chains share it. */
  isProven: boolean;
}

function groundOf(a: ComparedPlace, b: ComparedPlace): Ground {
  const distance = metersBetween(a.facts, b.facts);
  const doubt = a.doubt + b.doubt;
  const meters = doubt <= MAX_DOUBT_METERS ? distance : null;
  const address = compareAddresses(a.address, b.address);
  const isOneQuarter = a.address?.postcode != null && a.address.postcode === b.address?.postcode && address === 'unknown';
  return {
    distance,
    meters,
    isFar: isBeyond(distance, doubt),
    address,
    isProven: meters !== null || address === 'same' || (isOneQuarter && placeKey(a.name) === placeKey(b.name)),
  };
}

function scoreOf({ relation, names, isPart }: View, ground: Ground): number {
  const score = likelihood(signalsOf(names, ground.meters, ground.address));
  if (ground.isFar || relation === 'namesakes' || conflict(names) || (isPart && isApart(ground)))
    return Math.min(CLASH_SCORE, score);
  return isBadPoint(names, ground) ? Math.max(names.isWide ? SAME_FROM : UNKNOWN_FROM, score) : score;
}

/** Beyond one door, a part of a name is no name: `Marrow - Copper Mall` is a shop in the mall. */
const isApart = ({ meters }: Ground): boolean => meters !== null && meters > NEAR_METERS;

/** What no nearness makes good: other numbers (`Stage 3`, `97th Street`), north and south, or nothing in common but the kind. */
function conflict(names: Alignment): boolean {
  if (names.numbersDiffer || (names.sharedNames === 0 && names.namesA > 0 && names.namesB > 0)) return true;
  const { restA, restB } = names;
  return OPPOSITES.some(([x, y]) => (restA.includes(x) && restB.includes(y)) || (restA.includes(y) && restB.includes(x)));
}

/** The same long name in the same quarter: a park has room for both points; a house may have one that is wrong, or be one of a chain. */
const isBadPoint = (names: Alignment, { meters, address }: Ground): boolean =>
  isEqual(names) && isLongName(names) && meters !== null && !address.startsWith('different');

/** At least one word tells, and another stands with it: `Ambassador Theatre`, not `Ambassador`. */
const isLongName = ({ shared, sharedNames }: Alignment): boolean => sharedNames > 0 && shared > 1;

function evidenceOf(a: ComparedPlace, b: ComparedPlace, { relation, names }: View, ground: Ground): Evidence[] {
  const detail = `${READINGS[relation]}: “${a.facts.name.trim()}” and “${b.facts.name.trim()}”.`;
  const evidence: Evidence[] = [{ kind: 'name', speaksFor: nameSpeaksFor(names), detail }];
  const { distance, meters, address } = ground;
  if (distance !== null) {
    const doubt = meters === null ? ', of points that stand for larger places' : '';
    const apart = `${Math.round(distance)} meters apart${doubt}.`;
    evidence.push({ kind: 'distance', speaksFor: distanceSpeaksFor(ground), detail: apart });
  }
  if (address !== 'unknown')
    evidence.push({
      kind: 'address',
      speaksFor: ADDRESS_SPEAKS[address],
      detail: `“${a.facts.address}” and “${b.facts.address}”.`,
    });
  return evidence;
}

function nameSpeaksFor(names: Alignment): Evidence['speaksFor'] {
  if (conflict(names)) return 'different';
  return isEqual(names) || names.sharedNames > 0 ? 'same' : 'neither';
}

function distanceSpeaksFor({ isFar, meters }: Ground): Evidence['speaksFor'] {
  if (isFar) return 'different';
  return meters !== null && meters <= NEAR_METERS ? 'same' : 'neither';
}

/**
 * If what is compared is equal, then the first is the same as the second, a room of it, has it as a room, or both are rooms of one house.
 * `namesakes`: one is only called after the other.
 */
interface View {
  relation: 'same' | 'room_of' | 'has_room' | 'rooms' | 'namesakes';
  names: Alignment;
  /** The room may be a label of the branch: `Library - Flatbush`. */
  isLabel?: boolean;
  /** Only the room of one name is compared, which may be a place by itself. */
  isPart?: boolean;
}

/** The ways in which two names can be read against each other: as one place, as a room and its house, as two rooms. At least one. */
function viewsOf(a: PlaceName, b: PlaceName): View[] {
  const whole: View = { relation: 'same', names: alignWords(a.words, b.words) };
  if (isEqual(whole.names)) return [whole];
  if (a.room !== null && b.room !== null) return roomsOf(a, b);
  if (a.room !== null) return roomAndHouse(a, b, 'room_of', whole);
  if (b.room !== null) return roomAndHouse(b, a, 'has_room', whole);
  return [partOf(a, b, whole) ?? whole];
}

/** Two rooms: where their names agree, one if the houses are one; else two, of one house or of two. */
function roomsOf(a: PlaceName, b: PlaceName): View[] {
  const isOneRoom = a.room === b.room || isEqual(alignWords(a.roomWords, b.roomWords));
  return [{ relation: isOneRoom ? 'same' : 'rooms', names: alignWords(a.houseWords, b.houseWords) }];
}

/** A room and a name without one, which is that of its house, or of the room itself (`The Summer Club at Raven Hotel`). */
function roomAndHouse(room: PlaceName, other: PlaceName, relation: 'room_of' | 'has_room', whole: View): View[] {
  const views: View[] = [];
  const house = alignWords(room.houseWords, other.words);
  // `Rugby` may be the `Rugby Library`; but neither `Central Park SummerStage` nor the `Bryant Park Hotel` is the house of what lies in the park.
  const isHouse = house.namesB === 0 && (house.restB.length === 0 || !KIND_WORDS.has(room.houseWords.at(-1) ?? ''));
  if (isHouse) views.push({ relation, names: house, isLabel: room.isLabel });
  if (room.roomWords.some(isNameWord))
    views.push({ relation: 'same', names: alignWords(room.roomWords, other.words), isPart: true });
  return room.isSureRoom && views.length > 0 ? views : [whole, ...views];
}

/** The full name of the other and a word for a part: `Bellefield Hall Gym`, `Astoria Park Lawn`. */
function partOf(a: PlaceName, b: PlaceName, { names }: View): View | null {
  const aIsHouse = names.restA.length === 0;
  if (!aIsHouse && names.restB.length > 0) return null;
  const [house, longer] = aIsHouse ? [a.words, b.words] : [b.words, a.words];
  if (!house.every((word, index) => word === longer[index])) return null;
  // `Park` alone is no house of which every other park around would be a part; nor would `Blocks` find them for each other.
  if (house.length === 1 && !house.some(isNameWord)) return null;
  const [kind, part] = [house.at(-1) ?? '', longer.at(-1) ?? ''];
  if (isPart({ kind, part, rest: longer.slice(house.length) }) && !isSquareAndPark(kind, part))
    return { relation: aIsHouse ? 'has_room' : 'room_of', names: alignWords(house, house) };
  const isNamesake = OPEN_GROUNDS.has(kind) && NAMED_AFTER_GROUNDS.has(part) && house.some(isNameWord);
  return isNamesake ? { relation: 'namesakes', names } : null;
}

/** `kind` and `part`: the last words of the house and of the longer name; `rest`: the words that the longer name has beside the house. */
function isPart({ kind, part, rest }: { kind: string; part: string; rest: readonly string[] }): boolean {
  if (CAMPUSES.has(kind)) return true;
  if (OPEN_GROUNDS.has(kind)) return !NAMED_AFTER_GROUNDS.has(part) || rest.some((word) => ALWAYS_PARTS.has(word));
  return rest.some((word) => ALWAYS_PARTS.has(word) || (KIND_WORDS.has(kind) && PARTS.has(word)));
}

/** `Washington Square` is the `Washington Square Park`. */
const isSquareAndPark = (kind: string, part: string): boolean => part === 'park' && kind !== 'park';

/** Each signal is a number from 0 to 1, the same in both directions. */
export type Signals = Record<SignalName, number>;

export type SignalName = keyof typeof PLACE_WEIGHTS;

/**
 * How likely two places of these names are one site: a sum of what speaks for and against, with its weights in one table. @param meters
 * between the two, or null when that is not known well enough to count.
 */
export function signalsOf(names: Alignment, meters: number | null, address: AddressRelation): Signals {
  const { shared, onlyA, onlyB } = names;
  const isShort = isEqual(names) && shared <= 1;
  return {
    equalNames: isEqual(names) ? 1 : 0,
    sharedWords: shared === 0 ? 0 : (2 * shared) / (2 * shared + onlyA + onlyB),
    containedName: shared === 0 ? 0 : shared / (shared + Math.min(onlyA, onlyB)),
    addedNames: Math.min(Math.max(names.namesA, names.namesB), MAX_ADDED_NAMES) / MAX_ADDED_NAMES,
    otherKind: names.kindsDiffer ? 1 : 0,
    nearness: nearness(meters ?? UNKNOWN_METERS),
    farShortName: isShort ? 1 - nearness(meters ?? UNKNOWN_METERS) : 0,
    sameAddress: address === 'same' ? 1 : 0,
    nearNumber: address === 'near' ? 1 : 0,
    otherNumber: address === 'different_number' ? 1 : 0,
    otherStreet: address === 'different_street' ? 1 : 0,
  };
}

/** 0–1, by the logistic function (Hosmer and Lemeshow, Applied Logistic Regression, §1.2). */
function likelihood(signals: Signals): number {
  let sum = PLACE_BIAS;
  for (const name of SIGNAL_NAMES) sum += PLACE_WEIGHTS[name] * signals[name];
  return 1 / (1 + Math.exp(-sum));
}

const isEqual = ({ onlyA, onlyB }: Alignment): boolean => onlyA === 0 && onlyB === 0;

/** 1 at the same door, 0 a mile away; each doubling of the distance takes away the same. */
function nearness(meters: number): number {
  const doublings = Math.log2(Math.max(meters, DOOR_METERS) / DOOR_METERS);
  return 1 - Math.min(1, doublings / Math.log2(MILE_METERS / DOOR_METERS));
}

const MIRRORED = { same: 'same', room_of: 'has_room', has_room: 'room_of', different: 'different', unknown: 'unknown' } as const;
const READINGS: Readonly<Record<View['relation'], string>> = {
  same: 'Names of one place, if equal',
  room_of: 'Names of a room and its house, if equal',
  has_room: 'Names of a house and its room, if equal',
  rooms: 'Names of two rooms',
  namesakes: 'One is called after the other',
};
const ADDRESS_SPEAKS: Readonly<Record<AddressRelation, Evidence['speaksFor']>> = {
  same: 'same',
  near: 'neither',
  different_number: 'different',
  different_street: 'different',
  unknown: 'neither',
};
const HOUSE_NUMBER = /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten)\b/i;
/** Of two places at one street and number, one of which is called by it. */
const ADDRESS_SCORE = 0.8;
/** Names that share as many telling words are one, though each has a word of its own. */
const MANY_NAMES = 3;
/** One building. */
const SITE_METERS = 60;
/** The evidence calls this near. */
const NEAR_METERS = 150;
/**
 * Fitted by logistic regression on 5 058 labelled pairs (`quality/fit-places.ts`), never on those that the figures are taken from.
 * In units of log-odds.
 */
export const PLACE_WEIGHTS = {
  equalNames: 2.07,
  sharedWords: 2.88,
  containedName: 1.79,
  addedNames: -0.49,
  otherKind: -0.83,
  nearness: 6.87,
  farShortName: -1.7,
  sameAddress: 1.02,
  nearNumber: -0.56,
  otherNumber: -0.79,
  otherStreet: -1.32,
} as const;
export const PLACE_BIAS = -8.6;
export const SIGNAL_NAMES = Object.keys(PLACE_WEIGHTS) as SignalName[];
const MAX_ADDED_NAMES = 3;
