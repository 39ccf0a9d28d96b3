// PostgreSQL is quicker.

import type { TObject } from 'typebox';
import { describe, expect, it } from 'vitest';
import { SCHEMAS } from '../../src/api/schemas.ts';
import { correct, findField, uncorrect } from '../../src/ingest/index.ts';
import { now } from '../support/records/bundle.ts';
import { useTwoSources } from '../support/rigs/two-sources.ts';

const two = useTwoSources();
const by = 'ann@city.example';
const eventOf = (id: string) => two.store.db.selectFrom('event').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const lanterns = async () => {
  await two.sayTheSame();
  return (await two.listed())[0]!.id;
};
const fix = (id: string, values: Record<string, unknown>, entity: 'event' | 'venue' = 'event') =>
  correct({ store: two.store, entity, id, values, by, now });
const unfix = (id: string, fields: string[], entity: 'event' | 'venue' = 'event') =>
  uncorrect({ store: two.store, entity, id, fields, by, now });

describe('a correction', () => {
  it('is made and taken back by the names of the API, a part of a price too', async () => {
    const id = await lanterns();
    expect(await fix(id, { startDatetime: '2026-06-21', imageUrl: 'https://hall.example/1.jpg' })).toMatchObject({
      ok: true,
      changed: [{ field: 'start' }, { field: 'image' }],
    });
    for (const [values, price] of [
      [{ priceMax: 20 }, { isFree: false, priceMin: 12, priceMax: 20 }],
      [{ priceMin: 9.5 }, { isFree: false, priceMin: 9.5, priceMax: 20 }],
      [{ isFree: true }, { isFree: true, priceMin: 0, priceMax: 0 }],
      [{ priceMin: 5 }, { isFree: false, priceMin: 5, priceMax: null }],
      [
        { priceMin: null, priceMax: 7 },
        { isFree: false, priceMin: null, priceMax: 7 },
      ],
      [{ isFree: false }, null],
    ] as const) {
      const after = price === null ? [] : [{ field: 'price', after: price }];
      expect(await fix(id, values), JSON.stringify(values)).toMatchObject({ ok: true, changed: after });
    }
    expect(await fix(id, { priceMin: 8 })).toMatchObject({
      ok: false,
      field: 'price.priceMax',
      detail: 'wanted at least priceMin (8), got 7',
    });
    expect(await fix(id, { priceMin: 'x' })).toMatchObject({ ok: false, field: 'price.priceMin' });
    const image = { image_url: 'https://hall.example/1.jpg' };
    expect(await eventOf(id)).toMatchObject({ ...image, precision: 'date', price_min: null, price_max: '7.0000' });
    expect(await unfix(id, ['startDatetime', 'priceMin'])).toMatchObject({
      changed: expect.arrayContaining([expect.objectContaining({ field: 'start' }), expect.objectContaining({ field: 'price' })]),
    });
    expect(await eventOf(id)).toMatchObject({ ...image, precision: 'time', price_min: '12.0000', price_max: null });
  });

  it('lists all fields where there is none of the name, to make it and to take it back', async () => {
    const id = await lanterns();
    const { venue_id } = await eventOf(id);
    const events =
      'wanted one of title, category, start (startDatetime), end (endDatetime), description, image (imageUrl), price (isFree, priceMin, priceMax), venue, status, performers, tags, organizer, links';
    const venues =
      'wanted one of name, type, address, coordinates (latitude, longitude), capacity (capacityTier), verified (isVerified), website, parking, transit (transitNearby), hours (openingHours)';
    for (const field of ['sources', 'constructor']) {
      expect(await fix(id, { [field]: 'x' })).toEqual({ ok: false, reason: 'invalid', field, detail: events });
      expect(await unfix(id, [field])).toEqual({ ok: false, reason: 'invalid', field, detail: events });
      expect(await fix(venue_id, { [field]: 'x' }, 'venue')).toEqual({ ok: false, reason: 'invalid', field, detail: venues });
      expect(await unfix(venue_id, [field], 'venue')).toEqual({ ok: false, reason: 'invalid', field, detail: venues });
    }
  });
});

it('the names of the API name every field that an operator may correct', () => {
  const { metadata, ...venue } = SCHEMAS.VenueDetail.properties;
  const names = {
    event: [...Object.keys(SCHEMAS.EventDetail.properties), 'status'],
    venue: [...Object.keys(venue), ...Object.keys((metadata as TObject).properties)],
  };
  for (const entity of ['event', 'venue'] as const) {
    expect(names[entity].filter((name) => findField(entity, name) === null).sort(), entity).toEqual([...GIVEN[entity]].sort());
  }
});

/** What Marquee decides: ids, addresses, scores, and what follows from other fields. */
const GIVEN = {
  event: ['id', 'slug', 'url', 'discoveryScore', 'sources'],
  venue: ['id', 'slug', 'url', 'neighborhood', 'upcomingEventCount', 'locationPrecision'],
} as const;
