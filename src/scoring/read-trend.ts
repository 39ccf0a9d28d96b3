/** Why an event trends, or does not: all that the trend is compared with, read from the store. */

import { type Kysely, sql } from 'kysely';
import type { Category } from '../catalog/index.ts';
import { createPeers, explainTrend, momentumOf, type Rival, type ScoreSignal, settleTrends } from '../ranking/index.ts';
import type { Database } from '../store/index.ts';
import { readSignals } from './read-score-facts.ts';
import { isComing } from './score-event.ts';

/** As of `now` (milliseconds, directory clock). Null for an event that is not listed or has begun. Looks at every event to come. */
export async function readTrend(
  db: Kysely<Database>,
  eventId: string,
  now: number,
): Promise<{ trendScore: number; signals: ScoreSignal[] } | null> {
  const event = await db.selectFrom('event').select('venue_id').where('id', '=', eventId).executeTakeFirst();
  const peers = createPeers();
  const rivals: Rival[] = [];
  for (let after = FIRST_ID; ; ) {
    const page = await readMomenta(db, after, now);
    const last = page.at(-1);
    if (!last) break;
    after = last.id;
    for (const momentum of page) {
      peers.add(momentum);
      if (momentum.venueId === event?.venue_id) rivals.push(momentum);
    }
  }
  const own = rivals.find(({ id }) => id === eventId);
  if (!own) return null;
  const trendScore = settleTrends(rivals, peers.read()).get(eventId) ?? 0;
  return { trendScore, signals: explainTrend(own, peers.read(), trendScore) };
}

/** Of the next listed events that are still to come, in the order of their ids. */
async function readMomenta(db: Kysely<Database>, after: string, now: number): Promise<Rival[]> {
  const events = await db
    .selectFrom('event')
    .select(['id', 'category', 'venue_id', 'run', 'discovery_score', 'scored_day', 'coverage'])
    .where(isComing(now))
    .where('id', '>', after)
    .orderBy('id')
    .limit(PAGE)
    .execute();
  const ids = events.map(({ id }) => id);
  const signals = await readSignals(db, ids);
  const days = await db
    .selectFrom('score_history')
    .select(['event_id', 'day', 'coverage'])
    .where('event_id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
  const daysOf = Map.groupBy(days, ({ event_id }) => event_id);
  return events.map(({ id, category, venue_id, run, discovery_score, scored_day, coverage }) => {
    const noted = [...(daysOf.get(id) ?? []), { day: scored_day, coverage }];
    const scores = noted.flatMap(({ day, coverage: score }) => (score === null ? [] : [{ day, score }]));
    const facts = { id, category: category as Category, venueId: venue_id, run, discoveryScore: discovery_score };
    return momentumOf({ ...facts, signals: signals.get(id) ?? [], scores }, now);
  });
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const PAGE = 2000;
