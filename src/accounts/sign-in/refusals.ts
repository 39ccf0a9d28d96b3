/** What signing in and account settings refuse. A sentence is for the person at the form. */

import type { Refusal } from '../../values/refusal.ts';

export type SignInField = 'name' | 'email' | 'password' | 'current' | 'code';
export type SignInReason = keyof typeof REFUSALS;

export function refuseSignIn(reason: SignInReason, waitSeconds?: number): Refusal<SignInReason> {
  const { detail, field, retryAfterSeconds }: Template = REFUSALS[reason];
  const seconds = waitSeconds ?? retryAfterSeconds;
  return {
    ok: false,
    reason,
    detail: seconds === undefined ? detail : `${detail} Try again in ${formatWait(seconds)}.`,
    ...(field && { field }),
    ...(seconds !== undefined && { retryAfterSeconds: seconds }),
  };
}

interface Template {
  detail: string;
  field?: SignInField;
  /** Where the wait is always the same. */
  retryAfterSeconds?: number;
}

/** What the engine calls it. Codes that are not here are surprises. */
export const REASON_OF_CODE: Readonly<Record<string, SignInReason>> = {
  INVALID_EMAIL: 'invalid_email',
  VALIDATION_ERROR: 'invalid_input',
  INVALID_EMAIL_OR_PASSWORD: 'wrong_credentials',
  INVALID_PASSWORD: 'wrong_password',
  PASSWORD_TOO_SHORT: 'short_password',
  PASSWORD_TOO_LONG: 'long_password',
  CREDENTIAL_ACCOUNT_NOT_FOUND: 'no_password',
  EMAIL_NOT_VERIFIED: 'unverified',
  INVALID_TOKEN: 'bad_link',
  TOKEN_EXPIRED: 'bad_link',
  USER_NOT_FOUND: 'bad_link',
  UNAUTHORIZED: 'not_signed_in',
  SESSION_NOT_FRESH: 'sign_in_again',
  INVALID_CODE: 'wrong_code',
  INVALID_BACKUP_CODE: 'wrong_code',
  INVALID_TWO_FACTOR_COOKIE: 'no_challenge',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'no_challenge',
  ACCOUNT_TEMPORARILY_LOCKED: 'locked',
  TOTP_ALREADY_ENABLED: 'two_factor_on',
  TOTP_NOT_ENABLED: 'two_factor_off',
  TWO_FACTOR_NOT_ENABLED: 'two_factor_off',
  BACKUP_CODES_NOT_ENABLED: 'two_factor_off',
  CHALLENGE_NOT_FOUND: 'passkey_failed',
  AUTHENTICATION_FAILED: 'passkey_failed',
  FAILED_TO_VERIFY_REGISTRATION: 'passkey_failed',
  PASSKEY_NOT_FOUND: 'passkey_unknown',
  YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: 'passkey_failed',
  INVALID_ORIGIN: 'foreign_origin',
  MISSING_OR_NULL_ORIGIN: 'foreign_origin',
  CROSS_SITE_NAVIGATION_LOGIN_BLOCKED: 'foreign_origin',
  MARQUEE_BUSY: 'busy',
  MARQUEE_SPENT_CODE: 'spent_code',
  MARQUEE_INACTIVE: 'inactive_account',
  MARQUEE_UNVERIFIED_PERSON: 'passkey_failed',
};

/** As a person reads it. */
export function formatWait(seconds: number): string {
  if (seconds < SECONDS_PER_MINUTE) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / SECONDS_PER_MINUTE);
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

const REFUSALS = {
  invalid_input: { detail: 'A value in this form is not valid. Reload the page and try again.' },
  invalid_name: { detail: 'Enter a name of 1 to 100 characters, without control characters.', field: 'name' },
  invalid_email: { detail: 'We cannot send email to this address. Enter an address such as ada@example.org.', field: 'email' },
  short_password: { detail: 'Enter a password of 10 characters or more.', field: 'password' },
  long_password: { detail: 'Enter a password of at most 256 characters.', field: 'password' },
  unusable_password: { detail: 'A password cannot contain the character NUL.', field: 'password' },
  guessable_password: { detail: 'This password is too common. Choose another password.', field: 'password' },
  wrong_credentials: { detail: 'The address or the password is wrong.', field: 'password' },
  wrong_password: { detail: 'The password is wrong.', field: 'current' },
  no_password: { detail: 'This account has no password yet. Request a link to choose a password.', field: 'current' },
  unverified: {
    detail: 'This address is not confirmed yet. We sent you another email. Open its link.',
    field: 'email',
  },
  inactive_account: { detail: 'This account is suspended, and its payments are paused. Contact the operator of this service.' },
  bad_link: { detail: 'This link no longer works. Request another.' },
  password_needed: { detail: 'Enter the password that you chose at sign-up.', field: 'password' },
  not_signed_in: { detail: 'You are not signed in.' },
  sign_in_again: { detail: 'You signed in a while ago. Sign in again to do this.' },
  wrong_code: { detail: 'This code is wrong. Codes change every 30 seconds.', field: 'code' },
  spent_code: { detail: 'This code was already used. Wait for the next code.', field: 'code' },
  no_challenge: {
    detail: 'This sign-in took too long or had too many wrong codes. Start over with your password.',
    field: 'code',
  },
  locked: { detail: 'Too many wrong codes.', field: 'code', retryAfterSeconds: 900 },
  two_factor_on: { detail: 'Two-factor sign-in is already on.' },
  two_factor_off: { detail: 'Two-factor sign-in is not on.' },
  passkey_failed: { detail: 'The passkey did not work. Try again.' },
  passkey_unknown: { detail: 'This passkey is unknown or was removed.' },
  unknown_session: { detail: 'This session has already ended.' },
  too_many_passkeys: { detail: 'An account can have 20 passkeys. Remove a passkey first.' },
  too_many_attempts: { detail: 'Too many attempts.' },
  too_many_passwords: { detail: 'Too many wrong passwords for this account. To sign in now, request a link by email.' },
  busy: { detail: 'Too many people are signing in right now.', retryAfterSeconds: 5 },
  foreign_origin: { detail: 'The request came from another site and was rejected.' },
} as const satisfies Record<string, Template>;
const SECONDS_PER_MINUTE = 60;
