/** What test events hold: made up, and marked as a test. */

import { type FieldKind, printedEventRows } from '../records/index.ts';
import { DAY_MS } from '../values/duration.ts';
import type { EventTypeName } from './event-types.ts';

/** `data` of a message of this type. */
export function sampleData(type: EventTypeName, at: number): object {
  const [entity = '', kind = ''] = type.split('.');
  if (entity === 'endpoint') return { test: true, endpointId: SAMPLE_ID, url: 'https://example.com/hooks', reason: 'failing' };
  if (entity === 'quota') return { test: true, plan: 'enterprise', percent: 80, used: 80_000, limit: 100_000, day: dayOf(at) };
  if (entity === 'key') {
    return { test: true, keyId: 'AbCdEfGhIjKl', name: 'Production', expiresAt: new Date(at + DAY_MS).toISOString() };
  }
  if (entity === 'export') return { test: true, exportId: SAMPLE_ID, rows: 1_234, bytes: 56_789 };
  const isQuery = entity === 'feed';
  const isGone = kind === 'removed' || kind === 'merged' || kind === 'unmatched';
  const { record, named } = SAMPLES[entity] ?? { record: EVENT, named: 'title' };
  return {
    test: true,
    sequence: 0,
    sequences: [0],
    epoch: SAMPLE_ID,
    kind: isQuery ? 'updated' : kind,
    entity: isQuery ? 'event' : entity,
    id: SAMPLE_ID,
    fields: kind === 'created' ? [] : [named],
    ...(isQuery && { feedId: SAMPLE_ID }),
    ...(kind === 'merged' && { mergedInto: SAMPLE_ID }),
    previous: kind === 'created' ? {} : { [named]: `Another ${named}` },
    record: isGone ? null : record,
  };
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const SAMPLE_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const PLACE = { neighborhood: 'a-test-neighborhood', latitude: 43.56, longitude: -87.84 };
/** What is not known is null; amounts are known. */
const SAMPLE_OF_KIND: Partial<Record<FieldKind, unknown>> = {
  id: SAMPLE_ID,
  flag: false,
  score: 50,
  amount: 10,
  texts: [],
  instant: '2026-11-21T20:00:00-06:00',
};
const EVENT = {
  ...Object.fromEntries(
    printedEventRows()
      .filter(({ form }) => form !== 'extra')
      .map(({ shownAs, kind, of, nullable }) => [
        shownAs,
        nullable && kind !== 'amount' ? null : (of?.[0] ?? SAMPLE_OF_KIND[kind]),
      ]),
  ),
  title: 'A test event',
  slug: 'a-test-event',
  priceMax: 20,
  url: 'https://example.com/events/a-test-event',
  venue: { id: SAMPLE_ID, name: 'A test venue', slug: 'a-test-venue', ...PLACE, address: null, capacityTier: null },
};
const VENUE = {
  id: SAMPLE_ID,
  name: 'A test venue',
  slug: 'a-test-venue',
  type: 'club',
  ...PLACE,
  address: null,
  capacityTier: null,
  isVerified: false,
  url: 'https://example.com/venues/a-test-venue',
  metadata: { website: null, parking: null, transitNearby: [], openingHours: null },
  upcomingEventCount: 1,
};
const NEIGHBORHOOD = {
  slug: 'a-test-neighborhood',
  name: 'A test neighborhood',
  description: null,
  latitude: PLACE.latitude,
  longitude: PLACE.longitude,
  eventCount: 1,
  venueCount: 1,
  topCategories: ['concert'],
};
/** `named`: the field with its name. */
const SAMPLES: Readonly<Record<string, { record: object; named: string }>> = {
  venue: { record: VENUE, named: 'name' },
  neighborhood: { record: NEIGHBORHOOD, named: 'name' },
};
