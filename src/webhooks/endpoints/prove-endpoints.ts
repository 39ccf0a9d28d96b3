/** Whether an endpoint belongs to the customer who entered its URL: it must return a challenge, alone, before anything is sent to it. */

import { randomUUIDv7 } from 'node:crypto';
import type { Kysely } from 'kysely';
import { type Attempts, giveBackAll, loadAccountTier, type Tries, takeAll } from '../../accounts/index.ts';
import type { Clocks } from '../../clock.ts';
import type { Outbound } from '../../outbound/index.ts';
import type { Database } from '../../store/index.ts';
import type { Refusal } from '../../values/refusal.ts';
import { deliver } from '../delivery/deliver.ts';
import { signerFor, toSealedSecrets } from '../delivery/endpoint-signer.ts';
import { activate } from '../endpoint-state.ts';
import { composeData, messageIdOf, payloadOf } from '../messages.ts';
import type { WebhookOwner } from '../model.ts';
import { faultOfProof, newProofText } from '../proof.ts';
import { refuseChallenge, refuseWebhook, type WebhookReason } from '../refusals.ts';
import type { Seal } from '../seal.ts';
import type { EndpointChanges } from './endpoint-changes.ts';
import { type EndpointRow, findEndpoint } from './endpoint-rows.ts';

export interface EndpointProver {
  /** Sends a challenge that the endpoint must return. Activates the endpoint. */
  prove(owner: WebhookOwner, id: string): Promise<{ ok: true } | Refusal<WebhookReason>>;
}

export interface EndpointProverOptions {
  db: Kysely<Database>;
  clocks: Clocks;
  seal: Seal;
  /** With `WEBHOOK_LIMITS`. */
  outbound: Outbound;
  /** Counts challenges. */
  attempts: Attempts;
}

export function createEndpointProver(changes: EndpointChanges, options: EndpointProverOptions): EndpointProver {
  const { db, clocks, seal, outbound, attempts } = options;
  const now = clocks.limits;

  /** Null: proven. Else one sentence why not; of the answer it tells the status alone. */
  async function askForProof(row: EndpointRow): Promise<string | null> {
    const { id, url, challenge } = row;
    const parts = { withhold: newProofText(), challenge };
    const body = payloadOf(composeData('endpoint.challenge', parts, now()), 'thin');
    const signer = signerFor({ id, ...toSealedSecrets(row) }, seal, now());
    const result = await deliver(outbound, { url, webhookId: messageIdOf(randomUUIDv7()), body, signer, at: new Date(now()) });
    if (result.outcome !== 'delivered') {
      const why = result.status === null ? (result.detail ?? result.outcome) : `it answered with status ${result.status}`;
      return `Marquee could not verify the endpoint: ${why}.`;
    }
    const fault = faultOfProof(result.answer, parts);
    return fault && `The endpoint answered with status ${result.status}, but ${fault}.`;
  }

  /** Null: proven. Whoever returns challenges is asked as often as they like; others are not, whoever's hosts they are. */
  async function refuseProof({ accountId }: WebhookOwner, row: EndpointRow): Promise<Refusal<WebhookReason> | null> {
    const { host } = new URL(row.url);
    const tries: Tries = [
      ['challengesOf', accountId],
      ['challengesTo', `${accountId} ${host}`],
    ];
    const full = await takeAll(attempts, tries);
    if (full) return refuseChallenge(full.name === 'challengesTo' ? host : null, full.wait);
    const why = await askForProof(row);
    if (why !== null) return refuseWebhook('not_proven', why);
    await giveBackAll(attempts, tries);
    return null;
  }

  return {
    async prove(owner, id) {
      const row = await findEndpoint(db, owner.accountId, id);
      if (!row) return refuseWebhook('unknown_endpoint');
      if ((await loadAccountTier(db, owner.accountId, clocks.directory())) !== 'enterprise')
        return refuseWebhook('tier_required');
      const refused = row.challenge === '' ? null : await refuseProof(owner, row);
      if (refused) return refused;
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
