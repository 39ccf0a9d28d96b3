/**
 * Passwords: which are taken, and their hashes by argon2id (RFC 9106). Hashing runs on the thread pool, few at a time: however many
 * people sign in at once, the thread that serves the API keeps its processor, and memory stays bounded.
 */

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { createSemaphore } from '../../values/waiting/semaphore.ts';

export interface PasswordHasher {
  /** As `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. Rejects with a `BusyError` when too many wait. */
  hash(password: string): Promise<string>;
  /** False for whatever is no hash of ours. Rejects with a `BusyError` when too many wait. */
  verify(hashed: string, password: string): Promise<boolean>;
}

export interface PasswordHasherOptions {
  /** Hashes under way at a time. */
  atOnce?: number;
  /** Hashes waiting, at most. */
  waiting?: number;
  cost?: Cost;
  derive?: typeof derive;
}

interface Cost {
  /** KiB. */
  memory: number;
  passes: number;
  parallelism: number;
}

export function createPasswordHasher(options: PasswordHasherOptions = {}): PasswordHasher {
  const { atOnce = Math.max(1, Math.floor(availableParallelism() / 2)), waiting = MAX_WAITING, cost = COST } = options;
  const deriveKey = options.derive ?? derive;
  const inTurn = createSemaphore({ atOnce, waiting });

  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const key = await inTurn(() => deriveKey(password, salt, HASH_BYTES, cost));
      const { memory, passes, parallelism } = cost;
      return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(key)}`;
    },
    async verify(hashed, password) {
      const parts = HASHED.exec(hashed);
      if (!parts) return false;
      const [, memory, passes, parallelism, salt = '', wanted = ''] = parts;
      const expected = Buffer.from(wanted, 'base64');
      const stored = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
      const key = await inTurn(() => deriveKey(password, Buffer.from(salt, 'base64'), expected.length, stored));
      return timingSafeEqual(key, expected);
    },
  };
}

/** Null when it may be used. Lengths are counted as JavaScript does; nothing is ever cut. */
export function passwordFault(password: string, email = ''): PasswordFault | null {
  if (password.includes('\0')) return 'unusable_password';
  if (password.length > MAX_PASSWORD_LENGTH) return 'long_password';
  if (password.length < MIN_PASSWORD_LENGTH) return 'short_password';
  const plain = password.toLowerCase();
  const name = email.toLowerCase();
  const isGuess =
    new Set(plain).size < MIN_LETTERS || GUESSES.has(plain) || (name !== '' && (plain === name || plain === name.split('@')[0]));
  return isGuess ? 'guessable_password' : null;
}

type PasswordFault = 'unusable_password' | 'long_password' | 'short_password' | 'guessable_password';

/** Two keyboards may compose the same word differently: NFKC, as NIST SP 800-63B §3.1.1.2 has it. */
function derive(password: string, nonce: Buffer, tagLength: number, cost: Cost): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  argon2('argon2id', { message: password.normalize('NFKC'), nonce, tagLength, ...cost }, (error, key) =>
    error ? reject(error) : resolve(key),
  );
  return promise;
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

export const MIN_PASSWORD_LENGTH = 10;
export const MAX_PASSWORD_LENGTH = 256;
const MIN_LETTERS = 4;
/** The commonest of ten letters or more in published lists of leaked passwords. */
const GUESSES: ReadonlySet<string> = new Set(
  `1234567890 12345678910 0123456789 0987654321 9876543210 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc qwertyuiop qwerty12345 qwerty1234
  qwerty123456 asdfghjkl1 asdfghjklm zxcvbnm123 password12 password123 password1234 password12345 passw0rd123 p@ssw0rd123 iloveyou12
  iloveyou123 welcome123 welcome1234 letmein123 letmein1234 admin12345 administrator changeme123 abcdefghij abcd123456 abc1234567
  football12 baseball12 sunshine123 princess123 superman123 michael123 a123456789 aa123456789 123456789a 123456789q`
    .split(/\s+/)
    .filter(Boolean),
);
/** The least that OWASP's password storage sheet allows for argon2id: 19 MiB, two passes. About 40 ms. */
const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const HASHED = /^\$argon2id\$v=19\$m=(\d{2,7}),t=(\d{1,2}),p=(\d{1,2})\$([\w+/]{11,86})\$([\w+/]{16,86})$/;
const MAX_WAITING = 256;
