/**
 * better-auth on our tables. It decides who somebody is; nothing of it shows outside this folder, and no request of a stranger reaches
 * it as it came: the operations beside this file build each one.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';
import { betterAuth } from 'better-auth';
import { getAdapter } from 'better-auth/db/adapter';
import type { DBAdapter, DBTransactionAdapter, Where } from 'better-auth/types';
import type { Kysely } from 'kysely';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import { composeEmail, type EmailKind, type Mailer } from '../../mail/index.ts';
import type { Database } from '../../store/index.ts';
import { BusyError, createSemaphore } from '../../values/waiting/semaphore.ts';
import { readEmail } from '../email.ts';
import type { Attempts } from './attempts.ts';
import { ADDRESS_HEADER, BASE_PATH, betterAuthOptions, cookieOptions } from './better-auth-options.ts';
import type { PasswordHasher } from './passwords.ts';

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

export type Engine = Awaited<ReturnType<typeof createEngine>>;

export async function createEngine(options: EngineOptions) {
  const { db, mailer, secret, publicUrl } = options;
  const emails = createSignInEmails(options);
  /** The id that the account of a sign-up gets. */
  const newAccount = new AsyncLocalStorage<string>();
  const settings = betterAuthOptions(options, emails, newAccount);
  const adapter = await getAdapter({ ...settings, database: { db, type: 'postgres' } });
  const auth = betterAuth({ ...settings, database: () => withTokenDigests(adapter) });
  const openLine = () => createAsk((request) => auth.handler(request), settings.baseURL, options.turnPatienceMs);
  const askAsStranger = openLine();
  const { prefix, isSecure } = cookieOptions(publicUrl);

  return {
    auth,
    secret,
    publicUrl,
    prefix,
    isSecure,

    ask: openLine(),

    /** For what costs a hash and anybody may ask for: in a line of its own, so that a crowd holds up nobody who is known or wants a link. */
    askAsStranger,

    /** Rejects while no e-mail can be kept. */
    assertMailWrites: mailer.assertWritable,

    /** Asks for an account that gets the id `accountId`, unless the address has one. */
    signUp: (caller: SignInCaller, accountId: string, body: Record<string, unknown>): Promise<EngineAnswer> =>
      newAccount.run(accountId, () => askAsStranger(caller, 'POST', '/sign-up/email', body)),

    /** For e-mails that tell of what was done. */
    tell: emails.tell,
  };
}

/** The digest of a token, as it stands in `session.token`. */
export const digestToken = (token: string): string => hash('sha256', token, 'hex');

/**
 * The store holds the SHA-256 of a session's token, never the token: somebody who reads a copy of the database cannot take a session over.
 * better-auth keeps tokens in the clear, so its adapter is wrapped: tokens are hashed on their way in and in every look-up. Whoever looks
 * a session up by its token gets the token back; everybody else gets the digest.
 */
function withTokenDigests(adapter: DBAdapter): DBAdapter {
  return {
    ...adapter,
    ...wrapQueries(adapter),
    transaction: (work) => adapter.transaction((trx) => work({ ...trx, ...wrapQueries(trx) })),
  };
}

function wrapQueries(adapter: DBTransactionAdapter): Omit<DBTransactionAdapter, 'id' | 'createSchema' | 'options'> {
  return {
    async create<T extends Record<string, unknown>, R = T>(query: Parameters<typeof adapter.create<T, R>>[0]): Promise<R> {
      const { token } = query.data as { token?: unknown };
      if (query.model !== SESSION || typeof token !== 'string') return adapter.create<T, R>(query);
      const row = await adapter.create<T, R>({ ...query, data: { ...query.data, token: digestToken(token) } });
      return { ...row, token };
    },
    findOne: async (query) => withToken(await adapter.findOne(digestWhere(query)), query),
    findMany: async <T>(query: Parameters<typeof adapter.findMany>[0]) =>
      (await adapter.findMany<T>(digestWhere(query))).map((row) => withToken(row, query)),
    count: (query) => adapter.count(digestWhere(query)),
    update: async (query) => withToken(await adapter.update(digestUpdate(query)), query),
    updateMany: (query) => adapter.updateMany(digestUpdate(query)),
    delete: (query) => adapter.delete(digestWhere(query)),
    deleteMany: (query) => adapter.deleteMany(digestWhere(query)),
    consumeOne: async (query) => withToken(await adapter.consumeOne(digestWhere(query)), query),
    incrementOne: async (query) => withToken(await adapter.incrementOne(digestWhere(query)), query),
  };
}

interface Query {
  model: string;
  where?: Where[] | undefined;
}

function digestWhere<Q extends Query>(query: Q): Q {
  if (query.model !== SESSION || !query.where) return query;
  return {
    ...query,
    where: query.where.map((each) => (each.field === TOKEN ? { ...each, value: digestValue(each.value) } : each)),
  };
}

function digestUpdate<Q extends Query & { update: Record<string, unknown> }>(query: Q): Q {
  const { update, model } = query;
  if (model !== SESSION || typeof update[TOKEN] !== 'string') return digestWhere(query);
  return { ...digestWhere(query), update: { ...update, [TOKEN]: digestToken(update[TOKEN]) } };
}

function digestValue(value: Where['value']): Where['value'] {
  return Array.isArray(value) ? value.map((each) => digestToken(String(each))) : digestToken(String(value));
}

/** Restores the token of a row that was found by it. */
function withToken<Row>(row: Row, { model, where = [] }: Query): Row {
  const digest = model === SESSION ? (row as { token?: unknown } | null)?.token : undefined;
  if (digest === undefined) return row;
  const asked = where.flatMap(({ field, value }) => (field === TOKEN ? [value].flat() : []));
  const token = asked.find((each) => digestToken(String(each)) === digest);
  return token === undefined ? row : { ...row, token };
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

/** Asks the engine as if `path` were an endpoint of ours. Rejects for a surprise; a refusal is in the answer. */
type AskEngine = (
  caller: SignInCaller,
  method: 'GET' | 'POST',
  path: string,
  body?: Record<string, unknown>,
) => Promise<EngineAnswer>;

/**
 * Asks `handler`, few requests at once. Each request is built from known parts. `origin`: of the site; `patienceMs`: how long a request waits
 * for its turn.
 */
function createAsk(
  handler: (request: Request) => Promise<Response>,
  origin: string,
  patienceMs: number = TURNS.patienceMs,
): AskEngine {
  /** A crowd at the door must not hold up those who ask the API on the same thread. */
  const inTurn = createSemaphore({ ...TURNS, patienceMs });

  return async (caller, method, path, body) => {
    const request = new Request(`${origin}${BASE_PATH}${path}`, {
      method,
      headers: passedHeaders(caller, body !== undefined),
      ...(body && { body: JSON.stringify(body) }),
    });
    const answered = inTurn(() => handler(request));
    const response = await answered.catch((error: unknown) => {
      if (error instanceof BusyError) return Response.json({ code: 'MARQUEE_BUSY' }, { status: 503 });
      throw error;
    });
    return readAnswer(response);
  };
}

function passedHeaders(caller: SignInCaller, hasBody: boolean): Headers {
  const headers = new Headers({ [ADDRESS_HEADER]: caller.address, accept: 'application/json' });
  for (const name of PASSED_HEADERS) {
    const value = caller.headers.get(name);
    if (value !== null) headers.set(name, value.slice(0, MAX_HEADER_LENGTH));
  }
  if (hasBody) headers.set('content-type', 'application/json');
  return headers;
}

async function readAnswer(response: Response): Promise<EngineAnswer> {
  const text = await response.text();
  const data: unknown = text.startsWith('{') ? JSON.parse(text) : null;
  const code = response.ok ? undefined : String((data as { code?: unknown } | null)?.code ?? response.status);
  return { status: response.status, code, data, setCookies: response.headers.getSetCookie() };
}

export interface SignInEmails {
  /** Of e-mails that anybody may cause. Silent when the mailbox had enough: whoever asks is told the same. */
  post(kind: EmailKind, to: string, link: string): Promise<void>;
  /** The same for a link to choose a new password. No other e-mail uses up those of a confirmed address. */
  postReset(to: { email: string; emailVerified: boolean }, link: string): Promise<void>;
  /** For e-mails that tell of what was done. A failure is in the log. */
  tell(kind: EmailKind, to: string, link?: string): Promise<void>;
}

function createSignInEmails({ mailer, publicUrl, attempts, log }: EngineOptions): SignInEmails {
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

const SESSION = 'session';
const TOKEN = 'token';
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
