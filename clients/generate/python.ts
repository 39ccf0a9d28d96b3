/** The generated part of the Python client: types of records, and a method for each operation. */

import type { OpenApiDocument } from '../../src/api/index.ts';
import { iteratorOf, nameOf, type Operation, readOperations } from './operations.ts';
import { isBoolean, isInstant, propertiesOf, type Schema } from './schema.ts';

export function writePython(document: OpenApiDocument): string {
  const types = createTypes();
  for (const [name, schema] of Object.entries(document.components.schemas)) types.add(name, schema as Schema);
  const methods = readOperations(document).flatMap((operation) => writeMethods(operation, types.of));
  return [
    '# Made by `npm run clients` from /openapi.json. Do not edit.',
    'from __future__ import annotations',
    '',
    'import datetime',
    'import urllib.parse',
    'from typing import Any, Dict, Iterator, List, Literal, Mapping, Optional, Sequence, TypedDict, Union',
    '',
    '',
    ...types.written(),
    'def _segment(id: str) -> str:',
    '    return urllib.parse.quote(id, safe="")',
    '',
    '',
    'class Operations:',
    '    """What the API answers, one method for each operation."""',
    '',
    '    def _get(self, path: str, params: Mapping[str, Any]) -> Any:',
    '        raise NotImplementedError',
    '',
    '    def _text(self, path: str, params: Mapping[str, Any]) -> str:',
    '        raise NotImplementedError',
    '',
    '    def _all(self, path: str, params: Mapping[str, Any]) -> Iterator[Any]:',
    '        raise NotImplementedError',
    '',
    methods.join('\n'),
  ].join('\n');
}

/** Objects within objects get a name of their own: Python has no types without one. */
function createTypes() {
  const lines: string[] = [];

  function add(name: string, schema: Schema): void {
    if (propertiesOf(schema).some(([key]) => KEYWORDS.has(key))) return void addByCall(name, schema);
    const properties = propertiesOf(schema).map(([key, property, isRequired]) => ({
      line: `    ${key}: ${of(property, name + capital(key))}`,
      isRequired,
    }));
    const required = properties.filter(({ isRequired }) => isRequired).map(({ line }) => line);
    const optional = properties.filter(({ isRequired }) => !isRequired).map(({ line }) => line);
    if (optional.length === 0)
      return void lines.push(`class ${name}(TypedDict):`, ...(required.length ? required : ['    pass']), '', '');
    if (required.length === 0) return void lines.push(`class ${name}(TypedDict, total=False):`, ...optional, '', '');
    lines.push(
      `class _${name}Always(TypedDict):`,
      ...required,
      '',
      '',
      `class ${name}(_${name}Always, total=False):`,
      ...optional,
      '',
      '',
    );
  }

  /** A class cannot have a member with the name of a keyword. */
  function addByCall(name: string, schema: Schema): void {
    const properties = propertiesOf(schema);
    const members = properties.map(([key, property]) => `    "${key}": ${JSON.stringify(of(property, name + capital(key)))},`);
    const end = properties.every(([, , isRequired]) => isRequired) ? '})' : '}, total=False)';
    lines.push(`${name} = TypedDict("${name}", {`, ...members, end, '', '');
  }

  function of(schema: Schema, name: string): string {
    if (schema.$ref) return nameOf(schema.$ref);
    if (schema.enum) return `Literal[${schema.enum.map((value) => JSON.stringify(value)).join(', ')}]`;
    if (schema.const !== undefined) return `Literal[${JSON.stringify(schema.const)}]`;
    if (schema.anyOf) return either(schema.anyOf, name);
    if (schema.type === 'array') return `List[${of(schema.items ?? {}, `${name}Item`)}]`;
    const simple = SIMPLE[schema.type ?? ''];
    if (simple) return simple;
    if (schema.properties) {
      add(name, schema);
      return name;
    }
    const [values] = Object.values(schema.patternProperties ?? {});
    return `Dict[str, ${values ? of(values, `${name}Value`) : 'Any'}]`;
  }

  function either(choices: readonly Schema[], name: string): string {
    const types = choices.filter(({ type }) => type !== 'null').map((each) => of(each, name));
    const one = types.length === 1 ? (types[0] ?? '') : `Union[${types.join(', ')}]`;
    return types.length < choices.length ? `Optional[${one}]` : one;
  }

  return { add, of, written: () => lines };
}

type TypeOf = (schema: Schema, name: string) => string;

function writeMethods(operation: Operation, typeOf: TypeOf): string[] {
  const { id, path, summary, tier, answers, items } = operation;
  const [answer] = answers;
  const told = [
    `${summary} Tier: ${tier}.`,
    ...(answers[1] ? [`With \`include\` or \`fields\` the records are those of ${answers[1]}.`] : []),
  ];
  const way = `f"${path}"`.replace('{id}', '{_segment(id)}').replace(/^f(?!.*\{)/, '');
  const call = (inner: string) => `self.${inner}(${way}, ${parametersText(operation)})`;
  const kind = answer ? '_get' : '_text';
  const methods = [writeMethod(operation, snake(id), answer ?? 'str', told, call(kind), typeOf)];
  const [item] = items;
  if (item) {
    const all = [`Every record of \`${snake(id)}\`, page by page.`];
    methods.push(writeMethod(operation, snake(iteratorOf(operation)), `Iterator[${item}]`, all, call('_all'), typeOf));
  }
  return methods;
}

function writeMethod(
  { hasId, parameters }: Operation,
  name: string,
  type: string,
  told: readonly string[],
  call: string,
  typeOf: TypeOf,
): string {
  const given = parameters.map(
    (parameter) => `        ${parameter.name}: ${parameterType(parameter.name, parameter.schema, typeOf)} = None,`,
  );
  const marker = parameters.length > 0 ? ['        *,'] : [];
  return [
    `    def ${name}(`,
    '        self,',
    ...(hasId ? ['        id: str,'] : []),
    ...marker,
    ...given,
    `    ) -> ${type}:`,
    ...(told.length === 1 ? [`        """${told[0]}"""`] : [`        """${told[0]}`, '', `        ${told[1]}`, '        """']),
    `        return ${call}`,
    '',
  ].join('\n');
}

function parameterType(name: string, schema: Schema, typeOf: TypeOf): string {
  if (isBoolean(schema)) return 'Optional[bool]';
  if (schema.type === 'array') {
    const item = typeOf(schema.items ?? {}, '');
    return `Union[${item}, Sequence[${item}], None]`;
  }
  return isInstant(name) ? 'Union[str, datetime.date, datetime.datetime, None]' : `Optional[${typeOf(schema, '')}]`;
}

const parametersText = ({ parameters }: Operation): string =>
  parameters.length === 0 ? '{}' : `{${parameters.map(({ name }) => `"${name}": ${name}`).join(', ')}}`;

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const KEYWORDS: ReadonlySet<string> = new Set(['from', 'class', 'import', 'in', 'is', 'global', 'lambda', 'pass']);
const SIMPLE: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};
