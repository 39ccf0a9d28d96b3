import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listAudit } from '../../src/accounts/index.ts';
import { importBundle } from '../../src/ingest/index.ts';
import { openTestStore, type TestStore, temporaryFolder } from '../support/database/store.ts';
import { now, smallBundle } from '../support/records/bundle.ts';
import { marqueeHere } from '../support/rigs/service.ts';

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

it('a field is corrected by the name of the API, and an unknown one is told which there are', async () => {
  const { id } = await test.store.db.selectFrom('event').select('id').orderBy('slug').executeTakeFirstOrThrow();
  const corrected = await type('correct', 'event', id, 'priceMin', '3');
  expect([corrected.status, corrected.stdout]).toEqual([0, expect.stringMatching(/^field .*\nprice .*"priceMin":3/)]);
  expect((await type('correct', 'event', id, 'priceMin', '--undo')).stdout).toMatch(/^field .*\nprice /);
  const sentence = /^slug: wanted one of title, category, start \(startDatetime\), .*\n$/;
  for (const words of [['slug', 'x'], ['slug'], ['slug', '--undo']]) {
    const { status, stderr } = await type('correct', 'event', id, ...words);
    expect([status, stderr]).toEqual([1, expect.stringMatching(sentence)]);
  }
  expect((await type('correct', 'event', id, 'title')).stderr).toBe('Wanted a value or --undo, got neither.\n');
});

it('what is done to sources and runs is, too', async () => {
  const { folder, remove } = temporaryFolder();
  const file = join(folder, 'days.ics');
  writeFileSync(file, 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Test//EN\r\nEND:VCALENDAR\r\n');
  expect((await type('source', 'add', 'ical', file, '--name', 'days')).status).toBe(0);
  const { id } = await test.store.db.selectFrom('source').select('id').where('name', '=', 'days').executeTakeFirstOrThrow();
  for (const word of ['pause', 'resume', 'remove']) expect((await type('source', word, 'days')).status, word).toBe(0);
  for (const word of ['release', 'pause']) expect((await type('source', word, 'days')).status, word).toBe(1);
  remove();
  const rows = (await latest(4)).map(({ action, subjectId, detail }) => [action, subjectId, detail]);
  expect(rows).toEqual([
    ['source.add', id, { name: 'days' }],
    ['source.pause', id, { name: 'days' }],
    ['source.resume', id, { name: 'days' }],
    ['source.remove', null, { name: 'days' }],
  ]);
});
