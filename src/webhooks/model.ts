/** Endpoints as the rest of the service sees them: without secrets. */

import type { AuditEntry } from '../accounts/index.ts';

/**
 * `unproven`: its owner has not answered the challenge. `paused`: by its owner. `stopped`: the plan or the account does not allow it now,
 * or its saved query is gone. `disabled`: it failed for too long, or asked for it.
 */
export type EndpointState = 'unproven' | 'active' | 'paused' | 'stopped' | 'disabled';
export type EndpointReason = 'plan' | 'account' | 'feed_removed' | 'gone' | 'failing' | 'backlog';
export type Payload = 'full' | 'thin';
export type DeliveryOrder = 'parallel' | 'fifo';

export interface Endpoint {
  id: string;
  url: string;
  description: string;
  eventTypes: string[];
  /** A saved query; null: everything. */
  feedId: string | null;
  payload: Payload;
  order: DeliveryOrder;
  state: EndpointState;
  reason: EndpointReason | null;
  stateAt: Date;
  /** Whether messages are signed with `v1a` too. */
  hasPublicKey: boolean;
  /** Until when the secret before the last rotation signs, too. */
  previousUntil: Date | null;
  /** Deliveries that wait. */
  pending: number;
  /** Failed attempts since the last success, or since two days without an attempt. */
  failures: number;
  failingSince: Date | null;
  /** Nothing is sent before this moment. */
  openUntil: Date | null;
  lastSuccessAt: Date | null;
  lastAttemptAt: Date | null;
  createdAt: Date;
}

export interface Attempt {
  id: string;
  messageId: string;
  type: string;
  number: number;
  at: Date;
  /** `delivered`, `status`, or a code of outgoing requests. */
  outcome: string;
  status: number | null;
  detail: string | null;
  durationMs: number;
  /** Without signatures. */
  requestHeaders: Record<string, string>;
  /** Without cookies and credentials. */
  answerHeaders: Record<string, string>;
  /** The first 4 KB. */
  answer: string;
}

/** On whose behalf an endpoint is changed. */
export interface WebhookOwner {
  accountId: string;
  /** For the audit list. */
  actor: AuditEntry['actor'];
  address?: string | null;
}

export interface EndpointInput {
  url: string;
  description: string;
  eventTypes: readonly string[];
  feedId: string | null;
  payload: string;
  order: string;
  /** Whether messages are signed with ed25519 (`v1a`), too. */
  publicKey: boolean;
}

/** Shown once. */
export interface ShownSecret {
  /** `whsec_…`; null where it is as before. */
  secret: string | null;
  /** `whpk_…`; null unless `v1a` was asked for. */
  publicKey: string | null;
}
