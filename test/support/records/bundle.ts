/** A small made-up city for tests of loading: two square neighborhoods, a venue in each, two events. */

import type { Store } from '../../../src/store/index.ts';
import { deleteRows } from '../database/empty-store.ts';

/** Makes the directory of a store as good as new, quicker than opening another. Accounts stay. */
export async function emptyDirectory({ db }: Store): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await deleteRows(trx, DIRECTORY);
    await trx.updateTable('list_head').set({ seq: 0 }).execute();
  });
}

const DIRECTORY = (
  'city neighborhood venue event old_slug source reading run run_record co_listing record question signal score_history change decision correction place_answer ' +
  'lease provider_clock'
).split(' ');

export const NOW = Date.parse('2026-06-16T20:00:00Z');
export const now = () => NOW;

export const CITY = {
  slug: 'tidewater',
  name: 'Tidewater',
  timezone: 'America/New_York',
  currency: 'USD',
  locale: 'en-US',
  center: { latitude: 40.5, longitude: -74 },
};

export function square(slug: string, west: number, south: number, size = 0.1): object {
  const ring = [
    [west, south],
    [west + size, south],
    [west + size, south + size],
    [west, south + size],
    [west, south],
  ];
  return { type: 'Feature', properties: { slug, name: slug.toUpperCase() }, geometry: { type: 'Polygon', coordinates: [ring] } };
}

export const NEIGHBORHOODS = { type: 'FeatureCollection', features: [square('harbor', -74, 40), square('uptown', -73.9, 40)] };

export function venueLine(name: string, more: object = {}): Record<string, unknown> {
  return { externalId: name, name: `The ${name}`, type: 'club', latitude: 40.05, longitude: -73.95, isVerified: true, ...more };
}

export function eventLine(name: string, more: object = {}): Record<string, unknown> {
  return {
    externalId: name,
    title: `Night of ${name}`,
    category: 'concert',
    startDatetime: '2026-06-20T20:00',
    isFree: false,
    priceMin: 10,
    priceMax: 20,
    venue: 'cellar',
    ...more,
  };
}

export function smallBundle() {
  return {
    city: CITY,
    neighborhoods: NEIGHBORHOODS,
    venues: [venueLine('cellar'), venueLine('attic', { latitude: 40.02, longitude: -73.85, capacityTier: 'intimate' })],
    events: [eventLine('jazz'), eventLine('blues', { venue: 'attic', isFree: true, priceMin: null, priceMax: null })],
  };
}
