/** `discoveryScore`: what a local would put first. Pure; the formula is explained in docs/scoring.md. */

import type { Category } from '../records/index.ts';
import { DAY_MS } from '../values/duration.ts';
import type { ScoreBreakdown, ScoreFacts, ScoreSignal } from './model.ts';
import { MAX_RANK } from './picks.ts';
import { series } from './series.ts';
import { priceValue } from './venue-profile.ts';

interface Reading {
  /** 0–1. */
  value: number;
  sentence: string;
}
type SignalName = keyof typeof DISCOVERY_WEIGHTS;

/**
 * The score of an event at `now` (milliseconds since 1970 UTC): an integer of 0–100 and the signals it is made of.
 * Popularity only helps: unknown tickets, mentions and views count as the neutral value, and no observation lowers the score.
 */
export function discoveryScore(facts: ScoreFacts, now: number): ScoreBreakdown {
  const signals = READERS.map(([signal, read]): ScoreSignal => {
    const { value, sentence } = read(facts, now);
    const weight = DISCOVERY_WEIGHTS[signal];
    return { signal, value, weight, points: value * weight, sentence };
  });
  const sum = signals.reduce((total, { points }) => total + points, 0);
  return { total: Math.min(100, Math.max(0, Math.round(sum))), appeal: appealOf(facts), signals };
}

/** What the rest of the directory says: neither the clock nor the audience moves it. */
export function stablePoints(facts: Pick<ScoreFacts, 'category' | 'isFree' | 'context'>): { size: number; points: number } {
  const [venuePoints, famePoints] = [pointsOf('venue', venue(facts)), pointsOf('fame', fame(facts))];
  const others = pointsOf('category', category(facts)) + pointsOf('rarity', rarity(facts)) + pointsOf('hours', hours(facts));
  return {
    size: (venuePoints + famePoints) / (DISCOVERY_WEIGHTS.venue + DISCOVERY_WEIGHTS.fame),
    points: venuePoints + famePoints + others + pointsOf('showing', showing(facts)),
  };
}

const pointsOf = (signal: SignalName, { value }: Reading): number => value * DISCOVERY_WEIGHTS[signal];

/** What can be news about an event: who plays, at which price, for how many nights, and whether it is sold out. */
function appealOf(facts: ScoreFacts): number {
  return pointsOf('fame', fame(facts)) + (facts.isSoldOut ? SOLD_OUT_APPEAL : 0);
}

type ContextFacts = Pick<ScoreFacts, 'category' | 'isFree' | 'context'>;

function venue({ context }: ContextFacts): Reading {
  const { venue: percentage, series: shows, headliners } = context;
  const level = VENUE_LEVELS.find(({ from }) => percentage >= from)?.words ?? 'A place for small events';
  return { value: percentage / 100, sentence: `${level}: ${headliners} of ${shows} series there are headliners.` };
}

/** A picture says little of somebody who plays in bars, and a long run says little of a show in a bar. */
function fame({ context, isFree }: ContextFacts): Reading {
  const best = context.bestVenue / 100;
  const known = context.picture === 'own' ? 1 : context.picture === 'unknown' && !isFree ? FAME.unknownPicture : 0;
  const picture = FAME.picture * known * (0.4 + 0.6 * best);
  const residency = (FAME.residency * context.residency * (0.3 + 0.7 * best)) / 100;
  const price = isFree ? 0 : FAME.price * (context.price === 0 ? FAME.unknownPrice : priceValue(context.price));
  const reasons = [
    ...(context.picture === 'own' ? ['have a picture of their own'] : []),
    ...(best >= GREAT_VENUE ? ['play at a great venue'] : []),
    ...(context.residency > 0 ? ['stay for several nights'] : []),
    ...(context.price > 0 && !isFree ? [`cost about ${context.price}`] : []),
  ];
  const sentence = reasons.length === 0 ? 'Little is known of its performers.' : `Its performers ${listing(reasons)}.`;
  return { value: Math.min(1, picture + residency + FAME.venue * best + price), sentence };
}

/** How many people go out for it. */
function category({ category: name, isFree }: ContextFacts): Reading {
  const value = CATEGORY_VALUES[name];
  if (!isFree) return { value, sentence: `It is in the category ${name}, with tickets.` };
  return { value: name === 'festival' ? value : value * FREE_VALUE, sentence: `It is in the category ${name}, and free.` };
}

/** What takes place every day can wait. A great house is filled each night, so a long run there loses little. */
function rarity({ context: { nights, bestVenue }, isFree }: ContextFacts): Reading {
  const value = RARITY_HALF_WAY / (RARITY_HALF_WAY + Math.max(0, nights - 1));
  const least = isFree ? 0 : PAID_RARITY + ((1 - PAID_RARITY) * bestVenue) / 100;
  const sentence = nights <= 1 ? 'It takes place once.' : `It takes place ${nights} times within a month.`;
  return { value: Math.max(value, least), sentence };
}

function hours({ context }: ContextFacts): Reading {
  if (context.isLeisure) return { value: 1, sentence: 'It begins in the evening or on a weekend.' };
  return { value: WORKING_HOURS_VALUE, sentence: 'It begins when most people work or sleep.' };
}

/** A page of one category is no page of a city: only the best of a day stand out. */
function bestOfDay({ context: { dayRank }, category: name }: ScoreFacts): Reading {
  const value = DAY_RANK_HALF_WAY / (DAY_RANK_HALF_WAY + Math.max(0, dayRank - 1));
  if (dayRank >= MAX_RANK) return { value, sentence: `Many others of the category ${name} come before it on its day.` };
  return { value, sentence: `It is number ${dayRank} of the category ${name} on its day.` };
}

/** One of the best small events of its day stands beside the headliners of these days: it gets what its venue and fame lack. */
function pick({ context, ...facts }: ScoreFacts, now: number): Reading {
  if (!context.isPick) return { value: 0, sentence: 'It is not among the best small events of its day.' };
  const days = daysUntil(facts, now);
  const share = facts.latestStart < now ? 0 : (PICK_BUCKETS.find(({ within }) => days < within)?.value ?? 0);
  const { size } = stablePoints({ ...facts, context });
  const level = facts.isFree ? PICK_LEVELS.free : PICK_LEVELS.paid;
  const value = share * Math.max(0, level - size);
  return { value, sentence: 'It is one of the best small events of its day.' };
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

function nearness(facts: ScoreFacts, now: number): Reading {
  if (facts.latestStart < now) return { value: 0, sentence: 'It has started.' };
  const days = daysUntil(facts, now);
  const bucket = NEARNESS_BUCKETS.find(({ within }) => days < within);
  if (!bucket) return { value: FAR_AWAY, sentence: `It starts in ${NEARNESS_BUCKETS.at(-1)?.within} days or later.` };
  return { value: bucket.value, sentence: `It starts within ${bucket.within} days.` };
}

/** The tenth night of a show is little news to whoever has been told of the first. */
function showing({ context }: ContextFacts): Reading {
  const number = Math.max(1, Math.floor(context.showing)) || 1;
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
  if (facts.isSoldOut) return { value: 1, sentence: 'It is sold out.' };
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
const percent = (value: number): string => `${Math.round(value * 100)}%`;
const round = (value: number): string => String(Math.round(value * 10) / 10);
const listing = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

const daysUntil = ({ startsAt }: Pick<ScoreFacts, 'startsAt'>, now: number): number =>
  Math.max(0, Math.floor((startsAt - now) / DAY_MS));

/** Points each signal can give. Without `pick`, which only small events have, they sum to 100. Listed in docs/scoring.md. */
export const DISCOVERY_WEIGHTS = {
  venue: 18,
  fame: 18,
  category: 9,
  best_of_day: 10,
  rarity: 5,
  showing: 12,
  nearness: 12,
  hours: 3,
  completeness: 2,
  tickets: 6,
  social: 3,
  views: 2,
  pick: 36,
} as const;

/** How much each says of fame; the sum may exceed 1, which is the most there is. Listed in docs/scoring.md. */
export const FAME = { picture: 0.4, residency: 0.4, venue: 0.25, price: 0.2, unknownPicture: 0.3, unknownPrice: 0.4 } as const;
/** Listed in docs/scoring.md. */
export const CATEGORY_VALUES: Record<Category, number> = {
  festival: 1,
  theater: 0.9,
  sports: 0.9,
  concert: 0.7,
  comedy: 0.7,
  nightlife: 0.5,
  art: 0.5,
  food: 0.4,
  outdoor: 0.35,
  family: 0.25,
  community: 0.2,
};
/** Of the value of a category, for what is free. A festival is a festival. */
const FREE_VALUE = 0.5;
/** Percent. */
const VENUE_LEVELS = [
  { from: 70, words: 'One of the great venues' },
  { from: 45, words: 'A well-known venue' },
  { from: 25, words: 'A venue of middling size' },
] as const;
const GREAT_VENUE = 0.6;
/** Further events of a series that take half of its rarity. */
const RARITY_HALF_WAY = 3;
const PAID_RARITY = 0.4;
const WORKING_HOURS_VALUE = 0.3;
/** In points of `fame`. */
const SOLD_OUT_APPEAL = 4;
/** Events before it that take half of what it can have. */
const DAY_RANK_HALF_WAY = 2;
/** Share of the points of venue and fame that a pick is lifted to; what is free has fewer points for its category. */
const PICK_LEVELS = { free: 0.87, paid: 0.62 } as const;
const PICK_BUCKETS = [
  { within: 3, value: 1 },
  { within: 7, value: 0.6 },
] as const;
/** Percent of completeness each known field gives. */
const COMPLETENESS = { description: 35, image: 25, end: 15, price: 15, performers: 10 } as const;
/** What is not known is neither praise nor blame. */
const NEUTRAL = 0.4;
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

const READERS: readonly (readonly [SignalName, (facts: ScoreFacts, now: number) => Reading])[] = [
  ['venue', venue],
  ['fame', fame],
  ['category', category],
  ['best_of_day', bestOfDay],
  ['rarity', rarity],
  ['showing', showing],
  ['nearness', nearness],
  ['hours', hours],
  ['completeness', completeness],
  ['tickets', tickets],
  ['social', peak('social_mentions', HALF_WAY.mentions, 'social mentions')],
  ['views', peak('page_views', HALF_WAY.views, 'page views')],
  ['pick', pick],
];
