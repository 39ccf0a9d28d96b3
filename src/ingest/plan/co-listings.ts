/** From events that two sources list at two venues to what is known of the two venues, and to one candidate about them. */

import {
  comparePlaces,
  type EventPlan,
  type EventRecord,
  placeFacts,
  type VenuePlan,
  type VenueRecord,
} from '../../facts/index.ts';
import { compareText } from '../../values/compare-text.ts';
import type { CoListedNight } from '../decisions/co-listings.ts';
import type { ReviewCandidate } from '../decisions/decisions.ts';

export interface CoListingContext {
  /** All event records that take part in matching. */
  events: readonly EventRecord[];
  venueRecords: readonly VenueRecord[];
  venues: Pick<VenuePlan, 'venueOf' | 'asks'>;
}

interface Places {
  /** Of an event record: the record of its venue. */
  venueRecordOf(event: EventRecord | undefined): VenueRecord | undefined;
  venueOf(recordId: string): string | undefined;
}

/** The nights that this run has found; listings whose source names no venue with a point are left out. */
export function findCoListings(plan: Pick<EventPlan, 'coListings'>, context: CoListingContext): CoListedNight[] {
  if (plan.coListings.length === 0) return [];
  const { venueRecordOf, venueOf } = placesOf(context);
  const byId = new Map(context.events.map((event) => [event.id, event]));
  const nights = new Map<string, CoListedNight>();
  for (const { left, right, kinship } of plan.coListings) {
    const [a, b] = [byId.get(left), byId.get(right)];
    const [one, other] = [venueRecordOf(a), venueRecordOf(b)].sort((x, y) => ((x?.id ?? '') < (y?.id ?? '') ? -1 : 1));
    if (!a || !one || !other || one.id === other.id) continue;
    const [site, otherSite] = [venueOf(one.id) ?? one.id, venueOf(other.id) ?? other.id];
    if (site === otherSite) continue;
    const moment = { night: a.night, startsAt: a.startsAt, title: a.facts.title };
    const night = { left: one.id, right: other.id, ...moment, kinship, isContradicted: false };
    const key = `${one.id} ${other.id} ${a.night}`;
    if (!nights.has(key)) nights.set(key, night);
  }
  return markContradictions([...nights.values()], context);
}

function placesOf({ venueRecords, venues }: CoListingContext): Places {
  const byKey = new Map(venueRecords.map((record) => [`${record.sourceId} ${record.externalId}`, record]));
  return {
    venueRecordOf: (event) => (event?.facts.venueKey ? byKey.get(`${event.sourceId} ${event.facts.venueKey}`) : undefined),
    venueOf: venues.venueOf,
  };
}

/** The same nights, those of two venues marked at which one provider lists different events at one time. */
export function markContradictions(
  nights: readonly CoListedNight[],
  { events, venueRecords }: Pick<CoListingContext, 'events' | 'venueRecords'>,
): CoListedNight[] {
  if (nights.length === 0) return [];
  const wanted = new Set(nights.flatMap(({ left, right }) => [left, right]));
  const names = new Map(
    venueRecords.flatMap(({ id, listing }) => (wanted.has(id) ? [[id, nameKey(listing.name)] as const] : [])),
  );
  const onAt = titlesAt(new Set(names.values()), events);
  const at = (id: string) => onAt.get(names.get(id) ?? '') ?? NO_TITLES;
  return nights.map((night) => {
    const [here, there] = [at(night.left), at(night.right)];
    const isTwo = [...here].some(([moment, titles]) => differ(titles, there.get(moment) ?? titles));
    return isTwo && !night.isContradicted ? { ...night, isContradicted: true } : night;
  });
}

/** By the name of a venue: by provider and start, all that is on. */
function titlesAt(names: ReadonlySet<string>, events: readonly EventRecord[]): Map<string, Map<string, Set<string>>> {
  const titles = new Map([...names].map((name) => [name, new Map<string, Set<string>>()]));
  for (const { facts, startsAt } of events) {
    const moments = facts.precision === 'time' ? titles.get(nameKey(facts.place.name)) : undefined;
    const moment = `${facts.provider} ${startsAt}`;
    moments?.set(moment, (moments.get(moment) ?? new Set()).add(facts.title.toLowerCase()));
  }
  return titles;
}

const differ = (some: ReadonlySet<string>, others: ReadonlySet<string>): boolean => some.symmetricDifference(others).size > 0;
const NO_TITLES: ReadonlyMap<string, ReadonlySet<string>> = new Map();
const nameKey = (name: string): string => name.normalize('NFKC').toLowerCase().trim();

/**
 * The candidates of a run: events of which only the place is in doubt become one candidate about their two venues, and none where a
 * person has answered it. `nights`: all that are known, those of this run too.
 */
export function mergePlaceCandidates(
  { asks, coListings }: Pick<EventPlan, 'asks' | 'coListings'>,
  nights: readonly CoListedNight[],
  context: CoListingContext & { decisions: readonly { left: string; right: string }[]; today: string },
): ReviewCandidate[] {
  const { venueRecordOf, venueOf } = placesOf(context);
  const venueKey = (left: string, right: string): string => [venueOf(left) ?? left, venueOf(right) ?? right].sort().join(' ');
  const decided = new Set(context.decisions.map(({ left, right }) => venueKey(left, right)));
  const asked = new Map<string, ReviewCandidate>();
  // The likeliest come first.
  for (const ask of context.venues.asks) {
    const key = venueKey(ask.left, ask.right);
    if (!asked.has(key)) asked.set(key, { kind: 'venue', ...ask });
  }
  const coming = nights.filter(({ left, right, night }) => night >= context.today && venueOf(left) !== venueOf(right));
  const byRecord = new Map(context.venueRecords.map((record) => [record.id, record]));
  for (const [key, listed] of Map.groupBy(coming, ({ left, right }) => venueKey(left, right))) {
    const known = eachOnce(listed);
    const isWeak = known.every(({ kinship }) => kinship === 'different') && known.length < MIN_NIGHTS_APART;
    if (decided.has(key) || isWeak || listed.some(({ isContradicted }) => isContradicted)) continue;
    const candidate = venueCandidate(known, byRecord);
    const before = asked.get(key);
    if (candidate) asked.set(key, before ? { ...candidate, left: before.left, right: before.right } : candidate);
  }
  const byId = new Map(context.events.map((event) => [event.id, event]));
  const placeDoubts = new Set(coListings.map(({ left, right }) => `${left} ${right}`));
  const events = asks.filter(({ left, right }) => {
    if (!placeDoubts.has(`${left} ${right}`)) return true;
    const [one, other] = [venueRecordOf(byId.get(left)), venueRecordOf(byId.get(right))];
    const key = one && other ? venueKey(one.id, other.id) : null;
    return key === null || !(asked.has(key) || decided.has(key));
  });
  return [...events.map((ask) => ({ kind: 'event' as const, ...ask })), ...asked.values()];
}

/** Each night of two venues once, in order: several records of one venue may be listed on it. */
function eachOnce(nights: readonly CoListedNight[]): CoListedNight[] {
  const ordered = nights.toSorted(
    (a, b) => compareText(a.night, b.night) || compareText(a.left, b.left) || compareText(a.right, b.right),
  );
  return ordered.filter(({ night }, index) => night !== ordered[index - 1]?.night);
}

/** @param ordered nights, the first one first. */
function venueCandidate(ordered: readonly CoListedNight[], byId: ReadonlyMap<string, VenueRecord>): ReviewCandidate | null {
  const [first] = ordered;
  const [left, right] = [byId.get(first?.left ?? ''), byId.get(first?.right ?? '')];
  if (!first || !left || !right) return null;
  const listed = ordered.slice(0, MAX_NIGHTS_SHOWN).map(({ night, title }) => ({
    kind: 'co-listing',
    speaksFor: 'same',
    detail: `On ${night}, two sources list “${title}” at the same time, one at each of the two.`,
  }));
  const more = ordered.length - listed.length;
  const rest = more > 0 ? [{ kind: 'co-listing', speaksFor: 'same', detail: `So they do on ${more} more nights.` }] : [];
  const { evidence } = comparePlaces(placeFacts(left), placeFacts(right));
  const score = Math.min(MAX_SCORE, MIN_SCORE + SCORE_OF_NIGHT * ordered.length);
  return { kind: 'venue', left: left.id, right: right.id, score, evidence: [...listed, ...rest, ...evidence] };
}

/** One night at two places far apart may be a wrong venue, and is asked of the event. */
const MIN_NIGHTS_APART = 2;
const MAX_NIGHTS_SHOWN = 5;
const MIN_SCORE = 0.6;
const SCORE_OF_NIGHT = 0.1;
const MAX_SCORE = 0.95;
