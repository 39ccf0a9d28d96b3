/** Addresses of pages and pictures. */

import { decodeHTMLAttribute } from 'entities';
import { LIMITS } from './limits.ts';

/** An absolute http or https address without a password, or null. Nothing is fetched here. */
export function webAddress(text: string | null): string | null {
  if (text === null || text.length > LIMITS.url * 2) return null;
  const trimmed = decodeHTMLAttribute(text.trim());
  const address = trimmed.startsWith('//') ? `https:${trimmed}` : trimmed;
  if (address.length > LIMITS.url || !/^https?:\/\/[^\s\p{Cc}\p{Cf}\p{Cs}<>"\\]+$/iu.test(address)) return null;
  const url = URL.parse(address);
  return url?.hostname.includes('.') && url.username === '' && url.password === '' ? address.normalize('NFC') : null;
}
