/** Queries of the database, noted for the work under way that made them: a request, a page, a job, or a step of a run. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { type FinishedSpan, type FinishedStep, type Tracing, timeOf } from './tracing.ts';

/** Plain data: it crosses threads and processes. */
export interface QueryNotes {
  /** All of them; the first `MAX_SPANS` have a span each. */
  count: number;
  spans: FinishedStep[];
}

/** What the span of the work takes from its queries. */
export interface QuerySteps {
  attributes: Readonly<Record<string, number>>;
  steps: readonly FinishedStep[];
}

export const createQueryNotes = (): QueryNotes => ({ count: 0, spans: [] });

/** Queries that `work` makes are noted in `notes`. */
export const noteQueriesIn = <T>(notes: QueryNotes, work: () => T): T => underWay.run(notes, work);

/** A query that is over, in the work that made it. `text`: with placeholders for its values. */
export function noteQuery(text: string, milliseconds: number, isError: boolean): void {
  const notes = underWay.getStore();
  if (!notes) return;
  notes.count += 1;
  if (notes.spans.length >= MAX_SPANS) return;
  const endedAt = timeOf(performance.now());
  const { name, operation, table } = nameQuery(text);
  notes.spans.push({
    name,
    kind: 'client',
    startedAt: endedAt - milliseconds,
    endedAt,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      ...(table !== null && { 'db.collection.name': table }),
    },
    ...(isError && { isError }),
  });
}

/** Adds what another thread noted for the work under way here. */
export function addQueries({ count, spans }: QueryNotes): void {
  const notes = underWay.getStore();
  if (!notes) return;
  notes.count += count;
  notes.spans.push(...spans.slice(0, MAX_SPANS - notes.spans.length));
}

/** Without `notes`: of the work under way. */
export function describeQueries(notes: QueryNotes | undefined = underWay.getStore()): QuerySteps {
  if (!notes || notes.count === 0) return NO_QUERIES;
  return { attributes: { 'marquee.queries': notes.count }, steps: notes.spans };
}

interface QueryName {
  /** `SELECT event`, or the operation alone. */
  name: string;
  operation: string;
  /** The table, or the name that a `with` gives to rows; null: none is named. */
  table: string | null;
}

/** Of the statement itself, not of what stands in its parentheses. */
function nameQuery(text: string): QueryName {
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

/** Settles as `work` does; a rejection makes the span an error. Without `tracing`, nothing is noted. */
export async function traceWork<T>(
  tracing: Tracing | null,
  { name, attributes }: Pick<FinishedSpan, 'name' | 'attributes'>,
  work: () => Promise<T>,
): Promise<T> {
  if (!tracing) return work();
  const notes = createQueryNotes();
  const startedAt = timeOf(performance.now());
  const record = (isError: boolean) => {
    const queries = describeQueries(notes);
    const endedAt = timeOf(performance.now());
    const all = { ...attributes, ...queries.attributes };
    tracing.record({ name, kind: 'internal', startedAt, endedAt, attributes: all, steps: queries.steps, isError });
  };
  try {
    const result = await noteQueriesIn(notes, work);
    record(false);
    return result;
  } catch (error) {
    record(true);
    throw error;
  }
}

const underWay = new AsyncLocalStorage<QueryNotes>();
const NO_QUERIES: QuerySteps = { attributes: {}, steps: [] };
/** Writing a large source takes thousands. */
const MAX_SPANS = 100;
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
