/** One published file of New York as a directory would rank it: read, matched, merged and scored without a store. */

import type { Category } from '../src/catalog/index.ts';
import { clusterEvents, correctedStart, detectClocks } from '../src/identity/index.ts';
import { mergeEvent, wordOf } from '../src/merge/merge-event.ts';
import { discoveryScore, type ScoreBreakdown, scoreFacts, showings } from '../src/ranking/index.ts';
import { comingShowings } from '../src/score-jobs/score-event.ts';
import { isNyc, type Row, readNycFacts } from './nyc-facts.ts';

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
  isFree: boolean;
  showing: number;
  score: ScoreBreakdown;
}

/**
 * What is listed and still to come at `now` (milliseconds), best first. Nobody has verified the venues, and all providers are trusted
 * alike.
 */
export function rankDay(file: string, now: number, isWanted: (row: Row) => boolean = isNyc): RankedEvent[] {
  const { facts, events } = readNycFacts(file, isWanted);
  const clocks = detectClocks(facts);
  const at = new Map(facts.map(({ id }, index) => [id, index]));
  const merged = clusterEvents(facts, { clocks, decisions: [] }).groups.map((listings) => {
    const words = listings.flatMap((id) => {
      const [fact, event] = [facts[at.get(id) ?? -1], events[at.get(id) ?? -1]];
      if (!fact || !event) return [];
      return wordOf({ id, provider: fact.provider, trust: TRUST, confirmedAt: now }, event, correctedStart(fact, clocks));
    });
    const venue = words[0]?.listing.place.name ?? '';
    return { ...mergeEvent(words), id: listings[0] ?? '', listings, venue, venueId: venue };
  });
  const coming = new Map(comingShowings(merged, now).map((showing) => [showing.id, showing]));
  const numbers = showings(coming.values());
  return merged
    .flatMap((event): RankedEvent[] => {
      const { id, listings, venue, title, category, sources, startsAt, isFree } = event;
      const run = coming.get(id)?.run;
      if (run === undefined) return [];
      const showing = numbers.get(id) ?? 1;
      const score = discoveryScore(scoreFacts(event, UNKNOWN_VENUE, new Map(), showing, []), now);
      return [{ listings, title, category, venue, run, sources, startsAt, isFree, showing, score }];
    })
    .sort((a, b) => b.score.total - a.score.total || a.startsAt - b.startsAt || (a.listings.join() < b.listings.join() ? -1 : 1));
}

const UNKNOWN_VENUE = { capacityTier: null, isVerified: false };
const TRUST = 0.5;
