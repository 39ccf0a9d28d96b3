/** One attempt: a signed POST, and what came back. */

import type { Outbound } from '../../outbound/index.ts';
import type { Signer } from '../sign.ts';

export interface AttemptResult {
  /** `delivered`, `status`, or a code of outgoing requests. */
  outcome: string;
  status: number | null;
  /** One sentence; null where the status says it all. Also of a success: why its body could not be read. */
  detail: string | null;
  durationMs: number;
  retryAfterMs: number | null;
  requestHeaders: Record<string, string>;
  answerHeaders: Record<string, string>;
  answer: string;
}

export interface AttemptInput {
  url: string;
  /** The value of `webhook-id`. */
  webhookId: string;
  body: string;
  signer: Signer;
  /** Real time: receivers compare it with their own clocks. */
  at: Date;
  /** Beside those of Standard Webhooks; names in lower case. */
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}

/** `outbound`: with the limits of `WEBHOOK_LIMITS`. Never rejects for what the other side does. */
export async function deliver(outbound: Outbound, input: AttemptInput): Promise<AttemptResult> {
  const { url, webhookId, body, signer, at, signal } = input;
  const shown = {
    ...input.headers,
    'content-type': 'application/json',
    'webhook-id': webhookId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  };
  const headers = { ...shown, 'webhook-signature': signer.sign(shown['webhook-id'], at, body) };
  const begun = performance.now();
  const outcome = await outbound.fetch({
    url,
    method: 'POST',
    headers,
    body: Buffer.from(body),
    isApi: true,
    anyBody: true,
    ...(signal && { signal }),
  });
  const result = { durationMs: Math.round(performance.now() - begun), requestHeaders: shown };
  if (outcome.ok === false) {
    const { code, status = null, retryAfterMs, detail } = outcome;
    return { ...result, outcome: code, status, detail, retryAfterMs, answerHeaders: {}, answer: '' };
  }
  // Nothing conditional was asked.
  if (outcome.ok === 'unchanged') throw new TypeError('an answer to a question that was not asked');
  const { status, retryAfterMs = null, bodyFault = null } = outcome;
  return {
    ...result,
    outcome: status >= 200 && status < 300 ? 'delivered' : 'status',
    status,
    detail: status >= 300 && status < 400 ? 'Redirects are not followed.' : bodyFault,
    retryAfterMs,
    answerHeaders: withoutSecrets(outcome.headers ?? {}),
    // PostgreSQL takes no U+0000.
    answer: Buffer.from(outcome.body).toString('utf8').replaceAll('\0', '\uFFFD'),
  };
}

function withoutSecrets(headers: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(headers)
    .filter(([name]) => !SECRET_HEADER.test(name))
    .slice(0, MAX_HEADERS_KEPT)
    .map(([name, value]) => [name, value.slice(0, MAX_HEADER_CHARS).replaceAll('\0', '\uFFFD')]);
  return Object.fromEntries(kept);
}

/** For `openOutbound`: a customer's endpoints may share a host, and each has a limit of its own. */
export const WEBHOOK_LIMITS = {
  totalMs: 15_000,
  headersMs: 15_000,
  bodyBytes: 4_096,
  codedBytes: 4_096,
  perHost: 10_000,
  redirects: 0,
} as const;
const SECRET_HEADER = /cookie|auth|token|secret|key|credential|session/i;
const MAX_HEADERS_KEPT = 40;
const MAX_HEADER_CHARS = 500;
