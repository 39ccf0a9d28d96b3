/** Addresses of pages and pictures. */

import { decodeHTMLAttribute } from 'entities';
import { parseHttpUrl } from '../../values/http-url.ts';
import { LIMITS } from '../limits.ts';

/** An absolute http or https address without a password, or null. Nothing is fetched here. */
export function webAddress(text: string | null): string | null {
  if (text === null || text.length > LIMITS.url * 2) return null;
  const trimmed = decodeHTMLAttribute(text.trim());
  const address = trimmed.startsWith('//') ? `https:${trimmed}` : trimmed;
  if (address.length > LIMITS.url) return null;
  return parseHttpUrl(address)?.hostname.includes('.') ? address.normalize('NFC') : null;
}
