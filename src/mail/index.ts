/**
 * Letters to people.
 * In: a kind of letter with its facts, and one address. Out: a message by SMTP, tried again while the server asks for patience;
 * without a mail server a file in the data folder. Nobody waits for a mail server to answer.
 */

export { composeLetter, type Letter, type LetterFacts, type LetterKind } from './letters.ts';
export { type KeptLetter, type Mailer, type MailerOptions, openMailer } from './open-mailer.ts';
