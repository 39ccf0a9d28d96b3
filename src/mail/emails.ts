/** The e-mails to owners of accounts, as a table. Each tells what happened, what it means, and what to do if it was not you. No e-mail holds a name: anybody can type any name. */

export interface EmailMessage {
  subject: string;
  text: string;
  html: string;
}

export interface EmailFacts {
  /** The site, without a trailing slash. */
  site: string;
  /** Where the e-mail leads. */
  link?: string;
  /** Public id of a key, and the address where it was found. */
  keyId?: string;
  /** What stands before it. */
  keyPrefix?: string;
  found?: string;
  /** When the trial ends. */
  endsAt?: Date;
  /** The address of a webhook endpoint. */
  endpoint?: string;
}

/** The words of one e-mail. */
export interface EmailWords {
  /** BCP 47. */
  language: string;
  subject: string;
  /** Paragraphs before the link and after it. */
  before: readonly string[];
  after: readonly string[];
  /** What the link is called; without it there is none. */
  label?: string | undefined;
  /** What stands before the address of the link where it is written out. */
  openAddress: string;
}

interface Template {
  subject: string;
  /** Paragraphs before the link and after it. */
  before(facts: EmailFacts): string[];
  /** What the link is called; without it there is none. */
  label?: string;
  after?: string[];
}

export type EmailKind = keyof typeof EMAILS;

const NOT_YOU = 'If you did not do this, choose a new password now. That signs out all other sessions.';
const AFTER_TRIAL =
  'When the trial has ended, requests with your trial key return 402, and nothing is charged. Choose a plan to keep the same key, with the same limits or higher ones.';
const EMAILS = {
  verify: {
    subject: 'Confirm your address',
    before: () => ['Someone signed up for the Marquee API with this address. If it was you, confirm the address.'],
    label: 'Confirm this address',
    after: [
      'Your 7-day trial starts when you confirm. The link works for 24 hours.',
      'If it was not you, ignore this email. The account stays unused.',
    ],
  },
  signed_up_again: {
    subject: 'You already have an account',
    before: () => [
      'Someone tried to sign up for the Marquee API with this address. The address already has an account. Nothing was changed.',
    ],
    label: 'Sign in',
    after: [
      'If you forgot your password, choose "Forgot your password?" on the sign-in page. If it was not you, ignore this email.',
    ],
  },
  reset: {
    subject: 'Sign in or choose a new password',
    before: () => [
      'Someone requested a link to your Marquee account. With the link, you can sign in from a new browser or choose a new password.',
    ],
    label: 'Sign in or choose a new password',
    after: ['The link works once, for 30 minutes. If it was not you, ignore this email. Your password stays the same.'],
  },
  password_changed: {
    subject: 'Your password was changed',
    before: () => ['The password of your Marquee account was changed, and all other sessions were ended.', NOT_YOU],
    label: 'Choose a new password',
  },
  password_set: {
    subject: 'Your password is set',
    before: () => ['Your Marquee account now has a password. You can sign in with it.', NOT_YOU],
    label: 'Choose a new password',
  },
  two_factor_on: {
    subject: 'Two-factor sign-in is on',
    before: () => ['Your Marquee account now asks for a code after the password.', NOT_YOU],
    label: 'Choose a new password',
  },
  two_factor_off: {
    subject: 'Two-factor sign-in is off',
    before: () => ['Your Marquee account no longer asks for a code after the password.', NOT_YOU],
    label: 'Choose a new password',
  },
  trial_3_days: {
    subject: 'Your trial ends in 3 days',
    before: (facts) => [`Your Marquee trial ends ${moment(facts)}.`, AFTER_TRIAL],
    label: 'View plans',
  },
  trial_1_day: {
    subject: 'Your trial ends tomorrow',
    before: (facts) => [`Your Marquee trial ends ${moment(facts)}.`, AFTER_TRIAL],
    label: 'View plans',
  },
  trial_ended: {
    subject: 'Your trial has ended',
    before: () => [
      'Your Marquee trial has ended. Requests with your trial key now return 402, and nothing was charged.',
      'Your key and settings are kept. Choose a plan, and the key works again within a second.',
    ],
    label: 'View plans',
  },
  key_leaked: {
    subject: 'Your API key was found in public and revoked',
    before: ({ keyId, keyPrefix = 'mq_live_', found }) => [
      `Your Marquee key ${keyPrefix}${keyId}_… was found in a public place${found ? `: ${found}` : ''}.`,
      'Marquee revoked the key immediately. Requests with the key are rejected. Remove the key from that place, and create a new key for its plan.',
    ],
    label: 'Create a new key',
  },
  webhook_failing_hour: {
    subject: 'A webhook endpoint has failed for an hour',
    before: ({ endpoint }) => [
      `Your endpoint ${endpoint} has not accepted a message for an hour.`,
      'Marquee tries each message ten times, over three days. No message is lost so far.',
    ],
    label: 'View attempts',
  },
  webhook_failing_day: {
    subject: 'A webhook endpoint has failed for a day',
    before: ({ endpoint }) => [
      `Your endpoint ${endpoint} has not accepted a message for a day.`,
      'If it fails for five days, Marquee disables it. You can recover the missed messages.',
    ],
    label: 'View attempts',
  },
  webhook_disabled: {
    subject: 'A webhook endpoint is disabled',
    before: ({ endpoint }) => [
      `Your endpoint ${endpoint} is disabled. It failed for five days, returned status 410, or had too many messages waiting.`,
      'Marquee no longer sends messages to it. When the endpoint works again, activate it and recover the missed messages.',
    ],
    label: 'View the endpoint',
  },
  webhook_day_limit: {
    subject: 'Your webhooks are paused until midnight UTC',
    before: () => [
      'Your account had 1,000,000 webhook messages today (UTC). Its endpoints are paused until midnight UTC.',
      'No message is lost. Marquee sends the waiting messages after midnight UTC.',
    ],
    label: 'View your endpoints',
  },
  account_deleted: {
    subject: 'Your account is deleted',
    before: () => [
      'Your Marquee account is deleted. Its keys stopped working, and your address and name were removed.',
      'If you did not do this, contact the operator of this service. You cannot undo it yourself.',
    ],
  },
} satisfies Record<string, Template>;

/** In English. */
export function composeEmail(kind: EmailKind, facts: EmailFacts): EmailMessage {
  const { subject, before, label, after = [] }: Template = EMAILS[kind];
  return writeEmail(
    { language: 'en', subject, before: before(facts), after, label, openAddress: 'Or open this address:' },
    facts,
  );
}

/** Plain text and HTML of the same words. Facts are escaped: whatever they hold, it stays text. */
export function writeEmail(words: EmailWords, { site, link: target }: Pick<EmailFacts, 'site' | 'link'>): EmailMessage {
  const { language, subject, before, after, label, openAddress } = words;
  const link = label ? target : undefined;
  const foot = `Marquee, ${site}`;
  const text = [...before, ...(link ? [`${label}:\n${link}`] : []), ...after, `-- \n${foot}`].join('\n\n');
  const paragraph = (each: string) => `<p style="margin:0 0 16px">${escapeHtml(each)}</p>`;
  const button = `<p style="margin:0 0 16px"><a href="${escapeHtml(link ?? '')}" style="${BUTTON}">${escapeHtml(label ?? '')}</a></p>`;
  const address = `<p style="margin:0 0 16px;font-size:14px">${escapeHtml(`${openAddress} ${link ?? ''}`)}</p>`;
  const html = [
    `<!doctype html><html lang="${escapeHtml(language)}"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`,
    `<body style="${BODY}">`,
    ...before.map(paragraph),
    ...(link ? [button, address] : []),
    ...after.map(paragraph),
    `<p style="margin:32px 0 0;font-size:14px;color:#555">${escapeHtml(foot)}</p>`,
    '</body></html>',
  ].join('\n');
  return { subject, text: `${text}\n`, html };
}

function moment({ endsAt }: EmailFacts): string {
  if (!endsAt) return 'soon';
  return `on ${DATE_AND_TIME.format(endsAt).replaceAll('\u202f', ' ')} UTC`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The address is given as an object: a comma or a line in it never becomes a second recipient or a header (RFC 5322 §3.4). */
export function envelope(from: string, { to, subject, text, html }: EmailMessage & { to: string }) {
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

const DATE_AND_TIME = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZone: 'UTC',
});
const BODY = 'margin:0;padding:32px;max-width:560px;font:16px/1.5 system-ui,sans-serif;color:#1a1a1a;background:#fff';
const BUTTON = 'display:inline-block;padding:10px 18px;border-radius:6px;background:#1a1a1a;color:#fff;text-decoration:none';
const UNSENDABLE = /[\p{Cc}\s,;<>"()[\]\\]/u;
const CONTROLS = /\p{Cc}+/gu;
