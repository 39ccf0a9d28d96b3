import { describe, expect, it } from 'vitest';
import {
  decide,
  findCandidate,
  hasPendingDecisions,
  listCandidates,
  listSources,
  overseeSources,
  readAnswerTo,
  readLastAnswer,
  readQueue,
  readRun,
  readRunLines,
  redactKeys,
  releaseSource,
  setSourceState,
  undecide,
  wantRun,
} from '../../src/ingest/index.ts';
import { countOutOfLists, readLastChanges } from '../../src/records/index.ts';
import { NOW, now } from '../support/records/bundle.ts';
import { listing } from '../support/rigs/sources.ts';
import { useTwoSources } from '../support/rigs/two-sources.ts';

const two = useTwoSources();
const many = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, i) => listing(`m${i}`, { name: `Evening number ${'abcdefgh'[i]}`, ...more }));

/** Three pairs that are asked about. */
async function askThree(): Promise<void> {
  two.radio.write([
    listing('r1', { name: 'Copper Lantern' }),
    listing('r2', { name: 'Brass Harbor', start: '2026-06-21T20:00:00' }),
    listing('r3', { name: 'Velvet Sparrow', start: '2026-06-22T20:00:00' }),
  ]);
  two.press.write([
    listing('p1', { name: 'Iron Lantern' }),
    listing('p2', { name: 'Glass Harbor', start: '2026-06-21T20:00:00' }),
    listing('p3', { name: 'Cotton Sparrow', start: '2026-06-22T20:00:00' }),
  ]);
  await two.radio.run();
  await two.press.run();
}

describe('the queue', () => {
  it('shows one question after another, and after the last the first', async () => {
    await askThree();
    const { store } = two;
    const all = await listCandidates({ store });
    expect(all.length).toBe(3);
    const first = await readQueue({ store });
    expect([first.total, first.position, first.candidate?.id, first.nextId]).toEqual([3, 1, all[0]!.id, all[1]!.id]);
    const last = await readQueue({ store, at: all[2]!.id });
    expect([last.position, last.nextId]).toEqual([3, all[0]!.id]);
    expect((await readQueue({ store, at: 'nonsense' })).position).toBe(1);
    const beyond = await readQueue({ store, at: all[2]!.id, counted: 1 });
    expect(beyond).toMatchObject({ total: 1, isMore: true, position: null, candidate: { id: all[2]!.id }, nextId: all[0]!.id });
    const before = await readQueue({ store, at: all[1]!.id, counted: 2 });
    expect(before).toMatchObject({ total: 2, isMore: true, position: 2, nextId: all[2]!.id });
    expect((await readQueue({ store, counted: 2 })).nextId).toBe(all[1]!.id);
    const { left, right } = first.candidate!;
    expect(new Set([left.source, right.source])).toEqual(new Set(['radio', 'press']));
    expect(left).toMatchObject({ firstSeenAt: expect.any(Number), companions: [] });
    expect(right.listing).toHaveProperty('title');
  });

  it('takes one answer to a question, tells who gave it, and takes back that very answer alone', async () => {
    await askThree();
    const { store } = two;
    const [candidate] = await listCandidates({ store });
    const pair = { left: candidate!.left.recordId, right: candidate!.right.recordId };
    const answer = (by: string, verdict: 'same' | 'different') =>
      decide({ store, ...pair, verdict, by, candidate: candidate!.id, now });
    await answer('ann@desk.example', 'different');
    await expect(answer('bob@desk.example', 'same')).rejects.toMatchObject({ code: 'question_settled' });
    const told = await readAnswerTo({ store, candidate: candidate!.id });
    expect(told).toMatchObject({ by: 'ann@desk.example', verdict: 'different' });
    expect((await readLastAnswer({ store, by: 'ann@desk.example' }))?.id).toBe(told!.id);
    expect(await readLastAnswer({ store, by: 'bob@desk.example' })).toBeNull();
    expect((await readQueue({ store })).total).toBe(2);
    await decide({ store, ...pair, verdict: 'different', by: 'bob@desk.example', now });
    await expect(undecide({ store, ...pair, decision: told!.id, now })).rejects.toMatchObject({ code: 'decision_unknown' });
    const bobs = await readLastAnswer({ store, by: 'bob@desk.example' });
    await undecide({ store, ...pair, decision: bobs!.id, now });
    expect((await readQueue({ store })).total).toBe(3);
    const ids = { left: told!.left.recordId, right: told!.right.recordId };
    expect(await findCandidate({ store, ...ids })).not.toBeNull();
  });

  it('takes no note that the store could not keep, and decides nothing then', async () => {
    await askThree();
    const { store } = two;
    const [candidate] = await listCandidates({ store });
    const pair = { left: candidate!.left.recordId, right: candidate!.right.recordId };
    for (const [note, reason] of [
      ['a'.repeat(1001), /the note is not valid: .*1000/],
      ['a\0b', /the note is not valid/],
    ] as const) {
      const asked = decide({ store, ...pair, verdict: 'same', by: 'ann', note, now });
      await expect(asked).rejects.toMatchObject({ code: 'note_invalid', message: expect.stringMatching(reason) });
    }
    expect((await readQueue({ store })).total).toBe(3);
    await decide({ store, ...pair, verdict: 'different', by: 'ann', note: 'two\nlines', now });
    expect((await readLastAnswer({ store, by: 'ann' }))?.verdict).toBe('different');
  });

  it('takes one of two answers given at once', async () => {
    await askThree();
    const { store } = two;
    const [candidate] = await listCandidates({ store });
    const pair = { left: candidate!.left.recordId, right: candidate!.right.recordId, candidate: candidate!.id };
    const outcomes = await Promise.allSettled([
      decide({ store, ...pair, verdict: 'same', by: 'ann', now }),
      decide({ store, ...pair, verdict: 'different', by: 'bob', now }),
    ]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await store.db.selectFrom('decision').selectAll().where('revoked_at', 'is', null).execute()).toHaveLength(1);
  });

  it('waits for a run that writes only as long as it is told to, and is stored', async () => {
    await askThree();
    const { store } = two;
    const [candidate] = await listCandidates({ store });
    const pair = { left: candidate!.left.recordId, right: candidate!.right.recordId };
    await store.db
      .updateTable('lease')
      .set({ until: new Date(Date.now() + 60_000) })
      .execute();
    expect(await decide({ store, ...pair, verdict: 'same', by: 'ann', patienceMs: 0, now })).toBe(null);
    expect(await hasPendingDecisions(store.db)).toBe(true);
  });
});

describe('a source', () => {
  const conditions = async (at = NOW) =>
    Object.fromEntries((await overseeSources({ store: two.store, now: at })).map(({ name, condition }) => [name, condition]));

  it('is new, well, failing, paused, wanted and held, in a word', async () => {
    const { store, radio } = two;
    expect(await conditions()).toEqual({ press: 'new', radio: 'new' });
    radio.write(many(6));
    await radio.run();
    expect(await conditions()).toEqual({ press: 'new', radio: 'well' });
    await setSourceState({ store, name: 'press', state: 'paused' });
    expect((await conditions()).press).toBe('paused');
    await wantRun({ store, name: 'press', now });
    expect((await conditions()).press).toBe('waiting');
    await expect(radio.run({ read: () => Promise.reject(Object.assign(new Error('no'))) })).rejects.toThrow();
    expect((await conditions()).radio).toBe('failing');
    radio.write([]);
    await radio.run();
    expect((await conditions()).radio).toBe('held');
  });

  it('that runs by the clock is late when it was not read whole for two turns', async () => {
    await two.store.db.updateTable('source').set({ every_seconds: 3600 }).where('name', '=', 'radio').execute();
    two.radio.write(many(1));
    await two.radio.run();
    expect((await conditions(NOW + 2 * 3_600_000)).radio).toBe('well');
    expect((await conditions(NOW + 3 * 3_600_000)).radio).toBe('late');
  });

  it('shows no key that somebody put into its address', () => {
    expect(redactKeys('https://me:secret@api.example/v1?apikey=abc&city=x&client_id=9#z')).toBe(
      'https://…@api.example/v1?apikey=…&city=x&client_id=…#z',
    );
    expect(redactKeys('could not read https://api.example/?access_token=abc: 403')).not.toContain('abc');
  });
});

describe('a run', () => {
  it('keeps the difference it would have made when it is held', async () => {
    const { store, radio } = two;
    radio.write(many(6));
    await radio.run();
    radio.write(many(2));
    const { held } = await radio.run();
    expect(held).toMatch(/^4 of its 6 upcoming events are missing/);
    const [latest] = await readRunLines({ store });
    expect(latest).toMatchObject({ state: 'held', error: held, source: { name: 'radio' }, summary: { vanished: 4, created: 0 } });
    const whole = await readRun({ store, id: latest!.id });
    expect(whole?.report?.difference.vanished).toHaveLength(4);
    expect(whole?.touched).toBe(0);
    const events = await two.listed();
    expect(events.every(({ unconfirmed_since }) => unconfirmed_since === null)).toBe(true);
    await releaseSource({ store, name: 'radio' });
    expect((await radio.run()).difference.vanished).toHaveLength(4);
    const [source] = (await listSources({ store })).filter(({ name }) => name === 'radio');
    expect(source).toMatchObject({ state: 'active', isReleased: false });
  });

  it('is told in figures, with the number of listings it touched', async () => {
    const { store, radio } = two;
    radio.write(many(3));
    await radio.run();
    const [line] = await readRunLines({ store });
    expect(line?.summary).toMatchObject({ created: 3, changed: 0, listings: 3, rejected: 0 });
    expect((await readRun({ store, id: line!.id }))?.touched).toBe(4);
    expect(await readRun({ store, id: 'x' })).toBeNull();
  });
});

describe('the directory', () => {
  it('says what is kept out of its lists and what changed last', async () => {
    const { store, radio } = two;
    radio.write(many(1));
    await radio.run();
    await store.db.updateTable('event').set({ state: 'hidden' }).execute();
    expect(await countOutOfLists({ store, now: NOW })).toEqual({ unlisted: 0, hidden: 1, unconfirmed: 0 });
    const changes = await readLastChanges({ store });
    expect(changes.map(({ kind, entity, title }) => [kind, entity, title])).toContainEqual([
      'created',
      'event',
      'Evening number a',
    ]);
  });
});
