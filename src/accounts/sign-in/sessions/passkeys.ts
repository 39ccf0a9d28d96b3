/** Passkeys (WebAuthn level 2): registered by who is signed in, and good for signing in without a password. */

import type { Kysely } from 'kysely';
import type { Database } from '../../../store/index.ts';
import type { Refusal } from '../../../values/refusal.ts';
import { isUuid } from '../../../values/uuid.ts';
import { type Desk, type Done, note, readName, refusalOf } from '../desk.ts';
import type { SignInCaller } from '../engine/ask.ts';
import { refuseSignIn, type SignInReason } from '../refusals.ts';
import { createPasskeySignIn, type PasskeyOptions, type PasskeySignIn } from './passkey-sign-in.ts';
import type { Sessions } from './sessions.ts';

export interface PasskeyListing {
  id: string;
  name: string;
  createdAt: Date | null;
  /** Whether it is kept in more than one place, such as a phone and its backup. */
  isSynced: boolean;
}

export interface Passkeys extends PasskeySignIn {
  /** Browsers know no passkeys for bare addresses such as 127.0.0.1. */
  passkeysWork: boolean;
  listPasskeys(caller: SignInCaller): Promise<{ ok: true; passkeys: PasskeyListing[] } | Refusal<SignInReason>>;
  /** Needs a sign-in of the last day. */
  startPasskey(caller: SignInCaller): Promise<PasskeyOptions | Refusal<SignInReason>>;
  /** `response`: what `navigator.credentials.create` gave, as its `toJSON`. */
  addPasskey(caller: SignInCaller, input: { response: unknown; name: string }): Promise<Done | Refusal<SignInReason>>;
  renamePasskey(caller: SignInCaller, input: { id: string; name: string }): Promise<Done | Refusal<SignInReason>>;
  removePasskey(caller: SignInCaller, input: { id: string }): Promise<Done | Refusal<SignInReason>>;
}

export function createPasskeys(desk: Desk, { readSession }: Pick<Sessions, 'readSession'>): Passkeys {
  const { db, engine } = desk;

  return {
    ...createPasskeySignIn(desk, { readSession }),
    passkeysWork: !/^[\d.]+$|^\[/.test(new URL(engine.publicUrl).hostname),

    async listPasskeys(caller) {
      const person = await readSession(caller.headers);
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
    },

    async startPasskey(caller) {
      const person = await readSession(caller.headers);
      if (!person) return refuseSignIn('not_signed_in');
      if ((await countPasskeys(db, person.accountId)) >= MAX_PASSKEYS) return refuseSignIn('too_many_passkeys');
      const answer = await engine.ask(caller, 'GET', '/passkey/generate-register-options');
      if (answer.code !== undefined) return refusalOf(answer);
      return { ok: true, setCookies: answer.setCookies, options: answer.data as PasskeyOptions['options'] };
    },

    async addPasskey(caller, { response, name: typed }) {
      const person = await readSession(caller.headers);
      if (!person) return refuseSignIn('not_signed_in');
      const name = readName(typed);
      if (name === null) return refuseSignIn('invalid_name');
      const answer = await engine.ask(caller, 'POST', '/passkey/verify-registration', { response, name: name || 'Passkey' });
      if (answer.code !== undefined) return refusalOf(answer);
      await note(desk, caller, person, 'passkey.add');
      return { ok: true, setCookies: answer.setCookies };
    },

    async renamePasskey(caller, { id, name: typed }) {
      const person = await readSession(caller.headers);
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
    },

    async removePasskey(caller, { id }) {
      const person = await readSession(caller.headers);
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
    },
  };
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
