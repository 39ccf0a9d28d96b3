/** Links by e-mail: to a new password, or to sign in with the same password from a new browser. */

import { hostNetwork, siteNetwork } from '../../values/ip-network.ts';
import type { Refusal } from '../../values/refusal.ts';
import {
  assertStoreWrites,
  type Desk,
  type Done,
  type EmailSent,
  endWaitingLinks,
  note,
  readSendable,
  refusalOf,
  refusePassword,
  refuseTooMany,
} from './desk.ts';
import type { SignInCaller } from './engine/ask.ts';
import { resetIdentifier } from './invite.ts';
import { refuseSignIn, type SignInReason } from './refusals.ts';
import { makeDeviceCookie } from './sessions/device-cookie.ts';

export interface Recovery {
  /** Sends a link if the address has an account. All of that happens after the answer, which is the same for every address. */
  requestReset(caller: SignInCaller, input: { email: string }): Promise<EmailSent | Refusal<SignInReason>>;
  /** Whether the link still works, and whether it is for the first password of its account. Changes nothing. */
  readResetLink(caller: SignInCaller, token: string): Promise<{ isOpen: boolean; isFirst: boolean }>;
  /** Once, within 30 minutes. Ends all sessions and all other links; who reads the e-mails has the address, so it is confirmed too. */
  reset(
    caller: SignInCaller,
    input: { token: string; password: string },
  ): Promise<(Done & { isFirst: boolean }) | Refusal<SignInReason>>;
  /**
   * Uses the same link up, and changes no password. The browser is known from then on: strangers who guess cannot use up its limit. It
   * still needs the password, and a second factor where the account has one.
   */
  keepPassword(caller: SignInCaller, input: { token: string }): Promise<Done | Refusal<SignInReason>>;
}

export function createRecovery(desk: Desk): Recovery {
  const { db, engine, attempts, now, log } = desk;

  /** Whose link it is; the store holds only its digest. */
  async function ownerOf(token: string) {
    const found = await db
      .selectFrom('verification')
      .innerJoin('account', (join) =>
        join.on((on) => on(on.cast<string>('account.id', 'text'), '=', on.ref('verification.value'))),
      )
      .select(['account.id as accountId', 'account.email', 'account.email_lower', 'account.email_verified'])
      .where('identifier', '=', resetIdentifier(token))
      .where('expires_at', '>', new Date())
      .executeTakeFirst();
    if (!found) return null;
    const credential = await db
      .selectFrom('credential')
      .select('id')
      .where('account_id', '=', found.accountId)
      .where('password', 'is not', null)
      .executeTakeFirst();
    return { ...found, isFirst: credential === undefined };
  }

  return {
    async requestReset(caller, { email: typed }) {
      const email = readSendable(typed);
      if (!email) return refuseSignIn('invalid_email');
      const refused = await refuseTooMany(attempts, [['resetsFrom', siteNetwork(caller.address)]]);
      if (refused) return refused;
      await assertStoreWrites(desk);
      desk.afterAnswer.run(async () => {
        const answer = await engine.ask(caller, 'POST', '/request-password-reset', { email: email.lower });
        if (answer.code !== undefined) log.warn({ reason: refusalOf(answer).reason }, 'password reset rejected');
      });
      return { ok: true, setCookies: [], email: email.address };
    },

    async readResetLink(caller, token) {
      const owner = (await attempts.take('linksFrom', hostNetwork(caller.address))) === 0 ? await ownerOf(token) : null;
      return { isOpen: owner !== null, isFirst: owner?.isFirst === true };
    },

    async reset(caller, { token, password }) {
      const tooMany = await refuseTooMany(attempts, [['linksFrom', hostNetwork(caller.address)]]);
      if (tooMany) return tooMany;
      const owner = await ownerOf(token);
      if (!owner) return refuseSignIn('bad_link');
      const refused = refusePassword(password, owner.email);
      if (refused) return refused;
      const answer = await engine.ask(caller, 'POST', '/reset-password', { newPassword: password, token });
      if (answer.code !== undefined) return refusalOf(answer);
      await endWaitingLinks(desk, owner.accountId);
      if (!owner.email_verified) {
        await db
          .updateTable('account')
          .set({ email_verified: true, email_verified_at: new Date(now()), updated_at: new Date() })
          .where('id', '=', owner.accountId)
          .where('email_verified', '=', false)
          .execute();
      }
      await note(desk, caller, owner, 'password.reset');
      await engine.tell(owner.isFirst ? 'password_set' : 'password_changed', owner.email, `${engine.publicUrl}/forgot`);
      return { ok: true, setCookies: [makeDeviceCookie(desk, owner.email_lower)], isFirst: owner.isFirst };
    },

    async keepPassword(caller, { token }) {
      const tooMany = await refuseTooMany(attempts, [['linksFrom', hostNetwork(caller.address)]]);
      if (tooMany) return tooMany;
      const owner = await ownerOf(token);
      if (!owner) return refuseSignIn('bad_link');
      if (owner.isFirst) return refuseSignIn('no_password');
      const used = await db.deleteFrom('verification').where('identifier', '=', resetIdentifier(token)).executeTakeFirst();
      if (used.numDeletedRows === 0n) return refuseSignIn('bad_link');
      await note(desk, caller, owner, 'password.keep');
      return { ok: true, setCookies: [makeDeviceCookie(desk, owner.email_lower)] };
    },
  };
}
