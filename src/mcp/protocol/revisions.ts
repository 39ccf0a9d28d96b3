/** The revisions of the protocol, and what a request of each must carry. */

import { McpError } from './errors.ts';
import { isObject, type JsonObject, textOf } from './message.ts';

/** `current`: each request says everything about itself. `older`: clients open with `initialize`. */
export type McpEra = 'current' | 'older';

const CURRENT_REVISION = '2026-07-28';
export const OLDER_REVISIONS = ['2025-11-25', '2025-06-18'] as const;
export const REVISIONS: readonly string[] = [CURRENT_REVISION, ...OLDER_REVISIONS];

export const META = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  subscription: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** The headers of the transport; null where there are none (stdio). A value is undefined where the header is missing. */
export interface McpHeaders {
  version: string | undefined;
  method: string | undefined;
  name: string | undefined;
}

export interface McpTarget {
  era: McpEra;
  meta: JsonObject;
  capabilities: JsonObject;
}

/** Throws `McpError`. */
export function readTarget(method: string, params: JsonObject, headers: McpHeaders | null): McpTarget {
  const meta = isObject(params._meta) ? params._meta : NOTHING;
  const inBody = meta[META.version];
  const inHeader = headers?.version;
  if (isOlder(inBody, inHeader)) return { era: 'older', meta, capabilities: NOTHING };
  if (headers) checkVersionHeader(inHeader, inBody);
  if (inBody === undefined) throw invalid(`_meta must have ${META.version}`);
  if (inBody !== CURRENT_REVISION) throw unsupported(textOf(inBody));
  const capabilities = meta[META.capabilities];
  if (!isObject(capabilities)) throw invalid(`_meta must have ${META.capabilities}, an object`);
  if (headers) checkNames(headers, method, params);
  return { era: 'current', meta, capabilities };
}

function isOlder(inBody: unknown, inHeader: string | undefined): boolean {
  if (inBody !== undefined) return inBody === inHeader && isOlderRevision(inHeader);
  return inHeader === undefined || isOlderRevision(inHeader);
}

/** 2025-03-26 never sent the header, and differs in nothing that is served here. */
const isOlderRevision = (version: string | undefined): boolean =>
  version === FIRST_REVISION || OLDER_REVISIONS.some((older) => older === version);

function checkVersionHeader(inHeader: string | undefined, inBody: unknown): void {
  if (inHeader === undefined) throw mismatch('the MCP-Protocol-Version header is missing');
  if (inBody !== undefined && inBody !== inHeader) {
    throw mismatch(`the MCP-Protocol-Version header differs from ${META.version} in _meta`);
  }
  if (inHeader !== CURRENT_REVISION) throw unsupported(inHeader);
}

function checkNames(headers: McpHeaders, method: string, params: JsonObject): void {
  if (headers.method === undefined) throw mismatch('the Mcp-Method header is missing');
  if (headers.method !== method) throw mismatch('the Mcp-Method header differs from the method of the body');
  const member = NAMED[method];
  if (member === undefined) return;
  const wanted = params[member];
  if (typeof wanted !== 'string') return;
  if (headers.name === undefined) throw mismatch('the Mcp-Name header is missing');
  if (decodeHeader(headers.name) !== wanted) throw mismatch(`the Mcp-Name header differs from params.${member}`);
}

/** `=?base64?…?=` stands for text that a header cannot carry. Null where that cannot be decoded. */
function decodeHeader(value: string): string | null {
  const [, encoded] = ENCODED.exec(value) ?? [];
  if (encoded === undefined) return value;
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.toString('base64').replace(/=+$/, '') !== encoded.replace(/=+$/, '')) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

const invalid = (detail: string) => new McpError('invalid_params', detail);
const mismatch = (detail: string) => new McpError('header_mismatch', detail);
const unsupported = (requested: string) =>
  new McpError('unsupported_version', `this server supports ${REVISIONS.join(', ')}`, {
    supported: REVISIONS,
    requested: requested.slice(0, MAX_SHOWN),
  });

const NOTHING: JsonObject = {};
const FIRST_REVISION = '2025-03-26';
const NAMED: Readonly<Record<string, string>> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' };
const ENCODED = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;
const MAX_SHOWN = 64;
