/** What a person changes about their own account: name, password, two-factor sign-in. */

import type { Refusal } from '../../values/refusal.ts';
import { createAskWithPassword } from './ask-with-password.ts';
import { type Desk, type Done, endWaitingLinks, note, readName, refusalOf, refusePassword } from './desk.ts';
import type { SignInCaller } from './engine/ask.ts';
import { refuseSignIn, type SignInReason } from './refusals.ts';
import type { Sessions } from './sessions/sessions.ts';
import { createTwoFactor, type TwoFactor } from './two-factor.ts';

export interface Settings extends TwoFactor {
  rename(caller: SignInCaller, input: { name: string }): Promise<Done | Refusal<SignInReason>>;
  /** Ends all other sessions and open links; this one goes on under a new id. */
  changePassword(caller: SignInCaller, input: { current: string; password: string }): Promise<Done | Refusal<SignInReason>>;
}

export function createSettings(desk: Desk, { readSession }: Pick<Sessions, 'readSession'>): Settings {
  const { engine } = desk;
  const askWithPassword = createAskWithPassword(desk, { readSession });

  return {
    ...createTwoFactor(desk, { readSession }),

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
  };
}
