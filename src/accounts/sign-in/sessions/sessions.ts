/** Signing in and out, and the sessions of an account. */

import { APIError } from 'better-auth/api';
import type { Refusal } from '../../../values/refusal.ts';
import { isUuid } from '../../../values/uuid.ts';
import { type Desk, type Done, note } from '../desk.ts';
import type { SignInCaller } from '../engine/ask.ts';
import { refuseSignIn, type SignInReason } from '../refusals.ts';
import { createReadSession, type ReadSession } from './current-session.ts';
import { describeDevice } from './device.ts';
import { createPasswordSignIn, type PasswordSignIn } from './password-sign-in.ts';

export interface SessionListing {
  id: string;
  isCurrent: boolean;
  /** Such as `Firefox on Linux`. */
  device: string;
  address: string;
  createdAt: Date;
  /** To five minutes. */
  lastUsedAt: Date;
  expiresAt: Date;
}

export interface Sessions extends PasswordSignIn {
  readSession: ReadSession;
  signOut(caller: SignInCaller): Promise<Done>;
  /** Latest used first. */
  listSessions(caller: SignInCaller): Promise<{ ok: true; sessions: SessionListing[] } | Refusal<SignInReason>>;
  /** One of the caller's own; another's is unknown. */
  revokeSession(caller: SignInCaller, id: string): Promise<Done | Refusal<SignInReason>>;
  revokeOtherSessions(caller: SignInCaller): Promise<Done | Refusal<SignInReason>>;
}

export function createSessions(desk: Desk): Sessions {
  const { db, engine } = desk;
  const readSession = createReadSession(desk);

  return {
    readSession,
    ...createPasswordSignIn(desk, readSession),

    async signOut(caller) {
      const session = await readSession(caller.headers);
      const answer = await engine.ask(caller, 'POST', '/sign-out', {});
      if (answer.code !== undefined) throw new APIError('FORBIDDEN', { code: answer.code });
      if (session) await note(desk, caller, session, 'session.end');
      return { ok: true, setCookies: answer.setCookies };
    },

    async listSessions(caller) {
      const session = await readSession(caller.headers);
      if (!session) return refuseSignIn('not_signed_in');
      const rows = await db
        .selectFrom('session')
        .selectAll()
        .where('account_id', '=', session.accountId)
        .where('expires_at', '>', new Date())
        .orderBy('updated_at', 'desc')
        .orderBy('id')
        .execute();
      const sessions = rows.map(
        (row): SessionListing => ({
          id: row.id,
          isCurrent: row.id === session.sessionId,
          device: describeDevice(row.user_agent ?? ''),
          address: row.ip_address ?? '',
          createdAt: row.created_at,
          lastUsedAt: row.updated_at,
          expiresAt: row.expires_at,
        }),
      );
      return { ok: true, sessions };
    },

    async revokeSession(caller, id) {
      const session = await readSession(caller.headers);
      if (!session) return refuseSignIn('not_signed_in');
      if (!isUuid(id)) return refuseSignIn('unknown_session');
      const { numDeletedRows } = await db
        .deleteFrom('session')
        .where('id', '=', id)
        .where('account_id', '=', session.accountId)
        .executeTakeFirstOrThrow();
      if (numDeletedRows === 0n) return refuseSignIn('unknown_session');
      await note(desk, caller, session, 'session.revoke');
      return { ok: true, setCookies: [] };
    },

    async revokeOtherSessions(caller) {
      const session = await readSession(caller.headers);
      if (!session) return refuseSignIn('not_signed_in');
      await db.deleteFrom('session').where('account_id', '=', session.accountId).where('id', '!=', session.sessionId).execute();
      await note(desk, caller, session, 'session.revoke-others');
      return { ok: true, setCookies: [] };
    },
  };
}
