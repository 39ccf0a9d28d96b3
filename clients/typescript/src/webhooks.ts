/** Verifies webhooks as Standard Webhooks signs them, with Web Crypto. */

import { MarqueeError } from './errors.ts';

export class WebhookError extends MarqueeError {
  override name = 'WebhookError';
}

export interface WebhookRequest {
  /** `whsec_…`, as the dashboard showed it; several while it is being rotated. */
  secret: string | readonly string[];
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** As it came, before anything parsed it. */
  body: string;
  /** Milliseconds since 1970 UTC; the clock's unless told. */
  now?: number;
}

export interface WebhookMessage {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

/** The message. Throws a `WebhookError` unless a signature fits and its time is within five minutes. */
export async function verifyWebhook({ secret, headers, body, now = Date.now() }: WebhookRequest): Promise<WebhookMessage> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !timestamp || !signatures) throw new WebhookError('a header of the signature is missing');
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS) {
    throw new WebhookError('the time of the signature is too far from now');
  }
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const each of typeof secret === 'string' ? [secret] : secret) {
    const key = await crypto.subtle.importKey('raw', bytesOf(each.replace(/^whsec_/, '')), ALGORITHM, false, ['verify']);
    for (const signature of signatures.split(' ')) {
      const [version, text = ''] = signature.split(',');
      if (version !== 'v1' || !BASE64.test(text)) continue;
      if (await crypto.subtle.verify('HMAC', key, bytesOf(text), signed)) return JSON.parse(body);
    }
  }
  throw new WebhookError('no signature fits');
}

function headerOf(headers: WebhookRequest['headers'], name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const found = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : (found?.[0] ?? null);
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' };
/** Whole groups of four: `atob` throws at anything else. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})+$|^(?:[A-Za-z0-9+/]{4})*[A-Za-z0-9+/]{2}(?:==|[A-Za-z0-9+/]=)$/;
const TOLERANCE_SECONDS = 300;
