/** A service whose threads accept connections on one port, with the demo city, on the engine that tests run on. */

import { ensureDemo } from '../../../src/commands/index.ts';
import { readConfig } from '../../../src/config.ts';
import { createContext } from '../../../src/context.ts';
import { createLog } from '../../../src/log.ts';
import { openStore, type Store } from '../../../src/store/index.ts';
import { copyDemoFolder } from '../database/demo-folder.ts';
import { createDatabase, DEFAULT_ENGINE } from '../database/store.ts';
import { DEMO_NOW, DEMO_OFFSET } from '../runs/demo-clock.ts';
import { keysIn } from './service.ts';

export interface ThreadedPlace {
  env: Record<string, string>;
  keys: ReturnType<typeof keysIn>;
  /** Beside a running service, or alone. */
  withStore<T>(work: (store: Store) => Promise<T>): Promise<T>;
  remove(): Promise<void> | void;
}

export async function makeThreadedPlace(): Promise<ThreadedPlace> {
  const now = { MARQUEE_NOW: DEMO_OFFSET };
  if (DEFAULT_ENGINE === 'embedded') {
    const { folder, remove } = await copyDemoFolder(DEMO_NOW);
    return { env: { MARQUEE_DATA_DIR: folder, ...now }, keys: keysIn(folder), withStore: storeOf({ dataDir: folder }), remove };
  }
  const { options, remove } = await createDatabase();
  const env = { MARQUEE_DATA_DIR: options.dataDir, DATABASE_URL: options.databaseUrl ?? '', ...now };
  const nobody = { write: () => true } as unknown as NodeJS.WriteStream;
  const withStore = storeOf(options);
  const context = createContext(readConfig(env), createLog('silent'), { out: nobody, err: nobody });
  const keys = await withStore((store) => ensureDemo(context, store));
  return { env, keys, withStore, remove };
}

const storeOf =
  (options: Parameters<typeof openStore>[0]): ThreadedPlace['withStore'] =>
  async (work) => {
    const store = await openStore(options);
    return work(store).finally(() => store.close());
  };

/** Asks over a connection of its own, so that the system chooses a thread anew. */
export async function askAnew(
  url: string,
  { key, ...init }: RequestInit & { key?: string } = {},
): Promise<{ status: number; headers: Headers; text: string; thread: string }> {
  const headers = { connection: 'close', ...(key !== undefined && { 'x-api-key': key }), ...init.headers };
  const answer = await fetch(url, { ...init, headers });
  // A request's id has the mark of the thread that gave it behind ten characters of time.
  const thread = (answer.headers.get('X-Request-Id') ?? '').slice(TIME_CHARS, TIME_CHARS + MARK_CHARS);
  return { status: answer.status, headers: answer.headers, text: await answer.text(), thread };
}

const TIME_CHARS = 10;
const MARK_CHARS = 10;
