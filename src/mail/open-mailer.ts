/** Sends e-mails, or writes them down where no mail server is set. */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import nodemailer from 'nodemailer';
import { envelope } from './emails.ts';
import type { KeptEmail, Mailer, MailerOptions } from './mailer.ts';
import { shownAddress } from './outbox.ts';
import { openSmtpMailer } from './smtp-mailer.ts';
import { assertWritable, writeWhole } from './write-email.ts';

export function openMailer(options: MailerOptions): Mailer {
  return options.smtpUrl === null ? openFileMailer(options) : openSmtpMailer(options, options.smtpUrl);
}

/** Who e-mails are from where no setting says it. */
export const senderOfEmails = (publicUrl: string): string => `Marquee <no-reply@${new URL(publicUrl).hostname}>`;

function openFileMailer({ from, dataDir, log, now = Date.now, isReadable = true }: MailerOptions): Mailer {
  const folder = join(dataDir, 'mail');
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  const kept: KeptEmail[] = [];
  return {
    isReadable,
    async send(email) {
      const at = new Date(now());
      const id = randomUUID();
      const { message } = await composer.sendMail({ ...envelope(from, email), date: at });
      const file = join(folder, `${at.toISOString().replaceAll(':', '-')}-${id.slice(0, 8)}.eml`);
      await writeWhole(file, message as Buffer);
      if (isReadable) kept.unshift({ id, at, to: email.to, subject: email.subject, text: email.text, html: email.html });
      kept.length = Math.min(kept.length, MAX_KEPT);
      log.info(
        { to: shownAddress(email), subject: email.subject, file },
        'e-mail written to the data folder: no mail server is set',
      );
      return { id };
    },
    assertWritable: () => assertWritable(folder),
    recent: () => [...kept],
    read: (id) => kept.find((email) => email.id === id) ?? null,
    close: async () => composer.close(),
  };
}

const MAX_KEPT = 50;
