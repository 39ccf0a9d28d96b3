/** What every command is given: the settings, the directory's time, the store while it works, and where to print. */

import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { openStore, type Store } from '../store/index.ts';

export interface Context {
  config: Config;
  log: Log;
  /** Answers: one line on standard output. */
  print(line: string): void;
  /** Remarks for a person: one line on standard error. */
  remark(line: string): void;
  /** Whether a person watches: progress is shown. */
  watched: boolean;
  /** Opens the store beside a running service or alone, and closes it after the work. */
  withStore<T>(work: (store: Store) => Promise<T>): Promise<T>;
}

/** An expected refusal of a command. The message is one sentence for the person at the terminal. */
export class Refusal extends Error {
  readonly code = 'refused';
}

export function createContext(config: Config, log: Log, streams: { out: NodeJS.WriteStream; err: NodeJS.WriteStream }): Context {
  return {
    config,
    log,
    print: (line) => void streams.out.write(`${line}\n`),
    remark: (line) => void streams.err.write(`${line}\n`),
    watched: streams.err.isTTY === true,
    async withStore(work) {
      const store = await openStore({
        dataDir: config.dataDir,
        log,
        ...(config.databaseUrl === null ? {} : { databaseUrl: config.databaseUrl }),
      });
      try {
        return await work(store);
      } finally {
        await store.close();
      }
    },
  };
}

/** A table for people: columns as wide as their widest cell. */
export function printTable(context: Context, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of [head, ...rows]) {
    context.print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}
