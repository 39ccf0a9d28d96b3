/** The options of better-auth: our tables, our e-mails, our cookies, and what it must ask us before it writes. */

import type { AsyncLocalStorage } from 'node:async_hooks';
import { createHmac, randomUUIDv7, timingSafeEqual } from 'node:crypto';
import { passkey } from '@better-auth/passkey';
import type { BetterAuthOptions } from 'better-auth';
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import { symmetricDecrypt } from 'better-auth/crypto';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { Kysely } from 'kysely';
import type { Database } from '../../store/index.ts';
import { DAY_SECONDS } from '../../values/duration.ts';
import { BusyError } from '../../values/waiting/semaphore.ts';
import type { EngineOptions, SignInEmails } from './engine.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from './passwords.ts';
import { bindingOf } from './secret.ts';

/** `prefix`: of the names of all cookies, `__Host-` where the site is https. */
export function cookieOptions(publicUrl: string) {
  const isSecure = new URL(publicUrl).protocol === 'https:';
  const prefix = isSecure ? '__Host-marquee' : 'marquee';
  return { isSecure, prefix, attributes: { httpOnly: true, sameSite: 'lax' as const, path: '/', secure: isSecure } };
}

/** `newAccount`: the id that the account of a sign-up gets. */
export function betterAuthOptions(options: EngineOptions, emails: SignInEmails, newAccount: AsyncLocalStorage<string>) {
  const { db, secret, publicUrl, log, hasher } = options;
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
    databaseHooks: databaseHooks(options, newAccount),
    hooks: { before: spendCodes(db) },
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

function databaseHooks({ db, now }: EngineOptions, newAccount: AsyncLocalStorage<string>) {
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

/**
 * Codes of authenticator apps are taken once (RFC 6238, 5.2): who saw one being typed has nothing. The engine would take each for as long as
 * it is valid, so a code is spent before the engine sees it, in the store, where all processes meet.
 *
 * Goes before the engine's check: throws MARQUEE_SPENT_CODE for a code that was taken; leaves a wrong one to the engine, which counts it.
 */
function spendCodes(db: Kysely<Database>) {
  return createAuthMiddleware(async (ctx) => {
    if (ctx.path !== '/two-factor/verify-totp') return;
    const accountId = (await getSessionFromCtx(ctx))?.user.id ?? (await challengedBy(ctx));
    if (!accountId) return;
    const factor = await db
      .selectFrom('two_factor')
      .select(['id', 'secret', 'locked_until'])
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    // While it is shut, the engine takes no code.
    if (!factor || Number(factor.locked_until) > Date.now()) return;
    const secret = await symmetricDecrypt({ key: ctx.context.secretConfig, data: factor.secret });
    const step = stepOf(String(ctx.body.code), secret, Date.now());
    if (step === null) return;
    const { numUpdatedRows } = await db
      .updateTable('two_factor')
      .set({ last_step: step })
      .where('id', '=', factor.id)
      .where((where) => where.or([where('last_step', 'is', null), where('last_step', '<', step)]))
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw new APIError('UNAUTHORIZED', { code: 'MARQUEE_SPENT_CODE' });
  });
}

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/** Whose password was right a moment ago, in this browser. */
async function challengedBy(ctx: Context): Promise<string | null> {
  const cookie = ctx.context.createAuthCookie('two_factor');
  const challenge = await ctx.getSignedCookie(cookie.name, ctx.context.secret);
  return challenge ? ((await ctx.context.internalAdapter.findVerificationValue(challenge))?.value ?? null) : null;
}

/** The latest time step near `at` that has this code (RFC 6238, 4.2, with RFC 4226, 5.3); null: none has. */
function stepOf(code: string, secret: string, at: number): number | null {
  const now = Math.floor(at / STEP_MS);
  const typed = Buffer.from(code);
  for (let step = now + STEPS_AROUND; step >= now - STEPS_AROUND; step--) {
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(step));
    const digest = createHmac('sha1', secret).update(counter).digest();
    const number = digest.readUInt32BE((digest.at(-1) ?? 0) & 0xf) & 0x7fffffff;
    const expected = Buffer.from(String(number % 10 ** DIGITS).padStart(DIGITS, '0'));
    if (typed.length === expected.length && timingSafeEqual(typed, expected)) return step;
  }
  return null;
}

const STEP_MS = 30_000;
const DIGITS = 6;
/** One more than the engine takes: a step may begin between this check and its own. */
const STEPS_AROUND = 2;

/** Our columns by the names that better-auth has for them. */
const COLUMNS = {
  /** `email` of the engine is the folded address: two that are the same are one account. */
  account: {
    email: 'email_lower',
    emailVerified: 'email_verified',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
  },
  session: {
    userId: 'account_id',
    expiresAt: 'expires_at',
    ipAddress: 'ip_address',
    userAgent: 'user_agent',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
  },
  credential: {
    userId: 'account_id',
    accountId: 'provider_account',
    providerId: 'provider',
    accessToken: 'access_token',
    refreshToken: 'refresh_token',
    idToken: 'id_token',
    accessTokenExpiresAt: 'access_token_expires_at',
    refreshTokenExpiresAt: 'refresh_token_expires_at',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
  },
  verification: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
  twoFactor: {
    userId: 'account_id',
    backupCodes: 'backup_codes',
    failedVerificationCount: 'failures',
    lockedUntil: 'locked_until',
  },
  passkey: {
    userId: 'account_id',
    publicKey: 'public_key',
    credentialID: 'credential_id',
    deviceType: 'device_type',
    backedUp: 'backed_up',
    createdAt: 'created_at',
  },
} as const;

/** What the engine keeps for us and takes from nobody. */
const EXTRA_ACCOUNT_FIELDS = {
  typedEmail: { type: 'string', fieldName: 'email', required: false, input: false },
  emailVerifiedAt: { type: 'date', fieldName: 'email_verified_at', required: false, input: false },
  status: { type: 'string', fieldName: 'status', required: false, input: false },
  isOperator: { type: 'boolean', fieldName: 'is_operator', required: false, input: false },
} as const;
const SESSION_SECONDS = 30 * DAY_SECONDS;
/** So long a sign-in is recent enough to add a passkey. */
const FRESH_SECONDS = DAY_SECONDS;
const RESET_SECONDS = 1_800;
const VERIFY_SECONDS = DAY_SECONDS;
const CHALLENGE_SECONDS = 600;
export const BASE_PATH = '/sign-in-engine';
/** Names the network address of the caller. */
export const ADDRESS_HEADER = 'x-marquee-address';
