/** Exports of an account: everything is looked for among its own, so that another account's id is an unknown one. */

import type { Transaction } from 'kysely';
import { type Database, transact } from '../../store/index.ts';
import type { Refusal } from '../../values/refusal.ts';
import { isUuid } from '../../values/uuid.ts';
import { type ExportReason, refuseExport } from '../refusals.ts';
import { type CreateExport, type CreateExportOptions, createExportCreation } from './create-request.ts';
import { createExportLinks, type ExportLinks, revokeLinks } from './export-links.ts';
import type { ExportOwner } from './export-request.ts';
import { createExportListings, type ExportListings } from './read-exports.ts';
import { createRecordExport, lockRequest } from './request-changes.ts';

export interface OwnExports extends ExportListings, ExportLinks {
  /** Queues the first export at once. Refuses all but `unknown_export`. */
  create: CreateExport;
  /** Of one that waits or is being written. A schedule goes on. */
  cancel(owner: ExportOwner, id: string): Promise<{ ok: true } | Refusal<ExportReason>>;
  /** Ends the schedule; files and links are gone within seconds. */
  remove(owner: ExportOwner, requestId: string): Promise<{ ok: true } | Refusal<ExportReason>>;
}

export function createOwnExports(options: CreateExportOptions): OwnExports {
  const { db, now = Date.now } = options;
  const record = createRecordExport(now);

  return {
    ...createExportListings(db),
    ...createExportLinks(db, now),
    create: createExportCreation(options),

    async cancel(owner, id) {
      if (!isUuid(id)) return refuseExport('unknown_export');
      return transact(db, async (trx) => {
        const cancelled = await trx
          .updateTable('export')
          .set({ state: 'cancelled', finished_at: new Date(now()), claim: null })
          .where('account_id', '=', owner.accountId)
          .where('id', '=', id)
          .where('state', 'in', ['queued', 'running'])
          .returning('id')
          .execute();
        if (cancelled.length === 0) return refuseExport('unknown_export');
        await record(trx, owner, 'export.cancel', id);
        return { ok: true };
      });
    },

    async remove(owner, requestId) {
      return transact(db, async (trx) => {
        const request = await lockRequest(trx, owner.accountId, requestId);
        if (!request) return refuseExport('unknown_export');
        const at = new Date(now());
        await trx.updateTable('export_request').set({ removed_at: at, next_at: null }).where('id', '=', request.id).execute();
        await endExports(trx, request.id);
        await revokeLinks(trx, request.id, now());
        await record(trx, owner, 'export.remove', request.id);
        return { ok: true };
      });
    },
  };
}

/** What waits or is written is cancelled; what is ready expires now. */
async function endExports(trx: Transaction<Database>, requestId: string): Promise<void> {
  for (const [state, before] of [
    ['cancelled', ['queued', 'running']],
    ['expired', ['ready']],
  ] as const) {
    await trx
      .updateTable('export')
      .set({ state, claim: null, manifest: null })
      .where('request_id', '=', requestId)
      .where('state', 'in', before)
      .execute();
  }
}
