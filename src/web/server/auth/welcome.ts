/**
 * The link that shows a browser to be the developer's. Where no mail server is set, e-mails are read on pages, and each can hand over
 * an account. Nothing that a request looks like tells the developer from a stranger: a proxy on this machine connects from a loopback
 * address, and may write `localhost` as the `Host`. So `npm start` prints a secret, which a stranger does not have.
 */

import { bindingOf } from '../../../accounts/index.ts';
import { isSameText } from '../../../values/same-text.ts';
import { rooms } from '../rooms.ts';
import type { PageRequest } from '../viewer.ts';
import { readPageCookie, writePageCookie } from './page-cookies.ts';

/** `secret`: as `readSecret` gives it. The same after every start, so that a browser stays known. */
export const welcomeTokenOf = (secret: string): string => bindingOf(secret, 'welcome', '');

/** `publicUrl`: without a trailing slash. Cookies belong to its host, as the links of e-mails do. */
export const welcomeUrl = (publicUrl: string, secret: string): string => `${publicUrl}/welcome?token=${welcomeTokenOf(secret)}`;

/** A `Set-Cookie` value for whoever opened the genuine link; null for others. */
export function readWelcomeLink({ request, context }: PageRequest): string | null {
  const { welcomeToken } = context.get(rooms);
  const token = new URL(request.url).searchParams.get('token') ?? '';
  return isSameText(token, welcomeToken) ? writePageCookie(context, COOKIE, welcomeToken, A_YEAR_SECONDS, 'Strict') : null;
}

/** Whether e-mails are read on pages here, and this browser has opened the link. */
export function mayReadEmails(page: PageRequest): boolean {
  const { mailer, welcomeToken } = page.context.get(rooms);
  return mailer.isReadable && isSameText(readPageCookie(page, COOKIE) ?? '', welcomeToken);
}

/** In the data folder: has the link. */
export const WELCOME_FILE = 'welcome-link';
const COOKIE = '_welcome';
const A_YEAR_SECONDS = 31_536_000;
