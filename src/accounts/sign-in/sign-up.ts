/** From a stranger to an account with a confirmed address. An answer never tells whether an address has an account. */

import { randomUUIDv7 } from 'node:crypto';
import { siteNetwork } from '../../values/ip-network.ts';
import type { Refusal } from '../../values/refusal.ts';
import { createKeyedMutex } from '../../values/waiting/keyed-mutex.ts';
import {
  assertStoreWrites,
  type Desk,
  type EmailSent,
  note,
  readName,
  readSendable,
  refusalOf,
  refusePassword,
  refuseTooMany,
  writeCookie,
} from './desk.ts';
import type { SignInCaller } from './engine/ask.ts';
import { bindingOf } from './engine/binding.ts';
import { refuseSignIn, type SignInReason } from './refusals.ts';
import { createEmailVerification, type EmailVerification, findByAddress, signUpCookieOf } from './verify-email.ts';

export interface SignUp extends EmailVerification {
  /**
   * Sends an e-mail to the address: a link to confirm it, or, when it has an account, word that somebody tried. The answer is the same.
   * All of that happens after the answer. An account whose address nobody has confirmed makes room for the new one.
   */
  signUp(
    caller: SignInCaller,
    input: { email: string; password: string; name?: string },
  ): Promise<EmailSent | Refusal<SignInReason>>;
}

interface NewAccount {
  id: string;
  email: { address: string; lower: string };
  name: string;
  password: string;
}

export function createSignUp(desk: Desk): SignUp {
  const { db, engine, attempts, log } = desk;
  const inLine = createKeyedMutex();

  /** Whoever signed up before with the same address and did not confirm it makes room. */
  async function make(caller: SignInCaller, { id, email, name, password }: NewAccount, triesLeft = TRIES): Promise<void> {
    await db
      .deleteFrom('account')
      .where('email_lower', '=', email.lower)
      .where('email_verified', '=', false)
      .where('status', '=', 'active')
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('subscription').select('id').whereRef('subscription.account_id', '=', 'account.id'))),
      )
      .execute();
    const answer = await engine.signUp(caller, id, { name, email: email.lower, password });
    const account = await findByAddress(db, email.lower);
    if (answer.code !== undefined) {
      if (!LOST_RACES.has(answer.code)) return log.warn({ reason: refusalOf(answer).reason }, 'sign-up rejected');
      // A sign-up with the same address in another process came between: what it made stands, or it made room for us half-way.
      if (!account && triesLeft > 0) return make(caller, { id, email, name, password }, triesLeft - 1);
    }
    if (account?.id !== id) return;
    await db.updateTable('account').set({ email: email.address }).where('id', '=', id).execute();
    await note(desk, caller, { accountId: id, email: email.address }, 'account.sign-up');
  }

  return {
    ...createEmailVerification(desk),

    async signUp(caller, { email: typed, password, name: typedName = '' }) {
      const email = readSendable(typed);
      if (!email) return refuseSignIn('invalid_email');
      const name = readName(typedName);
      if (name === null) return refuseSignIn('invalid_name');
      const refused =
        refusePassword(password, email.lower) ?? (await refuseTooMany(attempts, [['signUpsFrom', siteNetwork(caller.address)]]));
      if (refused) return refused;
      await assertStoreWrites(desk);
      const id = randomUUIDv7();
      desk.afterAnswer.run(() => inLine(email.lower, () => make(caller, { id, email, name, password })));
      // Of an account that there may never be: the answer is the same.
      const proof = bindingOf(engine.secret, 'sign-up', id);
      return { ok: true, setCookies: [writeCookie(desk, signUpCookieOf(engine), proof, SIGN_UP_SECONDS)], email: email.address };
    },
  };
}

/** The row was there first, or was taken away again by a third. */
const LOST_RACES: ReadonlySet<string> = new Set(['FAILED_TO_CREATE_USER', '500']);
const TRIES = 2;
const SIGN_UP_SECONDS = 86_400;
