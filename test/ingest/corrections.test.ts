// PostgreSQL is quicker.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  correct,
  decide,
  hide,
  importBundle,
  loadProvenance,
  loadVenueProvenance,
  mergeManually,
  removeSource,
  uncorrect,
  undecide,
  undoRun,
  unhide,
} from '../../src/ingest/index.ts';
import { NEIGHBORHOODS, NOW, now, smallBundle } from '../support/records/bundle.ts';
import { listing } from '../support/rigs/sources.ts';
import { useTwoSources } from '../support/rigs/two-sources.ts';

const two = useTwoSources();
const by = 'ann@city.example';
const head = async () =>
  (await two.store.db.selectFrom('list_head').select('seq').where('list', '=', 'change').executeTakeFirstOrThrow()).seq;
const eventOf = (id: string) => two.store.db.selectFrom('event').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const venueOf = (id: string) => two.store.db.selectFrom('venue').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const lanterns = async () => {
  await two.sayTheSame();
  return (await two.listed())[0]!.id;
};
const fix = (id: string, values: Record<string, unknown>, entity: 'event' | 'venue' = 'event') =>
  correct({ store: two.store, entity, id, values, by, now });
const unfix = (id: string, fields: string[], entity: 'event' | 'venue' = 'event') =>
  uncorrect({ store: two.store, entity, id, fields, by, now });

describe('a correction of an event', () => {
  it('counts against all sources, over every run, until it is taken back', async () => {
    const id = await lanterns();
    const result = await fix(id, { title: 'The Lanterns, Unplugged', price: { isFree: true } });
    expect(result).toMatchObject({ ok: true, id, changed: [{ field: 'title', before: 'The Lanterns' }, { field: 'price' }] });
    const corrected = { title: 'The Lanterns, Unplugged', slug: 'the-lanterns-unplugged', is_free: true, price_max: '0.0000' };
    expect(await eventOf(id)).toMatchObject(corrected);
    two.radio.write([listing('r1', { name: 'Lanterns', text: 'An evening with the Lanterns', min: 30 })]);
    const report = await two.radio.run();
    expect(report.difference.changed.map(({ fields }) => Object.keys(fields))).toEqual([['performers']]);
    expect(await eventOf(id)).toMatchObject(corrected);
    await unfix(id, ['title', 'price']);
    expect(await eventOf(id)).toMatchObject({ title: 'Lanterns', is_free: false, price_min: '30.0000', price_max: null });
  });

  it('changes nothing when it is said twice, and when a source is read again', async () => {
    const id = await lanterns();
    await fix(id, { status: 'sold_out', tags: ['late'] });
    const seq = await head();
    expect(await fix(id, { status: 'sold_out', tags: ['late'] })).toEqual({ ok: true, id, changed: [] });
    await two.radio.run();
    await two.press.run();
    expect(await head()).toBe(seq);
    expect(await two.store.db.selectFrom('correction').select('id').execute()).toHaveLength(2);
  });

  it('is the winner of the trail, with what the sources say beside it', async () => {
    const id = await lanterns();
    await fix(id, { title: 'Ours', description: null });
    const { fields, records } = await loadProvenance({ store: two.store, eventId: id });
    const told = new Map(fields.map((field) => [field.field, field]));
    expect(told.get('title')).toMatchObject({
      value: 'Ours',
      recordId: null,
      why: `correction by ${by}, ${new Date(NOW).toISOString()}`,
      correction: { before: 'The Lanterns', by, at: NOW },
      others: [{ value: 'The Lanterns' }, { value: expect.stringContaining('Lanterns') }],
    });
    expect(told.get('description')).toMatchObject({ value: null, correction: { before: 'An evening with the Lanterns' } });
    expect(told.get('status')).toMatchObject({ correction: null, recordId: records[0]!.id });
    expect(fields.map(({ field }) => field)).toEqual([
      ...[
        'title',
        'category',
        'start',
        'end',
        'description',
        'image',
        'price',
        'venue',
        'status',
        'performers',
        'tags',
        'organizer',
        'links',
      ],
    ]);
  });

  it('of links counts over every run, and gives way to those of the sources when it is taken back', async () => {
    const id = await lanterns();
    const own = [{ provider: 'press', url: 'https://press.example/p1' }];
    const ours = [{ provider: 'box office', url: 'https://hall.example/tickets?night=1' }];
    expect(await fix(id, { links: ours })).toMatchObject({ ok: true, changed: [{ field: 'links', before: own, after: ours }] });
    expect(await eventOf(id)).toMatchObject({ links: ours });
    two.press.write([listing('p1', { name: 'The Lanterns (live)', min: 14, text: 'short', url: 'https://press.example/new' })]);
    const { difference } = await two.press.run();
    expect(difference.changed.map(({ fields }) => Object.keys(fields))).toEqual([['priceMin']]);
    expect(await eventOf(id)).toMatchObject({ links: ours });
    const links = (await loadProvenance({ store: two.store, eventId: id })).fields.find(({ field }) => field === 'links');
    const theirs = [{ provider: 'press', url: 'https://press.example/new' }];
    expect(links).toMatchObject({ value: ours, correction: { before: own }, others: [{ value: [] }, { value: theirs }] });
    await unfix(id, ['links']);
    expect(await eventOf(id)).toMatchObject({ links: theirs });
  });

  it('is refused with a reason when it cannot be', async () => {
    const id = await lanterns();
    for (const [values, field, reason] of [
      [{ end: '2026-06-20T19:00:00' }, 'end', /at or after the start/],
      [{ start: '2026-06-21T20:00:00', end: '2026-06-21T19:00:00' }, 'end', /at or after the start/],
      [{ price: { isFree: true, priceMin: 5 } }, 'price.priceMin', /because isFree is true/],
      [{ price: { isFree: false, priceMin: 9, priceMax: 5 } }, 'price.priceMax', /at least priceMin/],
      [{ price: '12 Euro' }, 'price', /^wanted "free", "12", "12-20" or "unknown", got "12 Euro"$/],
      [{ end: '2026-06-20T' }, 'end', /^wanted a day and an hour, got only the day "2026-06-20"$/],
      [{ start: 'T20:00' }, 'start', /^wanted a day and an hour, got only the hour "20:00"$/],
      [{ title: ' ' }, 'title', /wanted text/],
      [{ title: 'x'.repeat(301) }, 'title', /at most 300/],
      [{ start: '2026-02-30' }, 'start', /a day that exists/],
      [{ start: null }, 'start', /date-time/],
      [{ category: 'opera' }, 'category', /one of concert/],
      [{ status: null }, 'status', /one of scheduled/],
      [{ image: 'javascript:alert(1)' }, 'image', /address/],
      [{ venue: '01900000-0000-7000-8000-00000000beef' }, 'venue', /which is none/],
      [{ links: 'https://hall.example/' }, 'links', /^wanted a list, got/],
      [{ links: [{ provider: 'hall', url: 'javascript:alert(1)' }] }, 'links[0].url', /^wanted an http or https address/],
      [{ links: [{ provider: '', url: 'https://hall.example/' }] }, 'links[0].provider', /^wanted text/],
      [{ sources: ['x'] }, 'sources', /wanted one of title/],
      [{ title: 'fine', performers: 'x' }, 'performers', /a list/],
    ] as const) {
      const refused = { ok: false, reason: 'invalid', field, detail: expect.stringMatching(reason) };
      expect(await fix(id, values), JSON.stringify(values)).toMatchObject(refused);
    }
    expect(await two.store.db.selectFrom('correction').select('id').execute()).toEqual([]);
  });

  it('is refused with a note that is too long, a hiding too, and kept with the longest', async () => {
    const id = await lanterns();
    const note = 'ж'.repeat(1001);
    const refused = { ok: false, reason: 'invalid', field: 'note', detail: 'wanted at most 1000 characters, got 1001' };
    const common = { store: two.store, entity: 'event', id, by, now } as const;
    expect(await correct({ ...common, values: { title: 'x' }, note })).toEqual(refused);
    expect(await hide({ ...common, note })).toEqual(refused);
    expect(await hide({ ...common, note: note.slice(1) })).toMatchObject({ ok: true });
  });

  it('is refused where there is nothing to correct', async () => {
    expect(await fix('nonsense', { title: 'x' })).toMatchObject({ ok: false, reason: 'unknown' });
    expect(await fix('01900000-0000-7000-8000-00000000beef', { title: 'x' })).toMatchObject({ ok: false, reason: 'unknown' });
    const id = await lanterns();
    await removeSource({ store: two.store, name: 'radio', now });
    await removeSource({ store: two.store, name: 'press', now });
    expect(await fix(id, { title: 'x' })).toMatchObject({ ok: false, reason: 'removed' });
  });

  it('of an end gives way when the sources move the start behind it', async () => {
    const id = await lanterns();
    await fix(id, { end: '2026-06-20T22:00:00' });
    expect(await eventOf(id)).toMatchObject({ ends_at: new Date('2026-06-21T02:00:00Z') });
    for (const feed of [two.radio, two.press]) {
      feed.write([listing(feed === two.radio ? 'r1' : 'p1', { name: 'The Lanterns', start: '2026-06-20T23:00:00' })]);
      await feed.run();
    }
    expect(await eventOf(id)).toMatchObject({ starts_at: new Date('2026-06-21T03:00:00Z'), ends_at: null });
    expect(await fix(id, { title: 'Late Lanterns' })).toMatchObject({ ok: true });
  });

  it('may be a day without an hour, and another venue', async () => {
    two.radio.write([listing('r1'), listing('r2', { place: 'Attic', lat: 40.02, lon: -73.85, start: '2026-06-25T20:00:00' })]);
    await two.radio.run();
    const [first, second] = await Promise.all((await two.listed()).map(({ id }) => eventOf(id)));
    await fix(first!.id, { start: '2026-06-22', venue: second!.venue_id });
    expect(await eventOf(first!.id)).toMatchObject({
      starts_at: new Date('2026-06-22T04:00:00Z'),
      precision: 'date',
      venue_id: second!.venue_id,
    });
    await unfix(first!.id, ['venue']);
    expect(await eventOf(first!.id)).toMatchObject({ venue_id: first!.venue_id, precision: 'date' });
  });

  it('follows a merger to the survivor, gives way to its own word, and goes back when they are parted', async () => {
    two.radio.write([listing('r1', { name: 'Parade' })]);
    two.press.write([listing('p1', { name: 'Procession', start: '2026-06-20T20:01:00' })]);
    await two.radio.run();
    await two.press.run();
    const [parade, procession] = await two.listed();
    await fix(procession!.id, { title: 'The Great Procession', description: 'Bring a drum' });
    await fix(parade!.id, { title: 'The Great Parade' });
    const [left, right] = [await two.recordId('p1'), await two.recordId('r1')];
    await decide({ store: two.store, left, right, verdict: 'same', by, now });
    expect(await eventOf(parade!.id)).toMatchObject({ title: 'The Great Parade', description: 'Bring a drum' });
    // The id that leads elsewhere is corrected where it leads.
    expect(await fix(procession!.id, { status: 'cancelled' })).toMatchObject({ ok: true, id: parade!.id });
    await undecide({ store: two.store, left, right, now });
    expect(await eventOf(parade!.id)).toMatchObject({ title: 'The Great Parade', description: null, status: 'cancelled' });
    expect(await eventOf(procession!.id)).toMatchObject({ title: 'The Great Procession', description: 'Bring a drum' });
  });

  it('is not touched by a run taken back', async () => {
    const id = await lanterns();
    await fix(id, { title: 'Ours' });
    two.radio.write([listing('r1', { name: 'Renamed', text: 'An evening with the Lanterns' })]);
    const { run } = await two.radio.run();
    await undoRun({ store: two.store, id: run!, now });
    expect(await eventOf(id)).toMatchObject({ title: 'Ours' });
    await unfix(id, ['title']);
    expect(await eventOf(id)).toMatchObject({ title: 'The Lanterns' });
  });
});

describe('a hidden event', () => {
  it('stays hidden over every run, and is back with what the sources say by then', async () => {
    const id = await lanterns();
    expect(await hide({ store: two.store, entity: 'event', id, by, note: 'private', now })).toMatchObject({ ok: true });
    expect(await eventOf(id)).toMatchObject({ state: 'hidden' });
    two.radio.write([listing('r1', { name: 'Lanterns, again', text: 'changed' })]);
    expect((await two.radio.run()).difference).toMatchObject({ created: [], changed: [] });
    expect(await eventOf(id)).toMatchObject({ state: 'hidden', title: 'Lanterns, again' });
    await unhide({ store: two.store, entity: 'event', id, by, now });
    expect(await eventOf(id)).toMatchObject({ state: 'published', title: 'Lanterns, again' });
    const kinds = await two.store.db.selectFrom('change').select('kind').where('entity_id', '=', id).orderBy('seq').execute();
    expect(kinds.map(({ kind }) => kind).filter((kind) => kind !== 'scored')).toEqual([
      ...['created', 'updated', 'removed', 'updated', 'created'],
    ]);
  });

  it('counts as no showing of its run', async () => {
    const nights = ['20', '21', '22'].map((night) => listing(night, { name: 'Revue', start: `2026-06-${night}T20:00:00` }));
    two.radio.write(nights);
    await two.radio.run();
    const ids = (await two.listed()).map(({ id }) => id);
    const numbers = async () => Promise.all(ids.map(async (id) => (await eventOf(id)).showing));
    expect(await numbers()).toEqual([1, 2, 3]);
    await hide({ store: two.store, entity: 'event', id: ids[0]!, by, now });
    expect((await numbers()).slice(1)).toEqual([1, 2]);
    await unhide({ store: two.store, entity: 'event', id: ids[0]!, by, now });
    expect(await numbers()).toEqual([1, 2, 3]);
  });
});

describe('a correction of a venue', () => {
  it('counts against all sources, and its point decides the neighborhood', async () => {
    const id = await lanterns();
    const { venue_id } = await eventOf(id);
    const point = { latitude: 40.05, longitude: -73.85 };
    const given = { name: 'The Cellar', coordinates: point, capacity: 'small', verified: true, transit: ['A', 'C'] };
    expect(await fix(venue_id, given, 'venue')).toMatchObject({ ok: true });
    const corrected = { name: 'The Cellar', ...point, neighborhood: 'uptown', capacity_tier: 'small', is_verified: true };
    expect(await venueOf(venue_id)).toMatchObject(corrected);
    two.press.write([listing('p1', { name: 'The Lanterns (live)', min: 12, text: 'short', lat: 40.0501, address: '1 Pier' })]);
    await two.press.run();
    expect(await venueOf(venue_id)).toMatchObject({ ...corrected, address: '1 Pier', transit_nearby: ['A', 'C'] });
    const { fields } = await loadVenueProvenance({ store: two.store, venueId: venue_id });
    expect(fields.find(({ field }) => field === 'name')).toMatchObject({ value: 'The Cellar', correction: { by } });
    await unfix(venue_id, Object.keys(given), 'venue');
    expect(await venueOf(venue_id)).toMatchObject({ name: 'Cellar', neighborhood: 'harbor', capacity_tier: null });
  });

  it('is refused with a reason when it cannot be', async () => {
    const { venue_id } = await eventOf(await lanterns());
    for (const [values, field, reason] of [
      [{ coordinates: { latitude: 0, longitude: 0 } }, 'coordinates', /0\/0/],
      [{ coordinates: { latitude: 91, longitude: 0 } }, 'coordinates.latitude', /from -90 to 90/],
      [{ type: 'cave' }, 'type', /one of bar/],
      [{ website: 'javascript:alert(1)' }, 'website', /http/],
      [{ hours: { timezone: 'Nowhere/Land', weekly: [] } }, 'hours.timezone', /IANA/],
      [{ title: 'x' }, 'title', /wanted one of name/],
    ] as const) {
      const refused = { ok: false, field, detail: expect.stringMatching(reason) };
      expect(await fix(venue_id, values, 'venue'), JSON.stringify(values)).toMatchObject(refused);
    }
  });

  it('of its point follows the polygons when they change', async () => {
    const { venue_id } = await eventOf(await lanterns());
    await fix(venue_id, { coordinates: { latitude: 40.05, longitude: -73.85 } }, 'venue');
    const [harbor] = NEIGHBORHOODS.features;
    await importBundle({
      store: two.store,
      bundle: { neighborhoods: { ...NEIGHBORHOODS, features: [harbor] } },
      prune: true,
      now,
    });
    expect(await venueOf(venue_id)).toMatchObject({ neighborhood: null });
  });
});

describe('a bundle that is imported again', () => {
  it('does not overwrite what is corrected, and reports the same as ever', async () => {
    const bundle = smallBundle();
    await importBundle({ store: two.store, bundle, now });
    const jazz = (await two.listed()).find(({ title }) => title === 'Night of jazz')!;
    const { venue_id } = await eventOf(jazz.id);
    await fix(jazz.id, { title: 'All That Jazz', price: { isFree: true } });
    await fix(venue_id, { name: 'Basement' }, 'venue');
    const seq = await head();
    const again = await importBundle({ store: two.store, bundle, now });
    expect(again).toMatchObject({
      events: { created: 0, updated: 0, unchanged: 2 },
      venues: { created: 0, updated: 0, unchanged: 2 },
    });
    expect(await head()).toBe(seq);
    const [first, ...others] = bundle.events;
    const retitled = { ...bundle, events: [{ ...first, title: 'Jazz Nights', priceMax: 99, description: 'New' }, ...others] };
    expect((await importBundle({ store: two.store, bundle: retitled, now })).events).toMatchObject({ updated: 1, unchanged: 1 });
    expect(await eventOf(jazz.id)).toMatchObject({ title: 'All That Jazz', is_free: true, description: 'New' });
    expect(await venueOf(venue_id)).toMatchObject({ name: 'Basement' });
    const { fields } = await loadProvenance({ store: two.store, eventId: jazz.id });
    expect(fields.find(({ field }) => field === 'title')).toMatchObject({
      value: 'All That Jazz',
      others: [{ value: 'Jazz Nights' }],
    });
    await unfix(jazz.id, ['title', 'price']);
    await unfix(venue_id, ['name'], 'venue');
    expect(await eventOf(jazz.id)).toMatchObject({ title: 'Jazz Nights', is_free: false, price_max: '99.0000' });
    expect(await venueOf(venue_id)).toMatchObject({ name: 'The cellar' });
  });
});

describe('an event of a bundle that a source lists, too', () => {
  it('keeps the links of the source when another field is corrected', async () => {
    await importBundle({ store: two.store, bundle: smallBundle(), now });
    two.radio.write([listing('r1', { name: 'Jazz', url: 'https://radio.example/1' })]);
    await two.radio.run();
    const [jazz, night] = await two.listed();
    await mergeManually({ store: two.store, kind: 'event', left: jazz!.id, right: night!.id, by, now });
    const { id } = (await two.listed()).find(({ sources }) => sources.includes('radio'))!;
    const links = [{ provider: 'radio', url: 'https://radio.example/1' }];
    expect(await eventOf(id)).toMatchObject({ links });
    await fix(id, { tags: ['late'] });
    expect(await eventOf(id)).toMatchObject({ tags: ['late'], links });
    const { fields } = await loadProvenance({ store: two.store, eventId: id });
    expect(fields.find(({ field }) => field === 'links')).toMatchObject({ value: links });
  });
});

describe('corrections and runs in any order', () => {
  const names = ['The Lanterns', 'Quiet Rivers', 'Open Stage'];
  const steps = ['radio', 'press', ...names.flatMap((_, index) => [`title ${index}`, `end ${index}`, `hide ${index}`])];
  const start = (index: number) => `2026-06-2${index}T20:00:00`;
  const picture = async () => {
    const rows = await two.store.db.selectFrom('event').selectAll().orderBy('starts_at').orderBy('id').execute();
    return rows
      .filter(({ state }) => state !== 'merged')
      .map((row) => [row.title, row.state, row.ends_at?.getTime() ?? null, row.sources, row.showing, row.discovery_score]);
  };
  const idOfNight = async (index: number) => {
    const night = new Date(`${start(index)}-04:00`);
    const rows = await two.store.db.selectFrom('event').select(['id', 'state']).where('starts_at', '=', night).execute();
    return rows.find(({ state }) => state !== 'merged')!.id;
  };
  const act = async (step: string) => {
    const [what = '', number = '0'] = step.split(' ');
    if (what === 'radio' || what === 'press') return two[what].run({ now });
    const index = Number(number);
    const id = await idOfNight(index);
    if (what === 'hide') return index === 1 ? hide({ store: two.store, entity: 'event', id, by, now }) : undefined;
    return fix(id, what === 'title' ? { title: `Corrected ${index}` } : { end: `2026-06-2${index}T23:00:00` });
  };

  it('give the same directory, and a second round changes nothing', async () => {
    const pictures = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(steps, { minLength: steps.length, maxLength: steps.length }), async (order) => {
        await two.fresh();
        two.radio.write(names.map((name, index) => listing(`r${index}`, { name, start: start(index) })));
        two.press.write(
          names.map((name, index) => listing(`p${index}`, { name: `${name} (live)`, text: name, start: start(index) })),
        );
        // A word needs something to be said of.
        const first = order.find((step) => step === 'radio' || step === 'press')!;
        for (const step of [first, ...order.filter((each) => each !== first)]) await act(step);
        pictures.add(JSON.stringify(await picture()));
        const seq = await head();
        for (const step of order) await act(step);
        expect(await head()).toBe(seq);
      }),
      { numRuns: 6 },
    );
    expect([...pictures]).toHaveLength(1);
  });
});
