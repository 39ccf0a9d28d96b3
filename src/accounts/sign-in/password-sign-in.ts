/** Signing in with a password, and with a code where the account asks for one. */

import { randomBytes } from 'node:crypto';
import { hostNetwork } from '../../values/ip-network.ts';
import type { Refusal } from '../../values/refusal.ts';
import { isSameText } from '../../values/same-text.ts';
import { giveBackAll } from './attempts.ts';
import {
  type Desk,
  type Done,
  knownTries,
  newDeviceTries,
  note,
  readCookie,
  readSendable,
  refusalOf,
  refuseTooMany,
  withoutCookie,
  writeCookie,
} from './desk.ts';
import type { EngineAnswer, SignInCaller } from './engine.ts';
import { MAX_PASSWORD_LENGTH } from './passwords.ts';
import { refuseSignIn, type SignInReason } from './refusals.ts';
import { bindingOf } from './secret.ts';
import { readSession, sessionCookieOf } from './sessions.ts';

/** `secondFactor`: not signed in yet, a code is wanted next. Who never confirmed the address gets another e-mail: `unverified`. */
export async function signIn(
  desk: Desk,
  caller: SignInCaller,
  { email: typed, password }: { email: string; password: string },
): Promise<(Done & { secondFactor: boolean }) | Refusal<SignInReason>> {
  const email = readSendable(typed);
  if (!email) return refuseSignIn('invalid_email');
  if (password.length > MAX_PASSWORD_LENGTH) return refuseSignIn('long_password');
  if (password.includes('\0')) return refuseSignIn('unusable_password');
  const answer = await askWithTries(desk, caller, email.lower, password);
  if ('reason' in answer) return answer;
  if (answer.code === 'EMAIL_NOT_VERIFIED') return refuseSignIn('unverified');
  if (answer.code !== undefined) return refusalOf(answer);
  const secondFactor = (answer.data as { twoFactorRedirect?: boolean }).twoFactorRedirect === true;
  if (secondFactor) return { ok: true, setCookies: answer.setCookies, secondFactor };
  return { ...(await begin(desk, caller, answer, 'password')), secondFactor };
}

/** A code of the authenticator app, or a backup code. */
export async function verifySecondFactor(
  desk: Desk,
  caller: SignInCaller,
  { code: typed }: { code: string },
): Promise<Done | Refusal<SignInReason>> {
  const { engine, attempts } = desk;
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
  return begin(desk, caller, answer, isBackup ? 'backup code' : 'code');
}

/** A sign-in replaces whatever session the browser had: its old id is worth nothing afterwards. */
async function begin(desk: Desk, caller: SignInCaller, answer: EngineAnswer, by: string): Promise<Done> {
  const { db } = desk;
  const old = await readSession(desk, caller.headers);
  if (old) await db.deleteFrom('session').where('id', '=', old.sessionId).execute();
  const { user } = answer.data as { user: { email: string } };
  const account = await db.selectFrom('account').select(['id', 'email']).where('email_lower', '=', user.email).executeTakeFirst();
  if (account) await note(desk, caller, { accountId: account.id, email: account.email }, 'session.begin', { by });
  return { ok: true, setCookies: [...answer.setCookies, makeDeviceCookie(desk, user.email)] };
}

/** Asks the engine, and counts a wrong password as a try. */
async function askWithTries(
  desk: Desk,
  caller: SignInCaller,
  email: string,
  password: string,
): Promise<EngineAnswer | Refusal<SignInReason>> {
  const { engine, attempts } = desk;
  const device = readDevice(desk, caller, email);
  const tries = device ? knownTries(`device ${device}`) : newDeviceTries(caller, email);
  const refused = await refuseTooMany(attempts, tries);
  if (refused) return refused;
  const ask = device ? engine.ask : engine.askAsStranger;
  const answer = await ask(caller, 'POST', '/sign-in/email', { email, password });
  if (answer.code !== 'INVALID_EMAIL_OR_PASSWORD') await giveBackAll(attempts, tries);
  return answer;
}

/*
 * Device cookies (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"): a browser that has signed in to an account once, or has chosen
 * its password by e-mail, has wrong passwords of its own to spend. So strangers who guess use up their limits and never the owner's.
 *
 * marquee_device_<of the account>=<device>.<issued, s>.<signature of account, device and moment>
 *
 * The cookie signs nobody in. It is bound to an address, not to a row of the store, so reading it takes the same time for unknown addresses.
 */

/** A `Set-Cookie` value, for whoever has just proved to own the account of `email`. */
export function makeDeviceCookie(desk: Desk, email: string): string {
  const device = randomBytes(DEVICE_BYTES).toString('base64url');
  const issued = Math.floor(Date.now() / MS_PER_SECOND);
  const value = `${device}.${issued}.${signatureOf(desk, email, device, issued)}`;
  return writeCookie(desk, cookieName(desk, email), value, LIFETIME_SECONDS);
}

/** A `Set-Cookie` value that takes the cookie away. */
export const dropDeviceCookie = (desk: Desk, email: string): string => writeCookie(desk, cookieName(desk, email), '', 0);

/** The device, if the caller has a genuine cookie of it for the account of `email`. */
function readDevice(desk: Desk, { headers }: SignInCaller, email: string): string | null {
  const [device = '', issuedText = '', signature = ''] = (readCookie(headers, cookieName(desk, email)) ?? '').split('.');
  const issued = Number(issuedText);
  if (!isSameText(signature, signatureOf(desk, email, device, issued))) return null;
  return Date.now() / MS_PER_SECOND - issued < LIFETIME_SECONDS ? device : null;
}

/** One for each account: people share browsers. */
function cookieName({ engine }: Desk, email: string): string {
  const tag = bindingOf(engine.secret, 'device-name', email.toLowerCase()).slice(0, TAG_LENGTH);
  return `${engine.prefix}_device_${tag}`;
}

const signatureOf = ({ engine }: Desk, email: string, device: string, issued: number): string =>
  bindingOf(engine.secret, 'device', `${email.toLowerCase()}\0${device}\0${issued}`);

const DEVICE_BYTES = 12;
const TAG_LENGTH = 8;
const LIFETIME_SECONDS = 31_536_000;
const MS_PER_SECOND = 1_000;
const TOTP_CODE = /^\d{6}$/;
const BACKUP_CODE = /^[0-9A-Za-z]{10}$/;
const BACKUP_HALF = 5;
