/** From a stranger to an account with a confirmed address. An answer never tells whether an address has an account. */

import { randomUUIDv7 } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../../store/index.ts';
import { hostNetwork, siteNetwork } from '../../values/ip-network.ts';
import type { Refusal } from '../../values/refusal.ts';
import { isSameText } from '../../values/same-text.ts';
import { hasHadTrial } from '../trial-eligibility.ts';
import { giveBackAll } from './attempts.ts';
import {
  assertStoreWrites,
  type Desk,
  type Done,
  type EmailSent,
  knownTries,
  note,
  readCookie,
  readName,
  readSendable,
  refusalOf,
  refusePassword,
  refuseTooMany,
  writeCookie,
} from './desk.ts';
import type { SignInCaller } from './engine.ts';
import { makeDeviceCookie } from './password-sign-in.ts';
import { MAX_PASSWORD_LENGTH } from './passwords.ts';
import { refuseSignIn, type SignInReason } from './refusals.ts';
import { bindingOf } from './secret.ts';

interface NewAccount {
  id: string;
  email: { address: string; lower: string };
  name: string;
  password: string;
}

/**
 * Sends an e-mail to the address: a link to confirm it, or, when it has an account, word that somebody tried. The answer is the same.
 * All of that happens after the answer. An account whose address nobody has confirmed makes room for the new one.
 */
export async function signUp(
  desk: Desk,
  caller: SignInCaller,
  { email: typed, password, name: typedName = '' }: { email: string; password: string; name?: string },
): Promise<EmailSent | Refusal<SignInReason>> {
  const { engine, attempts, signUpsInLine } = desk;
  const email = readSendable(typed);
  if (!email) return refuseSignIn('invalid_email');
  const name = readName(typedName);
  if (name === null) return refuseSignIn('invalid_name');
  const refused =
    refusePassword(password, email.lower) ?? (await refuseTooMany(attempts, [['signUpsFrom', siteNetwork(caller.address)]]));
  if (refused) return refused;
  await assertStoreWrites(desk);
  const id = randomUUIDv7();
  desk.afterAnswer.run(() => signUpsInLine(email.lower, () => make(desk, caller, { id, email, name, password })));
  // Of an account that there may never be: the answer is the same.
  const proof = bindingOf(engine.secret, 'sign-up', id);
  return { ok: true, setCookies: [writeCookie(desk, signUpCookieOf(engine), proof, SIGN_UP_SECONDS)], email: email.address };
}

/** Whoever signed up before with the same address and did not confirm it makes room. */
async function make(
  desk: Desk,
  caller: SignInCaller,
  { id, email, name, password }: NewAccount,
  triesLeft = TRIES,
): Promise<void> {
  const { db, engine, log } = desk;
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
    if (!account && triesLeft > 0) return make(desk, caller, { id, email, name, password }, triesLeft - 1);
  }
  if (account?.id !== id) return;
  await db.updateTable('account').set({ email: email.address }).where('id', '=', id).execute();
  await note(desk, caller, { accountId: id, email: email.address }, 'account.sign-up');
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

/** What the page behind a link to confirm has to ask for. Changes nothing: programs that look into e-mails open links too. */
export async function readVerification(desk: Desk, caller: SignInCaller, token: string): Promise<Verification> {
  const { db, attempts } = desk;
  const account = (await attempts.take('linksFrom', hostNetwork(caller.address))) > 0 ? null : await findByToken(desk, token);
  if (!account) return { state: 'dead', ...NOTHING_TO_CONFIRM };
  if (account.email_verified) return { state: 'done', ...NOTHING_TO_CONFIRM };
  const hasTrial = !(await hasHadTrial(db, account.email));
  return { state: 'open', email: account.email, needsPassword: !isSameBrowser(desk, caller, account.id), hasTrial };
}

/**
 * Confirms the address and signs in; the trial begins. The link alone is not enough: the browser must be the one that signed up, or
 * its password be given. Else a stranger could sign up with your address and wait for you to confirm their password.
 */
export async function verifyEmail(
  desk: Desk,
  caller: SignInCaller,
  { token, password }: { token: string; password?: string | undefined },
): Promise<Done | Refusal<SignInReason>> {
  const { engine, attempts } = desk;
  const refused = await refuseTooMany(attempts, [['linksFrom', hostNetwork(caller.address)]]);
  if (refused) return refused;
  const account = await findByToken(desk, token);
  if (!account || account.email_verified) return refuseSignIn('bad_link');
  if (!isSameBrowser(desk, caller, account.id)) {
    if (!password) return refuseSignIn('password_needed');
    const wrong = await refuseWrongPassword(desk, account, password);
    if (wrong) return wrong;
  }
  const answer = await engine.ask(caller, 'GET', `/verify-email?token=${encodeURIComponent(account.jwt)}`);
  if (answer.code !== undefined) return refusalOf(answer);
  await note(desk, caller, { accountId: account.id, email: account.email }, 'account.verify');
  const setCookies = [
    ...answer.setCookies,
    writeCookie(desk, signUpCookieOf(engine), '', 0),
    makeDeviceCookie(desk, account.email_lower),
  ];
  return { ok: true, setCookies };
}

async function findByToken({ db, engine }: Desk, token: string) {
  const [jwt = '', binding = ''] = token.split('~', 2);
  const { email, exp } = readPayload(jwt);
  const account = email === null ? undefined : await findByAddress(db, email);
  if (!account || !isSameText(binding, bindingOf(engine.secret, 'verify', account.id))) return null;
  // The engine's time is the real one.
  return account.email_verified || exp * MS_PER_SECOND > Date.now() ? { ...account, jwt } : null;
}

function isSameBrowser({ engine }: Desk, caller: SignInCaller, accountId: string): boolean {
  return isSameText(readCookie(caller.headers, signUpCookieOf(engine)) ?? '', bindingOf(engine.secret, 'sign-up', accountId));
}

async function refuseWrongPassword({ db, attempts, hasher }: Desk, account: { id: string; email: string }, password: string) {
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
const signUpCookieOf = ({ prefix }: Pick<Desk['engine'], 'prefix'>): string => `${prefix}_sign_up`;

const findByAddress = (db: Kysely<Database>, lower: string) =>
  db
    .selectFrom('account')
    .select(['id', 'email', 'email_lower', 'email_verified'])
    .where('email_lower', '=', lower)
    .executeTakeFirst();

const NOTHING_TO_CONFIRM = { email: null, needsPassword: false, hasTrial: false } as const;
const MS_PER_SECOND = 1_000;
/** The row was there first, or was taken away again by a third. */
const LOST_RACES: ReadonlySet<string> = new Set(['FAILED_TO_CREATE_USER', '500']);
const TRIES = 2;
const SIGN_UP_SECONDS = 86_400;
