/** The routes of the documents. Each is made once, when it is first asked for: the public address is known by then. */

import type { FastifyPluginCallback } from 'fastify';
import { MCP_DOCUMENTS } from './documents.ts';

export function createDocumentRoutes(publicUrl: () => string): FastifyPluginCallback {
  const made = new Map<string, string>();
  return (app, _options, done) => {
    for (const { path, contentType, write } of MCP_DOCUMENTS) {
      app.get(path, (_request, reply) => {
        const text = made.get(path) ?? write(publicUrl());
        made.set(path, text);
        return reply.headers({ ...HEADERS, 'Content-Type': contentType }).send(text);
      });
    }
    done();
  };
}

const HEADERS = {
  'Cache-Control': 'public, max-age=3600',
  'Access-Control-Allow-Origin': '*',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const;
