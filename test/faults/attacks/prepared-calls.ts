/** Calls that need no key. */

import { CLIENT_META, REVISION } from '../../support/rigs/mcp.ts';
import type { PreparedCall } from './call.ts';

export const prepareDocument = (path: string): PreparedCall => ({ method: 'GET', path, headers: {}, body: '' });

/** A message of the MCP server as a good client sends it. */
export function prepareMcp(method: string, params: Record<string, unknown>): PreparedCall {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: CLIENT_META } });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': String(Buffer.byteLength(body)),
    'mcp-protocol-version': REVISION,
    'mcp-method': method,
    ...(method === 'tools/call' && { 'mcp-name': String(params.name) }),
  };
  return { method: 'POST', path: '/mcp', headers, body };
}
