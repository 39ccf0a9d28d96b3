/** Finds the tables that TypeScript code names: in calls of Kysely, in `sql` templates, and in other strings that look like SQL. */

export type Access = 'read' | 'write' | 'delete';

export interface TableUse {
  table: string;
  access: Access;
  line: number;
}

/** `dynamic`: lines where a table is named by a variable, so that the text alone does not say which. */
export interface NamedTables {
  uses: TableUse[];
  dynamic: number[];
}

export function tablesNamedIn(source: string, tables: ReadonlySet<string>): NamedTables {
  const { code, texts } = readCode(source);
  const calls = usesOfCalls(code, tables);
  const uses = [...calls.uses, ...usesOfTypes(code, tables), ...texts.flatMap((text) => usesOfText(text, tables))];
  return { uses: uses.sort((a, b) => a.line - b.line), dynamic: calls.dynamic };
}

interface Text {
  /** Of a template, with `$` in the place of each expression. */
  value: string;
  line: number;
  isSql: boolean;
}

/** The code without comments, its strings kept and its templates cut out; and all its strings and templates. */
function readCode(source: string): { code: string; texts: Text[] } {
  const texts: Text[] = [];
  let at = 0;
  const lineAt = (index: number): number => source.slice(0, index).split('\n').length;

  function readTemplate(isSql: boolean): string {
    const text: Text = { value: '', line: lineAt(at), isSql };
    texts.push(text);
    let inside = '';
    at += 1;
    while (at < source.length && source[at] !== '`') {
      if (source.startsWith('${', at)) {
        at += 2;
        inside += `(${readUntil('}')})`;
        text.value += '$';
      } else if (source[at] === '\\') {
        text.value += source[at + 1] ?? '';
        at += 2;
      } else {
        text.value += source[at];
        inside += source[at] === '\n' ? '\n' : '';
        at += 1;
      }
    }
    at += 1;
    return inside;
  }

  function readUntil(end: '}' | ''): string {
    let code = '';
    for (let depth = 0; at < source.length; ) {
      const rest = source.slice(at, at + 2);
      const [quoted] = source[at] === "'" || source[at] === '"' ? (QUOTED.exec(source.slice(at, at + MAX_STRING)) ?? []) : [];
      if (rest === '//' || rest === '/*') {
        const close = rest === '//' ? source.indexOf('\n', at) : source.indexOf('*/', at) + 2;
        const until = close < at + 2 ? source.length : close;
        code += source.slice(at, until).replace(/[^\n]/g, '');
        at = until;
      } else if (source[at] === '`') {
        code += `\`${readTemplate(/\bsql(?:<[^`]*>)?$/.test(code))}\``;
      } else if (quoted) {
        texts.push({ value: quoted.slice(1, -1), line: lineAt(at), isSql: /\bsql\.raw\(\s*$/.test(code) });
        code += quoted;
        at += quoted.length;
      } else {
        if (end && source[at] === '{') depth += 1;
        if (end && source[at] === '}' && depth-- === 0) {
          at += 1;
          return code;
        }
        code += source[at];
        at += 1;
      }
    }
    return code;
  }

  return { code: readUntil(''), texts };
}

/** `db.selectFrom('event as e')`, `innerJoin(['event', 'venue'])`, `sql.table('event')`, `appendToList(trx, 'change', …)`. */
function usesOfCalls(code: string, tables: ReadonlySet<string>): NamedTables {
  const found: NamedTables = { uses: [], dynamic: [] };
  for (const match of code.matchAll(CALLS)) {
    const [whole, name = '', argument = ''] = match;
    const line = code.slice(0, match.index).split('\n').length;
    const named = [...argument.matchAll(/['"](\w+)(?: as \w+)?['"]/g)].map(([, table = '']) => table);
    for (const table of named.filter((each) => tables.has(each))) found.uses.push({ table, access: accessOf(name), line });
    // A callback or a call gives rows, not a name.
    const isVariable = /^[\w.]+$/.test(argument) && !/=>\s*$/.test(whole);
    if (named.length === 0 && isVariable && ALWAYS_TABLES.has(name)) found.dynamic.push(line);
  }
  return found;
}

/** `Database['event']`: who knows its columns. */
function usesOfTypes(code: string, tables: ReadonlySet<string>): TableUse[] {
  return [...code.matchAll(/\bDatabase\[\s*['"](\w+)['"]/g)].flatMap((match) => {
    const [, table = ''] = match;
    return tables.has(table) ? [{ table, access: 'read' as const, line: code.slice(0, match.index).split('\n').length }] : [];
  });
}

/** The tables of a text in SQL; none of a text that is no SQL. */
function usesOfText({ value, line, isSql }: Text, tables: ReadonlySet<string>): TableUse[] {
  if (!isSql && !LOOKS_LIKE_SQL.test(value)) return [];
  const uses: TableUse[] = [];
  const tokens = [...value.replace(/'(?:[^']|'')*'/g, (text) => text.replace(/[^\n]/g, ' ')).matchAll(/\w+|"[^"]+"|[^\s\w]/g)];
  const wordAt = (index: number): string => (tokens[index]?.[0] ?? '').replaceAll('"', '').toLowerCase();
  /** For each open parenthesis, whether a comma at its level separates tables. */
  const lists = [false];
  let isDeletion = false;
  for (let index = 0; index < tokens.length; index += 1) {
    const word = wordAt(index);
    if (word === '(') lists.push(false);
    if (word === ')' && lists.length > 1) lists.pop();
    if (END_OF_TABLES.has(word)) lists[lists.length - 1] = false;
    if (word === 'delete') isDeletion = true;
    const isNext = word === ',' ? lists.at(-1) === true : BEFORE_TABLES.has(word);
    if (!isNext) continue;
    if (word === 'from' || word === 'using' || word === 'table' || word === 'truncate') lists[lists.length - 1] = true;
    let next = index + 1;
    while (['only', 'lateral', 'table', 'public', '.', 'into', 'from'].includes(wordAt(next))) next += 1;
    const table = wordAt(next);
    // `record.id` is a column, and `r (id)` a row of values.
    if (!tables.has(table) || wordAt(next + 1) === '.') continue;
    const access =
      word === 'from' && isDeletion && wordAt(index - 1) === 'delete' ? 'delete' : WRITING.has(word) ? 'write' : 'read';
    if (word === 'from') isDeletion = false;
    const before = value.slice(0, tokens[next]?.index ?? 0);
    uses.push({ table, access, line: line + before.split('\n').length - 1 });
  }
  return uses;
}

function accessOf(call: string): Access {
  if (call === 'deleteFrom') return 'delete';
  return ['insertInto', 'replaceInto', 'updateTable', 'mergeInto', 'appendToList'].includes(call) ? 'write' : 'read';
}

const QUOTED = /^(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")/;
/** Longer than any line. */
const MAX_STRING = 10_000;
const ALWAYS_TABLES: ReadonlySet<string> = new Set([
  ...['selectFrom', 'insertInto', 'replaceInto', 'updateTable', 'deleteFrom', 'mergeInto'],
  ...['innerJoin', 'leftJoin', 'rightJoin', 'fullJoin', 'crossJoin', 'sql.table'],
]);
const CALLS = new RegExp(
  `(?<!Array\\.|Buffer\\.)\\b(${[...ALWAYS_TABLES, 'from', 'using', 'table', 'appendToList', 'innerJoinLateral', 'leftJoinLateral'].join('|').replaceAll('.', '\\.')})` +
    '(?:<[^()]*>)?\\(\\s*(?:trx,\\s*|db,\\s*)?(\\[[^\\]]*\\]|[\'"][^\'"]*[\'"]|[\\w.]+(?=\\s*[,)]))',
  'g',
);
const LOOKS_LIKE_SQL =
  /\bselect\b[\s\S]*\bfrom\s|\binsert\s+into\s|\bdelete\s+from\s|\bupdate\s+\w+\s+set\b|\b(?:left|inner|cross)?\s*join\s+\w+\s+(?:as\s+\w+\s+)?on\b|\block\s+table\b|\bcopy\s+\w+\s+(?:from|to|\()/i;
const BEFORE_TABLES: ReadonlySet<string> = new Set([
  'from',
  'join',
  'into',
  'update',
  'using',
  'table',
  'truncate',
  'copy',
  'lock',
]);
const WRITING: ReadonlySet<string> = new Set(['into', 'update', 'truncate', 'copy', 'lock']);
/** After these a comma separates columns again. */
const END_OF_TABLES: ReadonlySet<string> = new Set([
  ...[
    'where',
    'group',
    'order',
    'limit',
    'on',
    'set',
    'select',
    'returning',
    'having',
    'union',
    'values',
    'for',
    'window',
    'offset',
  ],
]);
