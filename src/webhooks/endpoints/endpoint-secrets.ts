/** The secrets that messages to an endpoint are signed with: made, sealed, rotated. */

import { sql } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { Refusal } from '../../values/refusal.ts';
import type { ShownSecret, WebhookOwner } from '../model.ts';
import type { WebhookReason } from '../refusals.ts';
import type { Seal } from '../seal.ts';
import { createKeyPair, createSecret, publicKeyOf } from '../sign.ts';
import type { EndpointChanges } from './endpoint-changes.ts';
import type { EndpointRow } from './endpoint-rows.ts';

export interface EndpointSecrets {
  /** Both secrets sign for 24 hours. */
  rotate(owner: WebhookOwner, id: string): Promise<{ ok: true; shown: ShownSecret } | Refusal<WebhookReason>>;
}

/** `now`: the clock of the limits. */
export function createEndpointSecrets(changes: EndpointChanges, seal: Seal, now: Clock): EndpointSecrets {
  return {
    rotate: (owner, id) =>
      changes.change(owner, id, async (trx, row) => {
        const { shown, columns } = makeSecrets(seal, id, row.signing_key !== null);
        await trx
          .updateTable('webhook_endpoint')
          .set({
            ...columns,
            previous_secret: row.secret,
            previous_signing_key: row.signing_key,
            previous_until: new Date(now() + ROTATION_MS),
            revision: sql`revision + 1`,
          })
          .where('id', '=', id)
          .execute();
        await changes.record(trx, owner, 'webhook.rotate', id);
        return { ok: true, shown };
      }),
  };
}

/** New secrets: as their owner sees them once, and as the columns keep them. */
export function makeSecrets(seal: Seal, id: string, hasPublicKey: boolean) {
  const secret = createSecret();
  const key = hasPublicKey ? createKeyPair() : null;
  return {
    shown: { secret, publicKey: key === null ? null : publicKeyOf(key) },
    columns: { secret: seal.close(secret, id), signing_key: key === null ? null : seal.close(key, id) },
  };
}

/** The signing key of an endpoint that is edited. `shown`: where `v1a` is new. */
export function editSigningKey(seal: Seal, row: EndpointRow, wantsKey: boolean) {
  if (!wantsKey) return { shown: null, columns: { signing_key: null, previous_signing_key: null } };
  if (row.signing_key) return { shown: null, columns: {} };
  const key = createKeyPair();
  return { shown: { secret: null, publicKey: publicKeyOf(key) }, columns: { signing_key: seal.close(key, row.id) } };
}

const ROTATION_MS = 24 * 3_600_000;
