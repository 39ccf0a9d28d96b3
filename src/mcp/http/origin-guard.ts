/** Which `Origin` may ask: pages of another site must not use a visitor's browser to reach this server. Programs send none. */

import { isLoopbackHost } from '../../values/loopback.ts';

/** Takes the header as sent. */
export function isOwnOrigin(origin: string | undefined, publicUrl: string): boolean {
  if (origin === undefined) return true;
  const url = URL.parse(origin);
  return url !== null && (url.origin === new URL(publicUrl).origin || isLoopbackHost(url.hostname));
}
