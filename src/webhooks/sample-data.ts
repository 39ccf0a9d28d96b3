/** What test events hold: made up, and marked as a test. */

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
  const record = entity === 'venue' ? VENUE : entity === 'neighborhood' ? NEIGHBORHOOD : EVENT;
  return {
    test: true,
    sequence: 0,
    sequences: [0],
    epoch: SAMPLE_ID,
    kind: isQuery ? 'updated' : kind,
    entity: isQuery ? 'event' : entity,
    id: SAMPLE_ID,
    fields: kind === 'created' ? [] : ['title'],
    ...(isQuery && { feedId: SAMPLE_ID }),
    ...(kind === 'merged' && { mergedInto: SAMPLE_ID }),
    previous: kind === 'created' ? {} : { title: 'Another title' },
    record: isGone ? null : record,
  };
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const SAMPLE_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const EVENT = {
  id: SAMPLE_ID,
  title: 'A test event',
  slug: 'a-test-event',
  category: 'concert',
  startDatetime: '2026-11-21T20:00:00-06:00',
  endDatetime: null,
};
const VENUE = { id: SAMPLE_ID, name: 'A test venue', slug: 'a-test-venue', type: 'music_venue' };
const NEIGHBORHOOD = { id: SAMPLE_ID, name: 'A test neighborhood', slug: 'a-test-neighborhood' };
