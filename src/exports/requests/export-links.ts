/** Secret links to all exports of a request. A request has one at a time. */

import type { Kysely, Transaction } from 'kysely';
import { loadAccountTier } from '../../accounts/index.ts';
import type { Clock } from '../../clock.ts';
import { createToken } from '../../feeds/index.ts';
import { type Database, transact } from '../../store/index.ts';
import type { Refusal } from '../../values/refusal.ts';
import { type ExportReason, refuseExport } from '../refusals.ts';
import type { ExportOwner } from './export-request.ts';
import { createRecordExport, lockRequest } from './request-changes.ts';

export interface ExportLinks {
  /** A secret link to all exports of a request; the one before is revoked. The token is in this one answer. */
  createLink(owner: ExportOwner, requestId: string): Promise<{ ok: true; token: string } | Refusal<ExportReason>>;
  revokeLink(owner: ExportOwner, requestId: string): Promise<{ ok: true } | Refusal<ExportReason>>;
}

/** `now`: the directory's clock. */
export function createExportLinks(db: Kysely<Database>, now: Clock): ExportLinks {
  const record = createRecordExport(now);
  return {
    async createLink(owner, requestId) {
      const { token, digest, last4 } = createToken();
      return transact(db, async (trx) => {
        const request = await lockRequest(trx, owner.accountId, requestId);
        if (!request) return refuseExport('unknown_export');
        if ((await loadAccountTier(trx, owner.accountId, now())) !== 'enterprise') return refuseExport('tier_required');
        await revokeLinks(trx, request.id, now());
        const created_at = new Date(now());
        await trx.insertInto('export_link').values({ digest, request_id: request.id, last4, created_at }).execute();
        await record(trx, owner, 'export.link', request.id);
        return { ok: true, token };
      });
    },

    async revokeLink(owner, requestId) {
      return transact(db, async (trx) => {
        const request = await lockRequest(trx, owner.accountId, requestId);
        if (!request) return refuseExport('unknown_export');
        await revokeLinks(trx, request.id, now());
        await record(trx, owner, 'export.unlink', request.id);
        return { ok: true };
      });
    },
  };
}

export async function revokeLinks(trx: Transaction<Database>, requestId: string, now: number): Promise<void> {
  await trx
    .updateTable('export_link')
    .set({ revoked_at: new Date(now) })
    .where('request_id', '=', requestId)
    .where('revoked_at', 'is', null)
    .execute();
}
