/** Leaving: one transaction after which nothing of the account works and nobody is named in it. */

import { sql, type Transaction } from 'kysely';
import { appendToList, type Database, transact } from '../../store/index.ts';
import type { Refusal } from '../../values/refusal.ts';
import { recordAudit } from '../audit.ts';
import { giveBackAll } from './attempts.ts';
import { type DeletionHooks, type Desk, type Done, knownTries, refuseTooMany, writeCookie } from './desk.ts';
import type { SignInCaller } from './engine.ts';
import { dropDeviceCookie } from './password-sign-in.ts';
import { MAX_PASSWORD_LENGTH } from './passwords.ts';
import { refuseSignIn, type SignInReason } from './refusals.ts';
import { readSession, type SignedIn } from './sessions.ts';

/**
 * Revokes all keys, which every gate follows within a second, ends plans, sessions, passkeys and links, and takes name and address
 * away, also from what was noted of the account. Its usage stays as numbers; that its mailbox had a trial stays as a digest.
 */
export async function deleteAccount(
  desk: Desk,
  caller: SignInCaller,
  { current }: { current: string },
): Promise<Done | Refusal<SignInReason>> {
  const { db, engine, now, deletion } = desk;
  const person = await readSession(desk, caller.headers);
  if (!person) return refuseSignIn('not_signed_in');
  const refused = await refuseWrongPassword(desk, person, current);
  if (refused) return refused;
  await deletion.beforeDelete?.(person.accountId);
  const erased = await transact(db, (trx) => erase(trx, person, new Date(now()), deletion.withdrawRequests));
  if (!erased) return refuseSignIn('not_signed_in');
  await engine.tell('account_deleted', person.email);
  return { ok: true, setCookies: [writeCookie(desk, `${engine.prefix}_session`, '', 0), dropDeviceCookie(desk, erased)] };
}

async function refuseWrongPassword(
  { db, hasher, attempts }: Desk,
  person: SignedIn,
  current: string,
): Promise<Refusal<SignInReason> | null> {
  const credential = await db
    .selectFrom('credential')
    .select('password')
    .where('account_id', '=', person.accountId)
    .where('provider', '=', 'credential')
    .executeTakeFirst();
  if (!credential?.password) return refuseSignIn('no_password');
  if (current.length > MAX_PASSWORD_LENGTH) return { ...refuseSignIn('long_password'), field: 'current' };
  const tries = knownTries(`session ${person.sessionId}`);
  const refused = await refuseTooMany(attempts, tries);
  if (refused) return refused;
  if (!(await hasher.verify(credential.password, current))) return refuseSignIn('wrong_password');
  await giveBackAll(attempts, tries);
  return null;
}

/** The account's folded address; null when somebody was quicker. */
async function erase(
  trx: Transaction<Database>,
  { accountId, email }: SignedIn,
  at: Date,
  withdrawRequests: DeletionHooks['withdrawRequests'],
): Promise<string | null> {
  const account = await trx
    .selectFrom('account')
    .select(['email_lower', 'status'])
    .where('id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
  if (!account || account.status === 'closed') return null;
  const ended = await trx
    .updateTable('subscription')
    .set({ status: 'inactive' })
    .where('account_id', '=', accountId)
    .returning('id')
    .execute();
  const ids = ended.map(({ id }) => id);
  if (ids.length > 0) {
    await trx
      .updateTable('api_key')
      .set({ revoked_at: at })
      .where('subscription_id', 'in', ids)
      .where('revoked_at', 'is', null)
      .execute();
    await withdrawRequests?.(trx, ids, at);
  }
  for (const table of ['session', 'credential', 'passkey', 'two_factor', 'letter'] as const) {
    await trx.deleteFrom(table).where('account_id', '=', accountId).execute();
  }
  await trx.deleteFrom('verification').where('value', '=', accountId).execute();
  const nobody = `closed-${accountId}@closed.invalid`;
  await trx
    .updateTable('account')
    .set({
      email: nobody,
      email_lower: nobody,
      name: '',
      image: null,
      email_verified: false,
      email_verified_at: null,
      two_factor_enabled: false,
      is_operator: false,
      default_tier: null,
      status: 'closed',
      updated_at: at,
    })
    .where('id', '=', accountId)
    .execute();
  await forget(trx, accountId, [email, account.email_lower]);
  await recordAudit(
    trx,
    { actor: { id: accountId, name: NOBODY }, action: 'account.delete', subject: 'account', subjectId: accountId },
    { now: () => at.getTime() },
  );
  if (ids.length > 0)
    await appendToList(
      trx,
      'access_change',
      ids.map((id) => ({ subscription_id: id })),
      at,
    );
  return account.email_lower;
}

/** What was done stays in the audit list; who asked to be forgotten is no longer named there. */
async function forget(trx: Transaction<Database>, accountId: string, addresses: readonly string[]): Promise<void> {
  await trx.updateTable('audit').set({ actor: NOBODY, address: null }).where('actor_id', '=', accountId).execute();
  for (const address of new Set(addresses)) {
    await trx
      .updateTable('audit')
      .set({
        actor: sql<string>`replace(actor, ${address}, ${NOBODY})`,
        subject_id: sql<string | null>`replace(subject_id, ${address}, ${NOBODY})`,
        detail: sql<Record<string, unknown>>`replace(detail::text, ${address}, ${NOBODY})::jsonb`,
      })
      .where(({ eb, or }) =>
        or([eb('actor', '=', address), eb('subject_id', '=', address), sql<boolean>`strpos(detail::text, ${address}) > 0`]),
      )
      .execute();
  }
}

/** No quotes or backslashes: it stands in JSON text too. */
const NOBODY = 'closed account';
