import { afterAll, beforeAll, expect, it } from 'vitest';
import { listAudit } from '../../src/accounts/index.ts';
import { importBundle } from '../../src/ingest/index.ts';
import { now, smallBundle } from '../support/bundle.ts';
import { marqueeHere } from '../support/service.ts';
import { openTestStore, type TestStore } from '../support/store.ts';

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore('embedded');
  await importBundle({ store: test.store, bundle: smallBundle(), now });
});
afterAll(() => test.dispose());

const type = (...words: string[]) => marqueeHere(words, { MARQUEE_DATA_DIR: test.options.dataDir });
const latest = async (limit: number) => (await listAudit(test.store.db, { actor: 'command line', limit })).rows.reverse();

it('what is done to records is on the audit list, what was refused or changed nothing is not', async () => {
  const { id } = await test.store.db.selectFrom('event').select('id').orderBy('slug').executeTakeFirstOrThrow();
  for (const words of [
    ['correct', 'event', id, 'title', 'A better title', '--note', 'told by phone'],
    ['correct', 'event', id, 'title', 'A better title'],
    ['correct', 'event', id, 'title', '--undo'],
    ['hide', 'event', id, '--note', 'not ours'],
    ['unhide', 'event', id],
  ])
    expect((await type(...words)).status, words.join(' ')).toBe(0);
  expect((await type('correct', 'event', id, 'category', 'nonsense')).status).toBe(1);
  const rows = await latest(10);
  expect(rows.map(({ action, subjectId }) => [action, subjectId])).toEqual([
    ['event.correct', id],
    ['event.revert', id],
    ['event.hide', id],
    ['event.unhide', id],
  ]);
  expect(rows[0]?.detail).toMatchObject({ note: 'told by phone', changed: [{ field: 'title', after: 'A better title' }] });
});
