/** Whether an endpoint belongs to the customer who entered its URL: it must return a challenge before anything is sent to it. */

import { randomUUIDv7 } from 'node:crypto';
import type { Kysely } from 'kysely';
import { loadAccountTier } from '../../accounts/index.ts';
import type { Clocks } from '../../clock.ts';
import type { Outbound } from '../../outbound/index.ts';
import type { Database } from '../../store/index.ts';
import { deliver } from '../delivery/deliver.ts';
import { signerFor, toSealedSecrets } from '../delivery/endpoint-signer.ts';
import { activate } from '../endpoint-state.ts';
import { composeData, messageIdOf, payloadOf } from '../messages.ts';
import type { WebhookOwner } from '../model.ts';
import { refuseWebhook, type WebhookRefusal } from '../refusals.ts';
import type { Seal } from '../seal.ts';
import type { EndpointChanges } from './endpoint-changes.ts';
import { type EndpointRow, findEndpoint } from './endpoint-rows.ts';

export interface EndpointProver {
  /** Sends a challenge that the endpoint must return. Activates the endpoint. */
  prove(owner: WebhookOwner, id: string): Promise<{ ok: true } | WebhookRefusal>;
}

export interface EndpointProverOptions {
  db: Kysely<Database>;
  clocks: Clocks;
  seal: Seal;
  /** With `WEBHOOK_LIMITS`. */
  outbound: Outbound;
}

export function createEndpointProver(changes: EndpointChanges, options: EndpointProverOptions): EndpointProver {
  const { db, clocks, seal, outbound } = options;
  const now = clocks.limits;

  /** Null: proven. Else one sentence why not; of the answer it tells the status alone. */
  async function askForProof(row: EndpointRow): Promise<string | null> {
    const { id, url, challenge } = row;
    if (challenge === '') return null;
    const body = payloadOf(composeData('endpoint.challenge', { challenge }, now()), 'thin');
    const signer = signerFor({ id, ...toSealedSecrets(row) }, seal, now());
    const result = await deliver(outbound, { url, webhookId: messageIdOf(randomUUIDv7()), body, signer, at: new Date(now()) });
    if (result.outcome !== 'delivered') {
      const why = result.status === null ? (result.detail ?? result.outcome) : `it answered with status ${result.status}`;
      return `Marquee could not verify the endpoint: ${why}.`;
    }
    if (result.answer.includes(challenge)) return null;
    return `The endpoint answered with status ${result.status}, but did not return the challenge.`;
  }

  return {
    async prove(owner, id) {
      const row = await findEndpoint(db, owner.accountId, id);
      if (!row) return refuseWebhook('unknown_endpoint');
      if ((await loadAccountTier(db, owner.accountId, clocks.directory())) !== 'enterprise')
        return refuseWebhook('tier_required');
      const proof = await askForProof(row);
      if (proof !== null) return refuseWebhook('not_proven', proof);
      return changes.change(owner, id, async (trx, current) => {
        // It was edited meanwhile: what was proven is another address.
        if (current.challenge !== row.challenge) return refuseWebhook('not_proven');
        if (current.state !== 'active') await activate(trx, id, now());
        await trx.updateTable('webhook_endpoint').set({ challenge: '' }).where('id', '=', id).execute();
        await changes.record(trx, owner, 'webhook.prove', id, { url: row.url });
        return { ok: true };
      });
    },
  };
}
