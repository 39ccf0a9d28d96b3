/** Opens the API over the directory, in whichever thread answers it. */

import type { Gate } from '../accounts/index.ts';
import { type Api, type ApiOptions, createApi } from '../api/index.ts';
import type { Clocks } from '../clock.ts';
import { createExportReader, createOwnExports, createUrlSigner } from '../exports/index.ts';
import { createFeeds, type FeedReader } from '../feeds/index.ts';
import type { Log } from '../log.ts';
import { type ChangeReader, createChangeReader, type SearchReader } from '../search/index.ts';
import type { Store } from '../store/index.ts';
import type { Tracing } from '../telemetry/index.ts';
import { openTestCity } from '../test-city/index.ts';

export interface DirectoryApiParts {
  store: Store;
  search: SearchReader;
  gate: Gate;
  feeds: Pick<FeedReader, 'list' | 'find'>;
  /** Without a trailing slash. */
  publicUrl: string;
  /** See `readSecret`. */
  secret: string;
  clocks: Clocks;
  log: Log;
  metrics: NonNullable<ApiOptions['metrics']>;
  tracing: Tracing | null;
}

export function openDirectoryApi(parts: DirectoryApiParts): { api: Api; changes: ChangeReader } {
  const { store, search, gate, feeds, publicUrl, secret, clocks, log, metrics, tracing } = parts;
  const { db } = store;
  const now = clocks.directory;
  const changes = createChangeReader({ db, commitWatcher: store.createCommitWatcher(), publicUrl, now });
  const exports = createExportReader({
    exports: createOwnExports({ db, feeds: createFeeds({ db, now }), now }),
    signer: createUrlSigner(secret),
    publicUrl,
    now,
  });
  const testCity = openTestCity({ publicUrl, now });
  const sources = { search, changes, feeds, exports };
  return { api: createApi({ ...sources, gate, testCity, publicUrl: () => publicUrl, clocks, log, metrics, tracing }), changes };
}
