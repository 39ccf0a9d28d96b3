/** What the playground offers: the endpoints and parameters of the OpenAPI document, as fields of a form. */

import type { OpenApiDocument, OpenApiParameter } from '../../../api/index.ts';
import type { ApiRequest } from './lines.ts';

export interface PlaygroundEndpoint {
  id: string;
  path: string;
  summary: string;
  description: string;
  tier: string;
  metered: boolean;
  fields: PlaygroundInput[];
}

export interface PlaygroundInput {
  name: string;
  /** `several`: any of the words, joined by commas; `text`: an open list of them, too. */
  kind: 'text' | 'number' | 'one' | 'several';
  required: boolean;
  description: string;
  words: string[];
  /** What is used when nothing is given; empty when that is nothing. */
  fallback: string;
  example: string;
}

/** Of one document the same list each time. Other forms of a list are documents to download, not answers to look at. */
export function endpointsOf(document: OpenApiDocument): readonly PlaygroundEndpoint[] {
  const before = known.get(document);
  if (before) return before;
  const lists = Object.entries(document.paths).filter(([, { get }]) => get['x-form-of'] === undefined);
  const endpoints = lists.map(([path, { get }]) => ({
    id: get.operationId,
    path,
    summary: get.summary,
    description: get.description,
    tier: get['x-tier'],
    metered: get['x-metered'],
    fields: get.parameters.map(inputOf),
  }));
  known.set(document, endpoints);
  return endpoints;
}
const known = new WeakMap<OpenApiDocument, readonly PlaygroundEndpoint[]>();

function inputOf({ name, required, description, schema }: OpenApiParameter): PlaygroundInput {
  const { type, enum: words, items, default: fallback, examples } = schema as Schema;
  const choices = (words ?? items?.enum ?? []).filter((word) => word !== '');
  return {
    name,
    kind:
      type === 'array' && choices.length > 0
        ? 'several'
        : choices.length > 0
          ? 'one'
          : type === 'integer' || type === 'number'
            ? 'number'
            : 'text',
    required,
    description,
    // A flag is written `1` and `0` too; a form needs each choice once.
    words: choices.includes('true') ? ['true', 'false'] : choices,
    fallback: fallback === undefined ? '' : String(fallback),
    example: String(examples?.[0] ?? ''),
  };
}

/** What a form or an address holds of an endpoint: what is empty is not sent. */
export function requestOf(endpoint: PlaygroundEndpoint, base: string, given: Pick<FormData, 'getAll'>): ApiRequest {
  const values = endpoint.fields.map(({ name, kind }): readonly [string, string] => {
    const values = given.getAll(name).map((value) => (typeof value === 'string' ? value.trim() : ''));
    return [
      name,
      kind === 'several' ? [...new Set(values.flatMap((word) => word.split(',')))].filter(Boolean).join(',') : (values[0] ?? ''),
    ];
  });
  const [, id = ''] = values.find(([name]) => name === 'id') ?? [];
  return { base, path: endpoint.path, id, query: values.filter(([name, value]) => name !== 'id' && value !== '') };
}

interface Schema {
  type?: string;
  enum?: string[];
  items?: { enum?: string[] };
  default?: string | number;
  examples?: string[];
}
