/** The whole service in this process, pages included, on a clock that tests move. */

import { Writable } from 'node:stream';
import { createContext } from '../../src/commands/index.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { startService } from '../../src/main.ts';
import type { Store } from '../../src/store/index.ts';
import { buildPages } from '../../src/web/index.ts';
import { temporaryFolder } from './store.ts';

export interface Site {
  /** Without a trailing slash. */
  url: string;
  store: Store;
  dataDir: string;
  /** Moves the directory's and the accounts' clock forward; limits keep real time. */
  pass(milliseconds: number): void;
  now(): number;
  /** All log lines so far. */
  logged(): string[];
  /** A path of the site as a stranger without a browser would ask for it. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

export interface SiteOptions {
  /** Loads the demo city; else the directory is empty. */
  demo?: boolean;
  /** Beside those that keep it on loopback and quiet. */
  settings?: Record<string, string>;
}

export async function openSite({ demo = true, settings = {} }: SiteOptions = {}): Promise<Site> {
  // No test's patience is meant for the builder.
  await buildPages();
  const { folder, remove } = temporaryFolder();
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const config = readConfig({ PORT: '0', MARQUEE_DATA_DIR: folder, MARQUEE_METRICS_PORT: 'off', ...settings });
  const clock = { passed: 0 };
  const now = () => config.clocks.directory() + clock.passed;
  const context = createContext({ ...config, clocks: { ...config.clocks, directory: now } }, createLog('info', sink), {
    out: sink,
    err: sink,
  });
  const service = await startService(context, { role: 'all', demo });
  const url = service.url ?? '';
  return {
    url,
    store: service.store,
    dataDir: folder,
    pass: (milliseconds) => {
      clock.passed += milliseconds;
    },
    now,
    logged: () => lines,
    ask: (path, init) => fetch(url + path, { redirect: 'manual', ...init }),
    async close() {
      await service.close();
      remove();
    },
  };
}
