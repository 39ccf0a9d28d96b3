/** Signing in with a passkey, without a password. */

import { hostNetwork } from '../../../values/ip-network.ts';
import type { Refusal } from '../../../values/refusal.ts';
import { type Desk, type Done, note, refusalOf, refuseTooMany, withoutCookie } from '../desk.ts';
import type { SignInCaller } from '../engine/ask.ts';
import type { SignInReason } from '../refusals.ts';
import { sessionCookieOf } from './current-session.ts';
import { makeDeviceCookie } from './device-cookie.ts';
import type { Sessions } from './sessions.ts';

/** JSON for `PublicKeyCredential.parse…OptionsFromJSON` in the browser. */
export type PasskeyOptions = Done & { options: Record<string, unknown> };

export interface PasskeySignIn {
  startPasskeySignIn(caller: SignInCaller): Promise<PasskeyOptions | Refusal<SignInReason>>;
  /** `response`: what `navigator.credentials.get` gave, as its `toJSON`. It stands for both factors. */
  signInWithPasskey(caller: SignInCaller, input: { response: unknown }): Promise<Done | Refusal<SignInReason>>;
}

export function createPasskeySignIn(desk: Desk, { readSession }: Pick<Sessions, 'readSession'>): PasskeySignIn {
  const { db, engine, attempts } = desk;
  const sessionCookie = sessionCookieOf(engine);

  return {
    async startPasskeySignIn(caller) {
      const refused = await refuseTooMany(attempts, [['signInFrom', hostNetwork(caller.address)]]);
      if (refused) return refused;
      const answer = await engine.ask(withoutCookie(caller, sessionCookie), 'GET', '/passkey/generate-authenticate-options');
      if (answer.code !== undefined) return refusalOf(answer);
      return {
        ok: true,
        setCookies: answer.setCookies,
        options: { ...(answer.data as PasskeyOptions['options']), userVerification: 'required' },
      };
    },

    async signInWithPasskey(caller, { response }) {
      const refused = await refuseTooMany(attempts, [['signInFrom', hostNetwork(caller.address)]]);
      if (refused) return refused;
      const old = await readSession(caller.headers);
      const answer = await engine.ask(withoutCookie(caller, sessionCookie), 'POST', '/passkey/verify-authentication', {
        response,
      });
      if (answer.code !== undefined) return refusalOf(answer);
      if (old) await db.deleteFrom('session').where('id', '=', old.sessionId).execute();
      const { id, email, typedEmail } = (answer.data as { user: { id: string; email: string; typedEmail: string } }).user;
      await note(desk, caller, { accountId: id, email: typedEmail }, 'session.begin', { by: 'passkey' });
      return { ok: true, setCookies: [...answer.setCookies, makeDeviceCookie(desk, email)] };
    },
  };
}
