/** Signing in and out, and the sessions of an account. */

import { APIError } from 'better-auth/api';
import type { Refusal } from '../../values/refusal.ts';
import { isUuid } from '../../values/uuid.ts';
import { type Desk, type Done, note } from './desk.ts';
import type { SignInCaller } from './engine.ts';
import { refuseSignIn, type SignInReason } from './refusals.ts';

export interface SessionListing {
  id: string;
  isCurrent: boolean;
  /** Such as `Firefox on Linux`. */
  device: string;
  address: string;
  createdAt: Date;
  /** To five minutes. */
  lastUsedAt: Date;
  expiresAt: Date;
}

export async function signOut(desk: Desk, caller: SignInCaller): Promise<Done> {
  const { engine } = desk;
  const session = await readSession(desk, caller.headers);
  const answer = await engine.ask(caller, 'POST', '/sign-out', {});
  if (answer.code !== undefined) throw new APIError('FORBIDDEN', { code: answer.code });
  if (session) await note(desk, caller, session, 'session.end');
  return { ok: true, setCookies: answer.setCookies };
}

/** Latest used first. */
export async function listSessions(
  desk: Desk,
  caller: SignInCaller,
): Promise<{ ok: true; sessions: SessionListing[] } | Refusal<SignInReason>> {
  const { db } = desk;
  const session = await readSession(desk, caller.headers);
  if (!session) return refuseSignIn('not_signed_in');
  const rows = await db
    .selectFrom('session')
    .selectAll()
    .where('account_id', '=', session.accountId)
    .where('expires_at', '>', new Date())
    .orderBy('updated_at', 'desc')
    .orderBy('id')
    .execute();
  const sessions = rows.map(
    (row): SessionListing => ({
      id: row.id,
      isCurrent: row.id === session.sessionId,
      device: describeDevice(row.user_agent ?? ''),
      address: row.ip_address ?? '',
      createdAt: row.created_at,
      lastUsedAt: row.updated_at,
      expiresAt: row.expires_at,
    }),
  );
  return { ok: true, sessions };
}

/** One of the caller's own; another's is unknown. */
export async function revokeSession(desk: Desk, caller: SignInCaller, id: string): Promise<Done | Refusal<SignInReason>> {
  const { db } = desk;
  const session = await readSession(desk, caller.headers);
  if (!session) return refuseSignIn('not_signed_in');
  if (!isUuid(id)) return refuseSignIn('unknown_session');
  const { numDeletedRows } = await db
    .deleteFrom('session')
    .where('id', '=', id)
    .where('account_id', '=', session.accountId)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return refuseSignIn('unknown_session');
  await note(desk, caller, session, 'session.revoke');
  return { ok: true, setCookies: [] };
}

export async function revokeOtherSessions(desk: Desk, caller: SignInCaller): Promise<Done | Refusal<SignInReason>> {
  const { db } = desk;
  const session = await readSession(desk, caller.headers);
  if (!session) return refuseSignIn('not_signed_in');
  await db.deleteFrom('session').where('account_id', '=', session.accountId).where('id', '!=', session.sessionId).execute();
  await note(desk, caller, session, 'session.revoke-others');
  return { ok: true, setCookies: [] };
}

export interface SignedIn {
  accountId: string;
  /** As it was typed. */
  email: string;
  name: string;
  isOperator: boolean;
  verified: boolean;
  twoFactor: boolean;
  sessionId: string;
  signedInAt: Date;
}

/** Who a request is from. Null without a living session of an active account. */
export async function readSession(desk: Desk, headers: Headers): Promise<SignedIn | null> {
  const { engine } = desk;
  if (!(headers.get('cookie') ?? '').includes(`${sessionCookieOf(engine)}=`)) return null;
  const found = await engine.auth.api.getSession({ headers, query: { disableRefresh: true } });
  if (found?.user.status !== 'active') return null;
  const { session, user } = found;
  const signedInAt = new Date(session.createdAt);
  if (Date.now() - new Date(session.updatedAt).getTime() > TOUCH_EVERY_MS) touch(desk, session.id);
  return {
    accountId: user.id,
    email: user.typedEmail ?? user.email,
    name: user.name,
    isOperator: user.isOperator === true,
    verified: user.emailVerified,
    twoFactor: user.twoFactorEnabled === true,
    sessionId: session.id,
    signedInAt,
  };
}

function touch({ db, log }: Desk, id: string): void {
  db.updateTable('session')
    .set({ updated_at: new Date() })
    .where('id', '=', id)
    .execute()
    .catch((err: unknown) => log.warn({ err }, 'cannot store the last use of a session'));
}

export const sessionCookieOf = ({ prefix }: Pick<Desk['engine'], 'prefix'>): string => `${prefix}_session`;

/** A user agent in words that its owner knows again. What is not known is not guessed. */
function describeDevice(userAgent: string): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? 'Unknown device';
}

/** In this order: most browsers also name others that they want to be taken for. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\/|\bEdgiOS\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];
const TOUCH_EVERY_MS = 300_000;
