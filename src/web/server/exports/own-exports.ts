/** What the pages of exports need, for the account of the reader. */

import { loadAccountTier } from '../../../accounts/index.ts';
import { createOwnExports, type Export, type ExportOwner, type OwnExports } from '../../../exports/index.ts';
import { createFeeds, type Feed } from '../../../feeds/index.ts';
import type { ShownExport } from '../../model/exports.ts';
import { type Rooms, requestFacts, rooms } from '../rooms.ts';
import { type PageRequest, requireViewer } from '../viewer.ts';

export interface ExportPages {
  owner: ExportOwner & { accountId: string };
  exports: OwnExports;
  feeds: readonly Feed[];
  rooms: Rooms;
  /** Whether the account's plan has exports. */
  isOpen: boolean;
}

/** Throws the way to the sign-in page when nobody is signed in. */
export async function readExportPages(page: PageRequest): Promise<ExportPages> {
  const { accountId, email } = await requireViewer(page);
  const opened = page.context.get(rooms);
  const { address } = page.context.get(requestFacts);
  const { db } = opened.store;
  const now = opened.clocks.directory;
  const feeds = createFeeds({ db, now });
  const [list, tier] = await Promise.all([feeds.list(accountId), loadAccountTier(db, accountId, now())]);
  return {
    owner: { accountId, actor: { id: accountId, name: email }, address },
    exports: createOwnExports({ db, feeds, now }),
    feeds: list,
    rooms: opened,
    isOpen: tier === 'enterprise',
  };
}

export function showExport(each: Export, feeds: readonly Feed[]): ShownExport {
  const { id, requestId, state, rows, bytes, queuedAt, finishedAt, expiresAt, isFull, error, retryAt } = each;
  const title = titleOf(each, feeds);
  return { id, requestId, state, rows, bytes, queuedAt, finishedAt, expiresAt, isFull, error, retryAt, title };
}

export function titleOf({ feedId, format }: Pick<Export, 'feedId' | 'format'>, feeds: readonly Feed[]): string {
  const content = feedId === null ? 'Everything' : (feeds.find(({ id }) => id === feedId)?.name ?? 'A removed feed');
  return `${content}, ${FORMAT_NAMES[format]}`;
}

const FORMAT_NAMES = { ndjson: 'NDJSON', csv: 'CSV', geojson: 'GeoJSON', parquet: 'Parquet' } as const;
