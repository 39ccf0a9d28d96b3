/** Between forms and sign-in: who asks, and what the answer means for the page. */

import { data, redirect } from 'react-router';
import type { SignInCaller, SignInReason } from '../../../accounts/index.ts';
import { formHead } from '../../../http/index.ts';
import type { KeptEmail } from '../../../mail/index.ts';
import type { Refusal } from '../../../values/refusal.ts';
import { requestFacts, rooms } from '../rooms.ts';
import type { PageRequest } from '../viewer.ts';
import { readPageCookie, writePageCookie } from './page-cookies.ts';
import { mayReadEmails, WELCOME_FILE } from './welcome.ts';

export function callerOf({ request, context }: PageRequest): SignInCaller {
  return { headers: request.headers, address: context.get(requestFacts).address };
}

/** For `useActionData`: the sentence by its field, and what was typed; never a password. */
export function refused(refusal: Refusal<SignInReason>, typed: Record<string, string> = {}, about = '') {
  const errors: Record<string, string> = { [refusal.field ?? 'form']: refusal.detail };
  return data({ ok: false as const, reason: refusal.reason, about, errors, typed }, formHead(refusal));
}

export function redirectWith(setCookies: readonly string[], to: string): Response {
  return redirect(to, { headers: cookieHeaders(setCookies) });
}

export function cookieHeaders(setCookies: readonly string[]): Headers {
  const headers = new Headers();
  for (const cookie of setCookies) headers.append('Set-Cookie', cookie);
  return headers;
}

/** To the page that says where an e-mail went. It is the same for every address: the address itself waits in a cookie. */
export function redirectToInbox(
  { context }: PageRequest,
  purpose: 'sign-up' | 'reset',
  email: string,
  setCookies: readonly string[],
) {
  const cookie = writePageCookie(context, INBOX_COOKIE, encodeURIComponent(email), INBOX_SECONDS);
  return redirectWith([...setCookies, cookie], `/check-mail?for=${purpose}`);
}

export interface Inbox {
  /** Where the last e-mail that this browser asked for went; null: nobody knows. */
  email: string | null;
  /** Where that e-mail became a file, for its developer. */
  emailId: string | null;
  /** The file with the link to open before e-mails are shown to this browser; null: none is shown here, or it has been opened. */
  welcomeFile: string | null;
}

export async function readInbox(page: PageRequest): Promise<Inbox> {
  const { signIn, mailer } = page.context.get(rooms);
  const email = decodeAddress(readPageCookie(page, INBOX_COOKIE) ?? '');
  const isReader = mayReadEmails(page);
  if (!email || !isReader) return { email, emailId: null, welcomeFile: mailer.isReadable && !isReader ? WELCOME_FILE : null };
  // What was asked for is done after the answer.
  await signIn.onIdle();
  const newest = mailer.recent().find(({ to }) => to.toLowerCase() === email.toLowerCase());
  return { email, emailId: newest?.id ?? null, welcomeFile: null };
}

function decodeAddress(text: string): string | null {
  try {
    const email = decodeURIComponent(text);
    return PLAIN_ADDRESS.test(email) ? email : null;
  } catch {
    return null;
  }
}

/** An email that became a file. Its reader can confirm any address. */
export function readKeptEmail(page: PageRequest, id: string): KeptEmail | null {
  return mayReadEmails(page) ? page.context.get(rooms).mailer.read(id) : null;
}

const INBOX_COOKIE = '_inbox';
const INBOX_SECONDS = 3_600;
const PLAIN_ADDRESS = /^[\x21-\x7e]{3,254}$/;
