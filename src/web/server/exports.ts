/** The exports of an account: what their pages show, and what their forms do. */

import { loadAccountTier } from '../../accounts/index.ts';
import {
  createOwnExports,
  EVENT_COLUMNS,
  type Export,
  type ExportOwner,
  type ExportReason,
  type OwnExports,
} from '../../exports/index.ts';
import { createFeeds, type Feed } from '../../feeds/index.ts';
import type { Refusal } from '../../values/refusal.ts';
import { fieldsOf, refusal, unknownForm } from './forms.ts';
import type { Rooms } from './rooms.ts';
import { type PageRequest, requireOwner } from './viewer.ts';

interface ExportPages {
  owner: ExportOwner & { accountId: string };
  exports: OwnExports;
  feeds: readonly Feed[];
  rooms: Rooms;
  /** Whether the account's plan has exports. */
  isOpen: boolean;
}

/** Throws the way to the sign-in page when nobody is signed in. */
export async function readExportPages(page: PageRequest): Promise<ExportPages> {
  const { owner, rooms: opened } = await requireOwner(page);
  const { db } = opened.store;
  const now = opened.clocks.directory;
  const feeds = createFeeds({ db, now });
  const [list, tier] = await Promise.all([feeds.list(owner.accountId), loadAccountTier(db, owner.accountId, now())]);
  return {
    owner,
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

/** Throws 404 for an export that is not the account's, 400 for a form of no page. */
export async function changeExport({ owner, exports, rooms }: ExportPages, form: FormData): Promise<ExportOutcome> {
  const read = fieldsOf(form);
  const answer = ({ reason, detail }: Refusal<ExportReason>): ExportOutcome => {
    if (reason === 'unknown_export') throw refusal(404, 'Export not found.');
    return { kind: 'refused', error: detail };
  };
  const request = read('request');
  switch (read('intent')) {
    case 'create': {
      const feedId = read('content') === 'everything' ? null : read('content');
      const input = { feedId, format: read('format'), columns: readColumns(form), repeat: read('repeat') };
      const created = await rooms.once(owner.accountId, read('token'), () => exports.create(owner, input));
      return created.ok ? { kind: 'done', what: 'created' } : answer(created);
    }
    case 'cancel': {
      const cancelled = await exports.cancel(owner, read('export'));
      return cancelled.ok ? { kind: 'done', what: 'cancelled' } : answer(cancelled);
    }
    case 'remove': {
      const removed = await exports.remove(owner, request);
      return removed.ok ? { kind: 'done', what: 'removed' } : answer(removed);
    }
    case 'link': {
      const linked = await rooms.onceShown(owner.accountId, read('token'), () => exports.createLink(owner, request));
      return linked.ok ? { kind: 'shown', url: `${rooms.publicUrl}/exports/${linked.token}/manifest.json` } : answer(linked);
    }
    case 'revoke': {
      const revoked = await exports.revokeLink(owner, request);
      return revoked.ok ? { kind: 'done', what: 'revoked' } : answer(revoked);
    }
    default:
      throw unknownForm();
  }
}

/** Null: whole records. */
function readColumns(form: FormData): string[] | null {
  const choice = form.get('columns');
  if (choice === 'record') return null;
  return choice === 'all' ? [...EVENT_COLUMNS] : form.getAll('column').filter((name) => typeof name === 'string');
}

/** An export as the pages show it. */
export interface ShownExport
  extends Pick<
    Export,
    'id' | 'requestId' | 'state' | 'rows' | 'bytes' | 'queuedAt' | 'finishedAt' | 'expiresAt' | 'isFull' | 'error' | 'retryAt'
  > {
  /** `Everything, NDJSON`. */
  title: string;
}

export type ExportOutcome =
  | { kind: 'done'; what: 'created' | 'cancelled' | 'removed' | 'revoked' }
  /** The whole link, in this one answer. */
  | { kind: 'shown'; url: string }
  | { kind: 'refused'; error: string };

const FORMAT_NAMES = { ndjson: 'NDJSON', csv: 'CSV', geojson: 'GeoJSON', parquet: 'Parquet' } as const;
