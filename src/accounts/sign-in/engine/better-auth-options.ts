/** The options of better-auth: our tables, our e-mails, our cookies, and what it must ask us before it writes. */

import type { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUIDv7 } from 'node:crypto';
import { passkey } from '@better-auth/passkey';
import type { BetterAuthOptions } from 'better-auth';
import { APIError } from 'better-auth/api';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { Kysely } from 'kysely';
import type { Clock } from '../../../clock.ts';
import type { Log } from '../../../log.ts';
import type { Database } from '../../../store/index.ts';
import { DAY_SECONDS } from '../../../values/duration.ts';
import { BusyError } from '../../../values/waiting/semaphore.ts';
import { ADDRESS_HEADER, BASE_PATH } from './ask.ts';
import { bindingOf } from './binding.ts';
import type { SignInEmails } from './emails.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, type PasswordHasher } from './passwords.ts';
import { createCodeSpender } from './spend-code.ts';
import { COLUMNS, EXTRA_ACCOUNT_FIELDS } from './tables.ts';

export interface AuthOptions {
  db: Kysely<Database>;
  secret: string;
  /** Without a trailing slash. */
  publicUrl: string;
  now: Clock;
  log: Log;
  hasher: PasswordHasher;
  emails: SignInEmails;
  /** The id that the account of a sign-up gets. */
  newAccount: AsyncLocalStorage<string>;
}

/** `prefix`: of the names of all cookies, `__Host-` where the site is https. */
export function cookieOptions(publicUrl: string) {
  const isSecure = new URL(publicUrl).protocol === 'https:';
  const prefix = isSecure ? '__Host-marquee' : 'marquee';
  return { isSecure, prefix, attributes: { httpOnly: true, sameSite: 'lax' as const, path: '/', secure: isSecure } };
}

export function betterAuthOptions(options: AuthOptions) {
  const { db, secret, publicUrl, log, hasher, emails } = options;
  const { origin, hostname } = new URL(publicUrl);
  const { prefix, attributes } = cookieOptions(publicUrl);
  return {
    appName: 'Marquee',
    baseURL: origin,
    basePath: BASE_PATH,
    secret,
    trustedOrigins: [origin],
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    // A refusal is an answer; what broke is written down, and the caller throws.
    onAPIError: {
      onError: (err) => {
        if (!(err instanceof APIError)) log.error({ err }, 'sign-in failed');
      },
    },
    logger: {
      level: 'error',
      log: (_level, message, ...details) => {
        const err = details.find((each) => each instanceof Error);
        log.error({ engine: message, ...(err && { err }) }, 'sign-in failed');
      },
    },
    user: { modelName: 'account', fields: COLUMNS.account, additionalFields: EXTRA_ACCOUNT_FIELDS },
    session: { modelName: 'session', fields: COLUMNS.session, expiresIn: SESSION_SECONDS, freshAge: FRESH_SECONDS },
    account: { modelName: 'credential', fields: COLUMNS.credential },
    verification: { modelName: 'verification', fields: COLUMNS.verification, storeIdentifier: 'hashed' },
    emailAndPassword: {
      enabled: true,
      autoSignIn: false,
      requireEmailVerification: true,
      minPasswordLength: MIN_PASSWORD_LENGTH,
      maxPasswordLength: MAX_PASSWORD_LENGTH,
      resetPasswordTokenExpiresIn: RESET_SECONDS,
      revokeSessionsOnPasswordReset: true,
      password: {
        hash: (password) => hasher.hash(password).catch(asRefusal),
        verify: ({ hash, password }) => hasher.verify(hash, password).catch(asRefusal),
      },
      sendResetPassword: ({ user, token }) => emails.postReset(user, `${publicUrl}/reset?token=${token}`),
      onExistingUserSignUp: ({ user }) => emails.post('signed_up_again', user.email, `${publicUrl}/sign-in`),
    },
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: true,
      autoSignInAfterVerification: true,
      expiresIn: VERIFY_SECONDS,
      sendVerificationEmail: ({ user, token }) =>
        emails.post('verify', user.email, `${publicUrl}/verify?token=${token}~${bindingOf(secret, 'verify', user.id)}`),
    },
    databaseHooks: databaseHooks(options),
    hooks: { before: createCodeSpender(db) },
    plugins: plugins(hostname, origin),
    advanced: {
      useSecureCookies: false,
      cookiePrefix: prefix,
      defaultCookieAttributes: attributes,
      cookies: { session_token: { name: `${prefix}_session`, attributes } },
      // On in tests too, where the engine would switch them off.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { generateId: () => randomUUIDv7(), validateSchema: false },
    },
  } satisfies BetterAuthOptions;
}

function databaseHooks({ db, now, newAccount }: Pick<AuthOptions, 'db' | 'now' | 'newAccount'>) {
  return {
    user: {
      create: {
        before: async (user) => {
          const id = newAccount.getStore();
          return { data: { ...user, ...(id && { id }), typedEmail: user.email, createdAt: new Date(now()) } };
        },
      },
      update: {
        before: async (user) => ({
          data: { ...user, ...(user.emailVerified === true && { emailVerifiedAt: new Date(now()) }) },
        }),
      },
    },
    session: {
      create: {
        // The last door: whatever proved who somebody is, only an active account gets a session.
        before: async ({ userId }) => {
          const account = await db.selectFrom('account').select('status').where('id', '=', userId).executeTakeFirst();
          if (account?.status !== 'active') throw new APIError('FORBIDDEN', { code: 'MARQUEE_INACTIVE' });
        },
      },
    },
  } satisfies BetterAuthOptions['databaseHooks'];
}

const plugins = (hostname: string, origin: string) =>
  [
    twoFactor({
      issuer: 'Marquee',
      twoFactorCookieMaxAge: CHALLENGE_SECONDS,
      schema: {
        twoFactor: { modelName: 'two_factor', fields: COLUMNS.twoFactor },
        user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
      },
    }),
    passkey({
      rpID: hostname,
      rpName: 'Marquee',
      origin,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      // A passkey stands for both factors only when the device made sure who holds it.
      registration: {
        afterVerification: async ({ verification }) => assertVerified(verification.registrationInfo?.userVerified),
      },
      authentication: {
        afterVerification: async ({ verification }) => assertVerified(verification.authenticationInfo.userVerified),
      },
      advanced: { webAuthnChallengeCookie: 'passkey' },
      schema: { passkey: { modelName: 'passkey', fields: COLUMNS.passkey } },
    }),
  ] satisfies BetterAuthOptions['plugins'];

function asRefusal(error: unknown): never {
  if (error instanceof BusyError) throw new APIError('SERVICE_UNAVAILABLE', { code: 'MARQUEE_BUSY' });
  throw error;
}

function assertVerified(isVerified: boolean | undefined): void {
  if (!isVerified) throw new APIError('UNAUTHORIZED', { code: 'MARQUEE_UNVERIFIED_PERSON' });
}

const SESSION_SECONDS = 30 * DAY_SECONDS;
/** So long a sign-in is recent enough to add a passkey. */
const FRESH_SECONDS = DAY_SECONDS;
const RESET_SECONDS = 1_800;
const VERIFY_SECONDS = DAY_SECONDS;
const CHALLENGE_SECONDS = 600;
