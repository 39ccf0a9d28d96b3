// PostgreSQL is quicker.

import { expect, it } from 'vitest';
import { decide, learnedAliases, listCandidates, loadCoListings, splitManually, undecide } from '../../src/ingest/index.ts';
import { now } from '../support/records/bundle.ts';
import { listing } from '../support/rigs/sources.ts';
import { useTwoSources } from '../support/rigs/two-sources.ts';

const two = useTwoSources();
const SHOWS = ['Copper Lantern Quartet', 'Brass Harbor Singers', 'Velvet Sparrow Parade', 'Glass Kettle Orchestra'];
/** Two names and points 300 meters apart: the houses may be one. */
const LOFT = { place: 'Marrow Loft', lat: 40.05, lon: -73.95 };
const HOUSE = { place: 'Orchid House', lat: 40.0527, lon: -73.95 };
const show = (id: string, night: number, place: object, more: object = {}) =>
  listing(`${id}${night}`, { name: SHOWS[night], start: `2026-06-2${night}T20:00:00`, ...place, ...more });
const nights = (id: string, count: number, place: object, more: object = {}) =>
  Array.from({ length: count }, (_, night) => show(id, night, place, more));
const venues = async () => {
  const { db } = two.store;
  const rows = await db.selectFrom('venue').select('name').where('state', '=', 'published').orderBy('name').execute();
  return rows.map(({ name }) => name);
};
async function listBoth(count: number, more: object = {}): Promise<void> {
  two.radio.write(nights('r', count, LOFT));
  two.press.write(nights('p', count, HOUSE, more));
  await two.radio.run();
  await two.press.run();
}
/** A run that has something to do. */
async function runAgain(): Promise<void> {
  two.radio.write([
    ...nights('r', 4, LOFT),
    listing('another', { place: 'Gull Hall', lat: 40.02, lon: -73.85, start: '2026-07-01T20:00:00' }),
  ]);
  await two.radio.run();
}

it('two names at which two sources list the same events on three nights are one venue from the next run on', async () => {
  await listBoth(3);
  expect(await venues()).toEqual(['Marrow Loft', 'Orchid House']);
  const { store } = two;
  expect(learnedAliases(await loadCoListings(store.db), [])).toMatchObject([{ nights: [{ title: SHOWS[0] }, {}, {}] }]);
  await runAgain();
  expect(await venues()).toEqual(['Gull Hall', 'Marrow Loft']);
  expect(await listCandidates({ store })).toEqual([]);
});

it('one event night after night makes no alias, nor do two nights', async () => {
  await listBoth(2);
  await runAgain();
  expect(await venues()).toContain('Orchid House');
  await two.fresh();
  const same = { name: 'Copper Lantern Quartet' };
  two.radio.write(nights('r', 3, LOFT).map((each) => ({ ...each, ...same })));
  two.press.write(nights('p', 3, HOUSE).map((each) => ({ ...each, ...same })));
  await two.radio.run();
  await two.press.run();
  expect(learnedAliases(await loadCoListings(two.store.db), [])).toEqual([]);
});

it('two houses at which one source lists different events at one time are never one', async () => {
  await listBoth(3);
  two.press.write([...nights('p', 3, HOUSE), listing('other', { name: 'Iron Market', start: '2026-06-20T20:00:00', ...LOFT })]);
  await two.press.run();
  await runAgain();
  expect(await venues()).toEqual(expect.arrayContaining(['Marrow Loft', 'Orchid House']));
  expect(learnedAliases(await loadCoListings(two.store.db), [])).toEqual([]);
});

it.each([[[SHOWS[0], 'Iron Market']], [['Iron Market', SHOWS[0]]]])(
  'a source that lists %j at the other house tells the two apart',
  async (names) => {
    two.radio.write(nights('r', 3, LOFT));
    two.press.write([...nights('p', 3, HOUSE), ...names.map((name, index) => listing(`other${index}`, { name, ...LOFT }))]);
    await two.radio.run();
    await two.press.run();
    expect(learnedAliases(await loadCoListings(two.store.db), [])).toEqual([]);
  },
);

it('events of which only the place is in doubt are one question about their two venues, and one answer settles all', async () => {
  await listBoth(2, { text: 'x' });
  const { store } = two;
  const [candidate, ...others] = await listCandidates({ store });
  expect(others).toEqual([]);
  expect(candidate).toMatchObject({ kind: 'venue' });
  expect(candidate?.evidence.filter(({ kind }) => kind === 'co-listing').map(({ detail }) => detail)).toEqual([
    expect.stringContaining(SHOWS[0]!),
    expect.stringContaining(SHOWS[1]!),
  ]);
  const pair = { left: candidate!.left.recordId, right: candidate!.right.recordId };
  await decide({ store, ...pair, verdict: 'same', by: 'ann@desk.example', candidate: candidate!.id, now });
  expect(await venues()).toHaveLength(1);
  expect(await two.listed()).toHaveLength(2);
  expect(await listCandidates({ store })).toEqual([]);
  await undecide({ store, ...pair, now });
  expect(await venues()).toHaveLength(2);
});

it('a night is evidence once, however many records of one of the two venues it is listed at', async () => {
  two.radio.write([show('r', 0, LOFT)]);
  two.press.write([show('p', 0, HOUSE, { placeId: 'one' }), show('q', 0, HOUSE, { placeId: 'two' })]);
  await two.radio.run();
  await two.press.run();
  const [candidate, ...others] = await listCandidates({ store: two.store });
  expect(others).toEqual([]);
  expect(candidate?.evidence.filter(({ kind }) => kind === 'co-listing')).toHaveLength(1);
});

it('what a run that ended suddenly has not asked, the next run asks, though nothing has changed', async () => {
  const { store } = two;
  two.radio.write(nights('r', 2, LOFT));
  two.press.write(nights('p', 2, HOUSE));
  await two.radio.run();
  const onProgress = ({ step, done, of }: { step: string; done: number; of: number }) => {
    if (step === 'writing' && done === of) throw new Error('the power is gone');
  };
  await expect(two.press.run({ onProgress })).rejects.toThrow('the power is gone');
  expect([await two.listed(), await listCandidates({ store })]).toMatchObject([{ length: 2 }, []]);
  expect(await two.press.run()).toMatchObject({ questions: 1, events: { unchanged: 2 } });
  expect(await listCandidates({ store })).toMatchObject([{ kind: 'venue' }]);
  expect(await loadCoListings(store.db)).toHaveLength(2);
  expect((await two.press.run()).questions).toBe(0);
});

it('alike titles at two names are one event once a person has said that the names are one', async () => {
  two.radio.write([show('r', 0, LOFT), show('r', 1, LOFT, { name: 'Brass Harbor Marrow Evening' })]);
  two.press.write([show('p', 0, HOUSE), show('p', 1, HOUSE, { name: 'Brass Harbor Marrow Picnic' })]);
  await two.radio.run();
  await two.press.run();
  expect(await two.listed()).toHaveLength(3);
  const [candidate] = await listCandidates({ store: two.store });
  const pair = { left: candidate!.left.recordId, right: candidate!.right.recordId };
  await decide({ store: two.store, ...pair, verdict: 'same', by: 'ann@desk.example', now });
  expect(await two.listed()).toHaveLength(2);
});

it('a person who says that two venues are two is not asked again, and no night makes them one', async () => {
  await listBoth(2);
  const { store } = two;
  const [candidate] = await listCandidates({ store });
  const pair = { left: candidate!.left.recordId, right: candidate!.right.recordId };
  await decide({ store, ...pair, verdict: 'different', by: 'ann@desk.example', now });
  await listBoth(4);
  await runAgain();
  expect(await venues()).toEqual(expect.arrayContaining(['Marrow Loft', 'Orchid House']));
  expect(await listCandidates({ store })).toEqual([]);
});

it('a learned name that a person splits off is rejected for ever', async () => {
  await listBoth(3);
  await runAgain();
  const { store } = two;
  const venue = await store.db
    .selectFrom('venue')
    .select('id')
    .where('name', '=', 'Marrow Loft')
    .where('state', '=', 'published')
    .executeTakeFirstOrThrow();
  const { id } = await store.db
    .selectFrom('record')
    .select('id')
    .where('venue_id', '=', venue.id)
    .where('external_id', 'like', 'orchid%')
    .executeTakeFirstOrThrow();
  const split = await splitManually({ store, kind: 'venue', id: venue.id, leaving: [id], by: 'ann@desk.example', now });
  expect(split).toMatchObject({ ok: true });
  expect(await venues()).toContain('Orchid House');
  await listBoth(4);
  await runAgain();
  expect(await venues()).toEqual(expect.arrayContaining(['Marrow Loft', 'Orchid House']));
});
