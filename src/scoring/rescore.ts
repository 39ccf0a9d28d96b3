/** `rescore`: the scores of what is to come, brought up to date; time, signals and earlier showings move them. */

import { type Kysely, sql } from 'kysely';
import { readCity, recordChanges, writeScores } from '../catalog/index.ts';
import { createCityTime } from '../city/index.ts';
import { showings } from '../ranking/index.ts';
import { type Database, transact } from '../store/index.ts';
import { readScoreFacts } from './read-score-facts.ts';
import { mayStart, readRuns, scoreOf } from './score-event.ts';

/**
 * Scores every published event that is still to come, in batches, and writes those whose score has moved, with the day's
 * history and a change `scored`. `now` is the directory's clock. Returns how many were looked at and how many moved.
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
  let looked = 0;
  let moved = 0;
  let numbers = new Map<string, number>();
  let known = new Set<string>();
  for (let after: Place = FIRST; ; ) {
    const page = await upcomingEvents(db, now, after);
    const last = page.at(-1);
    if (!last) return { looked, moved };
    after = last;
    looked += page.length;
    const runs = [...new Set(page.map(({ run }) => run))];
    // A run may go on over many pages, and is counted once.
    if (!runs.every((run) => known.has(run))) {
      numbers = showings(await readRuns(db, runs, now));
      known = new Set(runs);
    }
    const facts = await readScoreFacts(
      db,
      page.map(({ id }) => id),
    );
    const scores = page.flatMap(({ id, discovery_score }) => {
      const event = facts.get(id);
      if (!event) return [];
      const scored = scoreOf({ ...event, showing: numbers.get(id) ?? 1 }, now);
      return scored.discoveryScore === discovery_score ? [] : [{ id, ...scored }];
    });
    moved += scores.length;
    if (scores.length === 0) continue;
    await transact(db, async (trx) => recordChanges(trx, await writeScores(trx, scores, { now, day }), now));
  }
}

interface Place {
  run: string;
  id: string;
}

/** Run by run. */
function upcomingEvents(db: Kysely<Database>, now: number, after: Place): Promise<(Place & { discovery_score: number })[]> {
  return db
    .selectFrom('event')
    .select(['id', 'run', 'discovery_score'])
    .where('state', '=', 'published')
    .where(mayStart(now))
    .where(sql<boolean>`(run, id) > (${after.run}, ${after.id}::uuid)`)
    .orderBy('run')
    .orderBy('id')
    .limit(PAGE)
    .execute();
}

const FIRST: Place = { run: '', id: '00000000-0000-0000-0000-000000000000' };
const PAGE = 1000;
