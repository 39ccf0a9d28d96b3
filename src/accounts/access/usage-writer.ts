/** Writes the ledger again and again; what cannot be written stays in memory. */

import type { Log } from '../../log.ts';
import type { UsageLedger } from '../usage/usage-ledger.ts';
import { describeError } from './store-trouble.ts';

export interface UsageWriter {
  /** Never rejects: a failure is logged once, and the next write has it all. */
  write(what?: { requestsOnly: boolean }): Promise<void>;
  /** Before the process ends. */
  writeLast(): Promise<void>;
}

export function createUsageWriter(ledger: Pick<UsageLedger, 'flush'>, log: Log): UsageWriter {
  let unwritten = false;

  async function write(what?: { requestsOnly: boolean }): Promise<void> {
    try {
      await ledger.flush(what);
      unwritten = false;
    } catch (error) {
      if (!unwritten) log.warn({ error: describeError(error) }, 'cannot write usage; keeping it in memory and trying again');
      unwritten = true;
    }
  }

  return {
    write,
    async writeLast() {
      for (let attempt = 0; attempt === 0 || (unwritten && attempt < LAST_ATTEMPTS); attempt += 1) await write();
    },
  };
}

/** Each over another connection, where one has gone silent. */
const LAST_ATTEMPTS = 3;
