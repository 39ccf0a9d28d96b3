/** The generated part of the TypeScript client: types of records, and the table of operations. */

import type { OpenApiDocument } from '../../src/api/index.ts';
import { iteratorOf, nameOf, type Operation, readOperations } from './operations.ts';
import { isBoolean, isInstant, propertiesOf, type Schema } from './schema.ts';

export function writeTypescript(document: OpenApiDocument): string {
  const operations = readOperations(document);
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => writeRecord(name, schema as Schema));
  return [
    '// Made by `npm run clients` from /openapi.json. Do not edit.',
    "import type { RequestOptions } from './options.ts';",
    '',
    ...schemas,
    ...operations.filter(({ parameters }) => parameters.length > 0).map(writeParameters),
    'export interface Operations {',
    ...operations.flatMap(writeOperation),
    '}',
    '',
    'export const OPERATIONS = {',
    ...operations.map(writeRow),
    '} as const;',
    '',
  ].join('\n');
}

function writeRecord(name: string, schema: Schema): string {
  return `${comment(schema.description, '')}export interface ${name} ${typeOf(schema, '')}\n`;
}

/** `indent`: of the line that the type stands on. */
function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.enum) return schema.enum.map((value) => `'${value}'`).join(' | ');
  if (schema.const !== undefined) return `'${schema.const}'`;
  if (schema.anyOf) return schema.anyOf.map((each) => typeOf(each, indent)).join(' | ');
  if (schema.type === 'array') return arrayOf(typeOf(schema.items ?? {}, indent));
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'string' || schema.type === 'boolean' || schema.type === 'null') return schema.type;
  if (schema.properties) {
    const lines = propertiesOf(schema).map(([name, property, isRequired]) => {
      const mark = isRequired ? '' : '?';
      return `${comment(property.description, `${indent}  `)}${indent}  ${name}${mark}: ${typeOf(property, `${indent}  `)};\n`;
    });
    return `{\n${lines.join('')}${indent}}`;
  }
  const [values] = Object.values(schema.patternProperties ?? {});
  if (schema.type === 'object') return `Record<string, ${values ? typeOf(values, indent) : 'unknown'}>`;
  throw new Error(`no type for ${JSON.stringify(schema)}`);
}

const arrayOf = (type: string): string => (/^[A-Za-z]+$/.test(type) ? `${type}[]` : `Array<${type}>`);

function writeParameters(operation: Operation): string {
  const lines = operation.parameters.map(({ name, description, schema }) => {
    return `${comment(description, '  ')}  ${name}?: ${parameterType(name, schema)} | undefined;\n`;
  });
  return `export interface ${parametersOf(operation)} {\n${lines.join('')}}\n`;
}

function parameterType(name: string, schema: Schema): string {
  if (isBoolean(schema)) return 'boolean';
  if (schema.type === 'array') {
    const item = typeOf(schema.items ?? {}, '');
    return `${item} | ReadonlyArray<${item}>`;
  }
  return isInstant(name) ? 'string | Date' : typeOf(schema, '');
}

const parametersOf = ({ id }: Operation): string => `${id.charAt(0).toUpperCase()}${id.slice(1)}Params`;

function writeOperation(operation: Operation): string[] {
  const { id, answers, items, summary, tier } = operation;
  const told = comment(`${summary} Tier: ${tier}.`, '  ').trimEnd();
  if (answers.length === 0) return [told, ...signatures(operation, id, ['string'], (type) => `Promise<${type}>`)];
  const lines = [told, ...signatures(operation, id, answers, (type) => `Promise<${type}>`)];
  if (items.length === 0) return lines;
  return [
    ...lines,
    comment(`Every record of \`${id}\`, page by page.`, '  ').trimEnd(),
    ...signatures(operation, iteratorOf(operation), items, (type) => `AsyncGenerator<${type}, void, undefined>`),
  ];
}

/** Two where records have another shape once their keys are chosen. */
function signatures(operation: Operation, name: string, types: readonly string[], wrap: (type: string) => string): string[] {
  const id = operation.hasId ? 'id: string, ' : '';
  if (operation.parameters.length === 0) return types.map((type) => `  ${name}(${id}options?: RequestOptions): ${wrap(type)};`);
  const [plain = '', shaped] = types;
  const parameters = parametersOf(operation);
  if (!shaped) return [`  ${name}(${id}params?: ${parameters}, options?: RequestOptions): ${wrap(plain)};`];
  const chosen = ['include', 'fields'].filter((each) => operation.parameters.some((parameter) => parameter.name === each));
  const unchosen = chosen.map((each) => `${each}?: undefined`).join('; ');
  return [
    `  ${name}(${id}params?: ${parameters} & { ${unchosen} }, options?: RequestOptions): ${wrap(plain)};`,
    `  ${name}(${id}params: ${parameters}, options?: RequestOptions): ${wrap(shaped)};`,
  ];
}

function writeRow(operation: Operation): string {
  const { id, path, hasId, parameters, answers, items } = operation;
  const row = { path, hasId, hasParameters: parameters.length > 0, isText: answers.length === 0 };
  const all = items.length > 0 ? iteratorOf(operation) : null;
  return `  ${id}: ${JSON.stringify({ ...row, all })},`;
}

const comment = (text: string | undefined, indent: string): string =>
  text ? `${indent}/** ${text.replaceAll('*/', '* /')} */\n` : '';
