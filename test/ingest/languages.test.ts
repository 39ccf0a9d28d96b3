import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importBundle } from '../../src/ingest/index.ts';
import { openTestStore, type TestStore, temporaryFolder } from '../support/database/store.ts';
import { CITY, emptyDirectory, NEIGHBORHOODS, now } from '../support/records/bundle.ts';
import { addFeed } from '../support/rigs/sources.ts';

// One engine is enough: what a mapping reads does not depend on it.

let test: TestStore;
let temporary: ReturnType<typeof temporaryFolder>;

beforeAll(async () => {
  test = await openTestStore();
  temporary = temporaryFolder();
});
beforeEach(async () => {
  await emptyDirectory(test.store);
  await importBundle({ store: test.store, bundle: { city: CITY, neighborhoods: NEIGHBORHOODS }, now });
});
afterAll(async () => {
  temporary.remove();
  await test.dispose();
});

/** A calendar as a page shows it: everything is text. */
const FIELDS = {
  externalId: 'lien',
  title: 'titre',
  start: 'quand',
  priceText: 'prix',
  venue: { name: { path: 'lieu', before: [','] }, address: 'lieu', latitude: 'lat', longitude: 'lon' },
};
const show = (lien: string, more: object) => ({
  lien,
  titre: `Spectacle ${lien}`,
  lieu: 'Salle Verte, 12 rue des Pins',
  lat: '40.05',
  lon: '-73.95',
  ...more,
});
async function readIn(locale: string | string[], records: object[], fields: object = FIELDS) {
  const feed = await addFeed(test.store, temporary.folder, 'feed', { mapping: { records: 'events', locale, fields } });
  feed.write(records);
  const report = await feed.run();
  const events = await test.store.db.selectFrom('event').selectAll().orderBy('starts_at').orderBy('title').execute();
  return { report, events };
}
const times = ({ starts_at, ends_at }: { starts_at: Date; ends_at: Date | null }) =>
  [starts_at, ends_at].map((at) => at?.toISOString().slice(0, 16) ?? null);

const price = ({ is_free, price_min, price_max }: { is_free: boolean; price_min: string | null; price_max: string | null }) =>
  is_free ? 'free' : [price_min, price_max].map((amount) => (amount === null ? '?' : Number(amount))).join(' to ');

describe('a calendar in another language', () => {
  it('is read by one line of the mapping: dates, ends, zones and prices', async () => {
    const { report, events } = await readIn('fr-CA', [
      show('1', { quand: 'sam. 20 juin 2026 17:00 - 19:30 EDT', prix: '0\u00a0$ – 38,27\u00a0$' }),
      show('2', { quand: 'Débute le dim., 21 juin 2026 19:00 UTC\u22124', prix: 'Gratuit' }),
      show('3', { quand: 'JUN 22 AT 11:00 AM – JUN 23 AT 5:00 PM EDT', prix: 'Contribution volontaire' }),
      show('4', { quand: 'du 3 au 7 juillet', prix: 'À partir de 12,50 $' }),
      show('5', { quand: 'TUESDAY, JUNE 30, 2026 AT 9:00 PM – 2:00 AM EDT', prix: '20$' }),
      show('6', { quand: 'dim. 27 juin 2026 20 h', prix: '20$' }),
    ]);
    expect(events.map(({ title }) => title)).toEqual(['1', '2', '3', '5', '4'].map((id) => `Spectacle ${id}`));
    expect(events.map(times)).toEqual([
      ['2026-06-20T21:00', '2026-06-20T23:30'],
      ['2026-06-21T23:00', null],
      ['2026-06-22T15:00', '2026-06-23T21:00'],
      ['2026-07-01T01:00', '2026-07-01T06:00'],
      ['2026-07-03T04:00', '2026-07-08T04:00'],
    ]);
    expect(events.map(price)).toEqual(['0 to 38.27', 'free', '0 to ?', '20 to 20', '12.5 to ?']);
    expect(report.rejected.map(({ line, field, reason }) => [line, field, reason])).toEqual([
      [
        6,
        'start',
        'wanted a date-time (iso or text), got "dim. 27 juin 2026 20 h": 2026-06-27 is not the weekday that it states',
      ],
    ]);
  });

  it('lists each day of a list as an event of one series', async () => {
    const { events } = await readIn('de-DE', [show('7', { quand: '3., 4. und 5. Juli 2026, 20 Uhr' })]);
    expect(events.map(times)).toEqual(['04', '05', '06'].map((day) => [`2026-07-${day}T00:00`, null]));
    const records = await test.store.db.selectFrom('record').select('external_id').where('kind', '=', 'event').execute();
    expect(records.map(({ external_id }) => external_id).toSorted()).toEqual(
      ['03', '04', '05'].map((day) => `7@2026-07-${day}T20:00:00`),
    );
  });

  it('has an end of its own, an hour alone after the start', async () => {
    const fields = { ...FIELDS, start: { join: ['jour', 'de'], with: ' ' }, end: 'a' };
    const { events } = await readIn(
      'fr-FR',
      [show('8', { jour: 'samedi 20 juin', de: '20h30', a: '23h' }), show('9', { jour: 'dimanche 21 juin', de: '22h', a: '2h' })],
      fields,
    );
    expect(events.map(times)).toEqual([
      ['2026-06-21T00:30', '2026-06-21T03:00'],
      ['2026-06-22T02:00', '2026-06-22T06:00'],
    ]);
  });
});
