/** Answers about possible duplicates are stored at once, and applied by a job of the service. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasPendingDecisions, readLastAnswer } from '../../src/ingest/index.ts';
import { tryLease } from '../../src/store/index.ts';
import { eventually } from '../support/processes/child-process.ts';
import { openDesk } from '../support/rigs/desk.ts';
import { openSite, type Person, type Site } from '../support/rigs/site.ts';
import { until } from '../support/runs/patience.ts';

let site: Site;
let ann: Person;
beforeAll(async () => {
  site = await openSite();
  const desk = await openDesk(site);
  await desk.ask();
  ann = await site.signIn({ email: 'ann@desk.example', operator: true });
});
afterAll(() => site.close());

const send = (form: Record<string, string>) =>
  site.ask('/desk/review', {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { 'sec-fetch-site': 'same-origin', cookie: ann.cookie },
  });

const shown = async (candidate: string): Promise<string> =>
  (await site.ask(`/desk/review?at=${candidate}`, { headers: { cookie: ann.cookie, accept: 'text/html' } })).text();

test('an answer in review is stored while a run is writing, and so is its undo; the directory follows both', async () => {
  const { db } = site.store;
  const open = await db.selectFrom('question').selectAll().where('settled_at', 'is', null).orderBy('id').execute();
  const [{ id = '', left_id = '', right_id = '' } = {}, next] = open;
  const areOne = async () => {
    const sides = await db.selectFrom('record').select('event_id').where('id', 'in', [left_id, right_id]).execute();
    return sides[0]?.event_id === sides[1]?.event_id;
  };
  const lease = await until(async () => (await tryLease(db, 'directory', 60)) ?? Promise.reject(new Error('a run is writing')));
  try {
    const answered = await send({ intent: 'same', question: id, next: next?.id ?? '', token: 'answer-1' });
    expect([answered.status, answered.headers.get('location')]).toEqual([302, `/desk/review?at=${next?.id}&said=same`]);
    expect(await areOne()).toBe(false);
  } finally {
    await lease.release();
  }
  await eventually(areOne);
  const { id: decision = '' } = (await readLastAnswer({ store: site.store, by: ann.email })) ?? {};
  const undone = await send({ intent: 'undo', decision, token: 'answer-2' });
  expect([undone.status, undone.headers.get('location')]).toEqual([302, `/desk/review?at=${id}&said=undo`]);
  // The pair is shown at once, and stays open when the directory has followed.
  expect(await shown(id)).toContain(`value="${id}"`);
  await eventually(async () => !(await areOne()));
  await eventually(async () => !(await hasPendingDecisions(db)));
  expect(await shown(id)).toContain(`value="${id}"`);
});
