/** Queries of a page: made in the thread of the pages, told with the answer, and steps of the request in the serving thread. */

import { addQueries, createQueryNotes, noteQueriesIn, type QueryNotes } from '../telemetry/index.ts';
import type { Pages } from '../web/index.ts';

/** In the thread of the pages. */
export const notePageQueries = (pages: Pages): Pages => ({
  ...pages,
  async answer(request) {
    const queries = createQueryNotes();
    const answer = await noteQueriesIn(queries, () => pages.answer(request));
    return answer && { ...answer, queries };
  },
});

/** In the serving thread. */
export const takePageQueries = <P extends Pages>(pages: P): P => ({
  ...pages,
  async answer(request: Parameters<Pages['answer']>[0]) {
    const answer: Answer = await pages.answer(request);
    if (answer?.queries) addQueries(answer.queries);
    return answer;
  },
});

type Answer = (NonNullable<Awaited<ReturnType<Pages['answer']>>> & { queries?: QueryNotes }) | null;
