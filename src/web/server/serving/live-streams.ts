/** Open event streams and their sessions. A stream ends with the session that opened it, wherever that session was ended. */

import type { Kysely } from 'kysely';
import { loadLivingSessions } from '../../../accounts/index.ts';
import type { Log } from '../../../log.ts';
import type { Database } from '../../../store/index.ts';

export interface LiveStreams {
  /** From now on `end` is called once the session is over or its account not active. The function it gives stops that. */
  add(sessionId: string, end: () => void): () => void;
  /** Asks the store now, after a request that may have ended a session. */
  check(): Promise<void>;
  close(): void;
}

/** While streams are open the store is asked every two seconds. While it is away they stay open, as sessions do. */
export function createLiveStreams(db: Kysely<Database>, log: Log): LiveStreams {
  const open = new Map<string, Set<() => void>>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let isFailing = false;
  let isClosed = false;

  async function endOver(): Promise<void> {
    const asked = [...open.keys()];
    if (asked.length === 0) return;
    const living = await loadLivingSessions(db, asked);
    for (const id of asked) if (!living.has(id)) for (const end of [...(open.get(id) ?? [])]) end();
  }

  async function look(): Promise<void> {
    try {
      await endOver();
      isFailing = false;
    } catch (err) {
      if (!isFailing && !isClosed) log.warn({ err }, 'cannot check the sessions of open streams');
      isFailing = true;
    }
  }

  async function check(): Promise<void> {
    // A look that runs may have begun before the session ended.
    await running;
    running ??= look().finally(() => {
      running = null;
    });
    await running;
  }

  function checkLater(): void {
    clearTimeout(timer);
    if (open.size > 0 && !isClosed) timer = setTimeout(() => void check().then(checkLater), CHECK_EVERY_MS).unref();
  }

  return {
    add(sessionId, end) {
      const ends = open.get(sessionId) ?? new Set();
      const isFirst = open.size === 0;
      open.set(sessionId, ends.add(end));
      if (isFirst) checkLater();
      return () => {
        ends.delete(end);
        if (ends.size === 0 && open.get(sessionId) === ends) open.delete(sessionId);
      };
    },
    check,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

const CHECK_EVERY_MS = 2_000;
