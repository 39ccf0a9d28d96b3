/** Opens sign-in: who a request is from, and all that a person does about their own account. */

import type { Kysely } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { Mailer } from '../../mail/index.ts';
import type { Database } from '../../store/index.ts';
import { createAfterAnswer } from './after-answer.ts';
import { type AttemptLimit, type Attempts, createAttempts, LIMITS, type LimitName } from './attempts.ts';
import { type AccountDeletion, createAccountDeletion, type DeletionHooks } from './delete-account.ts';
import type { Desk } from './desk.ts';
import { createPasswordHasher, type PasswordHasherOptions } from './engine/passwords.ts';
import type { Recovery } from './recovery.ts';
import { readSecret } from './secret.ts';
import type { Passkeys } from './sessions/passkeys.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { Settings } from './settings.ts';
import type { SignUp } from './sign-up.ts';

export interface SignIn extends SignUp, Sessions, Recovery, Settings, Passkeys, AccountDeletion {
  /** A cookie of its own for the address that people see, `__Host-` where it is https. */
  readonly cookiePrefix: string;
  /** Resolves when all work that goes on after an answer is done. */
  onIdle(): Promise<void>;
}

export interface SignInOptions extends DeletionHooks {
  db: Kysely<Database>;
  mailer: Mailer;
  /** What people see in the address bar; links in e-mails lead there, and no other origin is trusted. */
  publicUrl: string;
  /** The secret of the settings; null: the one of the data folder. */
  secret: string | null;
  dataDir: string;
  log: Log;
  /** The directory's clock: when an address was confirmed, and its trial began. Sessions and links keep real time. */
  now?: Clock;
  /** What the limits on tries are reckoned by. */
  monotonic?: Clock;
  limits?: Partial<Record<LimitName, AttemptLimit>>;
  /** Counts tries; in process unless told. */
  attempts?: Attempts;
  hashing?: PasswordHasherOptions;
  /** How long a request waits for its turn before it is told that too many wait. */
  turnPatienceMs?: number;
}

/** Loads the engine, which takes a third of a second: only who serves pages or makes people needs it. */
export async function openSignIn(options: SignInOptions): Promise<SignIn> {
  const { db, mailer, publicUrl, log, now = Date.now, monotonic = () => performance.now() } = options;
  const [{ createEngine }, { createSignUp }, { createSessions }, { createRecovery }, { createSettings }, { createPasskeys }] =
    await Promise.all([
      import('./engine/engine.ts'),
      import('./sign-up.ts'),
      import('./sessions/sessions.ts'),
      import('./recovery.ts'),
      import('./settings.ts'),
      import('./sessions/passkeys.ts'),
    ]);
  const secret = readSecret(options.dataDir, options.secret);
  const hasher = createPasswordHasher(options.hashing);
  const attempts = options.attempts ?? createAttempts(monotonic, { ...LIMITS, ...options.limits });
  const afterAnswer = createAfterAnswer(log);
  const engine = await createEngine({
    db,
    mailer,
    secret,
    publicUrl,
    now,
    log,
    hasher,
    attempts,
    turnPatienceMs: options.turnPatienceMs,
  });
  const desk: Desk = { db, engine, hasher, attempts, now, log, afterAnswer };
  const sessions = createSessions(desk);
  return {
    cookiePrefix: engine.prefix,
    onIdle: afterAnswer.onIdle,
    ...createSignUp(desk),
    ...sessions,
    ...createRecovery(desk),
    ...createSettings(desk, sessions),
    ...createPasskeys(desk, sessions),
    ...createAccountDeletion(desk, sessions, options),
  };
}
