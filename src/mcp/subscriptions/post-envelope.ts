/** One signed POST to a callback URL, and the reason of the closed list where it failed (SEP-3415, "Webhook Delivery Status"). */

import { randomBytes } from 'node:crypto';
import type { Outbound } from '../../outbound/index.ts';
import { isSameText } from '../../values/same-text.ts';
import { type AttemptResult, deliver, faultOfProof, newProofText, type Signer } from '../../webhooks/index.ts';
import { isObject } from '../protocol/message.ts';

export interface Envelope {
  subscriptionId: string;
  url: string;
  /** `webhook-id`: the same on every attempt. */
  messageId: string;
  body: string;
  signer: Signer;
  /** By the machine: receivers compare it with their own clocks. */
  at: Date;
  signal?: AbortSignal;
}

export type CallbackReason = 'connection_refused' | 'timeout' | 'tls_error' | 'http_4xx' | 'http_5xx' | 'challenge_failed';

export async function postEnvelope(
  outbound: Outbound,
  { subscriptionId, messageId, ...envelope }: Envelope,
): Promise<AttemptResult> {
  return await deliver(outbound, { ...envelope, webhookId: messageId, headers: { 'x-mcp-subscription-id': subscriptionId } });
}

/** Nothing of what the endpoint said: its owner could be somebody else. */
export function reasonOf({ outcome, status }: AttemptResult): CallbackReason {
  if (status !== null) return status >= 500 ? 'http_5xx' : 'http_4xx';
  if (outcome === 'timeout') return 'timeout';
  return outcome === 'tls' ? 'tls_error' : 'connection_refused';
}

/** Null: the endpoint has returned the challenge, and wants what is sent to it. */
export async function verifyCallback(
  outbound: Outbound,
  envelope: Pick<Envelope, 'subscriptionId' | 'url' | 'signer' | 'at'>,
): Promise<CallbackReason | null> {
  const [withhold, challenge] = [newProofText(), newProofText()];
  const result = await postEnvelope(outbound, {
    ...envelope,
    messageId: newControlId('verification'),
    body: JSON.stringify({ type: 'verification', withhold, challenge }),
  });
  if (result.outcome !== 'delivered') return reasonOf(result);
  const isProof =
    isSameText(readChallenge(result.answer), challenge) && faultOfProof(result.answer, { challenge, withhold }) === null;
  return isProof ? null : 'challenge_failed';
}

function readChallenge(answer: string): string {
  try {
    const value: unknown = JSON.parse(answer);
    return isObject(value) && typeof value.challenge === 'string' ? value.challenge : '';
  } catch {
    return '';
  }
}

/** Of bodies that are no occurrence: `gap`, `terminated`, `verification`. */
export const newControlId = (type: string): string => `msg_${type}_${randomBytes(CHALLENGE_BYTES).toString('base64url')}`;

const CHALLENGE_BYTES = 24;
