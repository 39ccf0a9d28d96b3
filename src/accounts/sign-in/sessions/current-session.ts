/** Who a request is from. */

import type { Desk } from '../desk.ts';

export interface SignedIn {
  accountId: string;
  /** As it was typed. */
  email: string;
  name: string;
  isOperator: boolean;
  verified: boolean;
  twoFactor: boolean;
  sessionId: string;
  signedInAt: Date;
}

/** Null without a living session of an active account. */
export type ReadSession = (headers: Headers) => Promise<SignedIn | null>;

export function createReadSession({ db, engine, log }: Pick<Desk, 'db' | 'engine' | 'log'>): ReadSession {
  const sessionCookie = sessionCookieOf(engine);

  function touch(id: string): void {
    db.updateTable('session')
      .set({ updated_at: new Date() })
      .where('id', '=', id)
      .execute()
      .catch((err: unknown) => log.warn({ err }, 'cannot store the last use of a session'));
  }

  return async (headers) => {
    if (!(headers.get('cookie') ?? '').includes(`${sessionCookie}=`)) return null;
    const found = await engine.auth.api.getSession({ headers, query: { disableRefresh: true } });
    if (found?.user.status !== 'active') return null;
    const { session, user } = found;
    const signedInAt = new Date(session.createdAt);
    if (Date.now() - new Date(session.updatedAt).getTime() > TOUCH_EVERY_MS) touch(session.id);
    return {
      accountId: user.id,
      email: user.typedEmail ?? user.email,
      name: user.name,
      isOperator: user.isOperator === true,
      verified: user.emailVerified,
      twoFactor: user.twoFactorEnabled === true,
      sessionId: session.id,
      signedInAt,
    };
  };
}

export const sessionCookieOf = ({ prefix }: Pick<Desk['engine'], 'prefix'>): string => `${prefix}_session`;

const TOUCH_EVERY_MS = 300_000;
