import { describe, expect, it } from 'vitest';
import { loadProvenance } from '../../src/ingest/index.ts';
import { listing } from '../support/rigs/sources.ts';
import { useTwoSources } from '../support/rigs/two-sources.ts';

const two = useTwoSources();
const evening = (clock: string) => `2026-06-20T${clock}:00`;

/** What both sources list on a day. */
async function day(radio: readonly object[], press: readonly object[]): Promise<void> {
  two.radio.write(radio);
  two.press.write(press);
  await two.radio.run();
  await two.press.run();
}

describe('a start that two sources move on different days', () => {
  it('keeps one event under one id', async () => {
    const party = (clock: string) => [listing('r1', { name: 'Big Harvest Street Party', start: evening(clock) })];
    const act = (clock: string) => [listing('p1', { name: 'Ida Lark', start: evening(clock) })];
    await day(party('20:00'), act('20:00'));
    const [first, ...others] = await two.listed();
    expect(others).toEqual([]);
    for (const [radio, press] of [
      ['20:30', '20:00'],
      ['20:30', '20:30'],
      ['20:30', '20:00'],
      ['20:00', '20:00'],
    ] as const) {
      await day(party(radio), act(press));
      expect((await two.listed()).map(({ id }) => id)).toEqual([first?.id]);
    }
    await day(party('15:00'), act('20:00'));
    expect(await two.listed()).toHaveLength(2);
  });

  it('brings nothing together that was never one', async () => {
    const act = [listing('p1', { name: 'Ida Lark', start: evening('20:00') })];
    await day([listing('r1', { name: 'Big Harvest Street Party', start: evening('20:30') })], act);
    expect(await two.listed()).toHaveLength(2);
  });
});

describe('a cancelled listing', () => {
  it('and what replaces it are two events', async () => {
    const fitness = listing('r1', { name: 'CANCELLED: Harbor Choir' });
    await day([fitness, listing('r2', { name: 'Harbor Choir – Harvest Special Guests' })], []);
    expect(await two.listed()).toMatchObject([{ status: 'cancelled' }, { status: 'scheduled' }]);
  });

  it('of another hour cancels and moves nothing that another source lists as on', async () => {
    const cancelled = listing('r1', { name: 'CANCELLED: Harbor Choir', start: evening('20:30') });
    await day([cancelled], [listing('p1', { name: 'Harbor Choir' })]);
    const listed = await two.listed();
    expect(listed).toMatchObject([{ status: 'scheduled', title: 'Harbor Choir', sources: ['press', 'radio'] }]);
    expect(listed[0]?.starts_at.toISOString()).toBe(await startOf('p1'));
    await day([listing('r1', { name: 'CANCELLED: Harbor Choir' })], [listing('p1', { name: 'Harbor Choir' })]);
    expect(await two.listed()).toMatchObject([{ status: 'cancelled' }]);
  });
});

describe('a lottery or a package', () => {
  const lottery = listing('r1', { name: 'Digital Lottery - Free Hamlet in the Meadow', min: 5 });

  it('makes the event where nothing else lists it', async () => {
    await day([lottery], []);
    expect(await two.listed()).toMatchObject([{ title: 'Free Hamlet in the Meadow', sources: ['radio'] }]);
  });

  it('adds neither title nor price to an event that is listed itself', async () => {
    await day([lottery, listing('r2', { name: 'Senior 65+ Lottery - Free Hamlet in the Meadow', min: 9 })], []);
    const [made, ...others] = await two.listed();
    expect(others).toEqual([]);
    await day([lottery], [listing('p1', { name: 'Hamlet: Free in the Meadow' })]);
    const event = { title: 'Hamlet: Free in the Meadow', sources: ['press', 'radio'] };
    expect(await two.listed()).toMatchObject([{ id: made?.id, ...event }]);
    const { price_min } = await two.store.db
      .selectFrom('event')
      .select('price_min')
      .where('id', '=', made?.id ?? '')
      .executeTakeFirstOrThrow();
    expect(price_min).toBeNull();
  });
});

describe('an hour that a provider prints where it knows none', () => {
  it('is left out, and the day stays the day, though clocks go forward on it', async () => {
    const day = '2027-03-14';
    const evenings = WORDS.map((word, index) =>
      listing(`r${index}`, {
        name: `The ${word} Singers`,
        place: `${word} Hall`,
        lat: 40.01 + index / 250,
        start: `${day}T19:30:00`,
      }),
    );
    two.radio.write(evenings);
    two.press.write(evenings.slice(0, 3).map((each, index) => ({ ...each, id: `p${index}`, start: `${day}T17:00:00` })));
    await two.radio.run();
    const { remarks } = await two.press.run();
    expect(remarks).toEqual([expect.stringContaining('“hour unknown”')]);
    const last = (await two.listed()).find(({ title }) => title === `The ${WORDS.at(-1)} Singers`);
    expect(last?.starts_at.toISOString()).toBe(`${day}T05:00:00.000Z`);
    const { fields } = await loadProvenance({ store: two.store, eventId: last?.id ?? '' });
    expect(fields.find(({ field }) => field === 'start')?.value).toEqual({
      precision: 'date',
      startsAt: last?.starts_at.getTime(),
    });
  });
});

const WORDS = (
  'Amber Birch Cedar Dahlia Ember Fern Garnet Hazel Indigo Jasper Kestrel Laurel Maple Nectar Onyx Poplar Quartz Rowan Sorrel ' +
  'Thistle Umber Violet'
).split(' ');

async function startOf(externalId: string): Promise<string> {
  const found = await two.store.db
    .selectFrom('record')
    .select('listing')
    .where('external_id', '=', externalId)
    .executeTakeFirstOrThrow();
  return new Date((found.listing as unknown as { startsAt: number }).startsAt).toISOString();
}
