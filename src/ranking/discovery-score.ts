/** `discoveryScore`: how worth showing an event is. Pure; the formula is explained in docs/scoring.md. */

import type { CapacityTier } from '../catalog/index.ts';
import { DAY_MS } from '../values/duration.ts';
import type { ScoreBreakdown, ScoreFacts, ScoreSignal } from './model.ts';
import { series } from './series.ts';

interface Reading {
  /** 0–1. */
  value: number;
  sentence: string;
}

/**
 * The score of an event at `now` (milliseconds since 1970 UTC): an integer of 0–100 and the signals it is made of.
 * Fame only ever helps: what is not known about tickets, mentions and views counts as the neutral value, and no observation lowers it.
 */
export function discoveryScore(facts: ScoreFacts, now: number): ScoreBreakdown {
  const signals = READERS.map(([signal, read]): ScoreSignal => {
    const { value, sentence } = read(facts, now);
    const weight = DISCOVERY_WEIGHTS[signal];
    return { signal, value, weight, points: value * weight, sentence };
  });
  const sum = signals.reduce((total, { points }) => total + points, 0);
  const coverage = signals.find(({ signal }) => signal === 'sources')?.points ?? 0;
  return { total: Math.min(100, Math.max(0, Math.round(sum))), coverage, signals };
}

function completeness(facts: ScoreFacts): Reading {
  const parts = [
    { name: 'a description', known: facts.hasDescription, share: COMPLETENESS.description },
    { name: 'an image', known: facts.hasImage, share: COMPLETENESS.image },
    { name: 'an end', known: facts.hasEnd, share: COMPLETENESS.end },
    { name: 'a price', known: facts.hasPrice, share: COMPLETENESS.price },
    { name: 'performers', known: facts.performers > 0, share: COMPLETENESS.performers },
  ];
  const missing = parts.filter((part) => !part.known).map((part) => part.name);
  const value = parts.reduce((sum, part) => (part.known ? sum + part.share : sum), 0) / 100;
  return { value, sentence: missing.length === 0 ? 'Nothing is missing.' : `It lacks ${listing(missing)}.` };
}

/** The chance that at least one of independent providers is right; one that is trusted little adds little and takes nothing away. */
function sources(facts: ScoreFacts): Reading {
  const trusts = facts.sources.map(clamp);
  const doubt = trusts.reduce((product, trust) => product * (1 - trust), 1);
  const average = trusts.reduce((sum, trust) => sum + trust, 0) / Math.max(1, trusts.length);
  const count = trusts.length === 1 ? 'One provider lists it' : `${trusts.length} independent providers list it`;
  return { value: 1 - doubt, sentence: `${count}, trusted ${percent(average)}${trusts.length === 1 ? '' : ' on average'}.` };
}

function venue(facts: ScoreFacts): Reading {
  const { capacityTier, isVerified } = facts.venue;
  const size = capacityTier === null ? UNKNOWN_SIZE : SIZE_VALUES[capacityTier];
  return {
    value: VERIFIED_SHARE * (isVerified ? 1 : 0) + (1 - VERIFIED_SHARE) * size,
    sentence: `The venue is ${isVerified ? 'verified' : 'not verified'} and ${capacityTier === null ? 'of unknown size' : capacityTier}.`,
  };
}

function nearness(facts: ScoreFacts, now: number): Reading {
  if (facts.latestStart < now) return { value: 0, sentence: 'It has started.' };
  const days = Math.max(0, Math.floor((facts.startsAt - now) / DAY_MS));
  const bucket = NEARNESS_BUCKETS.find(({ within }) => days < within);
  if (!bucket) return { value: FAR_AWAY, sentence: `It starts in ${NEARNESS_BUCKETS.at(-1)?.within} days or later.` };
  return { value: bucket.value, sentence: `It starts within ${bucket.within} days.` };
}

/** The tenth night of a show is little news to whoever has been told of the first. */
function showing(facts: ScoreFacts): Reading {
  const number = Math.max(1, Math.floor(facts.showing)) || 1;
  if (number === 1) return { value: 1, sentence: 'It is the next occurrence.' };
  return {
    value: 1 / number,
    sentence: `It is number ${number} of the upcoming occurrences at this venue or from this provider.`,
  };
}

/** The pace of sales, or how full it is: a full cellar is as wanted as a busy stadium. */
function tickets(facts: ScoreFacts, now: number): Reading {
  const sold = series(facts.signals, 'tickets_sold', now);
  const latest = sold.at(-1);
  if (!latest) return unknown('No ticket sales are known.');
  const before = sold.filter(({ at }) => at <= now - WINDOW_MS).at(-1) ?? sold[0] ?? latest;
  const perDay = Math.max(0, latest.value - before.value) / Math.max(1, (latest.at - before.at) / DAY_MS);
  const left = series(facts.signals, 'tickets_available', now).at(-1);
  const full = left && latest.value > 0 ? latest.value / (latest.value + left.value) : 0;
  return {
    value: raised(Math.max(saturate(perDay, HALF_WAY.ticketsPerDay), full)),
    sentence: `${round(perDay)} tickets a day were sold recently${left ? `, and ${percent(full)} are sold` : ''}.`,
  };
}

/** The busiest observation of the window: steady under any rhythm of observing. */
function peak(kind: 'social_mentions' | 'page_views', halfWay: number, noun: string) {
  return (facts: ScoreFacts, now: number): Reading => {
    const recent = series(facts.signals, kind, now).filter(({ at }) => at > now - WINDOW_MS);
    if (recent.length === 0) return unknown(`No ${noun} are known of the last ${WINDOW_DAYS} days.`);
    const most = recent.reduce((max, { value }) => Math.max(max, value), 0);
    return {
      value: raised(saturate(most, halfWay)),
      sentence: `At its busiest moment of the last ${WINDOW_DAYS} days it had ${round(most)} ${noun}.`,
    };
  };
}

const unknown = (sentence: string): Reading => ({ value: NEUTRAL, sentence });
const raised = (value: number): number => NEUTRAL + (1 - NEUTRAL) * value;
const saturate = (amount: number, halfWay: number): number =>
  amount === Number.POSITIVE_INFINITY ? 1 : amount / (amount + halfWay);
const clamp = (value: number): number => Math.min(1, Math.max(0, value));
const percent = (value: number): string => `${Math.round(value * 100)}%`;
const round = (value: number): string => String(Math.round(value * 10) / 10);
const listing = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** Points each signal can give; they sum to 100. Listed in docs/scoring.md. */
export const DISCOVERY_WEIGHTS = {
  completeness: 17,
  sources: 14,
  venue: 8,
  nearness: 14,
  showing: 22,
  tickets: 11,
  social: 7,
  views: 7,
} as const;

/** Percent of completeness each known field gives. */
const COMPLETENESS = { description: 35, image: 25, end: 15, price: 15, performers: 10 } as const;
/** What is not known is neither praise nor blame. */
const NEUTRAL = 0.4;
const VERIFIED_SHARE = 0.6;
/** A small room is worth nearly as much as a stadium: fame has signals of its own. */
const SIZE_VALUES: Record<CapacityTier, number> = { intimate: 0.7, small: 0.8, medium: 0.9, large: 1 };
const UNKNOWN_SIZE = 0.7;
/** Coarse on purpose: a score should move a few times in the life of an event, not daily. Days until the start, exclusive. */
const NEARNESS_BUCKETS = [
  { within: 3, value: 1 },
  { within: 7, value: 0.9 },
  { within: 14, value: 0.75 },
  { within: 30, value: 0.6 },
  { within: 60, value: 0.45 },
  { within: 90, value: 0.3 },
] as const;
const FAR_AWAY = 0.2;
/** The amount that gives half of what fame can give. */
const HALF_WAY = { ticketsPerDay: 50, mentions: 50, views: 200 } as const;
const WINDOW_DAYS = 7;
const WINDOW_MS = WINDOW_DAYS * DAY_MS;

const READERS: readonly (readonly [keyof typeof DISCOVERY_WEIGHTS, (facts: ScoreFacts, now: number) => Reading])[] = [
  ['completeness', completeness],
  ['sources', sources],
  ['venue', venue],
  ['nearness', nearness],
  ['showing', showing],
  ['tickets', tickets],
  ['social', peak('social_mentions', HALF_WAY.mentions, 'social mentions')],
  ['views', peak('page_views', HALF_WAY.views, 'page views')],
];
