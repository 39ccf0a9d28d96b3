/** Listings that name no place at all: they wait in one row for each source, until a person has said where they are. */

import { expect, it } from 'vitest';
import {
  answerHere,
  answerIgnore,
  answerSame,
  importBundle,
  listWaitingPlaces,
  undoPlaceAnswer,
} from '../../src/ingest/index.ts';
import { CITY, NEIGHBORHOODS, NOW, now, venueLine } from '../support/records/bundle.ts';
import { listing } from '../support/rigs/sources.ts';
import { useTwoSources } from '../support/rigs/two-sources.ts';

const two = useTwoSources();
const unnamed = (id: string, more: object = {}) => listing(id, { place: null, lat: null, lon: null, ...more });
const quiz = { name: 'Quiz', start: '2026-06-22T19:00:00' };
const waiting = async () => (await listWaitingPlaces({ store: two.store, now: NOW })).places;
const about = (source: string) => ({ store: two.store, now: NOW, name: `source:${source}`, by: 'ann' });
const events = () =>
  two.store.db
    .selectFrom('event')
    .innerJoin('venue', 'venue.id', 'event.venue_id')
    .select(['event.id', 'event.title', 'event.state', 'venue.name'])
    .orderBy('event.title')
    .execute();

async function addHeron(): Promise<string> {
  const line = venueLine('Heron Library', { latitude: 40.02, longitude: -73.95 });
  await importBundle({ store: two.store, bundle: { city: CITY, neighborhoods: NEIGHBORHOODS, venues: [line] }, now });
  const { id } = await two.store.db.selectFrom('venue').select('id').executeTakeFirstOrThrow();
  return id;
}

it('they are counted as waiting and not as rejected, in one row for their source', async () => {
  two.radio.write([unnamed('r1'), unnamed('r2', { ...quiz, place: 'TBA' }), unnamed('r3', { place: 'Zoom' })]);
  const report = await two.radio.run();
  expect(report).toMatchObject({ listings: 2, events: { created: 0 }, waiting: { 'source:radio': 2 }, reasons: { online: 1 } });
  expect(await waiting()).toMatchObject([
    { name: 'source:radio', source: { name: 'radio' }, count: 2, samples: [{ source: 'radio', address: null }, {}] },
  ]);
  expect(await two.listed()).toEqual([]);
  expect(await two.radio.run()).toMatchObject({ events: { created: 0, unchanged: 0 }, waiting: { 'source:radio': 2 } });
});

it('the answer that they are at a venue holds for those that come later, and for no other source', async () => {
  const venueId = await addHeron();
  two.radio.write([unnamed('r1'), listing('r9', { place: 'Kestrel Hall', name: 'Fair', lat: 40.02, lon: -73.85 })]);
  two.press.write([unnamed('p1', quiz)]);
  await two.radio.run();
  await two.press.run();
  await answerSame({ ...about('radio'), house: venueId });
  expect((await waiting()).map(({ name }) => name)).toEqual(['source:press']);
  two.radio.write([
    unnamed('r1'),
    unnamed('r2', { ...quiz, name: 'Chess' }),
    listing('r9', { place: 'Kestrel Hall', name: 'Fair' }),
  ]);
  const report = await two.radio.run();
  expect(report.waiting).toEqual({});
  expect((await events()).map(({ title, name }) => `${title} @ ${name}`)).toEqual([
    'Chess @ The Heron Library',
    'Fair @ Kestrel Hall',
    expect.stringMatching(/@ The Heron Library$/),
  ]);
  expect((await two.radio.run()).events).toMatchObject({ created: 0, updated: 0, unchanged: 3 });
});

it('a new venue has the name that is given, and without it that of the source', async () => {
  two.radio.write([unnamed('r1')]);
  two.press.write([unnamed('p1', quiz)]);
  await two.radio.run();
  await two.press.run();
  const point = { latitude: 40.02, longitude: -73.85 };
  await answerHere({ ...about('radio'), address: '5 Quay', point, venueName: 'Gull Hall' });
  await answerHere({ ...about('press'), address: null, point: { latitude: 40.08, longitude: -73.91 } });
  await two.radio.run();
  await two.press.run();
  expect((await events()).map(({ name }) => name).sort()).toEqual(['Gull Hall', 'press']);
});

it('an answer that is taken back leaves them waiting again, and its next one brings their ids back', async () => {
  const venueId = await addHeron();
  two.radio.write([unnamed('r1')]);
  await two.radio.run();
  await answerSame({ ...about('radio'), house: venueId });
  await two.radio.run();
  const before = await events();
  await undoPlaceAnswer(about('radio'));
  expect(await two.radio.run()).toMatchObject({ waiting: { 'source:radio': 1 }, difference: { vanished: [{}] } });
  expect(await two.listed()).toEqual([]);
  expect((await waiting()).map(({ count }) => count)).toEqual([1]);
  await answerSame({ ...about('radio'), house: venueId });
  await two.radio.run();
  expect(await events()).toEqual(before);
});

it('what is ignored stays unlisted and is asked about no more', async () => {
  two.radio.write([unnamed('r1')]);
  await two.radio.run();
  await answerIgnore(about('radio'));
  expect([await waiting(), (await two.radio.run()).waiting, await two.listed()]).toEqual([[], { 'source:radio': 1 }, []]);
});

it('a listing that loses its place keeps the venue of its event, and one that another source places does not wait', async () => {
  two.radio.write([listing('r1', { place: 'Gull Hall' })]);
  await two.radio.run();
  two.radio.write([unnamed('r1')]);
  expect((await two.radio.run()).waiting).toEqual({});
  two.press.write([unnamed('p1')]);
  await two.press.run();
  expect((await events()).map(({ name, state }) => [name, state])).toEqual([['Gull Hall', 'published']]);
});

it('a listing with a point of its own far from the answer waits on; one near it does not', async () => {
  const venueId = await addHeron();
  const far = unnamed('r1', { lat: 40.08, lon: -73.91 });
  two.radio.write([far, unnamed('r2', { ...quiz, lat: 40.0201, lon: -73.9502 })]);
  await two.radio.run();
  await answerSame({ ...about('radio'), house: venueId });
  expect((await two.radio.run()).waiting).toEqual({ 'source:radio': 1 });
  expect((await events()).map(({ title, name }) => [title, name])).toEqual([['Quiz', 'The Heron Library']]);
});

it.each(['heron', '/venues/heron', 'https://city.example/venues/heron/?utm_source=mail'])(
  'a venue is found by %s',
  async (house) => {
    const venueId = await addHeron();
    await two.store.db.updateTable('venue').set({ slug: 'heron' }).where('id', '=', venueId).execute();
    two.radio.write([unnamed('r1')]);
    await two.radio.run();
    expect(await answerSame({ ...about('radio'), house })).toEqual({ venueId });
  },
);

it('no place is taken for the listings of a source, whatever it is called', async () => {
  const venueId = await addHeron();
  two.radio.write([unnamed('r1')]);
  await two.radio.run();
  await answerSame({ ...about('radio'), house: venueId });
  two.press.write([listing('p1', { place: 'source:radio', lat: null, lon: null, ...quiz })]);
  await two.press.run();
  expect((await waiting()).map(({ name }) => name)).toEqual(['radio']);
  expect((await events()).map(({ name }) => name)).not.toContain('The Heron Library');
});

it('an answer about a source that does not exist is rejected', async () => {
  await expect(answerIgnore(about('radoi'))).rejects.toThrow('there is no source "radoi"');
});

it('the venue on whose website a source is may be meant, by its listings without a place and by its rooms', async () => {
  const line = (name: string, website: string) => venueLine(name, { latitude: 40.02, longitude: -73.95, metadata: { website } });
  const venues = [line('Heron Library', 'https://www.heron.example/visit'), line('Gull Hall', 'https://gull.example')];
  await importBundle({ store: two.store, bundle: { city: CITY, neighborhoods: NEIGHBORHOODS, venues }, now });
  two.radio.write([unnamed('r1'), unnamed('r2', { ...quiz, place: 'Community Room' })]);
  await two.radio.run();
  await two.store.db.updateTable('source').set({ location: 'https://heron.example/a.ics' }).where('name', '=', 'radio').execute();
  const house = { name: 'The Heron Library', reason: 'its website is on heron.example' };
  expect((await waiting()).map(({ name, houses }) => [name, houses])).toEqual([
    ['Community Room', [expect.objectContaining(house)]],
    ['source:radio', [expect.objectContaining(house)]],
  ]);
});
