/** What the operations of sign-in share: the engine, the store, the limits, and the checks that come before anything is asked. */

import { randomUUIDv7 } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import { type Database, transact } from '../../store/index.ts';
import { hostNetwork, siteNetwork } from '../../values/ip-network.ts';
import type { Refusal } from '../../values/refusal.ts';
import type { createKeyedMutex } from '../../values/waiting/keyed-mutex.ts';
import { recordAudit } from '../audit.ts';
import { type Email, readEmail } from '../email.ts';
import { type Attempts, type LimitName, type Tries, takeAll } from './attempts.ts';
import type { Engine, EngineAnswer, SignInCaller } from './engine.ts';
import { type PasswordHasher, passwordFault } from './passwords.ts';
import { REASON_OF_CODE, refuseSignIn, type SignInReason } from './refusals.ts';

export interface Desk {
  db: Kysely<Database>;
  engine: Engine;
  hasher: PasswordHasher;
  attempts: Attempts;
  now: Clock;
  log: Log;
  /** For what must not tell known addresses from unknown ones. */
  afterAnswer: AfterAnswer;
  /** Makes sign-ups of one address wait for each other. */
  signUpsInLine: ReturnType<typeof createKeyedMutex>;
  deletion: DeletionHooks;
}

/** What ends elsewhere with an account. */
export interface DeletionHooks {
  /** What must be ended first, such as payments; when it rejects, nothing is deleted. */
  beforeDelete?: (accountId: string) => Promise<void>;
  /** Withdraws the requests for other plans of these subscriptions, in the transaction that closes the account. */
  withdrawRequests?: (trx: Transaction<Database>, subscriptionIds: readonly string[], at: Date) => Promise<void>;
}

/** An operation that succeeded; its cookies belong on the answer. */
export interface Done {
  ok: true;
  setCookies: string[];
}

/** An operation that sends an e-mail, if there is a reason to. */
export interface EmailSent extends Done {
  /** Where it goes, as typed. */
  email: string;
}

interface SignInUser {
  accountId: string;
  email: string;
}

/** Null when no e-mail can be sent there. Forms that look alike (NFKC) are one address, and it is what the e-mail goes to. */
export function readSendable(text: string): Email | null {
  const email = readEmail(text.normalize('NFKC'));
  return email && SENDABLE.test(email.lower) ? email : null;
}

/** Null when the name may be used; the empty name is none. */
export function readName(text: string): string | null {
  const name = text.normalize('NFC').trim();
  return NAME.test(name) ? name : null;
}

/** What is wrong with a new password; null when nothing is. */
export function refusePassword(password: string, email = ''): Refusal<SignInReason> | null {
  const fault = passwordFault(password, email);
  return fault && refuseSignIn(fault);
}

/** Counts a try under each name; the refusal of the first that is used up. */
export async function refuseTooMany(attempts: Attempts, tries: Tries): Promise<Refusal<SignInReason> | null> {
  const full = await takeAll(attempts, tries);
  return full && refuseSignIn(OF_PASSWORDS.has(full.name) ? 'too_many_passwords' : 'too_many_attempts', full.wait);
}

/** The tries that a password of `email` costs a stranger; given back when it was right. */
export function newDeviceTries(caller: SignInCaller, email: string): Tries {
  const lower = email.toLowerCase();
  return [
    ['signInFrom', hostNetwork(caller.address)],
    ['passwordsFrom', `${lower} ${siteNetwork(caller.address)}`],
    ['passwords', lower],
  ];
}

/** The tries that a password costs somebody known by `proof`: a device, a session, a link. Strangers cannot use them up. */
export const knownTries = (proof: string): Tries => [['passwordsOfKnown', proof]];

/** What the engine refused; throws for what nobody expected. */
export function refusalOf({ code, status }: EngineAnswer): Refusal<SignInReason> {
  const reason = code === undefined ? undefined : REASON_OF_CODE[code];
  if (reason) return refuseSignIn(reason);
  throw new Error(`sign-in failed: ${code ?? status}`);
}

/** The same caller without one of the cookies. */
export function withoutCookie(caller: SignInCaller, name: string): SignInCaller {
  const headers = new Headers(caller.headers);
  const kept = (headers.get('cookie') ?? '').split(/;\s*/).filter((pair) => pair && !pair.startsWith(`${name}=`));
  if (kept.length > 0) headers.set('cookie', kept.join('; '));
  else headers.delete('cookie');
  return { ...caller, headers };
}

export function readCookie(headers: Headers, name: string): string | null {
  const pair = (headers.get('cookie') ?? '').split(/;\s*/).find((each) => each.startsWith(`${name}=`));
  return pair ? pair.slice(name.length + 1) : null;
}

/** `seconds` 0 takes the cookie away. */
export function writeCookie({ engine }: Desk, name: string, value: string, seconds: number): string {
  return `${name}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${engine.isSecure ? '; Secure' : ''}`;
}

/**
 * Rejects while nothing can be written: work that goes on after the answer would come to nothing. It is the same for every address.
 * Only a commit shows that the disk takes more, so the row is written and deleted in a transaction that ends well.
 */
export async function assertStoreWrites({ db, engine }: Desk): Promise<void> {
  const moment = new Date();
  const id = randomUUIDv7();
  const row = { id, identifier: '', value: '', expires_at: moment, created_at: moment, updated_at: moment };
  await engine.assertMailWrites();
  await transact(db, async (trx) => {
    await trx.insertInto('verification').values(row).execute();
    await trx.deleteFrom('verification').where('id', '=', id).execute();
  });
}

/** Notes what a person did with their own account. */
export async function note(desk: Desk, caller: SignInCaller, person: SignInUser, action: string, detail = {}): Promise<void> {
  await recordAudit(
    desk.db,
    {
      actor: { id: person.accountId, name: person.email },
      action,
      subject: 'account',
      subjectId: person.accountId,
      detail,
      address: caller.address,
    },
    { now: desk.now },
  );
}

/** Links that were sent to the account and not used yet end: `value` of a waiting thing is whose it is. */
export async function endWaitingLinks({ db }: Desk, accountId: string): Promise<void> {
  await db.deleteFrom('verification').where('value', '=', accountId).execute();
}

interface AfterAnswer {
  /** Begins once the answer has left; a failure is in the log. */
  run(work: () => Promise<void>): void;
  /** Resolves when nothing is under way. */
  onIdle(): Promise<void>;
}

/** Work that goes on after the answer, so that neither the words nor the time of the answer tell what it found. */
export function createAfterAnswer(log: Log): AfterAnswer {
  const running = new Set<Promise<void>>();
  return {
    run(work) {
      const done = nextTurn()
        .then(work)
        .catch((err: unknown) => log.error({ err }, 'work after a response failed'))
        .finally(() => running.delete(done));
      running.add(done);
    },
    async onIdle() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

const OF_PASSWORDS: ReadonlySet<LimitName> = new Set(['passwords', 'passwordsFrom']);
/** Mail beyond ASCII (RFC 6531) needs servers that few have. */
const SENDABLE = /^[\x21-\x7e]+@[\x21-\x7e]+\.[a-z][a-z0-9-]+$/;
const NAME = /^\P{Cc}{0,100}$/u;
