/** One published file of New York as a directory would rank it: read, matched, merged and scored without a store. */

import { type Category, LISTED_STATUSES, runKey } from '../src/catalog/index.ts';
import { clusterEvents, correctedStart, detectClocks } from '../src/identity/index.ts';
import { mergeEvent, wordOf } from '../src/ingest/run/merge-event.ts';
import { discoveryScore, type ScoreBreakdown, scoreFacts, showings } from '../src/ranking/index.ts';
import { isNyc, readNycFacts } from './nyc-facts.ts';

export interface RankedEvent {
  /** Ids of its listings. */
  listings: readonly string[];
  title: string;
  category: Category;
  /** As the first listing names it. */
  venue: string;
  run: string;
  sources: readonly string[];
  startsAt: number;
  /** Its title, end, image, price. */
  isFree: boolean;
  showing: number;
  score: ScoreBreakdown;
}

/**
 * What is listed and still to come at `now` (milliseconds), best first. Nobody has verified the venues, and all providers are trusted
 * alike.
 */
export function rankDay(file: string, now: number): RankedEvent[] {
  const { facts, events } = readNycFacts(file, isNyc);
  const clocks = detectClocks(facts);
  const at = new Map(facts.map(({ id }, index) => [id, index]));
  const merged = clusterEvents(facts, { clocks, decisions: [] }).groups.flatMap((listings) => {
    const words = listings.flatMap((id) => {
      const [fact, event] = [facts[at.get(id) ?? -1], events[at.get(id) ?? -1]];
      if (!fact || !event) return [];
      return wordOf({ id, provider: fact.provider, trust: TRUST, confirmedAt: now }, event, correctedStart(fact, clocks));
    });
    const { event } = mergeEvent(words);
    if (event.startsAt < now || !(LISTED_STATUSES as readonly string[]).includes(event.status)) return [];
    const venue = words[0]?.listing.place.name ?? '';
    const { title, sources, startsAt } = event;
    return [{ id: listings[0] ?? '', listings, event, venue, venueId: venue, run: runKey(title), sources, startsAt }];
  });
  const numbers = showings(merged);
  return merged
    .map(({ id, listings, event, venue, run }): RankedEvent => {
      const showing = numbers.get(id) ?? 1;
      const score = discoveryScore(scoreFacts(event, UNKNOWN_VENUE, new Map(), showing, []), now);
      const { title, category, sources, startsAt, isFree } = event;
      return { listings, title, category, venue, run, sources, startsAt, isFree, showing, score };
    })
    .sort((a, b) => b.score.total - a.score.total || a.startsAt - b.startsAt || (a.listings.join() < b.listings.join() ? -1 : 1));
}

const UNKNOWN_VENUE = { capacityTier: null, isVerified: false };
const TRUST = 0.5;
