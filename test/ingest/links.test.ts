/** The way on from an event: its pages at the providers, kept with it. */

import { expect, it } from 'vitest';
import { listing } from '../support/rigs/sources.ts';
import { useTwoSources } from '../support/rigs/two-sources.ts';

const two = useTwoSources();

const stored = () =>
  two.store.db.selectFrom('event').select(['title', 'links', 'previous_starts_at']).where('state', '=', 'published').execute();
const kinds = async () => {
  const rows = await two.store.db.selectFrom('change').select('kind').where('entity', '=', 'event').orderBy('seq').execute();
  return rows.map(({ kind }) => kind);
};

it('keeps one page of each provider that lists an event, and nothing that is no page', async () => {
  two.radio.write([listing('1', { url: 'https://radio.example/1' }), listing('2', { url: 'javascript:alert(1)' })]);
  two.press.write([listing('1', { url: 'https://press.example/one' })]);
  await two.radio.run();
  await two.press.run();
  expect((await stored()).toSorted((a, b) => (a.title < b.title ? -1 : 1)).map(({ links }) => links)).toEqual([
    expect.arrayContaining([
      { provider: 'press', url: 'https://press.example/one' },
      { provider: 'radio', url: 'https://radio.example/1' },
    ]),
    [],
  ]);
});

it('follows a page that moves, without telling those who follow the change log', async () => {
  two.radio.write([listing('1', { url: 'https://radio.example/1' })]);
  await two.radio.run();
  two.radio.write([listing('1', { url: 'https://radio.example/new' })]);
  await two.radio.run();
  expect((await stored())[0]?.links).toEqual([{ provider: 'radio', url: 'https://radio.example/new' }]);
  expect(await kinds()).toEqual(['created', 'scored']);
});

it('remembers where an event started before it was moved', async () => {
  two.radio.write([listing('1')]);
  await two.radio.run();
  expect((await stored())[0]?.previous_starts_at).toBeNull();
  two.radio.write([listing('1', { start: '2026-06-21T20:00:00' })]);
  await two.radio.run();
  expect((await stored())[0]?.previous_starts_at).toEqual(new Date('2026-06-21T00:00:00Z'));
});
