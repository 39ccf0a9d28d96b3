/** `rescore`: the scores of what is to come, brought up to date; time, signals and other events move them. */

import type { Kysely } from 'kysely';
import { loadNextScores, readCity, recordChanges, type ScorePlace, writeScores } from '../catalog/index.ts';
import { createCityTime } from '../city/index.ts';
import { type Database, transact } from '../store/index.ts';
import { readContexts } from './listed-events.ts';
import { readScoreFacts } from './read-score-facts.ts';
import { contextAlone, isMoved, scoreOf } from './score-event.ts';

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

const FIRST: ScorePlace = { run: '', id: '00000000-0000-0000-0000-000000000000' };
const PAGE = 1000;
