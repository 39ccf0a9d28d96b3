/** Addresses that a directory may print as links: nothing else is one, whatever a provider writes there. */

import { parseHttpUrl } from '../../values/http-url.ts';

/** The address as written when it is of http or https, with `https:` before one that leaves the scheme out (`//host/…`); else null. */
export function webAddress(text: string | null): string | null {
  const address = text?.trim().replace(/^\/\/(?=[\w-])/, 'https://') ?? '';
  return address.length <= MAX_CHARS && parseHttpUrl(address) ? address : null;
}

/** As long as the directory keeps. */
const MAX_CHARS = 2_000;
