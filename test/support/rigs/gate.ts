/** A gate on a store of its own, with clocks that stand until moved, a counted store that can be made to fail, and its log. */

import type { Kysely, KyselyPlugin } from 'kysely';
import {
  type AccessVerdict,
  type Accounts,
  createAccounts,
  type Gate,
  type GateOptions,
  openGate,
} from '../../../src/accounts/index.ts';
import { createLog } from '../../../src/log.ts';
import type { Database } from '../../../src/store/index.ts';
import { openTestStore, type TestStore } from '../database/store.ts';
import { createOperator, type TestOperator } from './operator.ts';

export interface GateRig {
  testStore: TestStore;
  accounts: Accounts;
  operator: TestOperator;
  gate: Gate;
  /** ms; move them as you like. */
  time: { directory: number; limits: number; monotonic: number };
  /** Moves all clocks. */
  pass(ms: number): void;
  faults: Faults;
  log: string[];
  /** Another gate on the same store and clocks; `faults` and `log` are shared. */
  openAnother(options?: Partial<GateOptions>): Promise<Gate>;
  /** Closes those. */
  closeOthers(): Promise<void>;
  /** An active account with a key. */
  createKey(tier?: string): Promise<{ key: string; id: string; subscriptionId: string; email: string }>;
  dispose(): Promise<void>;
}

/** The gate's view of the store. */
export interface Faults {
  /** Queries since the start. */
  queries: number;
  /** Queries that are under way. */
  unanswered: number;
  /** With it every query fails. */
  error: Error | null;
  /** With it answers do not arrive until it is resolved. */
  hold: Promise<void> | null;
  /** With it every query is done, but its answer is lost. */
  deaf: boolean;
}

export const NOON = Date.UTC(2026, 10, 21, 12);

export async function openGateRig(options: Partial<GateOptions> = {}): Promise<GateRig> {
  const testStore = await openTestStore();
  const time = { directory: NOON, limits: NOON, monotonic: 0 };
  const faults: Faults = { queries: 0, unanswered: 0, error: null, hold: null, deaf: false };
  const log: string[] = [];
  const accounts = createAccounts({ db: testStore.store.db, now: () => time.directory });
  const open = (more: Partial<GateOptions> = {}) =>
    openGate({
      db: withFaults(testStore.store.db, faults),
      clocks: { directory: () => time.directory, limits: () => time.limits },
      monotonic: () => time.monotonic,
      log: createLog('trace', { write: (line) => void log.push(line) }),
      pollEveryMs: 20,
      ...options,
      ...more,
    });
  const gate = await open();
  const others: Gate[] = [];
  let people = 0;

  return {
    testStore,
    accounts,
    operator: createOperator(testStore.store.db, () => time.directory),
    gate,
    time,
    pass(ms) {
      time.directory += ms;
      time.limits += ms;
      time.monotonic += ms;
    },
    faults,
    log,
    async openAnother(more) {
      const another = await open(more);
      others.push(another);
      return another;
    },
    async closeOthers() {
      for (const other of others.splice(0)) await other.close();
    },
    async createKey(tier = 'starter') {
      const email = `person-${people++}@example.org`;
      const account = await accounts.createAccount({ email, tier });
      if (!account.ok) throw new Error(account.detail);
      const created = await accounts.createKey({ email });
      if (!created.ok) throw new Error(created.detail);
      return { ...created, email };
    },
    async dispose() {
      faults.error = null;
      faults.hold = null;
      faults.deaf = false;
      for (const one of [gate, ...others]) await one.close();
      await testStore.dispose();
    },
  };
}

function withFaults(db: Kysely<Database>, faults: Faults): Kysely<Database> {
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      faults.queries += 1;
      if (faults.error) throw faults.error;
      faults.unanswered += 1;
      return node;
    },
    async transformResult({ result }) {
      if (faults.hold) await faults.hold;
      faults.unanswered -= 1;
      if (faults.deaf) throw connectionRefused();
      return result;
    },
  };
  return db.withPlugin(plugin);
}

export const connectionRefused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

/** What a verdict says, in one word. */
export function outcome(verdict: AccessVerdict): string {
  return verdict.ok ? verdict.accessStatus : verdict.reason;
}
