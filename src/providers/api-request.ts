/** What to ask of a provider's own API: where, with which key, from which day on. */

import type { OutgoingRequest, SourceFacts, SourceResponse } from './provider.ts';
import { ProviderError } from './provider-error.ts';

export interface ProviderApi {
  /** Where a location that is no address of its own is asked; also the only host that the key is sent to. */
  base: string;
  keySetting: string;
  /** A query parameter, or a header. */
  keyIn: { query: string } | { header: string; prefix?: string };
  accept?: string;
}

/** Whether a location is an address, of the web or of a file, and not words that a kind gives a meaning to. */
export function isAddress(location: string): boolean {
  return /^(?:https?|file):/i.test(location) && URL.canParse(location);
}

export function isWeb(url: string): boolean {
  return /^https?:/i.test(url);
}

/** Throws a `ProviderError` where the location is no address. */
export function addressOf(location: string): URL {
  if (!isAddress(location)) throw new ProviderError('bad_location', 'the location is neither a URL nor a file');
  return new URL(location);
}

/** Sets what the operator's location leaves open. Files are read as they are. */
export function withDefaults(url: URL, defaults: Readonly<Record<string, string>>): URL {
  if (!isWeb(url.href)) return url;
  const open = Object.entries(defaults).filter(([name]) => !url.searchParams.has(name));
  const full = new URL(url);
  for (const [name, value] of open) full.searchParams.set(name, value);
  return full;
}

/**
 * A key is sent to the provider's own host over https and to no other, so a location that was changed cannot collect it. Throws a
 * `ProviderError` where that host is asked without a key; the message has no part of the address.
 */
export function keyedRequest(url: URL, { key }: SourceFacts, api: ProviderApi): OutgoingRequest {
  const accept = api.accept ?? 'application/json';
  if (url.origin !== new URL(api.base).origin) return { url: url.href, accept };
  if (key === null) throw new ProviderError('needs_key', `the setting ${api.keySetting} is needed`);
  if ('header' in api.keyIn) return { url: url.href, accept, headers: { [api.keyIn.header]: `${api.keyIn.prefix ?? ''}${key}` } };
  const full = new URL(url);
  full.searchParams.set(api.keyIn.query, key);
  return { url: full.href, accept };
}

/** The request for another page of the same list; none after a file. */
export function pageAfter(
  { url: answered }: SourceResponse,
  { url, ...request }: OutgoingRequest,
  changes: Readonly<Record<string, string>>,
): readonly OutgoingRequest[] {
  if (!isWeb(answered) || !isWeb(url)) return [];
  const next = new URL(url);
  for (const [name, value] of Object.entries(changes)) next.searchParams.set(name, value);
  return next.href === answered ? [] : [{ ...request, url: next.href }];
}

/**
 * The address of the next page that an answer names, relative to the answer's own; null for one on another host, and for the answer
 * itself. Programs behind a proxy write http for themselves: what was answered over https is not asked without it.
 */
export function nextOnHost(next: string | null, at: string): string | null {
  if (next === null || !isWeb(at) || !URL.canParse(next, at)) return null;
  const [url, from] = [new URL(next, at), new URL(at)];
  if (!isWeb(url.href) || url.host !== from.host || url.username !== '' || url.password !== '') return null;
  if (from.protocol === 'https:') url.protocol = from.protocol;
  url.hash = '';
  return url.href === from.href ? null : url.href;
}

/** The day of an instant in UTC, `YYYY-MM-DD`: addresses that change by the second could never be asked conditionally. */
export function utcDay(instant: number): string {
  return new Date(instant).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
