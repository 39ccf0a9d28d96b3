/** Between forms and sign-in: who asks, and what the answer means for the page. */

import { data, redirect } from 'react-router';
import type { SignInCaller, SignInRefusal } from '../../../accounts/index.ts';
import type { KeptEmail } from '../../../mail/index.ts';
import { isLoopbackHost } from '../../../values/loopback.ts';
import { requestFacts, rooms } from '../rooms.ts';
import type { PageRequest } from '../viewer.ts';

export function callerOf({ request, context }: PageRequest): SignInCaller {
  return { headers: request.headers, address: context.get(requestFacts).address };
}

/** For `useActionData`: the sentence by its field, and what was typed; never a password. */
export function refused(refusal: SignInRefusal, typed: Record<string, string> = {}, about = '') {
  const errors: Record<string, string> = { [refusal.field ?? 'form']: refusal.detail };
  return data({ ok: false as const, about, errors, typed }, refusalHead(refusal));
}

/** Status and headers of an answer that refuses. Every 429 and 503 says when to try again (RFC 9110 §10.2.3). */
export function refusalHead({ reason, retryAfterSeconds }: SignInRefusal): { status: number; headers: Record<string, string> } {
  const headers = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
  return { status: STATUSES[reason] ?? 400, headers };
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
  const { signIn, publicUrl } = context.get(rooms);
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  const name = `${signIn.cookiePrefix}${INBOX_COOKIE}`;
  const cookie = `${name}=${encodeURIComponent(email)}; Max-Age=${INBOX_SECONDS}; Path=/; HttpOnly; SameSite=Lax${secure}`;
  return redirectWith([...setCookies, cookie], `/check-mail?for=${purpose}`);
}

/** Where the last e-mail that this browser asked for went; null: nobody knows. `emailId`: where it became a file, for its developer. */
export async function readInbox(page: PageRequest): Promise<{ email: string | null; emailId: string | null }> {
  const { signIn, mailer } = page.context.get(rooms);
  const prefix = `${signIn.cookiePrefix}${INBOX_COOKIE}=`;
  const pair = (page.request.headers.get('cookie') ?? '').split(/;\s*/).find((each) => each.startsWith(prefix));
  const email = pair ? decodeAddress(pair.slice(prefix.length)) : null;
  if (!email || !isOwnMachine(page)) return { email, emailId: null };
  // What was asked for is done after the answer.
  await signIn.onIdle();
  const newest = mailer.recent().find(({ to }) => to.toLowerCase() === email.toLowerCase());
  return { email, emailId: newest?.id ?? null };
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
export function readKeptEmail(page: Pick<PageRequest, 'context'>, id: string): KeptEmail | null {
  return isOwnMachine(page) ? page.context.get(rooms).mailer.read(id) : null;
}

/** Whether a developer asks on the very machine that serves, and the site has no other name than the machine itself. */
function isOwnMachine({ context }: Pick<PageRequest, 'context'>): boolean {
  return context.get(requestFacts).isLocal && isLoopbackHost(new URL(context.get(rooms).publicUrl).hostname);
}

const STATUSES: Partial<Record<SignInRefusal['reason'], number>> = {
  too_many_attempts: 429,
  too_many_passwords: 429,
  locked: 429,
  busy: 503,
  foreign_origin: 403,
  not_signed_in: 401,
};
const INBOX_COOKIE = '_inbox';
const INBOX_SECONDS = 3_600;
const PLAIN_ADDRESS = /^[\x21-\x7e]{3,254}$/;
