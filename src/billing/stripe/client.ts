/** Stripe's own library, speaking through the room that makes every request of ours; and what its failures mean for a payer. */

import type { Kysely, Selectable } from 'kysely';
import Stripe from 'stripe';
import type { TierName } from '../../accounts/index.ts';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { Outbound } from '../../outbound/index.ts';
import type { Database } from '../../store/index.ts';
import type { Refusal } from '../../values/refusal.ts';
import { type BillingReason, refuse } from '../refusal.ts';

/** What all work with Stripe needs. */
export interface StripeContext {
  db: Kysely<Database>;
  stripe: Stripe;
  /** Ids of monthly prices. */
  prices: Readonly<Record<TierName, string>>;
  /** Without a trailing slash: where payers come back to. */
  publicUrl: () => string;
  /** Brings the store to what Stripe says of a subscription. Rejects with Stripe's or the store's error. `id`: Stripe's. */
  sync(id: string): Promise<void>;
  /** Checkouts whose sessions this process begins, by the id of the row. */
  starting: Map<string, Promise<CheckoutRow>>;
  /** Notified of the address of each page that payers are led to. */
  opened(url: string | null): void;
  /** The directory's clock, which trials are measured by. */
  now: Clock;
  /** Real time: Stripe's. */
  wall: Clock;
  log: Log;
}

export type CheckoutRow = Selectable<Database['stripe_checkout']>;

/**
 * Each POST carries an idempotency key, of ours or made by the library, so that its retries charge nothing twice.
 * `apiUrl`: null for Stripe itself.
 */
export function createClient(secretKey: string, apiUrl: string | null, outbound: Outbound): Stripe {
  const url = apiUrl === null ? null : new URL(apiUrl);
  return new Stripe(secretKey, {
    httpClient: createTransport(outbound),
    maxNetworkRetries: RETRIES,
    timeout: PATIENCE_MS,
    telemetry: false,
    ...(url && {
      host: url.hostname,
      port: url.port || (url.protocol === 'https:' ? '443' : '80'),
      protocol: url.protocol === 'https:' ? 'https' : 'http',
    }),
  });
}

function createTransport(outbound: Outbound): Stripe.HttpClient {
  return {
    getClientName: () => 'marquee',
    async makeRequest(host, port, path, method, headers, body, protocol) {
      const sent = Object.entries(headers).filter(([, value]) => value !== null && value !== undefined);
      const answer = await outbound.fetch({
        url: `${protocol}://${host}:${port}${path}`,
        method: method as 'GET' | 'POST' | 'DELETE',
        accept: 'application/json',
        headers: Object.fromEntries(sent.map(([name, value]) => [name.toLowerCase(), String(value)])),
        ...(body && { body: Buffer.from(body) }),
        isApi: true,
      });
      if (answer.ok === true) return toResponse(answer.status, answer.headers ?? {}, answer.body);
      // The library looks at the code to tell a late answer from no connection; it retries either.
      const code = answer.ok === false && answer.code === 'timeout' ? 'ETIMEDOUT' : 'EOUTBOUND';
      throw Object.assign(new Error(answer.ok === false ? answer.detail : 'unchanged'), { code });
    },
  };
}

function toResponse(status: number, headers: Readonly<Record<string, string>>, body: Uint8Array): Stripe.HttpClientResponse {
  const raw = {};
  return {
    getStatusCode: () => status,
    getHeaders: () => ({ ...headers }),
    getRawResponse: () => raw,
    toStream: () => raw,
    toJSON: async () => JSON.parse(Buffer.from(body).toString('utf8')) as unknown,
  };
}

/** What a log may know of a failure: no header, no body, no card. */
export function describeFault(error: unknown): Record<string, unknown> {
  if (!(error instanceof Stripe.errors.StripeError)) return { error: (error as Error).message };
  const { type, code, param, statusCode, requestId, decline_code: decline } = error;
  // Its messages repeat what was sent: only those about our own request are worth it, and no person is named.
  const message = type === 'StripeInvalidRequestError' ? error.message.replace(/\S+@\S+/g, '…') : undefined;
  return { type, code, param, status: statusCode, stripeRequest: requestId, decline, message };
}

/** What a payer is told when a request to Stripe fails. */
export function refuseFault(error: unknown, log: Log): Refusal<BillingReason> {
  log.error(describeFault(error), 'a request to Stripe failed');
  return refuse('stripe_unavailable');
}

/** The same for what charges: a declined payment is no fault. */
export function refuseCharge(error: unknown, log: Log): Refusal<BillingReason> {
  return isDeclined(error) ? refuse('payment_declined') : refuseFault(error, log);
}

/** A payment that did not come about: nothing was changed. */
const isDeclined = (error: unknown): boolean => error instanceof Stripe.errors.StripeError && error.statusCode === 402;

/** `param`: which of the things that were named is not there; without it, what was asked for itself. */
export const isMissing = (error: unknown, param?: string): boolean =>
  error instanceof Stripe.errors.StripeError &&
  (param === undefined ? error.statusCode === 404 : error.code === 'resource_missing' && error.param === param);

/** Stripe understood, and would not. */
export const isRefused = (error: unknown): boolean => error instanceof Stripe.errors.StripeInvalidRequestError;

/** What the transport of a client is opened with: Stripe answers slowly, and many may pay at once. */
export const STRIPE_LIMITS = { headersMs: 20_000, totalMs: 25_000, perHost: 8 } as const;
const PATIENCE_MS = 25_000;
const RETRIES = 2;
