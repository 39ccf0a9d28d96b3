/** The operations of the OpenAPI document as the generators want them. */

import type { OpenApiDocument } from '../../src/api/index.ts';
import type { Schema } from './schema.ts';

export interface Operation {
  id: string;
  /** Below the prefix, with `{id}` where the record's id stands. */
  path: string;
  /** One line for people. */
  summary: string;
  tier: string;
  hasId: boolean;
  /** In the query. */
  parameters: { name: string; description: string; schema: Schema }[];
  /** Names of the schemas of a JSON answer: the usual one, and the one with `include` or `fields`. Empty for other forms. */
  answers: string[];
  /** Of a list that is read page by page: the schemas of its records, in the order of `answers`. */
  items: string[];
}

export function readOperations(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).map(([path, { get }]): Operation => {
    const answers = answersOf(get.responses['200']);
    const query = get.parameters.filter((each) => each.in === 'query');
    const isPaged = query.some(({ name }) => name === 'offset');
    return {
      id: get.operationId,
      path,
      summary: `${get.summary}.`,
      tier: get['x-tier'],
      hasId: path.includes('{id}'),
      parameters: query.map(({ name, description, schema }) => ({ name, description, schema: schema as Schema })),
      answers,
      items: isPaged
        ? answers.map((name) => itemOf(document.components.schemas[name] as Schema)).filter((name) => name !== '')
        : [],
    };
  });
}

function answersOf(response: object | undefined): string[] {
  const { content } = (response ?? {}) as { content?: Record<string, { schema: Schema }> };
  const schema = content?.['application/json']?.schema;
  const choices = schema?.anyOf ?? (schema ? [schema] : []);
  return choices.flatMap(({ $ref }) => ($ref ? [nameOf($ref)] : []));
}

/** The schema of the records in a list. */
function itemOf(list: Schema): string {
  const ref = list.properties?.data?.items?.$ref;
  return ref ? nameOf(ref) : '';
}

export const nameOf = (ref: string): string => ref.split('/').at(-1) ?? '';
/** `listEvents` → `allEvents`. */
export const iteratorOf = ({ id }: Operation): string => id.replace(/^list/, 'all');
