/**
 * better-auth on our tables. It decides who somebody is; nothing of it shows outside this folder, and no request of a stranger reaches
 * it as it came: each one is written anew by the operations beside this file.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { createHmac, randomUUIDv7 } from 'node:crypto';
import { passkey } from '@better-auth/passkey';
import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import { getAdapter } from 'better-auth/db/adapter';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { Kysely } from 'kysely';
import type { Clock } from '../../../clock.ts';
import type { Log } from '../../../log.ts';
import { composeEmail, type EmailKind, type Mailer } from '../../../mail/index.ts';
import type { Database } from '../../../store/index.ts';
import { DAY_SECONDS } from '../../../values/duration.ts';
import { BusyError, createSemaphore } from '../../../values/semaphore.ts';
import { readEmail } from '../../email.ts';
import type { Attempts } from '../attempts.ts';
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH, type PasswordHasher } from './passwords.ts';
import { createCodeSpender } from './spend-code.ts';
import { COLUMNS, EXTRA_ACCOUNT_FIELDS } from './tables.ts';
import { withTokenDigests } from './token-digests.ts';

export interface EngineOptions {
  db: Kysely<Database>;
  mailer: Mailer;
  secret: string;
  /** Without a trailing slash. */
  publicUrl: string;
  now: Clock;
  log: Log;
  hasher: PasswordHasher;
  attempts: Attempts;
  /** How long a request waits for its turn. */
  turnPatienceMs?: number | undefined;
}

/** Who asks: the headers of the request, and the address as the server sees it, which no header changes. */
export interface SignInCaller {
  headers: Headers;
  address: string;
}

export interface EngineAnswer {
  status: number;
  /** The engine's word for what it refused; undefined when it did not. */
  code: string | undefined;
  /** Each operation knows what its endpoint answers with. */
  data: unknown;
  setCookies: string[];
}

export type Engine = Awaited<ReturnType<typeof createEngine>>;

export async function createEngine(options: EngineOptions) {
  const { db, mailer, secret, publicUrl, now, log, hasher, attempts, turnPatienceMs = TURNS.patienceMs } = options;
  const { origin, hostname, protocol } = new URL(publicUrl);
  const isSecure = protocol === 'https:';
  const prefix = isSecure ? '__Host-marquee' : 'marquee';
  const cookie = { httpOnly: true, sameSite: 'lax' as const, path: '/', secure: isSecure };
  /** A crowd at the door must not hold up those who ask the API on the same thread. */
  const inTurn = createSemaphore({ ...TURNS, patienceMs: turnPatienceMs });
  /** The id that the account of a sign-up gets. */
  const newAccount = new AsyncLocalStorage<string>();

  /** Of e-mails that anybody may cause. Silent when the mailbox had enough: whoever asks is told the same. */
  async function post(kind: EmailKind, to: string, link: string): Promise<void> {
    if (attempts.take('emails', readEmail(to)?.mailbox ?? to) === 0) return write(kind, to, link);
    log.warn({ kind }, 'e-mail not sent: this mailbox already received several e-mails');
  }

  async function write(kind: EmailKind, to: string, link?: string): Promise<void> {
    await mailer.send({ to, ...composeEmail(kind, { site: publicUrl, ...(link && { link }) }) });
  }

  const settings = {
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
      sendResetPassword: ({ user, token }) => post('reset', user.email, `${publicUrl}/reset?token=${token}`),
      onExistingUserSignUp: ({ user }) => post('signed_up_again', user.email, `${publicUrl}/sign-in`),
    },
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: true,
      autoSignInAfterVerification: true,
      expiresIn: VERIFY_SECONDS,
      sendVerificationEmail: ({ user, token }) =>
        post('verify', user.email, `${publicUrl}/verify?token=${token}~${bindingOf(secret, 'verify', user.id)}`),
    },
    databaseHooks: {
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
    },
    hooks: { before: createCodeSpender(db) },
    plugins: [
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
    ],
    advanced: {
      useSecureCookies: false,
      cookiePrefix: prefix,
      defaultCookieAttributes: cookie,
      cookies: { session_token: { name: `${prefix}_session`, attributes: cookie } },
      // On in tests too, where the engine would switch them off.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      database: { generateId: () => randomUUIDv7(), validateSchema: false },
    },
  } satisfies BetterAuthOptions;
  const adapter = await getAdapter({ ...settings, database: { db, type: 'postgres' } });
  const auth = betterAuth({ ...settings, database: () => withTokenDigests(adapter) });

  /** Asks the engine as if `path` were an endpoint of ours. Rejects for a surprise; a refusal is in the answer. */
  async function ask(
    caller: SignInCaller,
    method: 'GET' | 'POST',
    path: string,
    body?: Record<string, unknown>,
  ): Promise<EngineAnswer> {
    const headers = new Headers({ [ADDRESS_HEADER]: caller.address, accept: 'application/json' });
    for (const name of PASSED_HEADERS) {
      const value = caller.headers.get(name);
      if (value !== null) headers.set(name, value.slice(0, MAX_HEADER_LENGTH));
    }
    if (body) headers.set('content-type', 'application/json');
    const request = new Request(`${origin}${BASE_PATH}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const answered = inTurn(() => auth.handler(request));
    const response = await answered.catch((error: unknown) => {
      if (error instanceof BusyError) return Response.json({ code: 'MARQUEE_BUSY' }, { status: 503 });
      throw error;
    });
    const text = await response.text();
    const data: unknown = text.startsWith('{') ? JSON.parse(text) : null;
    const code = response.ok ? undefined : String((data as { code?: unknown } | null)?.code ?? response.status);
    return { status: response.status, code, data, setCookies: response.headers.getSetCookie() };
  }

  return {
    auth,
    secret,
    publicUrl,
    prefix,
    isSecure,

    ask,

    /** Rejects while no e-mail can be kept. */
    assertMailWrites: mailer.assertWritable,

    /** Asks for an account that gets the id `accountId`, unless the address has one. */
    signUp: (caller: SignInCaller, accountId: string, body: Record<string, unknown>): Promise<EngineAnswer> =>
      newAccount.run(accountId, () => ask(caller, 'POST', '/sign-up/email', body)),

    /** For e-mails that tell of what was done. */
    tell: (kind: EmailKind, to: string, link?: string) =>
      write(kind, to, link).catch((err: unknown) => log.error({ err, kind }, 'cannot queue an e-mail')),
  };
}

/** Says that something is of `id` without naming it, and cannot be made without the secret. */
export function bindingOf(secret: string, purpose: string, id: string): string {
  return createHmac('sha256', secret).update(`${purpose}\0${id}`).digest('base64url');
}

function asRefusal(error: unknown): never {
  if (error instanceof BusyError) throw new APIError('SERVICE_UNAVAILABLE', { code: 'MARQUEE_BUSY' });
  throw error;
}

function assertVerified(isVerified: boolean | undefined): void {
  if (!isVerified) throw new APIError('UNAUTHORIZED', { code: 'MARQUEE_UNVERIFIED_PERSON' });
}

const BASE_PATH = '/sign-in-engine';
const ADDRESS_HEADER = 'x-marquee-address';
const PASSED_HEADERS = [
  'cookie',
  'origin',
  'referer',
  'user-agent',
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-dest',
] as const;
const MAX_HEADER_LENGTH = 8_192;
const TURNS = { atOnce: 3, waiting: 500, patienceMs: 15_000 } as const;
const SESSION_SECONDS = 30 * DAY_SECONDS;
/** So long a sign-in is recent enough to add a passkey. */
const FRESH_SECONDS = DAY_SECONDS;
const RESET_SECONDS = 1_800;
const VERIFY_SECONDS = DAY_SECONDS;
const CHALLENGE_SECONDS = 600;
