/** Exports in memory: those of the account that the keys of the fake gate belong to. */

import type { ExportReader, ListedExport, Manifest } from '../../../src/exports/index.ts';
import { FAKE_NOW } from './directory.ts';

export const FAKE_EXPORT = 'e0000000-0000-7000-8000-00000000000e';

export function createFakeExports(): ExportReader {
  const at = new Date(FAKE_NOW);
  const ready: ListedExport = {
    id: FAKE_EXPORT,
    requestId: 'e0000000-0000-7000-8000-00000000000f',
    feedId: null,
    format: 'ndjson',
    columns: null,
    repeat: 'once',
    state: 'ready',
    queuedAt: at,
    startedAt: at,
    finishedAt: at,
    expiresAt: at,
    isFull: true,
    rows: 1,
    bytes: 3,
    error: null,
    retryAt: null,
    manifestUrl: 'https://events.example.org/exports/a/b/manifest.json',
  };
  const waiting: ListedExport = {
    ...ready,
    id: 'e0000000-0000-7000-8000-00000000000d',
    columns: ['id', 'title'],
    state: 'queued',
    retryAt: at,
    startedAt: null,
    finishedAt: null,
    expiresAt: null,
    isFull: null,
    rows: null,
    bytes: null,
    manifestUrl: null,
  };
  const url = 'https://events.example.org/exports/a/b/events-00001.ndjson';
  const manifest: Manifest = {
    epoch: 'e0000000-0000-4000-8000-00000000000a',
    sequence: 7,
    generatedAt: at.toISOString(),
    query: null,
    format: 'ndjson',
    columns: null,
    city: null,
    rows: 1,
    files: [{ name: 'events-00001.ndjson', bytes: 3, sha256: 'a'.repeat(64), rows: 1, url }],
    deleted: [],
    previous: null,
    signature: { algorithm: 'ed25519', keyId: 'a'.repeat(16), value: 'AA==' },
  };
  return {
    list: async (_accountId, { limit, offset }) => ({ total: 2, exports: [waiting, ready].slice(offset, offset + limit) }),
    newestFull: async () => FAKE_EXPORT,
    find: async (_accountId, id) => (id === FAKE_EXPORT ? { export: ready, manifest } : null),
  };
}
