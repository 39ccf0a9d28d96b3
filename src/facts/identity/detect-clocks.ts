/** Finds providers whose clocks are not to be believed, by events that others list as well. */

import { compareText } from '../../values/compare-text.ts';
import { candidatePairs } from './candidate-pairs.ts';
import { judge } from './compare-events.ts';
import { compareTitles } from './compare-titles.ts';
import {
  type ClockFinding,
  type ComparedEvent,
  clockOf,
  listingKey,
  MS_PER_MINUTE,
  NO_CLOCKS,
  type ProviderClocks,
  readEvent,
} from './compared-event.ts';
import type { EventFacts } from './compared-facts.ts';
import { type placeKinship, rememberedKinship } from './place-kinship.ts';
import { placeNameOf } from './place-name.ts';

/** One event of a provider, and what the nearest listing of another provider says of its start. */
interface Sighting {
  event: ComparedEvent;
  other: ComparedEvent;
  /** Printed start minus that of the other, in minutes. */
  minutes: number;
  /** One by place, night and title alone; otherwise they are one because their starts agree as well. */
  isSure: boolean;
}

/**
 * Compares what is surely one event but for the hour: two providers, one place, one night, titles that agree. A finding needs
 * several such events and few that contradict it, and somebody else who confirms the clock of the other side; in doubt nothing is
 * found. Does not depend on the order of the facts. `kinship`: as in `clusterEvents`.
 */
export function detectClocks(facts: readonly EventFacts[], kinship = rememberedKinship()): ProviderClocks {
  const sightings = sightingsOf(facts, kinship);
  const sure = sightings.filter(({ isSure }) => isSure);
  const placeholders = providersOf(facts).flatMap((provider) => placeholderOf(provider, facts, sure));
  const unreliable = new Set(placeholders.map(({ provider }) => provider));
  const timed = sightings.filter(
    ({ event, other }) => !unreliable.has(event.fact.provider) && !unreliable.has(other.fact.provider),
  );
  return { findings: [...placeholders, ...shiftsOf(timed)].sort((a, b) => (a.provider < b.provider ? -1 : 1)) };
}

function placeholderOf(provider: string, facts: readonly EventFacts[], sightings: readonly Sighting[]): ClockFinding[] {
  const own = facts.filter((fact) => fact.provider === provider && fact.precision === 'time');
  const counts = new Map<string, number>();
  for (const fact of own) counts.set(clockOf(fact), (counts.get(clockOf(fact)) ?? 0) + 1);
  const [clock = '', listings = 0] = [...counts].sort(([a, m], [b, n]) => n - m || compareText(a, b))[0] ?? [];
  const places = new Set(own.map((fact) => placeNameOf(fact.place).house)).size;
  if (listings < MIN_LISTINGS || listings < own.length * PLACEHOLDER_SHARE || places < MIN_PLACES_OF_PLACEHOLDER) return [];
  const seen = nearest(sightings.filter(({ event }) => event.fact.provider === provider && clockOf(event.fact) === clock));
  const support = eventsIn(seen.filter(({ minutes }) => Math.abs(minutes) >= DISAGREEING_MINUTES));
  const against = eventsIn(seen) - support;
  if (support < MIN_DISAGREEING || support < (support + against) * DISAGREEING_SHARE) return [];
  const sentence =
    `${provider} prints ${clock} for ${listings} of ${own.length} listings; others give another hour for ${support} of the ` +
    `${support + against} events that they list too. Its ${clock} is read as “hour unknown”.`;
  return [{ provider, kind: 'placeholder', clock, hours: 0, support, against, sentence }];
}

/** The clearest case is taken first and its listings set aside, for the provider on the other side looks shifted as well. */
function shiftsOf(sightings: readonly Sighting[]): ClockFinding[] {
  const found = providersOf(sightings.map(({ event }) => event.fact))
    .map((provider) => shiftOf(provider, sightings))
    .filter((candidate) => candidate !== null)
    .sort((a, b) => shareOf(b) - shareOf(a) || b.support - a.support || (a.provider < b.provider ? -1 : 1));
  const [clearest] = found;
  if (!clearest) return [];
  const concerns = ({ event, other }: Sighting) => [event, other].some(({ fact }) => fact.provider === clearest.provider);
  return [clearest, ...shiftsOf(sightings.filter((sighting) => !concerns(sighting)))];
}

const shareOf = ({ support, against }: ClockFinding): number => support / (support + against);

function shiftOf(provider: string, sightings: readonly Sighting[]): ClockFinding | null {
  const seen = nearest(sightings.filter(({ event, isSure }) => isSure && event.fact.provider === provider));
  const byHours = Map.groupBy(
    seen.filter(({ minutes }) => isWholeHours(minutes)),
    ({ minutes }) => Math.round(minutes / 60),
  );
  const [most, next] = [...byHours].sort(([a, m], [b, n]) => eventsIn(n) - eventsIn(m) || a - b);
  if (!most) return null;
  const [off, agreeing] = most;
  const support = eventsIn(agreeing);
  const against = eventsIn(seen.filter((sighting) => !agreeing.includes(sighting)));
  const rivals = [next?.[1] ?? [], seen.filter(({ minutes }) => Math.abs(minutes) < DISAGREEING_MINUTES)].map(eventsIn);
  const places = new Set(agreeing.map(({ event }) => placeNameOf(event.fact.place).house)).size;
  if (support < MIN_SHIFTED || places < MIN_PLACES_OF_SHIFT || support < (support + against) * SHIFTED_SHARE) return null;
  if (rivals.some((rival) => support < rival * RIVAL_FACTOR)) return null;
  if (!isConfirmed(provider, agreeing, sightings)) return null;
  const sentence =
    `${provider} runs ${Math.abs(off)} hours ${off < 0 ? 'early' : 'late'}: so it is for ${support} of the ${support + against} events ` +
    `that others list too. Its starts are read ${Math.abs(off)} hours ${off < 0 ? 'later' : 'earlier'}.`;
  return { provider, kind: 'shifted', clock: null, hours: -off, support, against, sentence };
}

/** Of two clocks that differ either may be wrong: the other one must agree with a third, or there must be two others. */
function isConfirmed(provider: string, agreeing: readonly Sighting[], sightings: readonly Sighting[]): boolean {
  const others = new Set(agreeing.map(({ other }) => other.fact.provider));
  if (others.size > 1) return true;
  const confirming = sightings.filter(
    ({ event, other, minutes }) =>
      others.has(event.fact.provider) && other.fact.provider !== provider && Math.abs(minutes) < DISAGREEING_MINUTES,
  );
  return eventsIn(confirming) >= MIN_CONFIRMING;
}

const isWholeHours = (minutes: number): boolean => {
  const hours = Math.round(minutes / 60);
  return hours !== 0 && Math.abs(hours) <= MAX_HOURS && Math.abs(minutes - hours * 60) <= WHOLE_HOUR_TOLERANCE;
};

/** Of each listing the sighting nearest in time: a matinee is not measured against the evening. */
function nearest(sightings: readonly Sighting[]): Sighting[] {
  return [...Map.groupBy(sightings, ({ event }) => event.fact.id).values()].map((group) =>
    group.reduce((best, each) => (isNearer(each, best) ? each : best)),
  );
}

const isNearer = (a: Sighting, b: Sighting): boolean =>
  Math.abs(a.minutes) !== Math.abs(b.minutes)
    ? Math.abs(a.minutes) < Math.abs(b.minutes)
    : listingKey(a.other.fact) < listingKey(b.other.fact);

/** Listings of one place and night count once: a provider may list an event twice. */
const eventsIn = (sightings: readonly Sighting[]): number =>
  new Set(sightings.map(({ event }) => `${event.night} ${placeNameOf(event.fact.place).house}`)).size;

/** Pairs of one printed day: a placeholder may be midnight, which belongs to another night. */
function sightingsOf(facts: readonly EventFacts[], kinship: typeof placeKinship): Sighting[] {
  const sightings: Sighting[] = [];
  const timed = facts.filter((fact) => fact.precision === 'time');
  for (const day of Map.groupBy(timed, (fact) => fact.localStart.slice(0, 10)).values())
    for (const [a, b] of candidatePairs(
      day.map((fact) => readEvent(fact, NO_CLOCKS)),
      tellingWords,
    )) {
      if (a.fact.provider === b.fact.provider) continue;
      const isSure = isSurelyOne(a, b, kinship);
      if (!isSure && judge(a, b, kinship).outcome !== 'same') continue;
      const minutes = (a.fact.startsAt - b.fact.startsAt) / MS_PER_MINUTE;
      sightings.push({ event: a, other: b, isSure, minutes }, { event: b, other: a, isSure, minutes: -minutes });
    }
  return sightings;
}

/** Rare words only, which keeps blocks small. */
const tellingWords = ({ title }: ComparedEvent): string[] =>
  [...title.words].flatMap(([word, weight]) => (weight === 1 ? [word] : []));

function isSurelyOne(a: ComparedEvent, b: ComparedEvent, kinship: typeof placeKinship): boolean {
  const place = kinship(a.fact.place, b.fact.place);
  if (place !== 'same' && place !== 'room' && place !== 'alias') return false;
  const words = new Set([a, b].flatMap(({ fact }) => placeNameOf(fact.place).words));
  const { likeness, told, contradiction, doubt } = compareTitles(a.title, b.title, words);
  return likeness >= SURE_LIKENESS && told >= SURE_TOLD && contradiction === null && doubt === null;
}

const providersOf = (facts: readonly EventFacts[]): string[] => [...new Set(facts.map(({ provider }) => provider))].sort();

/** What makes two listings surely one but for the hour. */
const SURE_LIKENESS = 0.65;
const SURE_TOLD = 1;
/** A placeholder: nearly all of many listings at many places, contradicted by others for several events. */
const PLACEHOLDER_SHARE = 0.9;
const MIN_LISTINGS = 20;
const MIN_PLACES_OF_PLACEHOLDER = 5;
const MIN_DISAGREEING = 3;
const DISAGREEING_SHARE = 0.25;
const DISAGREEING_MINUTES = 15;
/** A shifted clock: the same whole number of hours for most events that others list, at several places. */
const MIN_SHIFTED = 5;
const SHIFTED_SHARE = 0.5;
/** So much more often than any other whole number of hours, none at all included. */
const RIVAL_FACTOR = 3;
const MIN_PLACES_OF_SHIFT = 3;
const MIN_CONFIRMING = 2;
/** The farthest zone from UTC is 14 hours. */
const MAX_HOURS = 14;
const WHOLE_HOUR_TOLERANCE = 5;
