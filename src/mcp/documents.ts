/** What tells others of the server: generated from the tables of tools, resources and prompts, so that it cannot say anything else. */

import type { FastifyPluginCallback } from 'fastify';
import { PROMPTS } from './prompt-methods.ts';
import { REVISIONS } from './protocol/revisions.ts';
import { DESCRIPTION, SERVER_NAME, SERVER_TITLE, VERSION } from './server-facts.ts';
import { MCP_TOOLS } from './tools/tools.ts';

export interface McpDocument {
  path: string;
  contentType: string;
  write(publicUrl: string): string;
}

const JSON_TYPE = 'application/json; charset=utf-8';
export const MCP_DOCUMENTS: readonly McpDocument[] = [
  { path: '/server.json', contentType: JSON_TYPE, write: (url) => toText(registryEntry(url)) },
  { path: '/.well-known/mcp/server-card.json', contentType: JSON_TYPE, write: (url) => toText(serverCard(url)) },
  { path: '/.well-known/ai-catalog.json', contentType: JSON_TYPE, write: (url) => toText(catalogOf(url)) },
  { path: '/llms.txt', contentType: 'text/plain; charset=utf-8', write: llmsText },
];

const toText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
const endpointOf = (publicUrl: string): string => `${publicUrl}/mcp`;
const KEY_HEADER = {
  name: 'X-API-Key',
  description: 'An API key. Without one the limits are lower.',
  isRequired: false,
  isSecret: true,
};

/** The form of the public registry of servers. */
function registryEntry(publicUrl: string): object {
  const host = new URL(publicUrl).hostname.split('.').reverse().join('.');
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: `${host}/${SERVER_NAME}`,
    title: SERVER_TITLE,
    description: DESCRIPTION,
    version: VERSION,
    websiteUrl: publicUrl,
    remotes: [{ type: 'streamable-http', url: endpointOf(publicUrl), headers: [KEY_HEADER] }],
  };
}

function serverCard(publicUrl: string): object {
  return {
    ...registryEntry(publicUrl),
    protocolVersions: REVISIONS,
    authentication: { required: false, schemes: ['apiKey', 'bearer'] },
    tools: MCP_TOOLS.map(({ name, title, description, tier }) => ({ name, title, description, plan: tier })),
    prompts: PROMPTS.map(({ name, title, description }) => ({ name, title, description })),
  };
}

function catalogOf(publicUrl: string): object {
  return {
    specVersion: '1.0',
    host: { displayName: SERVER_TITLE, identifier: publicUrl },
    entries: [
      {
        identifier: `urn:mcp:${new URL(publicUrl).host}:${SERVER_NAME}`,
        displayName: SERVER_TITLE,
        description: DESCRIPTION,
        mediaType: 'application/mcp-server-card+json',
        url: `${publicUrl}/.well-known/mcp/server-card.json`,
      },
    ],
  };
}

function llmsText(publicUrl: string): string {
  const tools = MCP_TOOLS.map(({ name, description }) => `- \`${name}\`: ${description}`);
  return [
    `# ${SERVER_TITLE}`,
    '',
    `> ${DESCRIPTION}`,
    '',
    '## For assistants',
    '',
    `The MCP server is at ${endpointOf(publicUrl)} (streamable HTTP). It needs no key; a key raises the limits.`,
    '',
    ...tools,
    '',
    '## For programs',
    '',
    `- [OpenAPI](${publicUrl}/openapi.json): the REST API, which needs a key`,
    `- [API reference](${publicUrl}/docs): endpoints, parameters and errors`,
    `- [Plans](${publicUrl}/pricing): prices and limits`,
    '',
  ].join('\n');
}

/** The routes of the documents. Each is made once, when it is first asked for: the public address is known by then. */
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
