/** Who puts an event on: from the listings of its sources, by trust. */

import { expect, it } from 'vitest';
import { listing } from '../support/rigs/sources.ts';
import { useTwoSources } from '../support/rigs/two-sources.ts';

const two = useTwoSources();

const stored = async () => {
  const rows = await two.store.db.selectFrom('event').select('organizer').where('state', '=', 'published').execute();
  return rows.map(({ organizer }) => organizer);
};
const lastChange = () =>
  two.store.db
    .selectFrom('change')
    .select(['kind', 'previous'])
    .where('entity', '=', 'event')
    .orderBy('seq', 'desc')
    .executeTakeFirstOrThrow();

it('takes the organizer of the source that names one, with a page of http or https', async () => {
  two.radio.write([listing('1')]);
  two.press.write([listing('1', { by: ' Harbor  Arts ', byUrl: 'https://harbor.example/' })]);
  await two.radio.run();
  expect(await stored()).toEqual([null]);
  await two.press.run();
  expect(await stored()).toEqual([{ name: 'Harbor Arts', url: 'https://harbor.example/' }]);
  two.press.write([listing('1', { by: 'Harbor Arts', byUrl: 'javascript:alert(1)' })]);
  await two.press.run();
  expect(await stored()).toEqual([{ name: 'Harbor Arts', url: null }]);
  two.press.write([listing('1', { byUrl: 'https://harbor.example/' })]);
  await two.press.run();
  expect(await stored()).toEqual([null]);
});

it('tells those who follow the change log what it was before', async () => {
  two.radio.write([listing('1', { by: 'Harbor Arts' })]);
  await two.radio.run();
  two.radio.write([listing('1', { by: 'Friends of the Harbor' })]);
  await two.radio.run();
  expect(await lastChange()).toEqual({ kind: 'updated', previous: { organizer: { name: 'Harbor Arts', url: null } } });
});

it('reads records that an earlier version stored with the name alone', async () => {
  two.radio.write([listing('1', { by: 'Harbor Arts' })]);
  await two.radio.run();
  const { db } = two.store;
  const { id, listing: kept } = await db
    .selectFrom('record')
    .select(['id', 'listing'])
    .where('kind', '=', 'event')
    .executeTakeFirstOrThrow();
  const old = JSON.stringify({ ...(kept as object), organizer: 'Harbor Arts' });
  await db.updateTable('record').set({ listing: old }).where('id', '=', id).execute();
  two.press.write([listing('1')]);
  await two.press.run();
  expect(await stored()).toEqual([{ name: 'Harbor Arts', url: null }]);
});
