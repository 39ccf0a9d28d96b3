/** Sends e-mails through a mail server. */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import nodemailer from 'nodemailer';
import addressparser from 'nodemailer/lib/addressparser';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import { DAY_MS } from '../values/duration.ts';
import type { Mailer, MailerOptions } from './mailer.ts';
import { createDelivery, createOutbox, shownAddress, type WaitingEmail } from './outbox.ts';
import { assertWritable } from './write-email.ts';

/** All that waits is in the outbox: memory holds ids, and the next process can go on. */
export function openSmtpMailer(options: MailerOptions, url: string): Mailer {
  const { from, dataDir, log, now = Date.now } = options;
  const { retryAfterMs = RETRY_AFTER_MS, closeAfterMs = CLOSE_AFTER_MS, leaseMs = LEASE_MS } = options;
  const transport = nodemailer.createTransport({ url, pool: true, ...SMTP_SETTINGS });
  const folder = join(dataDir, 'outbox');
  const outbox = createOutbox({ folder, owner: randomUUID(), leaseMs });
  const closing = new AbortController();
  const underWay = new Map<string, Promise<void>>();
  const inMemory = new Set<string>();

  const deliver = createDelivery(transport, from, log, retryAfterMs, closing.signal);

  function begin(id: string, load: () => Promise<WaitingEmail | null>): void {
    const work = deliver(id, load)
      .then((isDone) => (isDone ? outbox.drop(id) : outbox.leave(id)))
      .catch((err: unknown) => log.error({ err, email: id }, 'cannot update the mail outbox'))
      .finally(() => {
        underWay.delete(id);
        inMemory.delete(id);
      });
    underWay.set(id, work);
  }

  async function look(): Promise<void> {
    await outbox.touch(underWay.keys());
    for await (const { id, email } of outbox.takeOver()) {
      if (closing.signal.aborted) {
        await outbox.leave(id);
      } else if (email && now() - email.at < MAX_LIFE_MS) {
        log.info({ email: id, subject: email.subject }, 'took over an e-mail from a stopped process');
        begin(id, () => outbox.read(id));
      } else {
        log.error(
          { email: id, to: email && shownAddress(email), subject: email?.subject },
          'gave up sending an e-mail: it waited too long',
        );
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
      const { to, subject, text, html, isPrivate } = email;
      const waiting = { to, subject, text, html, at: now(), ...(isPrivate && { isPrivate }) };
      try {
        await outbox.keep(id, waiting);
        begin(id, () => outbox.read(id));
      } catch (err) {
        // Where it cannot be written down it is sent all the same, as long as memory has room.
        if (inMemory.size >= MAX_IN_MEMORY)
          throw new Error('the outbox takes no e-mail, and too many wait in memory', { cause: err });
        log.error({ err, email: id }, 'cannot save an e-mail to the outbox; keeping it in memory');
        inMemory.add(id);
        begin(id, async () => waiting);
      }
      return { id };
    },
    assertWritable: () => assertWritable(folder),
    isReadable: false,
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

/* Asks the mail server whether it would take our e-mails, and sends none. */

/** Null: it answers, lets us in and takes this sender. A text says what is wrong, without a password. */
export async function checkMailServer(url: string, from: string): Promise<string | null> {
  const { auth, ...server } = parseConnectionUrl(url);
  const connection = new SMTPConnection({ ...server, ...PATIENCE, customAuth: { [SENDER_CHECK]: askForSender(senderOf(from)) } });
  try {
    await settle(connection, (done) => connection.connect(done));
    const { user, pass } = auth ?? {};
    if (user) await settle(connection, (done) => connection.login({ user, credentials: { user, pass } }, done));
    await settle(connection, (done) => connection.login({ method: SENDER_CHECK }, done));
    return null;
  } catch (error) {
    return (error as Error).message.split('\n')[0] ?? '';
  } finally {
    connection.quit();
    connection.close();
  }
}

/** The library lets us say words of our own only in the place of a sign-in. */
const askForSender =
  (sender: string) =>
  async ({ sendCommand, resolve, reject }: SMTPConnection.CustomAuthenticationContext): Promise<void> => {
    const { status } = await sendCommand(`MAIL FROM:<${sender}>`);
    // The library adds the answer.
    if (status < 200 || status >= 300) return reject(new Error(`it does not take the sender ${sender}`));
    await sendCommand('RSET');
    resolve();
  };

/** Errors before the answer come as events. */
function settle(connection: SMTPConnection, ask: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.once('error', reject);
    ask((error) => (error ? reject(error) : resolve()));
  });
}

function senderOf(from: string): string {
  const [first] = addressparser(from);
  return (first && 'address' in first && first.address) || from;
}

const SENDER_CHECK = 'MARQUEE-SENDER';
const PATIENCE = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 5_000 } as const;
/** Of e-mails that the disk did not take. */
const MAX_IN_MEMORY = 1_000;
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
