import { afterAll, beforeAll, expect, it } from 'vitest';
import { importBundle, readScoreFacts, rescore } from '../../src/ingest/index.ts';
import { discoveryScore } from '../../src/ranking/index.ts';
import { listHead, readList } from '../../src/store/index.ts';
import { openTestStore, type TestStore } from '../support/database/store.ts';
import { eventLine, NOW, now, smallBundle } from '../support/records/bundle.ts';

const DAY = 86_400_000;
let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test.dispose());

it('scores what is to come again, tells what moved, and leaves the past as it was', async () => {
  const { store } = test;
  const events = [
    eventLine('soon'),
    eventLine('later', { startDatetime: '2026-09-20T20:00' }),
    eventLine('past', { startDatetime: '2026-06-01T20:00' }),
  ];
  await importBundle({ store, bundle: { ...smallBundle(), events }, now });
  const head = await listHead(store.db, 'change');
  expect(await rescore({ store, now })).toEqual({ looked: 2, moved: 0 });

  const soon = () => store.db.selectFrom('event').selectAll().where('title', '=', 'Night of soon').executeTakeFirstOrThrow();
  const before = await soon();
  const later = () => NOW + 2 * DAY;
  expect(await rescore({ store, now: later })).toEqual({ looked: 2, moved: 1 });
  const changes = await readList(store.db, 'change', head, 10);
  expect(changes.map(({ kind, entity }) => [kind, entity])).toEqual([['scored', 'event']]);
  const moved = await soon();
  expect(moved.scored_at).toEqual(new Date(later()));
  const history = await store.db
    .selectFrom('score_history')
    .selectAll()
    .where('event_id', '=', moved.id)
    .orderBy('day')
    .execute();
  const { discovery_score, appeal } = before;
  expect(history).toEqual([{ event_id: moved.id, day: '2026-06-16', discovery_score, appeal }]);
  expect(moved.scored_day).toBe('2026-06-18');

  const facts = await readScoreFacts(store.db, [moved.id]);
  expect(discoveryScore(facts.get(moved.id)!, moved.scored_at.getTime()).total).toBe(moved.discovery_score);
  expect(await rescore({ store, now: later })).toEqual({ looked: 2, moved: 0 });
});
