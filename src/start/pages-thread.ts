/** The thread of the pages. Started by `serve-pages.ts` with `PagesThreadFacts`. */

import { workerData } from 'node:worker_threads';
import { createClocks } from '../clock.ts';
import { createThreadLog, printWarnings } from '../log.ts';
import { readSearch } from '../search/index.ts';
import { joinStore, type StoreAddress } from '../store/index.ts';
import { noteQuery } from '../telemetry/index.ts';
import { runPagesThread, type ThreadEnds } from '../web/index.ts';
import { notePageQueries, openPages, type PagesFacts } from './pages.ts';

export interface PagesThreadFacts extends PagesFacts {
  store: StoreAddress;
  nowSetting: string | undefined;
  logLevel: string;
  isTraced: boolean;
}

printWarnings();
/** Nobody waits so long for a page (`web/server/serving/database-away.ts`): a statement behind a lock must not hold its connection. */
const STATEMENT_MS = 2_000;

const { facts, ends } = workerData as { facts: PagesThreadFacts; ends: ThreadEnds };
const log = createThreadLog(facts.logLevel);
await runPagesThread(ends, async (host) => {
  const store = joinStore(facts.store, { statementMs: STATEMENT_MS, ...(facts.isTraced && { onQuery: noteQuery }) });
  const search = await readSearch(ends.search);
  const { pages, close } = await openPages(facts, { store, search, clocks: createClocks(facts.nowSetting), host, log });
  return {
    pages: facts.isTraced ? notePageQueries(pages) : pages,
    async close() {
      await close();
      await store.close();
    },
  };
});
