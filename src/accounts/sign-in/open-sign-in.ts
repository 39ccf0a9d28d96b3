/** Opens sign-in: who a request is from, and all that a person does about their own account. */

import type { Kysely } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { Mailer } from '../../mail/index.ts';
import type { Database } from '../../store/index.ts';
import { type Bound, bindAll } from '../../values/bind-all.ts';
import { createKeyedMutex } from '../../values/waiting/keyed-mutex.ts';
import { type AttemptLimit, type Attempts, createAttempts, LIMITS, type LimitName } from './attempts.ts';
import { createAfterAnswer, type DeletionHooks, type Desk } from './desk.ts';
import type { OPERATIONS } from './operations.ts';
import { createPasswordHasher, type PasswordHasherOptions } from './passwords.ts';
import { readSecret } from './secret.ts';

export interface SignIn extends Bound<Desk, typeof OPERATIONS> {
  /** A cookie of its own for the address that people see, `__Host-` where it is https. */
  readonly cookiePrefix: string;
  /** Browsers know no passkeys for bare addresses such as 127.0.0.1. */
  passkeysWork: boolean;
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
  const { db, publicUrl, log, now = Date.now, monotonic = () => performance.now() } = options;
  const [{ createEngine }, operations] = await Promise.all([import('./engine.ts'), import('./operations.ts')]);
  const secret = readSecret(options.dataDir, options.secret);
  const hasher = createPasswordHasher(options.hashing);
  const attempts = options.attempts ?? createAttempts(monotonic, { ...LIMITS, ...options.limits });
  const engine = await createEngine({ ...options, secret, now, hasher, attempts });
  const afterAnswer = createAfterAnswer(log);
  const signUpsInLine = createKeyedMutex();
  const desk: Desk = { db, engine, hasher, attempts, now, log, afterAnswer, signUpsInLine, deletion: options };
  return {
    cookiePrefix: engine.prefix,
    passkeysWork: !/^[\d.]+$|^\[/.test(new URL(publicUrl).hostname),
    onIdle: afterAnswer.onIdle,
    ...bindAll(desk, operations.OPERATIONS),
  };
}
