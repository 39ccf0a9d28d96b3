/** Two-factor sign-in, as a person turns it on and off. */

import { hostNetwork } from '../../values/ip-network.ts';
import type { Refusal } from '../../values/refusal.ts';
import { createAskWithPassword } from './ask-with-password.ts';
import { type Desk, type Done, note, refusalOf, refuseTooMany } from './desk.ts';
import type { SignInCaller } from './engine/ask.ts';
import { refuseSignIn, type SignInReason } from './refusals.ts';
import type { Sessions } from './sessions/sessions.ts';

export interface TwoFactor {
  /** First step: what the authenticator app needs, and codes to keep. Nothing is on before the second step. */
  beginTwoFactor(caller: SignInCaller, input: { current: string }): Promise<(Done & TwoFactorStart) | Refusal<SignInReason>>;
  /** Second step: the app's code. */
  confirmTwoFactor(caller: SignInCaller, input: { code: string }): Promise<Done | Refusal<SignInReason>>;
  disableTwoFactor(caller: SignInCaller, input: { current: string }): Promise<Done | Refusal<SignInReason>>;
  /** The codes before stop working. */
  renewBackupCodes(
    caller: SignInCaller,
    input: { current: string },
  ): Promise<(Done & { backupCodes: string[] }) | Refusal<SignInReason>>;
}

export interface TwoFactorStart {
  /** `otpauth://totp/…`, for a QR code. */
  uri: string;
  /** The same secret to type, in groups. */
  secret: string;
  backupCodes: string[];
}

export function createTwoFactor(desk: Desk, { readSession }: Pick<Sessions, 'readSession'>): TwoFactor {
  const { engine, attempts } = desk;
  const askWithPassword = createAskWithPassword(desk, { readSession });

  return {
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
      const refused = await refuseTooMany(attempts, [['codesFrom', hostNetwork(caller.address)]]);
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
