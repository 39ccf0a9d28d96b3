/** Cookies of pages beside those of sign-in. No script reads them. */

import type { RouterContextProvider } from 'react-router';
import { rooms } from '../rooms.ts';
import type { PageRequest } from '../viewer.ts';

/** A `Set-Cookie` value. */
export function writePageCookie(
  context: Readonly<RouterContextProvider>,
  name: string,
  value: string,
  seconds: number,
  sameSite: 'Lax' | 'Strict' = 'Lax',
): string {
  const { signIn, publicUrl } = context.get(rooms);
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `${signIn.cookiePrefix}${name}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=${sameSite}${secure}`;
}

export function readPageCookie({ request, context }: PageRequest, name: string): string | null {
  const prefix = `${context.get(rooms).signIn.cookiePrefix}${name}=`;
  const pair = (request.headers.get('cookie') ?? '').split(/;\s*/).find((each) => each.startsWith(prefix));
  return pair ? pair.slice(prefix.length) : null;
}
