/** What a mailer is, whether it has a mail server or not. */

import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { EmailMessage } from './emails.ts';

export interface MailerOptions {
  /** `smtp://user:password@host:587` or `smtps://…`; null: e-mails become files. */
  smtpUrl: string | null;
  /** Sender, as `Name <address>` or an address. */
  from: string;
  /** Files go to its folder `mail`, what waits for a mail server to `outbox`. */
  dataDir: string;
  log: Log;
  now?: Clock;
  /** Whether e-mails that became files can be read again here: on a developer's machine alone. True unless told. */
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
  /** Whether e-mails become files that can be read again here. */
  readonly isReadable: boolean;
  /**
   * Takes an e-mail to one address. Resolves when it is written down, to be kept or to wait for the mail server, however many wait;
   * never rejects for a server that fails: that is in the log. Rejects where neither the disk nor memory takes it. The id opens it with `read` where e-mails become files. `isPrivate`: the log never
   * has the address.
   */
  send(email: EmailMessage & { to: string; isPrivate?: boolean }): Promise<{ id: string }>;
  /** Rejects while the disk takes no e-mail: for those who promise one before they send it. */
  assertWritable(): Promise<void>;
  /** Of the latest e-mails that became files, newest first. Empty where they may not be read. */
  recent(): KeptEmail[];
  read(id: string): KeptEmail | null;
  /** Waits a while for e-mails on their way; the others wait for the next start. */
  close(): Promise<void>;
}
