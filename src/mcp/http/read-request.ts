/** The headers and the body of a POST. */

import type { IncomingMessage } from 'node:http';
import type { McpHeaders } from '../protocol/revisions.ts';

export interface McpHead extends McpHeaders {
  accept: string | undefined;
  contentType: string | undefined;
  origin: string | undefined;
  /** As the gate takes it: an array when keys came more than once. */
  key: string | string[] | undefined;
}

/** In one pass over what was sent; Node's own map hides repetitions. */
export function readMcpHead(raw: readonly string[]): McpHead {
  const found: Partial<Record<string, string>> = {};
  const keys: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] as string).toLowerCase();
    const value = (raw[i + 1] as string).trim();
    if (name === 'x-api-key') keys.push(value);
    else if (name === 'authorization') keys.push(BEARER.exec(value)?.[1] ?? value);
    else if (READ.has(name)) found[name] = value;
  }
  return {
    version: found['mcp-protocol-version'],
    method: found['mcp-method'],
    name: found['mcp-name'],
    accept: found.accept,
    contentType: found['content-type'],
    origin: found.origin,
    key: keys.length > 1 ? keys : keys[0],
  };
}

/** Null: larger than `MAX_BODY_BYTES`. Rejects when the caller left. */
export function readBody(req: IncomingMessage): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) {
        req.pause();
        resolve(null);
      } else chunks.push(chunk);
    });
    req.on('end', () => resolve(chunks.length === 1 ? String(chunks[0]) : Buffer.concat(chunks).toString()));
    req.on('error', reject);
    req.on('close', () => reject(new Error('the caller left')));
  });
}

/** A subscription with all its filters has 4 kB. */
export const MAX_BODY_BYTES = 262_144;
const BEARER = /^bearer +(.+)$/i;
const READ: ReadonlySet<string> = new Set(['mcp-protocol-version', 'mcp-method', 'mcp-name', 'accept', 'content-type', 'origin']);
