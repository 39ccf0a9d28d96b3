/** Between forms and sign-in: who asks, and what the answer means for the page. */

import { data, redirect } from 'react-router';
import type { SignInCaller, SignInRefusal } from '../../accounts/index.ts';
import type { KeptLetter } from '../../mail/index.ts';
import { isLoopbackHost } from '../../values/index.ts';
import { requestFacts, rooms } from './rooms.ts';
import type { PageRequest } from './viewer.ts';

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

/** Where it is said that a letter left; `letterId` where it became a file. */
export function checkMail(purpose: 'sign-up' | 'reset', letterId: string | null | undefined): string {
  return `/check-mail?for=${purpose}${letterId ? `&letter=${letterId}` : ''}`;
}

/**
 * A letter that became a file, for a developer on the very machine that serves, whose site has no other name than the machine itself:
 * whoever reads letters can confirm any address.
 */
export function readLetter({ context }: Pick<PageRequest, 'context'>, id: string): KeptLetter | null {
  const { mailer, publicUrl } = context.get(rooms);
  const isOwnMachine = context.get(requestFacts).isLocal && isLoopbackHost(new URL(publicUrl).hostname);
  return isOwnMachine ? mailer.read(id) : null;
}

const STATUSES: Partial<Record<SignInRefusal['reason'], number>> = {
  too_many_attempts: 429,
  too_many_passwords: 429,
  locked: 429,
  busy: 503,
  foreign_origin: 403,
  not_signed_in: 401,
};
