/** Why an event trends, or does not: all that the trend is compared with, read from the store. */

import type { Kysely } from 'kysely';
import { loadAppealDays, loadNextComing, loadSignals, loadVenuesOfEvents } from '../catalog/index.ts';
import { createPeers, explainTrend, momentumOf, type Rival, type ScoreSignal, settleTrends } from '../ranking/index.ts';
import type { Database } from '../store/index.ts';

/** As of `now` (milliseconds, directory clock). Null for an event that is not listed or has begun. Looks at every event to come. */
export async function readTrend(
  db: Kysely<Database>,
  eventId: string,
  now: number,
): Promise<{ trendScore: number; signals: ScoreSignal[] } | null> {
  const venueId = (await loadVenuesOfEvents(db, [eventId])).get(eventId);
  const peers = createPeers();
  const rivals: Rival[] = [];
  for (let after = FIRST_ID; ; ) {
    const page = await readMomenta(db, after, now);
    const last = page.at(-1);
    if (!last) break;
    after = last.id;
    for (const momentum of page) {
      peers.add(momentum);
      if (momentum.venueId === venueId) rivals.push(momentum);
    }
  }
  const own = rivals.find(({ id }) => id === eventId);
  if (!own) return null;
  const trendScore = settleTrends(rivals, peers.read()).get(eventId) ?? 0;
  return { trendScore, signals: explainTrend(own, peers.read(), trendScore) };
}

/** Of the next listed events that are still to come, in the order of their ids. */
async function readMomenta(db: Kysely<Database>, after: string, now: number): Promise<Rival[]> {
  const events = await loadNextComing(db, now, { after, limit: PAGE });
  const ids = events.map(({ id }) => id);
  const signals = await loadSignals(db, ids);
  const earlier = await loadAppealDays(db, ids);
  return events.map(({ scoredDay, appeal, ...event }) => {
    const recorded = [...(earlier.get(event.id) ?? []), { day: scoredDay, appeal }];
    const scores = recorded.flatMap(({ day, appeal: score }) => (score === null ? [] : [{ day, score }]));
    return momentumOf({ ...event, signals: signals.get(event.id) ?? [], scores }, now);
  });
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const PAGE = 2000;
