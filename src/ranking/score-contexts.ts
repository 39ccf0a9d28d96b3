/** `scoreContexts`: what all listed events together say about each of them. Pure; explained in docs/scoring.md. */

import { runKey } from '../records/index.ts';
import { DAY_MS } from '../values/duration.ts';
import { stablePoints } from './discovery-score.ts';
import { pickSmallEvents, rankOfDay } from './picks.ts';
import type { ScoreContext } from './score-context.ts';
import { type ContextEvent, collectShows, type Show, showings, showKey } from './shows.ts';
import { type RatedVenue, type VenueProfile, venueProfile } from './venue-profile.ts';

/**
 * By id, of those that are still to come. `events` are all that are listed, with those of the last weeks, in any order. A venue that is
 * not in `venues` is one of which nothing is known.
 */
export function scoreContexts(
  events: readonly ContextEvent[],
  venues: ReadonlyMap<string, RatedVenue>,
  now: number,
): Map<string, ScoreContext> {
  const shows = collectShows(events);
  const profiles = profileVenues(shows, venues, now);
  const best = bestVenues(events, profiles);
  const coming = events.filter(({ isComing }) => isComing);
  const programs = new Map(coming.map((event) => [event.id, programKey(event.title, event.run)]));
  const programOf = ({ id, run }: ContextEvent): string => programs.get(id) ?? run;
  const numbers = showings(
    coming.map((event) => {
      const { id, venueId, sources, startsAt } = event;
      return { id, venueId, sources, startsAt, run: programOf(event) };
    }),
  );
  const contexts = new Map<string, ScoreContext>();
  for (const event of coming) {
    const show = shows.get(showKey(event));
    const profile = profiles.get(event.venueId);
    if (!show || !profile) continue;
    contexts.set(event.id, {
      showing: numbers.get(event.id) ?? 1,
      nights: countNear(show.starts, event.startsAt),
      venue: coarse(profile.value),
      bestVenue: coarse(Math.max(...actKeys(event).map((key) => best.get(key) ?? 0))),
      residency: Math.round(show.residency * 100),
      picture: show.picture,
      price: Math.min(MAX_STORED, Math.round(show.price ?? 0)),
      isLeisure: event.isLeisure,
      dayRank: 1,
      isPick: false,
      series: Math.min(MAX_STORED, profile.series),
      headliners: Math.min(MAX_STORED, profile.headliners),
    });
  }
  const candidates = coming.flatMap((event) => {
    const context = contexts.get(event.id);
    if (!context) return [];
    const { id, title, venueId, category, isFree, day, startsAt } = event;
    const points = stablePoints({ category, isFree, context });
    return [
      { id, title, venueId, category, isFree, day, startsAt, program: programOf(event), nights: context.nights, ...points },
    ];
  });
  const ranks = rankOfDay(candidates);
  const picks = new Set(pickSmallEvents(candidates));
  for (const [id, context] of contexts) Object.assign(context, { dayRank: ranks.get(id) ?? 1, isPick: picks.has(id) });
  return contexts;
}

function profileVenues(
  shows: ReadonlyMap<string, Show>,
  venues: ReadonlyMap<string, RatedVenue>,
  now: number,
): Map<string, VenueProfile> {
  const byVenue = Map.groupBy(shows.values(), ({ venueId }) => venueId);
  return new Map([...byVenue].map(([id, list]) => [id, venueProfile(venues.get(id) ?? UNKNOWN_VENUE, list, now)]));
}

/** The best venue of each series and each performer. */
function bestVenues(events: readonly ContextEvent[], profiles: ReadonlyMap<string, VenueProfile>): Map<string, number> {
  const best = new Map<string, number>();
  for (const event of events) {
    const value = profiles.get(event.venueId)?.value ?? 0;
    for (const key of actKeys(event)) if (value > (best.get(key) ?? 0)) best.set(key, value);
  }
  return best;
}

/** The series, and the first performers: a long bill names many who open for others. */
const actKeys = ({ run, performers }: ContextEvent): string[] => [
  `series ${run}`,
  ...performers.slice(0, MAX_PERFORMERS).map((name) => `performer ${name.normalize('NFKC').toLowerCase().trim()}`),
];

/** `starts` are in order. */
const countNear = (starts: readonly number[], at: number): number =>
  Math.min(
    MAX_STORED,
    starts.reduce((count, start) => (Math.abs(start - at) < RARITY_MS ? count + 1 : count), 0),
  );

/** In steps, so that one event more at a venue does not move the scores of all. */
const coarse = (value: number): number => Math.round((value * 100) / STEP) * STEP;

/**
 * Of `Movies in the Park: Jaws` and `Movies in the Park: Alien` it is the same: what stands before a colon names the program, if it has
 * two words or more. Otherwise it is the key of the series.
 */
function programKey(title: string, run: string): string {
  const colon = title.indexOf(':');
  if (colon < 0 || title.slice(colon + 1).trim() === '') return run;
  const name = runKey(title.slice(0, colon));
  return name.includes(' ') ? name : run;
}

const UNKNOWN_VENUE: RatedVenue = { type: 'bar', capacityTier: null, isVerified: false };
const RARITY_MS = 15 * DAY_MS;
const MAX_PERFORMERS = 3;
const STEP = 5;
/** What fits into two bytes. */
const MAX_STORED = 32_000;
