/**
 * E-mails that wait for the mail server, each a file of its own that only its owner may read, so that none is lost with the process. The name
 * says who looks after it; who does touches it now and then, and what nobody has touched for a while is anybody's.
 */

import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Transporter } from 'nodemailer';
import type { Log } from '../log.ts';
import { createSemaphore } from '../values/waiting/semaphore.ts';
import { type EmailMessage, envelope } from './emails.ts';
import type { MailerOptions } from './mailer.ts';

export interface WaitingEmail extends EmailMessage {
  to: string;
  /** The log never has the address. */
  isPrivate?: boolean;
  /** When it was written, ms. */
  at: number;
}

interface Outbox {
  /** Rejects where nothing can be written. */
  keep(id: string, email: WaitingEmail): Promise<void>;
  /** Null: it is gone, or another's by now. */
  read(id: string): Promise<WaitingEmail | null>;
  /** It was sent, or given up. */
  drop(id: string): Promise<void>;
  /** Still looked after. */
  touch(ids: Iterable<string>): Promise<void>;
  /** Left to whoever comes next. */
  leave(id: string): Promise<void>;
  /** What others left, or died over; each is given to one process alone. Null where the file is none of ours. */
  takeOver(): AsyncIterable<{ id: string; email: WaitingEmail | null }>;
}

/** `owner`: of this process and thread, and of no other. `leaseMs`: how long a file is left alone after it was touched. */
export function createOutbox({ folder, owner, leaseMs }: { folder: string; owner: string; leaseMs: number }): Outbox {
  const fileOf = (id: string): string => join(folder, `${id}.${owner}.json`);

  /** False: somebody else was quicker. */
  async function claim(name: string, id: string): Promise<boolean> {
    try {
      // Touched first: under its new name nobody takes it for left.
      await utimes(join(folder, name), new Date(), new Date());
      await rename(join(folder, name), fileOf(id));
      return true;
    } catch (error) {
      if (isGone(error)) return false;
      throw error;
    }
  }

  async function isLeft(name: string): Promise<boolean> {
    const found = await stat(join(folder, name)).catch(ignoreGone);
    // One that was touched while the clock was ahead by mistake has nobody who touches it now.
    return found !== null && Math.abs(Date.now() - found.mtimeMs) >= leaseMs;
  }

  return {
    async keep(id, email) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const half = join(folder, id + HALF);
      await writeFile(half, JSON.stringify(email), { mode: 0o600 });
      await rename(half, fileOf(id));
    },

    async read(id) {
      const text = await readFile(fileOf(id), 'utf8').catch(ignoreGone);
      return text === null ? null : parseEmail(text);
    },

    drop: (id) => rm(fileOf(id), { force: true }),

    async touch(ids) {
      for (const id of ids) await utimes(fileOf(id), new Date(), new Date()).catch(ignoreGone);
    },

    async leave(id) {
      await utimes(fileOf(id), new Date(0), new Date(0)).catch(ignoreGone);
    },

    async *takeOver() {
      for (const name of (await readdir(folder).catch(ignoreGone)) ?? []) {
        // Its process died while it wrote.
        if (name.endsWith(HALF) && (await isLeft(name))) await rm(join(folder, name), { force: true });
        const [, id = '', whose = ''] = NAME.exec(name) ?? [];
        if (!id || whose === owner || !(await isLeft(name)) || !(await claim(name, id))) continue;
        yield { id, email: parseEmail(await readFile(fileOf(id), 'utf8')) };
      }
    },
  };
}

function parseEmail(text: string): WaitingEmail | null {
  try {
    const { to, subject, text: plain, html, at, isPrivate } = JSON.parse(text) as Partial<Record<keyof WaitingEmail, unknown>>;
    const isWhole = [to, subject, plain, html].every((part) => typeof part === 'string') && typeof at === 'number';
    if (!isWhole) return null;
    return { to, subject, text: plain, html, at, ...(isPrivate === true && { isPrivate }) } as WaitingEmail;
  } catch {
    return null;
  }
}

const isGone = (error: unknown): boolean => (error as { code?: string }).code === 'ENOENT';

function ignoreGone(error: unknown): null {
  if (!isGone(error)) throw error;
  return null;
}

/**
 * How long the oldest e-mail has waited for the mail server, whichever process and thread it belongs to. Milliseconds; 0: none waits, or
 * e-mails become files.
 */
export async function loadMailDelay(
  { dataDir, smtpUrl }: Pick<MailerOptions, 'dataDir' | 'smtpUrl'>,
  now: number,
): Promise<number> {
  if (smtpUrl === null) return 0;
  const folder = join(dataDir, 'outbox');
  const names = await readdir(folder).catch(() => []);
  let longest = 0;
  for (const name of names.filter((each) => each.endsWith('.json')).slice(0, MAX_READ)) {
    // Sent meanwhile, or half written: nothing to tell of.
    const text = await readFile(join(folder, name), 'utf8').catch(() => '');
    longest = Math.max(longest, now - readMoment(text, now));
  }
  return longest;
}

function readMoment(text: string, otherwise: number): number {
  try {
    const { at } = JSON.parse(text) as { at?: unknown };
    return typeof at === 'number' ? at : otherwise;
  } catch {
    return otherwise;
  }
}

/* Brings one e-mail to the mail server, however often that takes. */

/** Reads the e-mail for one attempt; null: it is another's by now. */
type LoadEmail = () => Promise<WaitingEmail | null>;

/** True: nothing is left to be done. False: the mailer closes, and somebody else has to go on. Between attempts only the id is in memory. */
type Deliver = (id: string, load: LoadEmail) => Promise<boolean>;

interface DeliveryFailure {
  reason: string;
  isTemporary: boolean;
  /** For the log. */
  facts: { to: string | undefined; subject: string };
}

/** `retryAfterMs`: waits after failures that may pass, in ms. */
export function createDelivery(
  transport: Pick<Transporter, 'sendMail'>,
  from: string,
  log: Log,
  retryAfterMs: readonly number[],
  closing: AbortSignal,
): Deliver {
  const takeTurn = createSemaphore({ atOnce: MAX_ATTEMPTS_AT_ONCE, waiting: Number.POSITIVE_INFINITY });

  /** Null: it was sent, or is another's. */
  async function attempt(id: string, load: LoadEmail): Promise<DeliveryFailure | null> {
    const email = await load();
    if (!email) return null;
    try {
      await transport.sendMail({ ...envelope(from, email), date: new Date(email.at) });
      log.info({ email: id, subject: email.subject }, 'e-mail sent');
      return null;
    } catch (error) {
      const facts = { to: shownAddress(email), subject: email.subject };
      return { reason: reasonOf(error), isTemporary: isTemporary(error), facts };
    }
  }

  /** False: it is given up. */
  async function waitToRetry(id: string, failure: DeliveryFailure, wait: number | undefined): Promise<boolean> {
    const facts = { email: id, ...failure.facts, reason: failure.reason };
    if (!failure.isTemporary || wait === undefined) {
      log.error(facts, 'gave up sending an e-mail');
      return false;
    }
    log.warn({ ...facts, againInMs: wait }, 'e-mail delayed; trying again');
    await delay(wait, undefined, { signal: closing, ref: false }).catch(() => {});
    return true;
  }

  return async (id, load) => {
    for (let failures = 0; ; failures++) {
      const failure = await takeTurn(async () => (closing.aborted ? CLOSED : attempt(id, load)));
      if (!failure) return true;
      if (failure === CLOSED || closing.aborted) return false;
      if (!(await waitToRetry(id, failure, retryAfterMs[failures]))) return true;
      if (closing.aborted) return false;
    }
  };
}

/** As the log has it; undefined: it has none. */
export const shownAddress = ({ to, isPrivate }: Pick<WaitingEmail, 'to' | 'isPrivate'>): string | undefined =>
  isPrivate ? undefined : to;

/**
 * RFC 5321 §4.2.1: 4yz may pass; 5yz to an e-mail will not. What a server says before it hears of the e-mail is about us: an operator may
 * put a password right. Without an answer the connection failed, which may pass too.
 */
function isTemporary(error: unknown): boolean {
  const { responseCode, code } = error as { responseCode?: number; code?: string };
  if (code === 'EENVELOPE') return responseCode !== undefined && responseCode < 500;
  return responseCode === undefined || responseCode < 500 || BEFORE_THE_EMAIL.has(code ?? '');
}

/** A server's words may repeat what it was told: the code and its class are enough. */
function reasonOf(error: unknown): string {
  const { responseCode, code, command } = error as { responseCode?: number; code?: string; command?: string };
  return [code, command, responseCode].filter((part) => part !== undefined).join(' ') || 'unknown';
}

const CLOSED = 'closed';
/** As the library calls a greeting, a start of TLS and a sign-in that went wrong. */
const BEFORE_THE_EMAIL: ReadonlySet<string> = new Set(['EPROTOCOL', 'ETLS', 'EAUTH']);
/** So many e-mails are in memory, whatever waits. */
const MAX_ATTEMPTS_AT_ONCE = 20;
/** What the name of a file ends with until all of it is written. */
export const HALF = '.half';
const NAME = /^([0-9a-f-]{36})\.([0-9a-f-]{36})\.json$/;
/** E-mails are small, and a long queue is late in any case. */
const MAX_READ = 20;
