/** What the errors of connections and statements mean to the person who runs the service. */

import pg from 'pg';
import { describeDatabaseUrl, parseDatabaseUrl } from '../values/database-url.ts';
import { NoPrimaryError } from './servers/primary.ts';
import { StoreError } from './store-error.ts';

/** Where an open store is reached; plain data, may be sent to a worker thread. Holds a password: never log it. */
export type StoreAddress =
  | { kind: 'embedded'; socketFolder: string /** See `engine/commit-count.ts`. */; commits: SharedArrayBuffer }
  | { kind: 'postgres'; databaseUrl: string };

/** Whether the other end went away, or is not there yet. */
export function isConnectionLost(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return LOST_CODES.has(code ?? '') || LOST_MESSAGES.has(message);
}

/** Whether the store is out of reach (no connection, no answer, no room, shutting down), as opposed to reached and refusing. */
export function isUnreachable(error: unknown): boolean {
  const { code } = causeOf(error) as { code?: unknown };
  return typeof code !== 'string' || !SQLSTATE.test(code) || OUT_OF_SERVICE.test(code);
}

/** Whether it is worth asking again later: out of reach, or only reading is allowed, or another statement holds a lock. */
export const isUnavailable = (error: unknown): boolean =>
  isUnreachable(error) || UNAVAILABLE_STATES.has((causeOf(error) as { code?: unknown }).code);

/** Some errors have a sentence of the store around them, which says what the operator can put right. */
export const causeOf = (error: unknown): unknown => (error instanceof StoreError ? (error.cause ?? error) : error) ?? {};

/** What may be logged of an error: no parameters, no text of a query. */
export function describeFailure(error: unknown): { code: string; message: string } {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return { code: String(code ?? 'none'), message: String(message ?? error) };
}

/** What a failed connection means to the person who gave the address. Other errors pass as they are. */
export function unreachable(address: StoreAddress, error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const database = describe(address);
  if (error instanceof NoPrimaryError) return withoutPrimary(address, error);
  if (LOGIN_STATES.has(code)) return new StoreError('database_login_refused', { database, reason: message }, error);
  if (error instanceof pg.DatabaseError) return new StoreError('database_unreachable', { database, reason: message }, error);
  if (message.startsWith(SIGN_IN_FAULT)) {
    const reason = NO_PASSWORD.test(message) ? 'it requires a password, but none was given' : message;
    return new StoreError('database_login_refused', { database, reason }, error);
  }
  return new StoreError('database_unreachable', { database, reason: reasonOf(error) }, error);
}

/** A login that a server rejected is the reason; otherwise each server has its own. */
function withoutPrimary(address: StoreAddress, error: NoPrimaryError): unknown {
  const rejected = error.reasons.find((reason) => LOGIN_STATES.has((reason as NodeJS.ErrnoException).code ?? ''));
  if (rejected) return unreachable(address, rejected);
  const reasons = [...new Set(error.reasons.map(reasonOf))].join(', ');
  return new StoreError('database_unreachable', { database: describe(address), reason: `${error.message} (${reasons})` }, error);
}

function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return REASONS[code] ?? TIMEOUTS[message] ?? (message || code);
}

/** What the operator can put right, as a sentence. Other errors pass as they are. */
export function notLet(address: StoreAddress, error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (message === QUERY_TIMEOUT) return unreachable(address, error);
  if (isDamage(code, message)) return new StoreError('database_damaged', { database: describe(address), reason: message }, error);
  const refusal = Object.hasOwn(NOT_LET, code) ? NOT_LET[code as keyof typeof NOT_LET] : undefined;
  return refusal ? new StoreError(refusal, { database: describe(address), reason: message }, error) : error;
}

/** Whether the database did not find in its files what it wrote there. What has no code of its own is an internal error. */
const isDamage = (code: string, message: string): boolean =>
  DAMAGE_CODES.has(code) || (UNCLEAR_CODES.has(code) && DAMAGE_MESSAGE.test(message));

/** The database in words without user and password. */
export function describe(address: StoreAddress): string {
  if (address.kind === 'embedded') return `in ${address.socketFolder}`;
  const servers = parseDatabaseUrl(address.databaseUrl);
  return typeof servers === 'string' ? 'of DATABASE_URL' : describeDatabaseUrl(servers);
}

/** Five letters or digits with a digit among them; `EPIPE` is none (PostgreSQL documentation, appendix A). */
const SQLSTATE = /^(?=.*\d)[0-9A-Z]{5}$/;
/** Connection exception, insufficient resources, operator intervention, system error. */
const OUT_OF_SERVICE = /^(?:08|53|57|58)/;
/** read_only_sql_transaction, lock_not_available. */
const UNAVAILABLE_STATES: ReadonlySet<unknown> = new Set(['25006', '55P03']);
/** data_corrupted, index_corrupted, io_error. */
const DAMAGE_CODES: ReadonlySet<string> = new Set(['XX001', 'XX002', '58030']);
/** internal_error, undefined_file. */
const UNCLEAR_CODES: ReadonlySet<string> = new Set(['XX000', '58P01']);
const DAMAGE_MESSAGE =
  /^(could not (open|read) file "(base|global|pg_\w+)\/|could not (access status|read block)|invalid memory alloc request size|compressed .* corrupt|(missing|unexpected) chunk)/;
/** Of a wait that this side gave up. */
export const NO_ANSWER = 'no answer in time';
/** What the pool says where no connection was given back in time. */
export const ALL_IN_USE = 'timeout exceeded when trying to connect';
/** What `pg` says where a query was not answered in time. */
const QUERY_TIMEOUT = 'Query read timeout';
/** With admin_shutdown, crash_shutdown and cannot_connect_now. */
const LOST_CODES: ReadonlySet<string> = new Set([
  'ENOENT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EAGAIN',
  '57P01',
  '57P02',
  '57P03',
]);
/** What `pg` says without a code. */
const LOST_MESSAGES: ReadonlySet<string> = new Set([
  'Connection terminated unexpectedly',
  'Connection terminated',
  'Client has encountered a connection error and is not queryable',
]);
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no server listens there',
  ECONNREFUSED: 'no server listens there',
  ECONNRESET: 'the connection was closed',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'cannot look up the host name',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the host',
  ETIMEDOUT: NO_ANSWER,
};
/** What the pool and `pg` say of them. */
const TIMEOUTS: Readonly<Record<string, string>> = {
  [QUERY_TIMEOUT]: NO_ANSWER,
  [ALL_IN_USE]: 'all connections to it are in use',
  'Connection terminated due to connection timeout': NO_ANSWER,
  'timeout expired': NO_ANSWER,
};
/** invalid_password, invalid_authorization_specification, invalid_catalog_name, insufficient_privilege. */
const LOGIN_STATES: ReadonlySet<string> = new Set(['28P01', '28000', '3D000', '42501']);
/** What `pg` itself finds wrong with signing in by SCRAM, without a code. */
const SIGN_IN_FAULT = 'SASL: ';
const NO_PASSWORD = /client password must be a (non-empty )?string/;
/** insufficient_privilege, read_only_sql_transaction, disk_full, out_of_memory: of statements. */
const NOT_LET = {
  '42501': 'database_right_missing',
  '25006': 'database_read_only',
  '53100': 'database_full',
  '53200': 'database_out_of_memory',
} as const;
