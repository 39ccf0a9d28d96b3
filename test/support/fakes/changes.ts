import type { ChangeReader, LoggedChange } from '../../../src/search/index.ts';
import { FAKE_NOW, REMOVED_EVENT } from './directory.ts';

/** The log of a directory from which an event was removed. */
export function createFakeChanges(): ChangeReader {
  const removed: LoggedChange = {
    seq: 7,
    at: FAKE_NOW,
    kind: 'removed',
    entity: 'event',
    entityId: REMOVED_EVENT,
    previous: { slug: 'gone', startDatetime: '2026-06-16T20:00:00.000Z' },
    record: { found: 'removed' },
  };
  const state = { epoch: '0b6f1c4e-6f0a-4b57-9a55-0a7b8f1d2c3e', history: '', head: 7, citySeq: 0 };
  return {
    state: async () => state,
    lastBefore: async (moment) => (moment > FAKE_NOW ? state.head : 0),
    read: async ({ after }) => ({
      ...state,
      changes: after < removed.seq ? [removed] : [],
      reached: Math.max(after, state.head),
      hasMore: false,
    }),
    waitBeyond: async () => {},
  };
}
