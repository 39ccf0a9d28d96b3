/** Links to choose a password, as the engine keeps them: what stands in the store is a digest of the link. */

import { hash, randomBytes, randomUUIDv7 } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../../store/index.ts';
import { DAY_MS } from '../../values/duration.ts';
import { readSendable } from './desk.ts';

export interface InviteOptions {
  db: Kysely<Database>;
  /** Without a trailing slash. */
  publicUrl: string;
}

/**
 * For accounts made without the dashboard, and people whose e-mails do not arrive: a link that works once, for 24 hours. Null without
 * such an account, when it is not active, or when its address is none that signs in.
 */
export async function createInvite(
  { db, publicUrl }: InviteOptions,
  email: string,
): Promise<{ accountId: string; link: string } | null> {
  const lower = readSendable(email)?.lower;
  if (!lower) return null;
  const account = await db
    .selectFrom('account')
    .select('id')
    .where('email_lower', '=', lower)
    .where('status', '=', 'active')
    .executeTakeFirst();
  if (!account) return null;
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  // The engine reckons links by real time.
  const moment = new Date();
  await db
    .insertInto('verification')
    .values({
      id: randomUUIDv7(),
      identifier: resetIdentifier(token),
      value: account.id,
      expires_at: new Date(moment.getTime() + INVITE_MS),
      created_at: moment,
      updated_at: moment,
    })
    .execute();
  return { accountId: account.id, link: `${publicUrl}/reset?token=${token}` };
}

/** What a link to choose a password is kept under. */
export const resetIdentifier = (token: string): string => hash('sha256', `reset-password:${token}`, 'base64url');

const TOKEN_BYTES = 24;
const INVITE_MS = DAY_MS;
