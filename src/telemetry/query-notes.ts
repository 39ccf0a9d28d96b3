/** Queries of the database, noted for the work under way that made them: a request, a page, or a step of a run. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { nameQuery } from './query-name.ts';
import { type FinishedStep, timeOf } from './tracing.ts';

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

const underWay = new AsyncLocalStorage<QueryNotes>();
const NO_QUERIES: QuerySteps = { attributes: {}, steps: [] };
/** Writing a large source takes thousands. */
const MAX_SPANS = 100;
