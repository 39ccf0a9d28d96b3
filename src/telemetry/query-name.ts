/** A name for a statement from its text: operation and table, of which there are few. Never a value. */

export interface QueryName {
  /** `SELECT event`, or the operation alone. */
  name: string;
  operation: string;
  /** The table, or the name that a `with` gives to rows; null: none is named. */
  table: string | null;
}

/** Of the statement itself, not of what stands in its parentheses. */
export function nameQuery(text: string): QueryName {
  const known = names.get(text);
  if (known) return known;
  const name = readName(text);
  if (names.size < MAX_NAMES) names.set(text, name);
  return name;
}

function readName(text: string): QueryName {
  const words = outerWords(text);
  const begin = words[0] === 'with' ? words.findIndex((word) => ROW_OPERATIONS.has(word)) : 0;
  const operation = words[Math.max(begin, 0)] ?? '';
  if (!OPERATIONS.has(operation)) return { name: 'QUERY', operation: 'QUERY', table: null };
  const table = ROW_OPERATIONS.has(operation) ? tableOf(words.slice(begin), operation) : null;
  const upper = operation.toUpperCase();
  return { name: table === null ? upper : `${upper} ${table}`, operation: upper, table };
}

/** Words in lower case and quoted names, outside of parentheses. Text, numbers and placeholders are left out. */
function outerWords(text: string): string[] {
  const words: string[] = [];
  let depth = 0;
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '(') depth += 1;
    else if (token === ')') depth -= 1;
    else if (depth === 0 && WORD.test(token)) words.push(token.toLowerCase());
  }
  return words;
}

function tableOf(words: readonly string[], operation: string): string | null {
  const before = WORD_BEFORE_TABLE[operation] ?? 'from';
  // `is distinct from` names no table.
  const at = words.findIndex((word, index) => word === before && words[index - 1] !== 'distinct');
  const table = at < 0 ? undefined : words[at + 1];
  return table === undefined || NO_TABLES.has(table) ? null : table.replaceAll('"', '');
}

/** Comments, text, names, words, parentheses. */
const TOKENS = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|"(?:[^"]|"")*"|\$\d+|[a-z_]\w*|[()]/gi;
const WORD = /^["a-z_]/i;
const ROW_OPERATIONS: ReadonlySet<string> = new Set(['select', 'insert', 'update', 'delete']);
const OPERATIONS: ReadonlySet<string> = new Set([
  ...ROW_OPERATIONS,
  ...['begin', 'start', 'commit', 'rollback', 'savepoint', 'release', 'set', 'show', 'lock', 'notify', 'analyze', 'vacuum'],
]);
const WORD_BEFORE_TABLE: Readonly<Record<string, string>> = { insert: 'into', update: 'update' };
/** What stands behind rows in parentheses, which have no name. */
const NO_TABLES: ReadonlySet<string> = new Set([
  'as',
  'where',
  'order',
  'group',
  'limit',
  'join',
  'left',
  'cross',
  'inner',
  'lateral',
]);
const names = new Map<string, QueryName>();
const MAX_NAMES = 2_000;
