/** `rescore`: the scores of what is to come, brought up to date; time, signals and earlier showings move them. */

import type { Kysely } from 'kysely';
import { loadComingShowings, loadNextScores, readCity, recordChanges, type ScorePlace, writeScores } from '../catalog/index.ts';
import { createCityTime } from '../city/index.ts';
import { showings } from '../ranking/index.ts';
import { type Database, transact } from '../store/index.ts';
import { readScoreFacts } from './read-score-facts.ts';
import { scoreOf } from './score-event.ts';

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
  for (let after = FIRST; ; ) {
    const page = await loadNextScores(db, now, { after, limit: PAGE });
    const last = page.at(-1);
    if (!last) return { looked, moved };
    after = last;
    looked += page.length;
    const runs = [...new Set(page.map(({ run }) => run))];
    // A run may go on over many pages, and is counted once.
    if (!runs.every((run) => known.has(run))) {
      numbers = showings(await loadComingShowings(db, runs, now));
      known = new Set(runs);
    }
    const facts = await readScoreFacts(
      db,
      page.map(({ id }) => id),
    );
    const scores = page.flatMap(({ id, discoveryScore }) => {
      const event = facts.get(id);
      if (!event) return [];
      const scored = scoreOf({ ...event, showing: numbers.get(id) ?? 1 }, now);
      return scored.discoveryScore === discoveryScore ? [] : [{ id, ...scored }];
    });
    moved += scores.length;
    if (scores.length === 0) continue;
    await transact(db, async (trx) => recordChanges(trx, await writeScores(trx, scores, { now, day }), now));
  }
}

const FIRST: ScorePlace = { run: '', id: '00000000-0000-0000-0000-000000000000' };
const PAGE = 1000;
