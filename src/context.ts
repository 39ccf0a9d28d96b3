/** What commands and the service are given: the settings, the log, the store while a command works, and where to print. */

import { createInterface } from 'node:readline';
import type { Config } from './config.ts';
import type { Log } from './log.ts';
import { openStore, type Store, type StoreOptions } from './store/index.ts';

export interface Context {
  config: Config;
  log: Log;
  /** Answers: one line on standard output. */
  print(line: string): void;
  /** Remarks for a person: one line on standard error. */
  remark(line: string): void;
  /** Whether a person watches: progress is shown. */
  watched: boolean;
  /** Whether what is printed is seen on a terminal and kept nowhere: it may be secret. */
  printsToTerminal: boolean;
  /** Asks whoever types for one line; absent where nobody types. */
  ask?: (question: string) => Promise<string>;
  /** Opens the store beside a running service or alone, and closes it after the work. By default, an older database is refused. */
  withStore<T>(work: (store: Store) => Promise<T>, options?: Pick<StoreOptions, 'onOlder'>): Promise<T>;
}

interface TerminalStreams {
  /** Absent: nobody types. */
  in?: NodeJS.ReadStream;
  out: NodeJS.WriteStream;
  err: NodeJS.WriteStream;
}

export function createContext(config: Config, log: Log, streams: TerminalStreams): Context {
  return {
    config,
    log,
    print: (line) => void streams.out.write(`${line}\n`),
    remark: (line) => void streams.err.write(`${line}\n`),
    watched: streams.err.isTTY === true,
    printsToTerminal: streams.out.isTTY === true,
    ...(streams.in?.isTTY && streams.err.isTTY && { ask: (question) => askLine(streams, question) }),
    async withStore(work, options = {}) {
      const store = await openStore({
        dataDir: config.dataDir,
        log,
        onOlder: 'refuse',
        ...(config.databaseUrl === null ? {} : { databaseUrl: config.databaseUrl }),
        ...options,
      });
      try {
        return await work(store);
      } finally {
        await store.close();
      }
    },
  };
}

/** On standard error, for standard output may lead elsewhere. An input that ends answers with nothing. */
async function askLine(streams: TerminalStreams, question: string): Promise<string> {
  const lines = createInterface({ input: streams.in ?? process.stdin, output: streams.err });
  try {
    return await new Promise((resolve) => {
      lines.once('close', () => resolve(''));
      lines.question(question, resolve);
    });
  } finally {
    lines.close();
  }
}
