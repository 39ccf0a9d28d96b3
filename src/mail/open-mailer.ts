/** Sends e-mails, or writes them down where no mail server is set. */

import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import nodemailer from 'nodemailer';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { DAY_MS } from '../values/duration.ts';
import type { EmailMessage } from './emails.ts';
import { createOutbox, HALF, type WaitingEmail } from './outbox.ts';

export interface MailerOptions {
  /** `smtp://user:password@host:587` or `smtps://…`; null: e-mails become files. */
  smtpUrl: string | null;
  /** Sender, as `Name <address>` or an address. */
  from: string;
  /** Files go to its folder `mail`, what waits for a mail server to `outbox`. */
  dataDir: string;
  log: Log;
  now?: Clock;
  /** Whether e-mails that became files can be read again here; not in production. True unless told. */
  isReadable?: boolean;
  /** Waits after failures that may pass, in ms. */
  retryAfterMs?: readonly number[];
  /** How long `close` waits for e-mails on their way. */
  closeAfterMs?: number;
  /** After so long without a sign of life, what a process had waiting is another's to send. */
  leaseMs?: number;
}

export interface KeptEmail extends EmailMessage {
  id: string;
  to: string;
  at: Date;
}

export interface Mailer {
  /**
   * Takes an e-mail to one address. Resolves when it is written down, to be kept or to wait for the mail server; never rejects
   * for a server that fails: that is in the log. The id opens it with `read` where e-mails become files.
   */
  send(email: EmailMessage & { to: string }): Promise<{ id: string }>;
  /** Rejects while the disk takes no e-mail: for those who promise one before they send it. */
  assertWritable(): Promise<void>;
  /** Of the latest e-mails that became files, newest first. Empty where they may not be read. */
  recent(): KeptEmail[];
  read(id: string): KeptEmail | null;
  /** Waits a while for e-mails on their way; the others wait for the next start. */
  close(): Promise<void>;
}

export function openMailer(options: MailerOptions): Mailer {
  return options.smtpUrl === null ? openFiles(options) : openSmtp(options, options.smtpUrl);
}

function openFiles({ from, dataDir, log, now = Date.now, isReadable = true }: MailerOptions): Mailer {
  const folder = join(dataDir, 'mail');
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  const kept: KeptEmail[] = [];
  return {
    async send(email) {
      const at = new Date(now());
      const id = randomUUID();
      const { message } = await composer.sendMail({ ...envelope(from, email), date: at });
      const file = join(folder, `${at.toISOString().replaceAll(':', '-')}-${id.slice(0, 8)}.eml`);
      await writeWhole(file, message as Buffer);
      if (isReadable) kept.unshift({ id, at, to: email.to, subject: email.subject, text: email.text, html: email.html });
      kept.length = Math.min(kept.length, MAX_KEPT);
      log.info({ to: email.to, subject: email.subject, file }, 'e-mail written to the data folder: no mail server is set');
      return { id };
    },
    assertWritable: () => assertWritable(folder),
    recent: () => [...kept],
    read: (id) => kept.find((email) => email.id === id) ?? null,
    close: async () => composer.close(),
  };
}

function openSmtp(options: MailerOptions, url: string): Mailer {
  const { from, dataDir, log, now = Date.now } = options;
  const { retryAfterMs = RETRY_AFTER_MS, closeAfterMs = CLOSE_AFTER_MS, leaseMs = LEASE_MS } = options;
  const transport = nodemailer.createTransport({ url, pool: true, ...SMTP_SETTINGS });
  const folder = join(dataDir, 'outbox');
  const outbox = createOutbox({ folder, owner: randomUUID(), leaseMs });
  const closing = new AbortController();
  const underWay = new Map<string, Promise<void>>();

  /** True: nothing is left to be done. */
  async function deliver(id: string, email: WaitingEmail): Promise<boolean> {
    for (let failures = 0; ; failures++) {
      const facts = { email: id, to: email.to, subject: email.subject };
      try {
        await transport.sendMail({ ...envelope(from, email), date: new Date(email.at) });
        log.info({ email: id, subject: email.subject }, 'e-mail sent');
        return true;
      } catch (error) {
        const reason = reasonOf(error);
        const wait = isTemporary(error) ? retryAfterMs[failures] : undefined;
        if (closing.signal.aborted) return false;
        if (wait === undefined) {
          log.error({ ...facts, reason }, 'gave up sending an e-mail');
          return true;
        }
        log.warn({ ...facts, reason, againInMs: wait }, 'e-mail delayed; trying again');
        await delay(wait, undefined, { signal: closing.signal, ref: false }).catch(() => {});
        if (closing.signal.aborted) return false;
      }
    }
  }

  function begin(id: string, email: WaitingEmail): void {
    const work = deliver(id, email)
      .then((isDone) => (isDone ? outbox.drop(id) : outbox.leave(id)))
      .catch((err: unknown) => log.error({ err, email: id }, 'cannot update the mail outbox'))
      .finally(() => underWay.delete(id));
    underWay.set(id, work);
  }

  async function look(): Promise<void> {
    await outbox.touch(underWay.keys());
    for (const { id, email } of await outbox.takeOver()) {
      if (closing.signal.aborted) {
        await outbox.leave(id);
      } else if (email && now() - email.at < MAX_LIFE_MS) {
        log.info({ email: id, subject: email.subject }, 'took over an e-mail from a stopped process');
        begin(id, email);
      } else {
        log.error({ email: id, to: email?.to, subject: email?.subject }, 'gave up sending an e-mail: it waited too long');
        await outbox.drop(id);
      }
    }
  }

  let looking = Promise.resolve();
  const lookAgain = () => {
    looking = looking.then(look).catch((err: unknown) => log.error({ err }, 'cannot read the mail outbox'));
  };
  lookAgain();
  const timer = setInterval(lookAgain, leaseMs / LOOKS_IN_A_LEASE).unref();

  return {
    async send(email) {
      const id = randomUUID();
      if (underWay.size >= MAX_WAITING) {
        log.error(
          { email: id, to: email.to, subject: email.subject },
          'e-mail rejected: too many e-mails are waiting for the mail server',
        );
        return { id };
      }
      const { to, subject, text, html } = email;
      const waiting = { to, subject, text, html, at: now() };
      // Where it cannot be written down it is sent all the same.
      await outbox
        .keep(id, waiting)
        .catch((err: unknown) => log.error({ err, email: id }, 'cannot save an e-mail to the outbox; keeping it in memory'));
      begin(id, waiting);
      return { id };
    },
    assertWritable: () => assertWritable(folder),
    recent: () => [],
    read: () => null,
    async close() {
      clearInterval(timer);
      const patience = delay(closeAfterMs, undefined, { ref: false });
      await Promise.race([Promise.all(underWay.values()), patience]);
      closing.abort();
      transport.close();
      await looking;
      await Promise.race([Promise.all(underWay.values()), delay(LEAVE_WITHIN_MS, undefined, { ref: false })]);
    },
  };
}

/** The whole file or none: a disk that is full would leave a part of it. */
async function writeWhole(file: string, bytes: Buffer): Promise<void> {
  const half = `${file}${HALF}`;
  try {
    await writeHalf(half, bytes);
    await rename(half, file);
  } catch (error) {
    await rm(half, { force: true });
    throw error;
  }
}

/** Writes more than any e-mail needs, and deletes it again. */
async function assertWritable(folder: string): Promise<void> {
  const half = join(folder, `${randomUUID()}${HALF}`);
  await writeHalf(half, Buffer.alloc(PROBE_BYTES, 1)).finally(() => rm(half, { force: true }));
}

async function writeHalf(half: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(half), { recursive: true, mode: 0o700 });
  await writeFile(half, bytes, { mode: 0o600, flush: true });
}

/** The address is given as an object: a comma or a line in it never becomes a second recipient or a header (RFC 5322 §3.4). */
function envelope(from: string, { to, subject, text, html }: EmailMessage & { to: string }) {
  if (UNSENDABLE.test(to)) throw new TypeError('wanted one plain e-mail address');
  return {
    from,
    to: { name: '', address: to },
    subject: subject.replace(CONTROLS, ' '),
    text,
    html,
    // RFC 3834 §5: no out-of-office notes in answer.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** RFC 5321 §4.2.1: 4yz may pass; 5yz will not. Without an answer the connection failed, which may pass too. */
function isTemporary(error: unknown): boolean {
  const { responseCode, code } = error as { responseCode?: number; code?: string };
  if (code === 'EAUTH' || code === 'EENVELOPE') return responseCode !== undefined && responseCode < 500;
  return responseCode === undefined || responseCode < 500;
}

/** A server's words may repeat what it was told: the code and its class are enough. */
function reasonOf(error: unknown): string {
  const { responseCode, code, command } = error as { responseCode?: number; code?: string; command?: string };
  return [code, command, responseCode].filter((part) => part !== undefined).join(' ') || 'unknown';
}

const UNSENDABLE = /[\p{Cc}\s,;<>"()[\]\\]/u;
const CONTROLS = /\p{Cc}+/gu;
/** With room for the rows that go with an e-mail: the embedded database is on the same disk. */
const PROBE_BYTES = 262_144;
const MAX_KEPT = 50;
const MAX_WAITING = 1_000;
const RETRY_AFTER_MS = [1_000, 10_000, 60_000, 300_000, 1_800_000, 7_200_000] as const;
const CLOSE_AFTER_MS = 5_000;
/** A process that lives says so several times in it. */
const LEASE_MS = 180_000;
const LOOKS_IN_A_LEASE = 3;
/** No link in an e-mail works longer. */
const MAX_LIFE_MS = DAY_MS;
const LEAVE_WITHIN_MS = 1_000;
const SMTP_SETTINGS = {
  maxConnections: 2,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
  disableFileAccess: true,
  disableUrlAccess: true,
} as const;
