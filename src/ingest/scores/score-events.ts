/** Scores of events: computed of recorded facts, written with an event, and brought up to date as time, signals and other events move them. */

import type { Kysely, Transaction } from 'kysely';
import {
  createPeers,
  decodeContext,
  discoveryScore,
  encodeContext,
  explainTrend,
  momentumOf,
  type Rival,
  type ScoreContext,
  type ScoreFacts,
  type ScoreSignal,
  scoreFacts,
  settleTrends,
} from '../../ranking/index.ts';
import {
  type Change,
  type Event,
  type EventWrite,
  loadAppealDays,
  loadEventScoreFacts,
  loadNextComing,
  loadNextScores,
  loadSignals,
  loadVenueScoreFacts,
  loadVenuesOfEvents,
  readCity,
  recordChanges,
  type Scored,
  type ScorePlace,
  writeScores,
} from '../../records/index.ts';
import { type Database, transact } from '../../store/index.ts';
import { createCityTime } from '../../values/city-time.ts';
import { listedContexts, readContexts } from './listed-events.ts';

/**
 * Scores every published event that is still to come, in batches, and writes those whose score or context has moved, with the day's
 * history and a change `scored`. `now` is the directory's clock. Returns how many were looked at and how many scores moved.
 */
export async function rescore(options: {
  store: { db: Kysely<Database> };
  now?: () => number;
}): Promise<{ looked: number; moved: number }> {
  const { db } = options.store;
  const now = (options.now ?? Date.now)();
  const city = await readCity(db);
  if (!city) return { looked: 0, moved: 0 };
  const day = createCityTime(city.timezone).day(now);
  const { contexts } = await readContexts(db, now);
  let looked = 0;
  let moved = 0;
  for (let after = FIRST; ; ) {
    const page = await loadNextScores(db, now, { after, limit: PAGE });
    const last = page.at(-1);
    if (!last) return { looked, moved };
    after = last;
    looked += page.length;
    const facts = await readScoreFacts(
      db,
      page.map(({ id }) => id),
    );
    const scores = page.flatMap(({ id, discoveryScore, ...stored }) => {
      const event = facts.get(id);
      if (!event) return [];
      const context = contexts.get(id) ?? contextAlone();
      const scored = scoreOf({ ...event, context }, now);
      if (scored.discoveryScore !== discoveryScore) moved += 1;
      return scored.discoveryScore === discoveryScore && !isMoved(context, stored) ? [] : [{ id, ...scored }];
    });
    if (scores.length === 0) continue;
    await transact(db, async (trx) => recordChanges(trx, await writeScores(trx, scores, { now, day }), now));
  }
}

/** What ranking says of an event, as it is written. `now`: milliseconds since 1970 UTC, directory clock. */
export function scoreOf(facts: ScoreFacts, now: number): Scored {
  const { total, appeal } = discoveryScore(facts, now);
  return { discoveryScore: total, showing: facts.context.showing, context: encodeContext(facts.context), appeal };
}

/** Whether a score may differ from one that was computed of `stored`. The last numbers are for sentences alone. */
function isMoved(context: ScoreContext, stored: { showing: number; context: readonly number[] | null }): boolean {
  if (stored.context === null || stored.showing !== context.showing) return true;
  return encodeContext(context)
    .slice(0, SCORED_NUMBERS)
    .some((value, index) => value !== stored.context?.[index]);
}

/** That of an event which is not listed: it is compared with nothing, whatever it was before. */
export const contextAlone = (): ScoreContext => decodeContext(1, null);

/**
 * The recorded facts that scores are computed of. What is known of these events, by event; `discoveryScore` explains it as of the moment
 * it was scored at.
 */
export async function readScoreFacts(db: Kysely<Database>, eventIds: readonly string[]): Promise<Map<string, ScoreFacts>> {
  const signals = await loadSignals(db, eventIds);
  const facts = await loadEventScoreFacts(db, eventIds);
  return new Map(
    [...facts].map(([id, { event, showing, context }]) => {
      return [id, scoreFacts(event, decodeContext(showing, context), signals.get(id) ?? [])];
    }),
  );
}

interface Moment {
  /** Milliseconds. */
  now: number;
  /** The local day, `YYYY-MM-DD`. */
  day: string;
}

/**
 * After a write: what was said about other events has changed, and they are scored again. Compares all listed events as of `now`, and
 * notes new scores under `day`. So a directory does not depend on the order in which its events arrived. Returns the changes.
 */
export async function settleScores(trx: Transaction<Database>, moment: Moment): Promise<Change[]> {
  const changes: Change[] = [];
  for (const contexts of await readMoved(trx, moment.now)) changes.push(...(await writeMoved(trx, contexts, moment)));
  return changes;
}

/** The same after a commit, in short transactions: others use the database while all events are compared. Records the changes. */
export async function settleScoresInSteps(db: Kysely<Database>, moment: Moment): Promise<void> {
  for (const contexts of await readMoved(db, moment.now))
    await transact(db, async (trx) => recordChanges(trx, await writeMoved(trx, contexts, moment), moment.now));
}

type Contexts = ReadonlyMap<string, ScoreContext>;

/** By event, in parts: the contexts that are not those of the stored scores. */
async function readMoved(db: Kysely<Database>, now: number): Promise<Contexts[]> {
  const { contexts, stored } = await readContexts(db, now);
  const moved = [...contexts].filter(([id, context]) => {
    const held = stored.get(id);
    return held !== undefined && isMoved(context, held);
  });
  const parts = Math.ceil(moved.length / EVENTS_AT_ONCE);
  return Array.from({ length: parts }, (_, part) => new Map(moved.slice(part * EVENTS_AT_ONCE, (part + 1) * EVENTS_AT_ONCE)));
}

async function writeMoved(trx: Transaction<Database>, contexts: Contexts, { now, day }: Moment): Promise<Change[]> {
  const facts = await readScoreFacts(trx, [...contexts.keys()]);
  const scores = [...facts].map(([id, known]) => ({
    id,
    ...scoreOf({ ...known, context: contexts.get(id) ?? known.context }, now),
  }));
  return writeScores(trx, scores, { now, day });
}

/** An event before it is scored. */
export type UnscoredEvent = Omit<Event, 'slug' | 'discoveryScore'>;

/**
 * Events scored as they are given, with what was last known of the rest of the directory. Their venues must be in the directory.
 * `settleScores` compares them with the other events afterwards.
 */
export async function scoreAll(
  db: Kysely<Database>,
  events: readonly { record: UnscoredEvent; isHidden: boolean }[],
  now: number,
): Promise<EventWrite[]> {
  const ids = events.map(({ record }) => record.id);
  const stored = await loadEventScoreFacts(db, ids);
  const venues = await loadVenueScoreFacts(
    db,
    events.map(({ record }) => record.venueId),
  );
  const signals = await loadSignals(db, ids);
  const own = listedContexts(
    events.map(({ record }) => record),
    venues,
    now,
  );
  return events.map(({ record, isHidden }) => {
    const held = stored.get(record.id);
    const alone = isHidden ? undefined : own.get(record.id);
    const context = alone && held?.context ? decodeContext(held.showing, held.context) : (alone ?? contextAlone());
    const facts = scoreFacts(record, context, signals.get(record.id) ?? []);
    return { ...record, ...scoreOf(facts, now), ...(isHidden ? { isHidden } : {}) };
  });
}

const FIRST: ScorePlace = { run: '', id: '00000000-0000-0000-0000-000000000000' };
const PAGE = 1000;
const SCORED_NUMBERS = 9;
const EVENTS_AT_ONCE = 1000;

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
  const events = await loadNextComing(db, now, { after, limit: TREND_PAGE });
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
const TREND_PAGE = 2000;
