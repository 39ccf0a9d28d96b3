/** What a person changes about their own account: name, password, two-factor sign-in. */

import { hostNetwork } from '../../values/ip-network.ts';
import type { Refusal } from '../../values/refusal.ts';
import { giveBackAll } from './attempts.ts';
import {
  type Desk,
  type Done,
  endWaitingLinks,
  knownTries,
  note,
  readName,
  refusalOf,
  refusePassword,
  refuseTooMany,
} from './desk.ts';
import type { EngineAnswer, SignInCaller } from './engine.ts';
import { MAX_PASSWORD_LENGTH } from './passwords.ts';
import { refuseSignIn, type SignInReason } from './refusals.ts';
import { readSession, type SignedIn } from './sessions.ts';

export async function rename(
  desk: Desk,
  caller: SignInCaller,
  { name: typed }: { name: string },
): Promise<Done | Refusal<SignInReason>> {
  const { engine } = desk;
  const person = await readSession(desk, caller.headers);
  if (!person) return refuseSignIn('not_signed_in');
  const name = readName(typed);
  if (name === null) return refuseSignIn('invalid_name');
  const answer = await engine.ask(caller, 'POST', '/update-user', { name });
  if (answer.code !== undefined) return refusalOf(answer);
  await note(desk, caller, person, 'account.rename');
  return { ok: true, setCookies: answer.setCookies };
}

/** Ends all other sessions and open links; this one goes on under a new id. */
export async function changePassword(
  desk: Desk,
  caller: SignInCaller,
  { current, password }: { current: string; password: string },
): Promise<Done | Refusal<SignInReason>> {
  const { engine } = desk;
  const refused = refusePassword(password, (await readSession(desk, caller.headers))?.email);
  if (refused) return refused;
  const body = { currentPassword: current, newPassword: password, revokeOtherSessions: true };
  const asked = await askWithPassword(desk, caller, current, '/change-password', body);
  if (!asked.ok) return asked;
  await endWaitingLinks(desk, asked.person.accountId);
  await note(desk, caller, asked.person, 'password.change');
  await engine.tell('password_changed', asked.person.email, `${engine.publicUrl}/forgot`);
  return { ok: true, setCookies: asked.answer.setCookies };
}

export interface TwoFactorStart {
  /** `otpauth://totp/…`, for a QR code. */
  uri: string;
  /** The same secret to type, in groups. */
  secret: string;
  backupCodes: string[];
}

/** First step: what the authenticator app needs, and codes to keep. Nothing is on before the second step. */
export async function beginTwoFactor(
  desk: Desk,
  caller: SignInCaller,
  { current }: { current: string },
): Promise<(Done & TwoFactorStart) | Refusal<SignInReason>> {
  const asked = await askWithPassword(desk, caller, current, '/two-factor/enable', { password: current, method: 'totp' });
  if (!asked.ok) return asked;
  const { totpURI, backupCodes } = asked.answer.data as { totpURI: string; backupCodes: string[] };
  const secret = (new URL(totpURI).searchParams.get('secret') ?? '').replace(/.{4}(?=.)/g, '$& ');
  return { ok: true, setCookies: asked.answer.setCookies, uri: totpURI, secret, backupCodes };
}

/** Second step: the app's code. */
export async function confirmTwoFactor(
  desk: Desk,
  caller: SignInCaller,
  { code: typed }: { code: string },
): Promise<Done | Refusal<SignInReason>> {
  const { engine, attempts } = desk;
  const person = await readSession(desk, caller.headers);
  if (!person) return refuseSignIn('not_signed_in');
  if (person.twoFactor) return refuseSignIn('two_factor_on');
  const code = typed.replace(/\s/g, '');
  if (!TOTP_CODE.test(code)) return refuseSignIn('wrong_code');
  const refused = await refuseTooMany(attempts, [['codesFrom', hostNetwork(caller.address)]]);
  if (refused) return refused;
  const answer = await engine.ask(caller, 'POST', '/two-factor/verify-totp', { code });
  if (answer.code !== undefined) return refusalOf(answer);
  await note(desk, caller, person, 'two-factor.enable');
  await engine.tell('two_factor_on', person.email, `${engine.publicUrl}/forgot`);
  return { ok: true, setCookies: answer.setCookies };
}

export async function disableTwoFactor(
  desk: Desk,
  caller: SignInCaller,
  { current }: { current: string },
): Promise<Done | Refusal<SignInReason>> {
  const { engine } = desk;
  const asked = await askWithPassword(desk, caller, current, '/two-factor/disable', { password: current });
  if (!asked.ok) return asked;
  await note(desk, caller, asked.person, 'two-factor.disable');
  await engine.tell('two_factor_off', asked.person.email, `${engine.publicUrl}/forgot`);
  return { ok: true, setCookies: asked.answer.setCookies };
}

/** The codes before stop working. */
export async function renewBackupCodes(
  desk: Desk,
  caller: SignInCaller,
  { current }: { current: string },
): Promise<(Done & { backupCodes: string[] }) | Refusal<SignInReason>> {
  const asked = await askWithPassword(desk, caller, current, '/two-factor/generate-backup-codes', { password: current });
  if (!asked.ok) return asked;
  await note(desk, caller, asked.person, 'two-factor.renew-codes');
  const { backupCodes } = asked.answer.data as { backupCodes: string[] };
  return { ok: true, setCookies: asked.answer.setCookies, backupCodes };
}

/** A change that the current password is needed for: asks the engine at `path`. Wrong tries count as those of a sign-in. */
async function askWithPassword(
  desk: Desk,
  caller: SignInCaller,
  current: string,
  path: string,
  body: Record<string, unknown>,
): Promise<{ ok: true; person: SignedIn; answer: EngineAnswer } | Refusal<SignInReason>> {
  const { engine, attempts } = desk;
  const person = await readSession(desk, caller.headers);
  if (!person) return refuseSignIn('not_signed_in');
  if (current.length > MAX_PASSWORD_LENGTH) return { ...refuseSignIn('long_password'), field: 'current' };
  const tries = knownTries(`session ${person.sessionId}`);
  const refused = await refuseTooMany(attempts, tries);
  if (refused) return refused;
  const answer = await engine.ask(caller, 'POST', path, body);
  if (answer.code !== 'INVALID_PASSWORD') await giveBackAll(attempts, tries);
  return answer.code === undefined ? { ok: true, person, answer } : refusalOf(answer);
}

const TOTP_CODE = /^\d{6}$/;
