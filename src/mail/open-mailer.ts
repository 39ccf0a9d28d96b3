/** Sends e-mails, or writes them down where no mail server is set. */

import { openFileMailer } from './file-mailer.ts';
import type { Mailer, MailerOptions } from './mailer.ts';
import { openSmtpMailer } from './smtp-mailer.ts';

export function openMailer(options: MailerOptions): Mailer {
  return options.smtpUrl === null ? openFileMailer(options) : openSmtpMailer(options, options.smtpUrl);
}

/** Who e-mails are from where no setting says it. */
export const senderOfEmails = (publicUrl: string): string => `Marquee <no-reply@${new URL(publicUrl).hostname}>`;
