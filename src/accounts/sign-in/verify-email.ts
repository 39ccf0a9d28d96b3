/** Links that confirm the address of a new account. */

import type { Kysely } from 'kysely';
import type { Database } from '../../store/index.ts';
import { hostNetwork } from '../../values/ip-network.ts';
import type { Refusal } from '../../values/refusal.ts';
import { isSameText } from '../../values/same-text.ts';
import { hasHadTrial } from '../trial-eligibility.ts';
import { giveBackAll } from './attempts.ts';
import { type Desk, type Done, knownTries, note, readCookie, refusalOf, refuseTooMany, writeCookie } from './desk.ts';
import type { SignInCaller } from './engine/ask.ts';
import { bindingOf } from './engine/binding.ts';
import { MAX_PASSWORD_LENGTH } from './engine/passwords.ts';
import { refuseSignIn, type SignInReason } from './refusals.ts';
import { makeDeviceCookie } from './sessions/device-cookie.ts';

export interface EmailVerification {
  /** What the page behind a link to confirm has to ask for. Changes nothing: programs that look into e-mails open links too. */
  readVerification(caller: SignInCaller, token: string): Promise<Verification>;
  /**
   * Confirms the address and signs in; the trial begins. The link alone is not enough: the browser must be the one that signed up, or
   * its password be given. Else a stranger could sign up with your address and wait for you to confirm their password.
   */
  verifyEmail(
    caller: SignInCaller,
    input: { token: string; password?: string | undefined },
  ): Promise<Done | Refusal<SignInReason>>;
}

export interface Verification {
  state: 'open' | 'done' | 'dead';
  /** Of an open one. */
  email: string | null;
  /** Whether the password is needed. */
  needsPassword: boolean;
  /** False: the mailbox has had its trial with another account. */
  hasTrial: boolean;
}

export function createEmailVerification(desk: Desk): EmailVerification {
  const { db, engine, attempts, hasher } = desk;
  const cookieName = signUpCookieOf(engine);

  async function findByToken(token: string) {
    const [jwt = '', binding = ''] = token.split('~', 2);
    const { email, exp } = readPayload(jwt);
    const account = email === null ? undefined : await findByAddress(db, email);
    if (!account || !isSameText(binding, bindingOf(engine.secret, 'verify', account.id))) return null;
    // The engine's time is the real one.
    return account.email_verified || exp * MS_PER_SECOND > Date.now() ? { ...account, jwt } : null;
  }

  function isSameBrowser(caller: SignInCaller, accountId: string): boolean {
    return isSameText(readCookie(caller.headers, cookieName) ?? '', bindingOf(engine.secret, 'sign-up', accountId));
  }

  async function refuseWrongPassword(account: { id: string; email: string }, password: string) {
    const fault = password.length > MAX_PASSWORD_LENGTH ? refuseSignIn('long_password') : null;
    const tries = knownTries(`link ${account.id}`);
    const refused = fault ?? (await refuseTooMany(attempts, tries));
    if (refused) return refused;
    const credential = await db
      .selectFrom('credential')
      .select('password')
      .where('account_id', '=', account.id)
      .where('provider', '=', 'credential')
      .executeTakeFirst();
    if (!(await hasher.verify(credential?.password ?? '', password)))
      return { ...refuseSignIn('wrong_password'), field: 'password' as const };
    await giveBackAll(attempts, tries);
    return null;
  }

  return {
    async readVerification(caller, token) {
      const account = (await attempts.take('linksFrom', hostNetwork(caller.address))) > 0 ? null : await findByToken(token);
      if (!account) return { state: 'dead', ...NOTHING_TO_CONFIRM };
      if (account.email_verified) return { state: 'done', ...NOTHING_TO_CONFIRM };
      const hasTrial = !(await hasHadTrial(db, account.email));
      return { state: 'open', email: account.email, needsPassword: !isSameBrowser(caller, account.id), hasTrial };
    },

    async verifyEmail(caller, { token, password }) {
      const refused = await refuseTooMany(attempts, [['linksFrom', hostNetwork(caller.address)]]);
      if (refused) return refused;
      const account = await findByToken(token);
      if (!account || account.email_verified) return refuseSignIn('bad_link');
      if (!isSameBrowser(caller, account.id)) {
        if (!password) return refuseSignIn('password_needed');
        const wrong = await refuseWrongPassword(account, password);
        if (wrong) return wrong;
      }
      const answer = await engine.ask(caller, 'GET', `/verify-email?token=${encodeURIComponent(account.jwt)}`);
      if (answer.code !== undefined) return refusalOf(answer);
      await note(desk, caller, { accountId: account.id, email: account.email }, 'account.verify');
      const setCookies = [
        ...answer.setCookies,
        writeCookie(desk, cookieName, '', 0),
        makeDeviceCookie(desk, account.email_lower),
      ];
      return { ok: true, setCookies };
    },
  };
}

/** What the link says of itself; whether it says the truth, the engine decides. */
function readPayload(jwt: string): { email: string | null; exp: number } {
  try {
    const { email, exp } = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return { email: typeof email === 'string' ? email : null, exp: Number(exp) };
  } catch {
    return { email: null, exp: 0 };
  }
}

/** Holds the proof that a browser is the one that signed up. */
export const signUpCookieOf = ({ prefix }: Pick<Desk['engine'], 'prefix'>): string => `${prefix}_sign_up`;

export const findByAddress = (db: Kysely<Database>, lower: string) =>
  db
    .selectFrom('account')
    .select(['id', 'email', 'email_lower', 'email_verified'])
    .where('email_lower', '=', lower)
    .executeTakeFirst();

const NOTHING_TO_CONFIRM = { email: null, needsPassword: false, hasTrial: false } as const;
const MS_PER_SECOND = 1_000;
