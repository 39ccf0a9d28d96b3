/** Which of several PostgreSQL servers accepts writes. After a failover it is another one. */

import { probeServer, type ServerState } from './probe-server.ts';

export interface Primary {
  /** The address of the server. All are asked where it is in doubt. Rejects with a `NoPrimaryError`. */
  find(): Promise<string>;
  /** It was not reached, or accepts no writes any more. */
  doubt(): void;
}

/** `reasons`: why each server is none, in their order. */
export class NoPrimaryError extends Error {
  readonly reasons: readonly unknown[];

  constructor(reasons: readonly unknown[]) {
    super('no server accepts writes');
    this.reasons = reasons;
  }
}

/** `urls`: as `parseDatabaseUrl` gives them. */
export function createPrimary(urls: readonly string[], probe: (url: string) => Promise<ServerState> = probeServer): Primary {
  let believed: string | null = null;
  let searching: Promise<string> | null = null;
  /** A server with an older timeline was the primary before a failover: what is written there is lost. */
  let newestTimeline = '';

  async function search(): Promise<string> {
    const answers = await askAll(urls, probe);
    const writable = answers.flatMap((answer) => (answer?.state?.acceptsWrites ? [{ ...answer, ...answer.state }] : []));
    const [best] = writable
      .filter(({ timeline }) => timeline >= newestTimeline)
      .sort((a, b) => (a.timeline === b.timeline ? 0 : a.timeline > b.timeline ? -1 : 1));
    if (!best) throw new NoPrimaryError(answers.map((answer) => answer?.error ?? reasonOf(answer?.state)));
    newestTimeline = best.timeline;
    believed = best.url;
    return best.url;
  }

  return {
    find() {
      if (believed !== null) return Promise.resolve(believed);
      searching ??= search().finally(() => {
        searching = null;
      });
      return searching;
    },
    doubt() {
      believed = null;
    },
  };
}

interface Answer {
  url: string;
  state?: ServerState;
  error?: unknown;
}

/** In the order of the addresses; undefined: no answer yet. A server that is silent holds nobody up once another accepts writes. */
async function askAll(
  urls: readonly string[],
  probe: (url: string) => Promise<ServerState>,
): Promise<readonly (Answer | undefined)[]> {
  const answers: (Answer | undefined)[] = urls.map(() => undefined);
  const found = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  const asked = urls.map(async (url, at) => {
    try {
      const state = await probe(url);
      answers[at] = { url, state };
      if (state.acceptsWrites) timer ??= setTimeout(found.resolve, GRACE_MS);
    } catch (error) {
      answers[at] = { url, error };
    }
  });
  await Promise.race([Promise.all(asked), found.promise]);
  clearTimeout(timer);
  return answers;
}

const reasonOf = (state: ServerState | undefined): Error =>
  new Error(state?.acceptsWrites ? 'it is an old primary' : state ? 'it is read-only' : 'no answer in time');

/** For the others to say that they accept writes too, with a newer timeline. */
const GRACE_MS = 300;
