/** What the forms of the export pages ask for, done. */

import { EVENT_COLUMNS, type ExportReason } from '../../../exports/index.ts';
import type { Refusal } from '../../../values/refusal.ts';
import type { ExportOutcome } from '../../model/exports.ts';
import { refusal, unknownForm } from '../refusal.ts';
import type { ExportPages } from './own-exports.ts';

/** Throws 404 for an export that is not the account's, 400 for a form of no page. */
export async function changeExport({ owner, exports, rooms }: ExportPages, form: FormData): Promise<ExportOutcome> {
  const read = (field: string): string => {
    const value = form.get(field);
    return typeof value === 'string' ? value : '';
  };
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
