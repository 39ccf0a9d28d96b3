/** The errors of the protocol, as a table. `status`: of the HTTP answer when the request never reached its method. */

import type { JsonObject, MessageId } from './message.ts';

export const MCP_ERRORS = {
  parse_error: { code: -32700, status: 400, means: 'The body is not JSON.' },
  invalid_request: { code: -32600, status: 400, means: 'The body is not one JSON-RPC message.' },
  method_not_found: { code: -32601, status: 404, means: 'The method does not exist in this revision.' },
  invalid_params: {
    code: -32602,
    status: 400,
    means: 'Parameters are missing or wrong, or the tool or resource does not exist.',
  },
  internal: { code: -32603, status: 500, means: 'Something went wrong on our side.' },
  /** Keys, plans and limits: the HTTP status says which. */
  refused: { code: -32000, status: 403, means: 'The key, the plan or a limit does not allow the request now.' },
  header_mismatch: { code: -32020, status: 400, means: 'A required header is missing, or differs from the body.' },
  missing_capability: { code: -32021, status: 400, means: 'The client did not declare a capability that the method needs.' },
  unsupported_version: { code: -32022, status: 400, means: 'The server does not support this revision.' },
  event_not_found: { code: -32023, status: 404, means: 'No subscription or type of event has this name.' },
  event_forbidden: { code: -32024, status: 403, means: 'The plan of the key does not allow this subscription.' },
  event_exhausted: { code: -32025, status: 429, means: 'Too many subscriptions or streams are open.' },
  event_unsupported: { code: -32026, status: 400, means: 'This type of event cannot be delivered in this way.' },
  event_callback: { code: -32027, status: 400, means: 'The callback URL failed, for one of the listed reasons.' },
} as const;

export type McpErrorName = keyof typeof MCP_ERRORS;

/** Thrown by methods; told to the caller. */
export class McpError extends Error {
  readonly errorName: McpErrorName;
  readonly data: JsonObject | undefined;
  constructor(errorName: McpErrorName, message: string, data?: JsonObject) {
    super(message);
    this.errorName = errorName;
    this.data = data;
  }
}

export function formatError(id: MessageId | null, error: McpErrorName, message: string, data?: JsonObject): string {
  const { code } = MCP_ERRORS[error];
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } });
}
