/** Events that lists show and that are still to come: what is scored again as time goes on. */

import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../store/index.ts';
import { DAY_MS } from '../../values/duration.ts';
import { type Category, LISTED_STATUSES } from '../model.ts';

type Db = Kysely<Database>;

/** An event among the others of its series; `showing` is the number that it was scored with. */
export interface ComingShowing {
  id: string;
  /** As `runKey` gives it. */
  run: string;
  showing: number;
  venueId: string;
  sources: string[];
  startsAt: number;
}

/** The coming events of these series, at most `most`. `now`: milliseconds, directory clock. */
export async function loadComingShowings(db: Db, runs: readonly string[], now: number, most?: number): Promise<ComingShowing[]> {
  if (runs.length === 0) return [];
  const rows = await db
    .selectFrom('event')
    .select(['id', 'run', 'showing', 'venue_id', 'sources', 'starts_at'])
    .where('run', '=', sql<string>`any(${runs}::text[])`)
    .where(isComing(now))
    .$if(most !== undefined, (query) => query.limit(most ?? 0))
    .execute();
  return rows.map(({ id, run, showing, venue_id, sources, starts_at }) => ({
    id,
    run,
    showing,
    sources,
    venueId: venue_id,
    startsAt: starts_at.getTime(),
  }));
}

/** The series that have several coming events. */
export async function loadSeveralShowings(db: Db, now: number): Promise<string[]> {
  const { rows } = await sql<{ run: string }>`
    select run from event where ${isComing(now)} group by run having count(*) > 1`.execute(db);
  return rows.map(({ run }) => run);
}

/** Where a page of `loadNextScores` ends. */
export interface ScorePlace {
  run: string;
  id: string;
}

/** The scores of the next published events that may still start, whatever their status, series by series. */
export async function loadNextScores(
  db: Db,
  now: number,
  { after, limit }: { after: ScorePlace; limit: number },
): Promise<(ScorePlace & { discoveryScore: number })[]> {
  return await db
    .selectFrom('event')
    .select(['id', 'run', 'discovery_score as discoveryScore'])
    .where('state', '=', 'published')
    .where(mayStart(now))
    .where(sql<boolean>`(run, id) > (${after.run}, ${after.id}::uuid)`)
    .orderBy('run')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** What a trend is compared with. */
export interface ComingScore {
  id: string;
  category: Category;
  venueId: string;
  run: string;
  discoveryScore: number;
  /** Since this local day (`YYYY-MM-DD`) its coverage is what it is. */
  scoredDay: string;
  coverage: number | null;
}

/** The next coming events in the order of their ids. */
export async function loadNextComing(
  db: Db,
  now: number,
  { after, limit }: { after: string; limit: number },
): Promise<ComingScore[]> {
  const rows = await db
    .selectFrom('event')
    .select(['id', 'category', 'venue_id', 'run', 'discovery_score', 'scored_day', 'coverage'])
    .where(isComing(now))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id, category, venue_id, run, discovery_score, scored_day, coverage }) => ({
    id,
    run,
    coverage,
    category: category as Category,
    venueId: venue_id,
    discoveryScore: discovery_score,
    scoredDay: scored_day,
  }));
}

/** Of a row of `event`: it may still start from `now` on; where no hour is known, until its day is over. */
function mayStart(now: number): RawBuilder<boolean> {
  return sql<boolean>`(event.starts_at > ${new Date(now - DAY_MS)}
    and (event.precision <> 'time' or event.starts_at >= ${new Date(now)}))`;
}

/** The same, and lists show it. */
function isComing(now: number): RawBuilder<boolean> {
  const listed = sql.join(LISTED_STATUSES.map((status) => sql.lit(status)));
  return sql<boolean>`(event.state = 'published' and event.status in (${listed}) and ${mayStart(now)})`;
}
