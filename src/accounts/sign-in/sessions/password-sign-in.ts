/** Signing in with a password, and with a code where the account asks for one. */

import { hostNetwork } from '../../../values/ip-network.ts';
import type { Refusal } from '../../../values/refusal.ts';
import { giveBackAll } from '../attempts.ts';
import {
  type Desk,
  type Done,
  knownTries,
  newDeviceTries,
  note,
  readSendable,
  refusalOf,
  refuseTooMany,
  withoutCookie,
} from '../desk.ts';
import type { EngineAnswer, SignInCaller } from '../engine/ask.ts';
import { MAX_PASSWORD_LENGTH } from '../engine/passwords.ts';
import { refuseSignIn, type SignInReason } from '../refusals.ts';
import type { ReadSession } from './current-session.ts';
import { sessionCookieOf } from './current-session.ts';
import { makeDeviceCookie, readDevice } from './device-cookie.ts';

export interface PasswordSignIn {
  /** `secondFactor`: not signed in yet, a code is wanted next. Who never confirmed the address gets another e-mail: `unverified`. */
  signIn(
    caller: SignInCaller,
    input: { email: string; password: string },
  ): Promise<(Done & { secondFactor: boolean }) | Refusal<SignInReason>>;
  /** A code of the authenticator app, or a backup code. */
  verifySecondFactor(caller: SignInCaller, input: { code: string }): Promise<Done | Refusal<SignInReason>>;
}

export function createPasswordSignIn(desk: Desk, readSession: ReadSession): PasswordSignIn {
  const { db, engine, attempts } = desk;

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

  /** Asks the engine, and counts a wrong password as a try. */
  async function askWithTries(
    caller: SignInCaller,
    email: string,
    password: string,
  ): Promise<EngineAnswer | Refusal<SignInReason>> {
    const device = readDevice(desk, caller, email);
    const tries = device ? knownTries(`device ${device}`) : newDeviceTries(caller, email);
    const refused = await refuseTooMany(attempts, tries);
    if (refused) return refused;
    const ask = device ? engine.ask : engine.askAsStranger;
    const answer = await ask(caller, 'POST', '/sign-in/email', { email, password });
    if (answer.code !== 'INVALID_EMAIL_OR_PASSWORD') await giveBackAll(attempts, tries);
    return answer;
  }

  return {
    async signIn(caller, { email: typed, password }) {
      const email = readSendable(typed);
      if (!email) return refuseSignIn('invalid_email');
      if (password.length > MAX_PASSWORD_LENGTH) return refuseSignIn('long_password');
      if (password.includes('\0')) return refuseSignIn('unusable_password');
      const answer = await askWithTries(caller, email.lower, password);
      if ('reason' in answer) return answer;
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
      const refused = await refuseTooMany(attempts, [['codesFrom', hostNetwork(caller.address)]]);
      if (refused) return refused;
      const path = isBackup ? '/two-factor/verify-backup-code' : '/two-factor/verify-totp';
      const asked = { code: isBackup ? `${code.slice(0, BACKUP_HALF)}-${code.slice(BACKUP_HALF)}` : code };
      // With a session the engine would check the code of that one's account.
      const answer = await engine.ask(withoutCookie(caller, sessionCookieOf(engine)), 'POST', path, asked);
      if (answer.code !== undefined) return refusalOf(answer);
      return begin(caller, answer, isBackup ? 'backup code' : 'code');
    },
  };
}

const TOTP_CODE = /^\d{6}$/;
const BACKUP_CODE = /^[0-9A-Za-z]{10}$/;
const BACKUP_HALF = 5;
