import { expect, it } from 'vitest';
import { createQueryNotes, noteQueriesIn, noteQuery } from '../../src/telemetry/index.ts';

/** The name of the span of this query. */
function nameOf(text: string): string | undefined {
  const notes = createQueryNotes();
  noteQueriesIn(notes, () => noteQuery(text, 1, false));
  return notes.spans[0]?.name;
}

it.each([
  ['select "id" from "event" where "title" = $1', 'SELECT event'],
  ['SELECT (select count(*) from "venue"), a is distinct from b FROM event', 'SELECT event'],
  ['select * from (select * from "venue") as "x"', 'SELECT'],
  ['select "from" from "signal"', 'SELECT signal'],
  ['insert into "run" ("id") select "id" from "record"', 'INSERT run'],
  ['update "source" set "said" = $1 from "record"', 'UPDATE source'],
  ['delete from "session" where "token" in ($1, $2)', 'DELETE session'],
  ['with "old" as (delete from "lease" returning *) insert into "audit" select * from "old"', 'INSERT audit'],
  ["select 'from ada@example.org' -- from ada\n/* from ada */ from event", 'SELECT event'],
  ['select $$ from ada $$', 'SELECT'],
  ['begin', 'BEGIN'],
  ["set local statement_timeout = '2s'", 'SET'],
  ['Ada Lovelace', 'QUERY'],
])('names %s by operation and table: %s', (text, name) => {
  expect(nameOf(text)).toBe(name);
});

it('notes a hundred queries of one piece of work, counts the others, and forgets those of nobody', () => {
  noteQuery('select 1', 1, false);
  const notes = createQueryNotes();
  noteQueriesIn(notes, () => {
    for (let index = 0; index < 150; index += 1) noteQuery('select 1', 2, index === 0);
  });
  expect([notes.count, notes.spans.length]).toEqual([150, 100]);
  const [failed, done] = notes.spans;
  expect([failed?.isError, done?.isError]).toEqual([true, undefined]);
  expect((done?.endedAt ?? 0) - (done?.startedAt ?? 0)).toBeCloseTo(2, 1);
});
