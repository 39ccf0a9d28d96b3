/** The collections of requests: one file for Postman (schema 2.1), and a folder for Bruno. */

import type { OpenApiDocument } from '../../src/api/index.ts';
import { type Operation, readOperations } from './operations.ts';
import { isBoolean, type Schema } from './schema.ts';

export function writeCollection(document: OpenApiDocument): [path: string, text: string][] {
  const operations = readOperations(document);
  return [
    ['marquee.postman.json', writePostman(operations)],
    ['bruno/bruno.json', `${JSON.stringify({ version: '1', name: 'Marquee', type: 'collection' }, null, 2)}\n`],
    ['bruno/environments/local.bru', `vars {\n  baseUrl: ${BASE}\n}\nvars:secret [\n  apiKey\n]\n`],
    ...operations.map((operation, index): [string, string] => [`bruno/${operation.id}.bru`, writeBruno(operation, index + 1)]),
  ];
}

function writePostman(operations: readonly Operation[]): string {
  const collection = {
    info: {
      name: 'Marquee',
      description: 'Requests of the Marquee event discovery API. Set `apiKey` to a key; a free test key is enough.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'X-API-Key', type: 'string' },
        { key: 'value', value: '{{apiKey}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: [
      { key: 'baseUrl', value: BASE },
      { key: 'apiKey', value: '' },
    ],
    item: operations.map(toItem),
  };
  return `${JSON.stringify(collection, null, 2)}\n`;
}

function toItem({ id, path, summary, tier, hasId, parameters }: Operation) {
  const query = parameters.map(({ name, description, schema }) => {
    return { key: name, value: exampleOf(name, schema), description, disabled: true };
  });
  const segments = path.slice(1).replace('{id}', ':id').split('/');
  return {
    name: id,
    request: {
      method: 'GET',
      description: `${summary} Tier: ${tier}.`,
      url: {
        raw: `{{baseUrl}}/${segments.join('/')}`,
        host: ['{{baseUrl}}'],
        path: segments,
        ...(query.length > 0 && { query }),
        ...(hasId && { variable: [{ key: 'id', value: '' }] }),
      },
    },
  };
}

/** Parameters stand in the request switched off (`~`). */
function writeBruno({ id, path, hasId, parameters, summary, tier }: Operation, place: number): string {
  const lines = parameters.map(({ name, schema }) => `  ~${name}: ${exampleOf(name, schema)}`);
  const blocks = [
    `meta {\n  name: ${id}\n  type: http\n  seq: ${place}\n}`,
    `get {\n  url: {{baseUrl}}${path.replace('{id}', ':id')}\n  body: none\n  auth: none\n}`,
    ...(lines.length > 0 ? [`params:query {\n${lines.join('\n')}\n}`] : []),
    ...(hasId ? ['params:path {\n  id: \n}'] : []),
    'headers {\n  X-API-Key: {{apiKey}}\n}',
    `docs {\n  ${summary} Tier: ${tier}.\n}`,
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** Something that may stand there. */
function exampleOf(name: string, schema: Schema): string {
  if (isBoolean(schema)) return 'true';
  const item = schema.type === 'array' ? (schema.items ?? {}) : schema;
  if (item.enum) return item.enum.find((value) => value !== '') ?? '';
  if (item.type === 'integer' || item.type === 'number') return name === 'offset' || name.startsWith('a') ? '0' : '10';
  return EXAMPLES[name] ?? '';
}

const BASE = 'http://127.0.0.1:3000/api/v1';
const EXAMPLES: Readonly<Record<string, string>> = {
  q: 'jazz',
  ask: 'free music tonight',
  near: '43.56,-87.845',
  bbox: '-88.0,43.4,-87.7,43.7',
  start_date: '2026-12-01',
  end_date: '2026-12-31',
  updated_since: '2026-01-01',
};
