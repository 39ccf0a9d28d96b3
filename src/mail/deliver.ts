/** Brings one e-mail to the mail server, however often that takes. */

import { setTimeout as delay } from 'node:timers/promises';
import type { Transporter } from 'nodemailer';
import type { Log } from '../log.ts';
import { createSemaphore } from '../values/waiting/semaphore.ts';
import { envelope } from './emails.ts';
import type { WaitingEmail } from './outbox.ts';

export interface DeliveryOptions {
  transport: Pick<Transporter, 'sendMail'>;
  from: string;
  log: Log;
  /** Waits after failures that may pass, in ms. */
  retryAfterMs: readonly number[];
  closing: AbortSignal;
}

/** Reads the e-mail for one attempt; null: it is another's by now. */
type LoadEmail = () => Promise<WaitingEmail | null>;

/** True: nothing is left to be done. False: the mailer closes, and somebody else has to go on. Between attempts only the id is in memory. */
export type Deliver = (id: string, load: LoadEmail) => Promise<boolean>;

interface DeliveryFailure {
  reason: string;
  isTemporary: boolean;
  /** For the log. */
  facts: { to: string | undefined; subject: string };
}

export function createDelivery({ transport, from, log, retryAfterMs, closing }: DeliveryOptions): Deliver {
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
