/** What a person changes about their own account: name, password, two-factor sign-in. */

import { hostNetwork } from '../../values/ip-network.ts';
import {
  type Desk,
  type Done,
  endWaitingLinks,
  giveBack,
  knownTries,
  note,
  readName,
  refusalOf,
  refusePassword,
  refuseTooMany,
} from './desk.ts';
import type { EngineAnswer, SignInCaller } from './engine/engine.ts';
import { MAX_PASSWORD_LENGTH } from './engine/passwords.ts';
import { refuseSignIn, type SignInRefusal } from './refusals.ts';
import type { Sessions, SignedIn } from './sessions.ts';

export interface Settings {
  rename(caller: SignInCaller, input: { name: string }): Promise<Done | SignInRefusal>;
  /** Ends all other sessions and open links; this one goes on under a new id. */
  changePassword(caller: SignInCaller, input: { current: string; password: string }): Promise<Done | SignInRefusal>;
  /** First step: what the authenticator app needs, and codes to keep. Nothing is on before the second step. */
  beginTwoFactor(caller: SignInCaller, input: { current: string }): Promise<(Done & TwoFactorStart) | SignInRefusal>;
  /** Second step: the app's code. */
  confirmTwoFactor(caller: SignInCaller, input: { code: string }): Promise<Done | SignInRefusal>;
  disableTwoFactor(caller: SignInCaller, input: { current: string }): Promise<Done | SignInRefusal>;
  /** The codes before stop working. */
  renewBackupCodes(caller: SignInCaller, input: { current: string }): Promise<(Done & { backupCodes: string[] }) | SignInRefusal>;
}

export interface TwoFactorStart {
  /** `otpauth://totp/…`, for a QR code. */
  uri: string;
  /** The same secret to type, in groups. */
  secret: string;
  backupCodes: string[];
}

export function createSettings(desk: Desk, { readSession }: Pick<Sessions, 'readSession'>): Settings {
  const { engine, attempts } = desk;

  /** Asks for something that the current password is needed for; its wrong tries count as those of a sign-in. */
  async function askWithPassword(
    caller: SignInCaller,
    current: string,
    path: string,
    body: Record<string, unknown>,
  ): Promise<{ ok: true; person: SignedIn; answer: EngineAnswer } | SignInRefusal> {
    const person = await readSession(caller.headers);
    if (!person) return refuseSignIn('not_signed_in');
    if (current.length > MAX_PASSWORD_LENGTH) return { ...refuseSignIn('long_password'), field: 'current' };
    const tries = knownTries(`session ${person.sessionId}`);
    const refused = refuseTooMany(attempts, tries);
    if (refused) return refused;
    const answer = await engine.ask(caller, 'POST', path, body);
    if (answer.code !== 'INVALID_PASSWORD') giveBack(attempts, tries);
    return answer.code === undefined ? { ok: true, person, answer } : refusalOf(answer);
  }

  return {
    async rename(caller, { name: typed }) {
      const person = await readSession(caller.headers);
      if (!person) return refuseSignIn('not_signed_in');
      const name = readName(typed);
      if (name === null) return refuseSignIn('invalid_name');
      const answer = await engine.ask(caller, 'POST', '/update-user', { name });
      if (answer.code !== undefined) return refusalOf(answer);
      await note(desk, caller, person, 'account.rename');
      return { ok: true, setCookies: answer.setCookies };
    },

    async changePassword(caller, { current, password }) {
      const refused = refusePassword(password, (await readSession(caller.headers))?.email);
      if (refused) return refused;
      const body = { currentPassword: current, newPassword: password, revokeOtherSessions: true };
      const asked = await askWithPassword(caller, current, '/change-password', body);
      if (!asked.ok) return asked;
      await endWaitingLinks(desk, asked.person.accountId);
      await note(desk, caller, asked.person, 'password.change');
      await engine.tell('password_changed', asked.person.email, `${engine.publicUrl}/forgot`);
      return { ok: true, setCookies: asked.answer.setCookies };
    },

    async beginTwoFactor(caller, { current }) {
      const asked = await askWithPassword(caller, current, '/two-factor/enable', { password: current, method: 'totp' });
      if (!asked.ok) return asked;
      const { totpURI, backupCodes } = asked.answer.data as { totpURI: string; backupCodes: string[] };
      const secret = (new URL(totpURI).searchParams.get('secret') ?? '').replace(/.{4}(?=.)/g, '$& ');
      return { ok: true, setCookies: asked.answer.setCookies, uri: totpURI, secret, backupCodes };
    },

    async confirmTwoFactor(caller, { code: typed }) {
      const person = await readSession(caller.headers);
      if (!person) return refuseSignIn('not_signed_in');
      if (person.twoFactor) return refuseSignIn('two_factor_on');
      const code = typed.replace(/\s/g, '');
      if (!TOTP_CODE.test(code)) return refuseSignIn('wrong_code');
      const refused = refuseTooMany(attempts, [['codesFrom', hostNetwork(caller.address)]]);
      if (refused) return refused;
      const answer = await engine.ask(caller, 'POST', '/two-factor/verify-totp', { code });
      if (answer.code !== undefined) return refusalOf(answer);
      await note(desk, caller, person, 'two-factor.enable');
      await engine.tell('two_factor_on', person.email, `${engine.publicUrl}/forgot`);
      return { ok: true, setCookies: answer.setCookies };
    },

    async disableTwoFactor(caller, { current }) {
      const asked = await askWithPassword(caller, current, '/two-factor/disable', { password: current });
      if (!asked.ok) return asked;
      await note(desk, caller, asked.person, 'two-factor.disable');
      await engine.tell('two_factor_off', asked.person.email, `${engine.publicUrl}/forgot`);
      return { ok: true, setCookies: asked.answer.setCookies };
    },

    async renewBackupCodes(caller, { current }) {
      const asked = await askWithPassword(caller, current, '/two-factor/generate-backup-codes', { password: current });
      if (!asked.ok) return asked;
      await note(desk, caller, asked.person, 'two-factor.renew-codes');
      const { backupCodes } = asked.answer.data as { backupCodes: string[] };
      return { ok: true, setCookies: asked.answer.setCookies, backupCodes };
    },
  };
}

const TOTP_CODE = /^\d{6}$/;
