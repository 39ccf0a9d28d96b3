/** The e-mails of sign-in. */

import type { Log } from '../../../log.ts';
import { composeEmail, type EmailKind, type Mailer } from '../../../mail/index.ts';
import { readEmail } from '../../email.ts';
import type { Attempts } from '../attempts.ts';

export interface SignInEmails {
  /** Of e-mails that anybody may cause. Silent when the mailbox had enough: whoever asks is told the same. */
  post(kind: EmailKind, to: string, link: string): Promise<void>;
  /** The same for a link to choose a new password. No other e-mail uses up those of a confirmed address. */
  postReset(to: { email: string; emailVerified: boolean }, link: string): Promise<void>;
  /** For e-mails that tell of what was done. A failure is in the log. */
  tell(kind: EmailKind, to: string, link?: string): Promise<void>;
}

export interface SignInEmailsOptions {
  mailer: Mailer;
  /** Without a trailing slash. */
  publicUrl: string;
  attempts: Attempts;
  log: Log;
}

export function createSignInEmails({ mailer, publicUrl, attempts, log }: SignInEmailsOptions): SignInEmails {
  async function write(kind: EmailKind, to: string, link?: string): Promise<void> {
    await mailer.send({ to, ...composeEmail(kind, { site: publicUrl, ...(link && { link }) }) });
  }

  async function writeIf(wait: number | Promise<number>, kind: EmailKind, to: string, link: string): Promise<void> {
    if ((await wait) === 0) return write(kind, to, link);
    log.warn({ kind }, 'e-mail not sent: this mailbox already received several e-mails');
  }

  const takeOfMailbox = (to: string) => attempts.take('emails', readEmail(to)?.mailbox ?? to);

  return {
    post: (kind, to, link) => writeIf(takeOfMailbox(to), kind, to, link),

    // Strangers can sign up with more addresses of the same mailbox, and cannot confirm them.
    postReset: ({ email, emailVerified }, link) =>
      writeIf(emailVerified ? attempts.take('linksTo', email) : takeOfMailbox(email), 'reset', email, link),

    tell: (kind, to, link) => write(kind, to, link).catch((err: unknown) => log.error({ err, kind }, 'cannot queue an e-mail')),
  };
}
