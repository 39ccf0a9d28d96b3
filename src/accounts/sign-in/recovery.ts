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
import type { SignInCaller } from './engine.ts';
import { resetIdentifier } from './invite.ts';
import { makeDeviceCookie } from './password-sign-in.ts';
import { refuseSignIn, type SignInReason } from './refusals.ts';

/** Sends a link if the address has an account. All of that happens after the answer, which is the same for every address. */
export async function requestReset(
  desk: Desk,
  caller: SignInCaller,
  { email: typed }: { email: string },
): Promise<EmailSent | Refusal<SignInReason>> {
  const { engine, attempts, log } = desk;
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
}

/** Whether the link still works, and whether it is for the first password of its account. Changes nothing. */
export async function readResetLink(
  desk: Desk,
  caller: SignInCaller,
  token: string,
): Promise<{ isOpen: boolean; isFirst: boolean }> {
  const { attempts } = desk;
  const owner = (await attempts.take('linksFrom', hostNetwork(caller.address))) === 0 ? await ownerOf(desk, token) : null;
  return { isOpen: owner !== null, isFirst: owner?.isFirst === true };
}

/** Once, within 30 minutes. Ends all sessions and all other links; who reads the e-mails has the address, so it is confirmed too. */
export async function reset(
  desk: Desk,
  caller: SignInCaller,
  { token, password }: { token: string; password: string },
): Promise<(Done & { isFirst: boolean }) | Refusal<SignInReason>> {
  const { db, engine, attempts, now } = desk;
  const tooMany = await refuseTooMany(attempts, [['linksFrom', hostNetwork(caller.address)]]);
  if (tooMany) return tooMany;
  const owner = await ownerOf(desk, token);
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
}

/**
 * Uses the same link up, and changes no password. The browser is known from then on: strangers who guess cannot use up its limit. It
 * still needs the password, and a second factor where the account has one.
 */
export async function keepPassword(
  desk: Desk,
  caller: SignInCaller,
  { token }: { token: string },
): Promise<Done | Refusal<SignInReason>> {
  const { db, attempts } = desk;
  const tooMany = await refuseTooMany(attempts, [['linksFrom', hostNetwork(caller.address)]]);
  if (tooMany) return tooMany;
  const owner = await ownerOf(desk, token);
  if (!owner) return refuseSignIn('bad_link');
  if (owner.isFirst) return refuseSignIn('no_password');
  const used = await db.deleteFrom('verification').where('identifier', '=', resetIdentifier(token)).executeTakeFirst();
  if (used.numDeletedRows === 0n) return refuseSignIn('bad_link');
  await note(desk, caller, owner, 'password.keep');
  return { ok: true, setCookies: [makeDeviceCookie(desk, owner.email_lower)] };
}

/** Whose link it is; the store holds only its digest. */
async function ownerOf({ db }: Desk, token: string) {
  const found = await db
    .selectFrom('verification')
    .innerJoin('account', (join) => join.on((on) => on(on.cast<string>('account.id', 'text'), '=', on.ref('verification.value'))))
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
