/** What the reference shows: the OpenAPI document and the tables of refusals, made once. */

import type { OpenApiDocument } from '../../api/index.ts';
import { PARAMETER_FAULTS, PROBLEM_CODES, PROBLEMS } from '../../http/index.ts';
import { endpointsOf } from '../model/playground/endpoints.ts';

export interface ReferenceFacts {
  title: string;
  description: string;
  base: string;
  operations: Operation[];
  headers: { name: string; description: string }[];
  schemas: { name: string; text: string }[];
}

export interface Operation {
  id: string;
  path: string;
  summary: string;
  description: string;
  tier: string;
  metered: boolean;
  parameters: { name: string; place: string; form: string; description: string; required: boolean }[];
  answers: { status: string; schemas: string[] }[];
}

export interface ProblemFacts {
  code: string;
  status: number;
  title: string;
  meaning: string;
  remedy: string;
}

/** Of one document the same object each time. */
export function readReference(document: OpenApiDocument): ReferenceFacts {
  const before = known.get(document);
  if (before) return before;
  const facts: ReferenceFacts = {
    title: document.info.title,
    description: document.info.description,
    base: document.servers[0]?.url ?? '',
    operations: endpointsOf(document).map((endpoint) => {
      const { parameters = [], responses = {} } = document.paths[endpoint.path]?.get ?? {};
      return {
        ...endpoint,
        parameters: parameters.map(({ name, in: place, schema, description, required }) => ({
          name,
          place,
          form: describeForm(schema),
          description,
          required,
        })),
        answers: Object.entries(responses).map(([status, response]) => ({ status, schemas: schemasOf(response) })),
      };
    }),
    headers: Object.entries(document.components.headers).map(([name, { description }]) => ({ name, description })),
    schemas: Object.entries(document.components.schemas).map(([name, schema]) => ({
      name,
      text: JSON.stringify(schema, null, 2),
    })),
  };
  known.set(document, facts);
  return facts;
}

export function readProblems(): { problems: ProblemFacts[]; faults: { code: string; meaning: string }[] } {
  return {
    problems: PROBLEM_CODES.map((code) => ({ code, ...PROBLEMS[code] })),
    faults: Object.entries(PARAMETER_FAULTS).map(([code, meaning]) => ({ code, meaning })),
  };
}

/** Names of the schemas of a JSON answer. */
function schemasOf(response: object): string[] {
  const { content } = response as { content?: Record<string, { schema: unknown }> };
  const schema = content?.['application/json']?.schema as { $ref?: string; anyOf?: { $ref: string }[] } | undefined;
  const refs = [schema?.$ref, ...(schema?.anyOf ?? []).map(({ $ref }) => $ref)];
  return refs.flatMap((ref) => (ref === undefined ? [] : [ref.split('/').at(-1) ?? '']));
}

/** The schema of a parameter in a few words. */
function describeForm(schema: object): string {
  const { type, enum: words, items, format, default: fallback, minimum, maximum } = schema as Record<string, unknown>;
  const shown = fallback === undefined ? '' : `, default ${String(fallback)}`;
  if (Array.isArray(words)) return words.filter((word) => word !== '').join(' | ') + shown;
  if (type === 'array') return `comma list of ${describeForm(items as object)}`;
  const bounds = minimum === undefined ? '' : maximum === undefined ? `, from ${minimum}` : `, ${minimum} to ${maximum}`;
  return `${String(format ?? type)}${bounds}${shown}`;
}

const known = new WeakMap<OpenApiDocument, ReferenceFacts>();
