/** Passkeys (WebAuthn level 2): registered by who is signed in, and good for signing in without a password. */

import type { Kysely } from 'kysely';
import type { Database } from '../../store/index.ts';
import { hostNetwork } from '../../values/ip-network.ts';
import type { Refusal } from '../../values/refusal.ts';
import { isUuid } from '../../values/uuid.ts';
import { type Desk, type Done, note, readName, refusalOf, refuseTooMany, withoutCookie } from './desk.ts';
import type { SignInCaller } from './engine.ts';
import { makeDeviceCookie } from './password-sign-in.ts';
import { refuseSignIn, type SignInReason } from './refusals.ts';
import { readSession, sessionCookieOf } from './sessions.ts';

export interface PasskeyListing {
  id: string;
  name: string;
  createdAt: Date | null;
  /** Whether it is kept in more than one place, such as a phone and its backup. */
  isSynced: boolean;
}

export async function listPasskeys(
  desk: Desk,
  caller: SignInCaller,
): Promise<{ ok: true; passkeys: PasskeyListing[] } | Refusal<SignInReason>> {
  const { db } = desk;
  const person = await readSession(desk, caller.headers);
  if (!person) return refuseSignIn('not_signed_in');
  const rows = await db
    .selectFrom('passkey')
    .select(['id', 'name', 'created_at', 'backed_up'])
    .where('account_id', '=', person.accountId)
    .orderBy('id')
    .execute();
  const passkeys = rows.map((row) => ({
    id: row.id,
    name: row.name || 'Passkey',
    createdAt: row.created_at,
    isSynced: row.backed_up,
  }));
  return { ok: true, passkeys };
}

/** Needs a sign-in of the last day. */
export async function startPasskey(desk: Desk, caller: SignInCaller): Promise<PasskeyOptions | Refusal<SignInReason>> {
  const { db, engine } = desk;
  const person = await readSession(desk, caller.headers);
  if (!person) return refuseSignIn('not_signed_in');
  if ((await countPasskeys(db, person.accountId)) >= MAX_PASSKEYS) return refuseSignIn('too_many_passkeys');
  const answer = await engine.ask(caller, 'GET', '/passkey/generate-register-options');
  if (answer.code !== undefined) return refusalOf(answer);
  return { ok: true, setCookies: answer.setCookies, options: answer.data as PasskeyOptions['options'] };
}

/** `response`: what `navigator.credentials.create` gave, as its `toJSON`. */
export async function addPasskey(
  desk: Desk,
  caller: SignInCaller,
  { response, name: typed }: { response: unknown; name: string },
): Promise<Done | Refusal<SignInReason>> {
  const { engine } = desk;
  const person = await readSession(desk, caller.headers);
  if (!person) return refuseSignIn('not_signed_in');
  const name = readName(typed);
  if (name === null) return refuseSignIn('invalid_name');
  const answer = await engine.ask(caller, 'POST', '/passkey/verify-registration', { response, name: name || 'Passkey' });
  if (answer.code !== undefined) return refusalOf(answer);
  await note(desk, caller, person, 'passkey.add');
  return { ok: true, setCookies: answer.setCookies };
}

export async function renamePasskey(
  desk: Desk,
  caller: SignInCaller,
  { id, name: typed }: { id: string; name: string },
): Promise<Done | Refusal<SignInReason>> {
  const { db } = desk;
  const person = await readSession(desk, caller.headers);
  if (!person) return refuseSignIn('not_signed_in');
  const name = readName(typed);
  if (!name) return refuseSignIn('invalid_name');
  if (!isUuid(id)) return refuseSignIn('passkey_unknown');
  const { numUpdatedRows } = await db
    .updateTable('passkey')
    .set({ name })
    .where('id', '=', id)
    .where('account_id', '=', person.accountId)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return refuseSignIn('passkey_unknown');
  await note(desk, caller, person, 'passkey.rename');
  return { ok: true, setCookies: [] };
}

export async function removePasskey(
  desk: Desk,
  caller: SignInCaller,
  { id }: { id: string },
): Promise<Done | Refusal<SignInReason>> {
  const { db } = desk;
  const person = await readSession(desk, caller.headers);
  if (!person) return refuseSignIn('not_signed_in');
  if (!isUuid(id)) return refuseSignIn('passkey_unknown');
  const { numDeletedRows } = await db
    .deleteFrom('passkey')
    .where('id', '=', id)
    .where('account_id', '=', person.accountId)
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return refuseSignIn('passkey_unknown');
  await note(desk, caller, person, 'passkey.remove');
  return { ok: true, setCookies: [] };
}

/** JSON for `PublicKeyCredential.parse…OptionsFromJSON` in the browser. */
type PasskeyOptions = Done & { options: Record<string, unknown> };

export async function startPasskeySignIn(
  { engine, attempts }: Desk,
  caller: SignInCaller,
): Promise<PasskeyOptions | Refusal<SignInReason>> {
  const refused = await refuseTooMany(attempts, [['signInFrom', hostNetwork(caller.address)]]);
  if (refused) return refused;
  const answer = await engine.ask(
    withoutCookie(caller, sessionCookieOf(engine)),
    'GET',
    '/passkey/generate-authenticate-options',
  );
  if (answer.code !== undefined) return refusalOf(answer);
  return {
    ok: true,
    setCookies: answer.setCookies,
    options: { ...(answer.data as PasskeyOptions['options']), userVerification: 'required' },
  };
}

/** `response`: what `navigator.credentials.get` gave, as its `toJSON`. It stands for both factors. */
export async function signInWithPasskey(
  desk: Desk,
  caller: SignInCaller,
  { response }: { response: unknown },
): Promise<Done | Refusal<SignInReason>> {
  const { db, engine, attempts } = desk;
  const refused = await refuseTooMany(attempts, [['signInFrom', hostNetwork(caller.address)]]);
  if (refused) return refused;
  const old = await readSession(desk, caller.headers);
  const answer = await engine.ask(withoutCookie(caller, sessionCookieOf(engine)), 'POST', '/passkey/verify-authentication', {
    response,
  });
  if (answer.code !== undefined) return refusalOf(answer);
  if (old) await db.deleteFrom('session').where('id', '=', old.sessionId).execute();
  const { id, email, typedEmail } = (answer.data as { user: { id: string; email: string; typedEmail: string } }).user;
  await note(desk, caller, { accountId: id, email: typedEmail }, 'session.begin', { by: 'passkey' });
  return { ok: true, setCookies: [...answer.setCookies, makeDeviceCookie(desk, email)] };
}

async function countPasskeys(db: Kysely<Database>, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom('passkey')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

const MAX_PASSKEYS = 20;
