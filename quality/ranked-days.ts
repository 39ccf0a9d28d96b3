/** Published days of New York through the code that serves, and the order in which the directory shows them. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Kysely, sql } from 'kysely';
import { unlistSilent } from '../src/ingest/index.ts';
import { decodeContext, type ScoreContext, trendScores } from '../src/ranking/index.ts';
import { type Category, LISTED_STATUSES, runKey, type VenueType } from '../src/records/index.ts';
import type { Database, Store } from '../src/store/index.ts';
import { DAY_MS } from '../src/values/duration.ts';
import { NYC } from '../test/nyc/load.ts';
import { NYC_FACTS } from './nyc-facts.ts';
import { NYC_NOW, openNewYork } from './pipeline.ts';

export interface RankedEvent {
  id: string;
  /** Ids of its listings. */
  listings: readonly string[];
  title: string;
  category: Category;
  venueId: string;
  venue: string;
  venueType: VenueType;
  sources: readonly string[];
  startsAt: number;
  isFree: boolean;
  score: number;
  context: ScoreContext;
  trend: number;
}

export interface RankedDay {
  /** `YYYY-MM-DD`. */
  day: string;
  /** Milliseconds. */
  now: number;
  /** All that are listed and still to come, best first. */
  events: RankedEvent[];
  store: Store;
}

/** Begins with the main set of 16 June. Calls `look` after each day, in order; the store is open until the last. */
export async function rankDays(days: readonly string[], look: (day: RankedDay) => void | Promise<void>): Promise<void> {
  const directory = await openNewYork();
  try {
    const { store, folder } = directory;
    const file = join(folder, 'answer.json');
    writeFileSync(file, readFileSync(NYC.events.file));
    await directory.add('dashboard', { ...NYC.events, file });
    await directory.run('dashboard', NYC_NOW);
    await look({ day: MAIN_DAY, now: NYC_NOW, events: await rankedEvents(store.db, NYC_NOW), store });
    for (const day of days) {
      const text = gunzipSync(readFileSync(NYC_FACTS.day(day))).toString('utf8');
      const now = Date.parse((JSON.parse(text) as { generatedAt: string }).generatedAt);
      writeFileSync(file, text);
      await unlistSilent({ store, now: () => now });
      await directory.run('dashboard', now);
      await look({ day, now, events: await rankedEvents(store.db, now), store });
    }
  } finally {
    await directory.dispose();
  }
}

/** In the order of the default list, with the trends that the directory knows by then. */
export async function rankedEvents(db: Kysely<Database>, now: number): Promise<RankedEvent[]> {
  const listed = sql.join(LISTED_STATUSES.map((status) => sql.lit(status)));
  const { rows } = await sql<Row>`
    select event.id, title, category, venue_id as "venueId", venue.name as venue, venue.type as "venueType", sources,
      extract(epoch from starts_at)::float8 * 1000 as "startsAt", is_free as "isFree", discovery_score as score, showing,
      score_context as context, appeal, scored_day as day,
      array(select external_id from record where event_id = event.id order by external_id) as listings,
      array(select day || ' ' || appeal from score_history where event_id = event.id and appeal is not null) as history
    from event join venue on venue.id = venue_id
    where event.state = 'published' and status in (${listed})
      and (starts_at >= ${new Date(now)} or (precision <> 'time' and starts_at > ${new Date(now - DAY_MS)}))
    order by discovery_score desc, starts_at, event.id`.execute(db);
  const trends = trendScores(
    rows.map(({ id, category, venueId, title, score, appeal, day, history }) => {
      const earlier = history.map((line) => ({ day: line.slice(0, 10), score: Number(line.slice(11)) }));
      const scores = appeal === null ? earlier : [...earlier, { day, score: appeal }];
      return { id, category, venueId, run: runKey(title), discoveryScore: score, signals: [], scores };
    }),
    now,
  );
  return rows.map(({ showing, context, appeal: _, day: __, history: ___, ...event }) => {
    return { ...event, context: decodeContext(showing, context), trend: trends.get(event.id) ?? 0 };
  });
}

type Row = Omit<RankedEvent, 'context' | 'trend'> & {
  showing: number;
  context: number[] | null;
  appeal: number | null;
  day: string;
  history: string[];
};

const MAIN_DAY = '2026-06-16';
