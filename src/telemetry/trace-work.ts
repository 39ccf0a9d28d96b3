/** A piece of work as a span, with its queries. */

import { createQueryNotes, describeQueries, noteQueriesIn } from './query-notes.ts';
import { type FinishedSpan, type Tracing, timeOf } from './tracing.ts';

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
