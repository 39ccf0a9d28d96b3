/** `rescore`: the scores of what is to come, brought up to date; time, signals and earlier showings move them. */

import type { Kysely } from 'kysely';
import { createCityTime, readCity, recordChanges, writeScores } from '../catalog/index.ts';
import { showings } from '../ranking/index.ts';
import { type Database, transact } from '../store/index.ts';
import { readScoreFacts } from './read-score-facts.ts';
import { readRuns, scoreOf } from './score-event.ts';

/**
 * Scores every published event that starts from now on, in batches, and writes those whose score has moved, with the day's
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
  for (let after = FIRST_ID; ; ) {
    const page = await upcomingEvents(db, now, after);
    const last = page.at(-1);
    if (!last) return { looked, moved };
    after = last.id;
    looked += page.length;
    const facts = await readScoreFacts(
      db,
      page.map(({ id }) => id),
    );
    const runs = await readRuns(
      db,
      page.map(({ run }) => run),
      now,
    );
    const numbers = showings(runs);
    const scores = page.flatMap(({ id, discovery_score }) => {
      const known = facts.get(id);
      if (!known) return [];
      const scored = scoreOf({ ...known, showing: numbers.get(id) ?? 1 }, now);
      return scored.discoveryScore === discovery_score ? [] : [{ id, ...scored }];
    });
    moved += scores.length;
    if (scores.length === 0) continue;
    await transact(db, async (trx) => recordChanges(trx, await writeScores(trx, scores, now, day), now));
  }
}

function upcomingEvents(
  db: Kysely<Database>,
  now: number,
  after: string,
): Promise<{ id: string; run: string; discovery_score: number }[]> {
  return db
    .selectFrom('event')
    .select(['id', 'run', 'discovery_score'])
    .where('state', '=', 'published')
    .where('starts_at', '>=', new Date(now))
    .where('id', '>', after)
    .orderBy('id')
    .limit(PAGE)
    .execute();
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const PAGE = 1000;
