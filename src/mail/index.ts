/**
 * E-mails to people.
 * In: a kind of e-mail with its facts, and one address. Out: a message by SMTP, tried again while the server asks for patience;
 * without a mail server a file in the data folder. Nobody waits for a mail server to answer.
 */

export {
  composeEmail,
  type EmailFacts,
  type EmailKind,
  type EmailMessage,
  type EmailWords,
  writeEmail,
} from './emails.ts';
export type { KeptEmail, Mailer, MailerOptions } from './mailer.ts';
export { openMailer, senderOfEmails } from './open-mailer.ts';
export { loadMailDelay } from './outbox.ts';
export { checkMailServer } from './smtp-mailer.ts';
