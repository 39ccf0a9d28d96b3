/** Sources made of files that a test writes, read without a worker: how a worker reads has tests of its own. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addSource, type NewSource, type RunSourceOptions, runSource, type SourceReport } from '../../../src/ingest/index.ts';
import { PROVIDERS } from '../../../src/providers/index.ts';
import type { Store } from '../../../src/store/index.ts';
import { now as fixed } from '../records/bundle.ts';

/** What a run needs besides the store and a name; nothing goes out. */
export const READING: Pick<RunSourceOptions, 'outbound' | 'read'> = {
  outbound: { fetch: () => Promise.reject(new Error('a test asked the net')) },
  read: async (kind, answer, facts) => {
    const provider = PROVIDERS.find((each) => each.kind === kind);
    if (!provider) throw new Error(`no provider of kind ${kind}`);
    return provider.read(answer, facts);
  },
};

/** How the records that `listing` makes are read. */
export const FEED_MAPPING = {
  records: 'events',
  fields: {
    externalId: 'id',
    title: { path: 'name', text: 'html' },
    category: { path: 'kind', table: { music: 'concert' } },
    start: 'start',
    end: 'end',
    isFree: 'free',
    priceMin: 'min',
    priceMax: 'max',
    description: 'text',
    status: 'status',
    sources: 'provider',
    url: 'url',
    organizer: 'by',
    organizerUrl: 'byUrl',
    venue: {
      externalId: 'placeId',
      name: 'place',
      address: 'address',
      latitude: 'lat',
      longitude: 'lon',
      locate: [{ neighborhood: 'area' }, { point: { path: 'borough', table: { south: '40.05,-73.85' } } }],
    },
  },
};

/** A concert at the Cellar; `more` overrides any part. */
export const listing = (id: string, more: object = {}): Record<string, unknown> => ({
  id,
  name: `Show ${id}`,
  kind: 'music',
  start: '2026-06-20T20:00:00',
  place: 'Cellar',
  lat: 40.05,
  lon: -73.95,
  ...more,
});

export interface Feed {
  write(records: readonly object[]): void;
  run(more?: Partial<RunSourceOptions>): Promise<SourceReport>;
}

/** Registers a source of kind `json` whose file is empty at first. */
export async function addFeed(store: Store, folder: string, name: string, more: Partial<NewSource> = {}): Promise<Feed> {
  const file = join(folder, `${name}.json`);
  const write = (records: readonly object[]) => writeFileSync(file, JSON.stringify({ events: records }));
  write([]);
  const added = await addSource({ store, kind: 'json', location: file, mapping: FEED_MAPPING, name, now: fixed, ...more });
  if (!added.ok) throw new Error(added.reason);
  return { write, run: (options = {}) => runSource({ store, name, now: fixed, ...READING, ...options }) };
}
