/**
 * better-auth on our tables. It decides who somebody is; nothing of it shows outside this folder, and no request of a stranger reaches
 * it as it came: the operations beside this file build each one.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { betterAuth } from 'better-auth';
import { getAdapter } from 'better-auth/db/adapter';
import type { Kysely } from 'kysely';
import type { Clock } from '../../../clock.ts';
import type { Log } from '../../../log.ts';
import type { Mailer } from '../../../mail/index.ts';
import type { Database } from '../../../store/index.ts';
import type { Attempts } from '../attempts.ts';
import { createAsk, type EngineAnswer, type SignInCaller } from './ask.ts';
import { betterAuthOptions, cookieOptions } from './better-auth-options.ts';
import { createSignInEmails } from './emails.ts';
import type { PasswordHasher } from './passwords.ts';
import { withTokenDigests } from './token-digests.ts';

export interface EngineOptions {
  db: Kysely<Database>;
  mailer: Mailer;
  secret: string;
  /** Without a trailing slash. */
  publicUrl: string;
  now: Clock;
  log: Log;
  hasher: PasswordHasher;
  attempts: Attempts;
  /** How long a request waits for its turn. */
  turnPatienceMs?: number | undefined;
}

export type Engine = Awaited<ReturnType<typeof createEngine>>;

export async function createEngine(options: EngineOptions) {
  const { db, mailer, secret, publicUrl, now, log, hasher, attempts } = options;
  const emails = createSignInEmails({ mailer, publicUrl, attempts, log });
  /** The id that the account of a sign-up gets. */
  const newAccount = new AsyncLocalStorage<string>();
  const settings = betterAuthOptions({ db, secret, publicUrl, now, log, hasher, emails, newAccount });
  const adapter = await getAdapter({ ...settings, database: { db, type: 'postgres' } });
  const auth = betterAuth({ ...settings, database: () => withTokenDigests(adapter) });
  const openLine = () =>
    createAsk({
      handler: (request) => auth.handler(request),
      origin: settings.baseURL,
      patienceMs: options.turnPatienceMs,
    });
  const askAsStranger = openLine();
  const { prefix, isSecure } = cookieOptions(publicUrl);

  return {
    auth,
    secret,
    publicUrl,
    prefix,
    isSecure,

    ask: openLine(),

    /** For what costs a hash and anybody may ask for: in a line of its own, so that a crowd holds up nobody who is known or wants a link. */
    askAsStranger,

    /** Rejects while no e-mail can be kept. */
    assertMailWrites: mailer.assertWritable,

    /** Asks for an account that gets the id `accountId`, unless the address has one. */
    signUp: (caller: SignInCaller, accountId: string, body: Record<string, unknown>): Promise<EngineAnswer> =>
      newAccount.run(accountId, () => askAsStranger(caller, 'POST', '/sign-up/email', body)),

    /** For e-mails that tell of what was done. */
    tell: emails.tell,
  };
}
