/** One message in, one outcome out, whatever the transport: finds the method in the table, runs it, and writes what it gives. */

import type { TierName } from '../../accounts/index.ts';
import { formatError, MCP_ERRORS, McpError, type McpErrorName } from './errors.ts';
import type { JsonObject, McpMessage, MessageId } from './message.ts';
import { type McpEra, type McpHeaders, META, readTarget } from './revisions.ts';

/** What a method is asked. */
export interface McpCall {
  id: MessageId;
  params: JsonObject;
  era: McpEra;
  meta: JsonObject;
  /** Of the client; empty in the older revisions, which say them once. */
  capabilities: JsonObject;
  caller: McpCaller;
  /** A signal that is aborted when the caller leaves. */
  watch(): AbortSignal;
  /** Sends a message before the result. The answer becomes a stream. */
  send(message: JsonObject): void;
  /** Resolves when the caller has taken what was sent, or has left. */
  drained(): Promise<void>;
}

/** An object, or members of one that were printed before: `"content":[…]`. */
export type McpResult = JsonObject | PrintedResult;
export interface PrintedResult {
  members: string;
}

export interface McpMethod {
  /** Absent: both. */
  era?: McpEra;
  /** Lists and resources: how long a client may keep the result, and who may share it. */
  cache?: { ttlMs: number; cacheScope: 'public' | 'private' };
  /** Costs the caller requests of the day and the minute, so many. Absent: none. */
  cost?(params: JsonObject): number;
  /** The answer is a stream from the beginning. */
  streams?: true;
  run(call: McpCall): McpResult | Promise<McpResult>;
}

export type McpMethods = Readonly<Record<string, McpMethod>>;

export interface McpTable {
  methods: McpMethods;
  serverInfo: JsonObject;
  /** An answer to a request that a method has sent. */
  onResponse?(message: JsonObject): void;
}

export type McpOutcome =
  | { kind: 'answer'; status: number; text: string; error?: McpErrorName }
  /** A notification or an answer: nothing is said about it. */
  | { kind: 'accepted' };

type ReadRequest = Extract<McpMessage, { kind: 'request' }>;

/** A request that fits its revision, with its method. */
export interface FoundMethod {
  request: ReadRequest;
  method: McpMethod;
  era: McpEra;
  meta: JsonObject;
  capabilities: JsonObject;
}

export interface McpDispatcher {
  /** What is to be run; an outcome where nothing is. */
  find(message: McpMessage, headers: McpHeaders | null): FoundMethod | McpOutcome;
  /** Never rejects. */
  run(found: FoundMethod, context: Pick<McpCall, 'caller' | 'watch' | 'send' | 'drained'>): McpOutcome | Promise<McpOutcome>;
}

/** `onFailure`: of what no method foresaw. */
export function createDispatcher(table: McpTable, onFailure: (error: unknown, method: string) => void): McpDispatcher {
  const { methods, serverInfo } = table;
  const currentTail = `"_meta":${JSON.stringify({ [META.serverInfo]: serverInfo })}`;

  function print(found: FoundMethod, result: McpResult): string {
    const head = `{"jsonrpc":"2.0","id":${JSON.stringify(found.request.id)},"result":`;
    const { cache } = found.method;
    if (found.era === 'older') return `${head}${isPrinted(result) ? `{${result.members}}` : JSON.stringify(result)}}`;
    if (isPrinted(result)) return `${head}{${result.members},"resultType":"complete",${currentTail}}}`;
    const _meta = { ...(result._meta as JsonObject | undefined), [META.serverInfo]: serverInfo };
    return `${head}${JSON.stringify({ ...cache, resultType: 'complete', ...result, _meta })}}`;
  }

  function fail(found: FoundMethod, error: unknown): McpOutcome {
    const { id, method } = found.request;
    if (!(error instanceof McpError)) {
      onFailure(error, method);
      return refuse(id, 'internal', 'something went wrong on our side');
    }
    const { errorName, message, data } = error;
    const status = errorName === 'missing_capability' ? MCP_ERRORS[errorName].status : OK;
    return { kind: 'answer', status, text: formatError(id, errorName, message, data), error: errorName };
  }

  function findMethod(request: ReadRequest, headers: McpHeaders | null): FoundMethod | McpOutcome {
    const { id, method: name, params } = request;
    const target = readTarget(name, params, headers);
    const method = Object.hasOwn(methods, name) ? methods[name] : undefined;
    if (method && (method.era ?? target.era) === target.era) return { request, method, ...target };
    return refuse(id, 'method_not_found', `this server has no method ${JSON.stringify(name.slice(0, MAX_SHOWN))}`, target.era);
  }

  return {
    find(message, headers) {
      if (message.kind === 'invalid') return refuse(message.id, message.error, message.detail);
      if (message.kind === 'response') table.onResponse?.(message.message);
      if (message.kind !== 'request') return ACCEPTED;
      try {
        return findMethod(message, headers);
      } catch (error) {
        if (!(error instanceof McpError)) throw error;
        return refuse(message.id, error.errorName, error.message, 'current', error.data);
      }
    },
    run(found, context) {
      const { request, method, era, meta, capabilities } = found;
      const answer = (result: McpResult): McpOutcome => ({ kind: 'answer', status: OK, text: print(found, result) });
      try {
        const { id, params } = request;
        const { caller, watch, send, drained } = context;
        const result = method.run({ id, params, era, meta, capabilities, caller, watch, send, drained });
        if (result instanceof Promise) return result.then(answer, (error: unknown) => fail(found, error));
        return answer(result);
      } catch (error) {
        return fail(found, error);
      }
    },
  };
}

/** Older clients take every status but 200 for a broken connection. */
function refuse(
  id: MessageId | null,
  error: McpErrorName,
  message: string,
  era: McpEra = 'current',
  data?: JsonObject,
): McpOutcome {
  const status = era === 'older' ? OK : MCP_ERRORS[error].status;
  return { kind: 'answer', status, text: formatError(id, error, message, data), error };
}

const isPrinted = (result: McpResult): result is PrintedResult => typeof result.members === 'string';

export interface McpCaller {
  /** `local`: the operator, through the standard streams of a command. */
  kind: 'anonymous' | 'key' | 'local';
  /** Of the key; null without one. */
  tier: TierName | null;
  accountId: string | null;
  address: string;
}

const ACCEPTED: McpOutcome = { kind: 'accepted' };
const OK = 200;
const MAX_SHOWN = 64;
