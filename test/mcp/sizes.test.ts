/** Answers stay within their size in a city of many neighborhoods, and for an event of which much is known. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildSearch, type EventRow, type VenueRow } from '../../src/search/index.ts';
import { FAKE_NOW, idOf } from '../support/fakes/directory.ts';
import { FAKE_KEYS } from '../support/fakes/gate.ts';
import { callTool, createTestMcp, SITE, type TestMcp } from '../support/rigs/mcp.ts';

const NEIGHBORHOODS = 300;
/** Each character is two in JSON, and the words are on many lines. */
const DESCRIPTION = '"Loud"\n'.repeat(2_000);
const PERFORMERS = Array.from({ length: 12 }, (_, n) => `${'An Orchestra of Many Names '.repeat(7)}${n}`);

let mcp: TestMcp;
beforeAll(async () => {
  const numbers = Array.from({ length: NEIGHBORHOODS }, (_, n) => n);
  const place = { latitude: 40.7, longitude: -74 };
  const lifecycle = { state: 'published', mergedInto: null } as const;
  const city = { slug: 'c', name: 'City', timezone: 'America/New_York', currency: 'USD', locale: 'en', ...place };
  const slugOf = (n: number) => `a-neighborhood-of-the-city-${n}`;
  const neighborhoods = numbers.map((n) => ({
    id: idOf('a', 1_000 + n),
    slug: slugOf(n),
    name: slugOf(n),
    description: null,
    ...place,
  }));
  const venues = numbers.map(
    (n): VenueRow => ({
      ...{ id: idOf('a', n), slug: `hall-${n}`, name: `Hall ${n}`, type: 'club', address: null, ...place },
      ...{ capacityTier: null, isVerified: true, neighborhood: slugOf(n), website: null, parking: null },
      ...{ transitNearby: [], openingHours: null, ...lifecycle },
    }),
  );
  const events = numbers.map(
    (n): EventRow => ({
      ...{ id: idOf('e', n), slug: `night-${n}`, title: `Night ${n}`, category: 'concert', startsAt: FAKE_NOW + 3_600_000 },
      ...{ endsAt: null, precision: 'time', description: DESCRIPTION, imageUrl: null, isFree: true, priceMin: 0, priceMax: 0 },
      ...{ venueId: idOf('a', n), status: 'scheduled', performers: PERFORMERS, tags: [], sources: ['feed'], organizer: null },
      ...{ discoveryScore: 50, updatedAt: FAKE_NOW, scoredAt: FAKE_NOW, signals: [], scores: [], ...lifecycle },
    }),
  );
  mcp = await createTestMcp({ search: buildSearch({ seq: 1, city, neighborhoods, venues, events }, FAKE_NOW, SITE) });
});
afterAll(() => mcp?.close());

async function call(name: string, args: Record<string, unknown>) {
  const { content, structuredContent } = await callTool(mcp.url, name, args, FAKE_KEYS.growth);
  const text: string = content[0].text;
  return { text, structured: structuredContent, size: text.length + JSON.stringify(structuredContent).length };
}

test('an overview counts the neighborhoods that it has room for, and says how many are left out', async () => {
  const { text, structured, size } = await call('city_overview', {});
  const counted = Object.keys(structured.counts.neighborhood).length;
  expect(size).toBeLessThanOrEqual(6_000);
  expect(counted).toBeGreaterThan(10);
  expect(text).toContain(`Note: ${NEIGHBORHOODS - counted} quieter neighborhoods are left out`);
});

test('a list leaves room for all that is said beside it', async () => {
  const q = 'free concerts nightt under $20';
  for (const [name, args] of [
    ['search_events', { q, limit: 100 }],
    ['search_venues', { limit: 100 }],
  ] as const) {
    for (let maxChars = 2_000; maxChars <= 4_000; maxChars += 50) {
      const { structured, size } = await call(name, { ...args, max_chars: maxChars });
      expect(structured.shown, name).toBeGreaterThan(0);
      expect([name, maxChars, size <= maxChars]).toEqual([name, maxChars, true]);
    }
  }
});

test.each([2_000, 6_000, 20_000])('an event fills %i characters and no more', async (maxChars) => {
  const { structured, size } = await call('get_event', { id: idOf('e', 0), max_chars: maxChars });
  expect(size).toBeLessThanOrEqual(maxChars);
  expect(size).toBeGreaterThan(maxChars / 2);
  expect(structured.notes.join()).toContain('The description is cut');
});
