/** The pages in a thread of their own, seen from there: what the serving thread asks for, and what it is asked. */

import { constants, setPriority } from 'node:os';
import type { ReadableStream } from 'node:stream/web';
import type { MessagePort } from 'node:worker_threads';
import { expose, proxy, type Remote, releaseProxy, transfer, wrap } from 'comlink';
import type { Attempts } from '../../../accounts/index.ts';
import { endpoint, type Pages, type PagesHost } from './page-messages.ts';

/** The ends of the ways to the serving thread. */
export interface ThreadEnds {
  pages: MessagePort;
  host: MessagePort;
  search: MessagePort;
}

export interface ThreadPages extends Pages {
  close(): void;
}

/** `open` is given what only the serving thread has. Questions that come before the pages are open wait. */
export async function runPagesThread(
  { pages: asked, host }: ThreadEnds,
  open: (host: PagesHost) => Promise<{ pages: Pages; close(): Promise<void> }>,
): Promise<void> {
  stepBack();
  const { pages, close } = await open(hostFrom(wrap<HostCalls>(endpoint(host))));
  const answers: ThreadPages = {
    async answer(request) {
      const answer = await pages.answer(request);
      const isStream = answer && 'body' in answer && answer.body && 'getReader' in answer.body;
      return isStream ? transfer(answer, [answer.body as ReadableStream]) : answer;
    },
    end: () => pages.end(),
    close: () => void close().finally(() => process.exit()),
  };
  expose(answers, endpoint(asked));
}

/** Where Linux keeps a priority for each thread, those who ask the API come first. Elsewhere it would be that of the whole process. */
function stepBack(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}

/** The host as it is called across threads. */
export type HostCalls = PagesHost['gate'] &
  Omit<PagesHost, 'gate' | 'attempts'> & { takeAttempt: Attempts['take']; giveAttemptBack: Attempts['giveBack'] };

function hostFrom(host: Remote<HostCalls>): PagesHost {
  return {
    gate: {
      allowancesOf: (ids) => host.allowancesOf([...ids]),
      flush: () => host.flush(),
      watch(id, listener) {
        const watching = host.watch(id, proxy(listener)) as unknown as Promise<Remote<() => void>>;
        return () =>
          void watching.then(async (unwatch) => {
            await unwatch();
            unwatch[releaseProxy]();
          });
      },
    },
    attempts: {
      take: (name, key) => host.takeAttempt(name, key),
      giveBack: (name, key) => host.giveAttemptBack(name, key),
    },
    answerTimes: () => host.answerTimes(),
    status: () => host.status(),
    askApi: (request) => host.askApi(request),
    wake: () => void host.wake(),
  };
}
