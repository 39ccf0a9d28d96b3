import { expect, it } from 'vitest';
import { decide, listCandidates, undecide } from '../../src/ingest/index.ts';
import { NOW, now } from '../support/records/bundle.ts';
import { listing } from '../support/rigs/sources.ts';
import { useTwoSources } from '../support/rigs/two-sources.ts';

const two = useTwoSources();
/** Two main acts at one house and minute may be one event. */
const series = (id: string, name: string, nights: readonly number[]) =>
  nights.map((night) => listing(`${id}${night}`, { name, start: `2026-06-${night}T20:00:00` }));
const DAY_MS = 86_400_000;
const dayAfter = (day: number) => () => NOW + (day - 16) * DAY_MS;

async function listBoth(nights: readonly number[], at = now): Promise<void> {
  two.radio.write(series('r', 'Marrow Sisters', nights));
  two.press.write(series('p', 'Pine Harbor', nights));
  await two.radio.run({ now: at });
  await two.press.run({ now: at });
}
const candidates = async () => listCandidates({ store: two.store });
const asked = async () => (await candidates()).map(({ left, right }) => [left, right].map(({ externalId }) => externalId).sort());
const pairOf = async () => {
  const [candidate] = await candidates();
  return { left: candidate!.left.recordId, right: candidate!.right.recordId };
};

it('performances of one series are one question, about the first that is to come', async () => {
  await listBoth([20, 21, 22]);
  expect(await asked()).toEqual([['p20', 'r20']]);
  const [candidate] = await candidates();
  expect(candidate?.evidence.map(({ detail }) => detail)).toContainEqual(
    'These two are listed together more than once. Your answer counts for all of their dates.',
  );
  await listBoth([20, 21, 22, 23, 24]);
  expect(await asked()).toEqual([['p20', 'r20']]);
});

it('a question about what is over disappears, and the next performance is asked about', async () => {
  await listBoth([18, 21]);
  expect(await asked()).toEqual([['p18', 'r18']]);
  await listBoth([18, 21, 25], dayAfter(19));
  expect(await asked()).toEqual([['p21', 'r21']]);
  await listBoth([18, 21, 25, 30], dayAfter(26));
  expect(await asked()).toEqual([['p30', 'r30']]);
  two.radio.write([listing('other', { start: '2026-07-20T20:00:00' })]);
  await two.radio.run({ now: dayAfter(31) });
  expect(await asked()).toEqual([]);
});

it('an answer that they are the same joins all dates, later ones too, until it is taken back', async () => {
  await listBoth([20, 21]);
  const pair = await pairOf();
  await decide({ store: two.store, ...pair, verdict: 'same', by: 'ann@desk.example', now });
  expect(await two.listed()).toHaveLength(2);
  await listBoth([20, 21, 22]);
  expect(await two.listed()).toHaveLength(3);
  expect(await asked()).toEqual([]);
  await undecide({ store: two.store, ...pair, now });
  expect(await two.listed()).toHaveLength(6);
  expect(await asked()).toHaveLength(1);
});

it('an answer that they are different is not asked for again', async () => {
  await listBoth([20, 21]);
  await decide({ store: two.store, ...(await pairOf()), verdict: 'different', by: 'ann@desk.example', now });
  expect(await asked()).toEqual([]);
  await listBoth([20, 21, 22]);
  expect(await two.listed()).toHaveLength(6);
  expect(await asked()).toEqual([]);
});
