/** Signing in and out, and the sessions of an account. */

import { APIError } from 'better-auth/api';
import { hostNetwork } from '../../values/ip-network.ts';
import { isUuid } from '../../values/uuid.ts';
import {
  type Desk,
  type Done,
  giveBack,
  knownTries,
  note,
  readSendable,
  refusalOf,
  refuseTooMany,
  strangerTries,
  withoutCookie,
} from './desk.ts';
import { describeDevice } from './device.ts';
import { makeDeviceCookie, readDevice } from './device-cookie.ts';
import type { EngineAnswer, SignInCaller } from './engine/engine.ts';
import { MAX_PASSWORD_LENGTH } from './engine/passwords.ts';
import { refuseSignIn, type SignInRefusal } from './refusals.ts';

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

export interface Sessions {
  /** Who the request is from; null without a living session of an active account. */
  readSession(headers: Headers): Promise<SignedIn | null>;
  /** `secondFactor`: not signed in yet, a code is wanted next. Who never confirmed the address gets another e-mail: `unverified`. */
  signIn(
    caller: SignInCaller,
    input: { email: string; password: string },
  ): Promise<(Done & { secondFactor: boolean }) | SignInRefusal>;
  /** A code of the authenticator app, or a backup code. */
  verifySecondFactor(caller: SignInCaller, input: { code: string }): Promise<Done | SignInRefusal>;
  signOut(caller: SignInCaller): Promise<Done>;
  /** Latest used first. */
  listSessions(caller: SignInCaller): Promise<{ ok: true; sessions: SessionListing[] } | SignInRefusal>;
  /** One of the caller's own; another's is unknown. */
  revokeSession(caller: SignInCaller, id: string): Promise<Done | SignInRefusal>;
  revokeOtherSessions(caller: SignInCaller): Promise<Done | SignInRefusal>;
}

export function createSessions(desk: Desk): Sessions {
  const { db, engine, attempts, log } = desk;
  const sessionCookie = `${engine.prefix}_session`;

  /** A sign-in replaces whatever session the browser had: its old id is worth nothing afterwards. */
  async function begin(caller: SignInCaller, answer: EngineAnswer, by: string): Promise<Done> {
    const old = await readSession(caller.headers);
    if (old) await db.deleteFrom('session').where('id', '=', old.sessionId).execute();
    const { user } = answer.data as { user: { email: string } };
    const account = await db
      .selectFrom('account')
      .select(['id', 'email'])
      .where('email_lower', '=', user.email)
      .executeTakeFirst();
    if (account) await note(desk, caller, { accountId: account.id, email: account.email }, 'session.begin', { by });
    return { ok: true, setCookies: [...answer.setCookies, makeDeviceCookie(desk, user.email)] };
  }

  async function readSession(headers: Headers): Promise<SignedIn | null> {
    if (!(headers.get('cookie') ?? '').includes(`${sessionCookie}=`)) return null;
    const found = await engine.auth.api.getSession({ headers, query: { disableRefresh: true } });
    if (found?.user.status !== 'active') return null;
    const { session, user } = found;
    const signedInAt = new Date(session.createdAt);
    if (Date.now() - new Date(session.updatedAt).getTime() > TOUCH_EVERY_MS) touch(session.id);
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

  function touch(id: string): void {
    db.updateTable('session')
      .set({ updated_at: new Date() })
      .where('id', '=', id)
      .execute()
      .catch((err: unknown) => log.warn({ err }, 'cannot store the last use of a session'));
  }

  return {
    readSession,

    async signIn(caller, { email: typed, password }) {
      const email = readSendable(typed);
      if (!email) return refuseSignIn('invalid_email');
      if (password.length > MAX_PASSWORD_LENGTH) return refuseSignIn('long_password');
      if (password.includes('\0')) return refuseSignIn('unusable_password');
      const device = readDevice(desk, caller, email.lower);
      const tries = device ? knownTries(`device ${device}`) : strangerTries(caller, email.lower);
      const refused = refuseTooMany(attempts, tries);
      if (refused) return refused;
      const answer = await engine.ask(caller, 'POST', '/sign-in/email', { email: email.lower, password });
      if (answer.code !== 'INVALID_EMAIL_OR_PASSWORD') giveBack(attempts, tries);
      if (answer.code === 'EMAIL_NOT_VERIFIED') return refuseSignIn('unverified');
      if (answer.code !== undefined) return refusalOf(answer);
      const secondFactor = (answer.data as { twoFactorRedirect?: boolean }).twoFactorRedirect === true;
      if (secondFactor) return { ok: true, setCookies: answer.setCookies, secondFactor };
      return { ...(await begin(caller, answer, 'password')), secondFactor };
    },

    async verifySecondFactor(caller, { code: typed }) {
      const code = typed.replace(/[\s-]/g, '');
      const isBackup = BACKUP_CODE.test(code);
      if (!isBackup && !TOTP_CODE.test(code)) return refuseSignIn('wrong_code');
      const refused = refuseTooMany(attempts, [['codesFrom', hostNetwork(caller.address)]]);
      if (refused) return refused;
      const path = isBackup ? '/two-factor/verify-backup-code' : '/two-factor/verify-totp';
      const asked = { code: isBackup ? `${code.slice(0, BACKUP_HALF)}-${code.slice(BACKUP_HALF)}` : code };
      // With a session the engine would check the code of that one's account.
      const answer = await engine.ask(withoutCookie(caller, sessionCookie), 'POST', path, asked);
      if (answer.code !== undefined) return refusalOf(answer);
      return begin(caller, answer, isBackup ? 'backup code' : 'code');
    },

    async signOut(caller) {
      const session = await readSession(caller.headers);
      const answer = await engine.ask(caller, 'POST', '/sign-out', {});
      if (answer.code !== undefined) throw new APIError('FORBIDDEN', { code: answer.code });
      if (session) await note(desk, caller, session, 'session.end');
      return { ok: true, setCookies: answer.setCookies };
    },

    async listSessions(caller) {
      const session = await readSession(caller.headers);
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
    },

    async revokeSession(caller, id) {
      const session = await readSession(caller.headers);
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
    },

    async revokeOtherSessions(caller) {
      const session = await readSession(caller.headers);
      if (!session) return refuseSignIn('not_signed_in');
      await db.deleteFrom('session').where('account_id', '=', session.accountId).where('id', '!=', session.sessionId).execute();
      await note(desk, caller, session, 'session.revoke-others');
      return { ok: true, setCookies: [] };
    },
  };
}

const TOTP_CODE = /^\d{6}$/;
const BACKUP_CODE = /^[0-9A-Za-z]{10}$/;
const BACKUP_HALF = 5;
const TOUCH_EVERY_MS = 300_000;
