/** What `events/subscribe` and `events/unsubscribe` are asked, read and checked. */

import { createHash } from 'node:crypto';
import { isLoopbackHost } from '../../values/loopback.ts';
import { isOwnAddress } from '../../webhooks/index.ts';
import { McpError } from '../protocol/errors.ts';
import { isObject, type JsonObject, textOf } from '../protocol/message.ts';

export interface SubscriptionKey {
  accountId: string;
  url: string;
  name: string;
  /** As they came. */
  arguments: JsonObject;
}

export interface AddressCheck {
  checkAddress(url: string): { ok: true; url: string } | { ok: false; reason: string };
  /** Without a trailing slash. */
  publicUrl: string;
}

/** The callback URL as it will be asked. Throws `McpError`. */
export function readCallbackUrl({ delivery }: JsonObject, { checkAddress, publicUrl }: AddressCheck): string {
  const given = isObject(delivery) ? delivery.url : undefined;
  if (typeof given !== 'string' || given === '') throw invalid('delivery.url must be the https URL of your endpoint');
  const address = CONTROL_CHARACTER.test(given) ? null : checkAddress(given);
  if (!address?.ok) throw invalid(`delivery.url cannot be used: ${address?.reason ?? 'it has control characters'}`);
  const { protocol, hostname } = new URL(address.url);
  // What never leaves the machine needs no encryption: the operator's list must have opened it.
  if (protocol !== 'https:' && !isLoopbackHost(hostname)) throw invalid('delivery.url must begin with https://');
  if (isOwnAddress(address.url, publicUrl)) throw invalid('delivery.url belongs to this server; give a URL of your own service');
  return address.url;
}

/** The signing secret (Standard Webhooks). Throws `McpError`. */
export function readSecretOf({ delivery }: JsonObject): string {
  const { mode, secret } = isObject(delivery) ? delivery : ({} as JsonObject);
  if (mode !== 'webhook') {
    const value = textOf(mode ?? '').slice(0, MAX_SHOWN);
    throw new McpError('event_unsupported', 'delivery.mode must be webhook', { feature: 'deliveryMode', value });
  }
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(textOf(secret ?? '')) ?? [];
  const { length } = Buffer.from(base64, 'base64');
  if (length < MIN_SECRET_BYTES || length > MAX_SECRET_BYTES) {
    throw invalid(`delivery.secret must be whsec_ and the base64 of ${MIN_SECRET_BYTES} to ${MAX_SECRET_BYTES} random bytes`);
  }
  return `whsec_${base64}`;
}

/** How long the subscription lives, milliseconds. Null asks for no end: it gets the longest time. */
export function readTtl({ ttlMs }: JsonObject): number {
  if (ttlMs === undefined) return DEFAULT_TTL_MS;
  if (ttlMs === null) return MAX_TTL_MS;
  if (typeof ttlMs !== 'number' || !Number.isFinite(ttlMs)) throw invalid('ttlMs must be a number of milliseconds, or null');
  return Math.min(MAX_TTL_MS, Math.max(MIN_TTL_MS, Math.floor(ttlMs)));
}

/** The same for the same key, on every process and after every restart. A handle, not a secret. */
export function deriveId({ accountId, url, name, arguments: given }: SubscriptionKey): string {
  const key = JSON.stringify([accountId, url, name, sortMembers(given)]);
  return `sub_${createHash('sha256').update(key).digest('hex').slice(0, ID_CHARS)}`;
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (!isObject(value)) return value;
  const names = Object.keys(value).sort();
  return names.map((name) => [name, sortMembers(value[name])]);
}

const invalid = (detail: string): McpError => new McpError('invalid_params', detail);

const CONTROL_CHARACTER = /\p{Cc}/u;
const MAX_SHOWN = 64;
const MIN_SECRET_BYTES = 24;
const MAX_SECRET_BYTES = 64;
const ID_CHARS = 32;
const MIN_TTL_MS = 60_000;
const DEFAULT_TTL_MS = 86_400_000;
/** Rows are kept over restarts, so that a month can be promised. */
const MAX_TTL_MS = 30 * 86_400_000;
