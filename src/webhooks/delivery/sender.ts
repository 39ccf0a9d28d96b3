/** Sends what is due: looks for endpoints with something to send, leases them, and gives each its turn. */

import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Clock, Clocks } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { Outbound } from '../../outbound/index.ts';
import type { CommitWatcher, Database } from '../../store/index.ts';
import type { Tracing } from '../../telemetry/index.ts';
import type { Seal } from '../seal.ts';
import { createEndpointTurns } from './endpoint-turns.ts';
import { NO_JOURNAL, openJournal } from './journal.ts';
import { LEASE_MS, leaseEndpoints, nextWork, renewLeases } from './leases.ts';
import { createOutcomeWriter } from './outcomes.ts';
import { createSendDue } from './send-due.ts';
import { createSendPermission } from './send-permission.ts';

export interface SenderOptions {
  db: Kysely<Database>;
  commitWatcher: CommitWatcher;
  /** With `WEBHOOK_LIMITS`. */
  outbound: Outbound;
  seal: Seal;
  clocks: Clocks;
  log: Log;
  /** An endpoint was disabled. */
  onDisabled(): void;
  /** 0 to 1. */
  random?: () => number;
  leaseMs?: number;
  /** Where results are noted until the database has them; without it a sudden end repeats more messages. */
  dataDir?: string;
  tracing?: Tracing | null;
}

export interface WebhookSender {
  /** Something was written to be sent. */
  wake(): void;
  /** Lets requests under way end, for a while. */
  close(): Promise<void>;
}

export function startSender(options: SenderOptions): WebhookSender {
  const { db, commitWatcher, outbound, seal, clocks, log, random = Math.random, leaseMs = LEASE_MS, tracing = null } = options;
  const now: Clock = clocks.limits;
  const owner = randomUUID();
  const ending = new AbortController();
  const journal = options.dataDir === undefined ? NO_JOURNAL : openJournal(options.dataDir, owner);
  const writer = createOutcomeWriter(db, journal, options.onDisabled);
  const permission = createSendPermission(db, owner, clocks);
  const sendDue = createSendDue({ db, outbound, seal, permission, writer, signal: ending.signal, now, random, tracing });
  const turns = createEndpointTurns({ db, owner, sendDue, now, log, onEnd: wake });
  let renewedAt = performance.now();
  let nextAt: number | null = 0;
  let looking: Promise<void> | null = null;
  let woken = true;
  let failing = false;

  async function lease(isFailing: boolean, limit: number): Promise<void> {
    if (limit === 0) return;
    const wanted = { owner, isFailing, limit, leaseMs, journal, now: now(), except: turns.ids() };
    const leased = await leaseEndpoints(db, wanted);
    for (const endpoint of leased) {
      permission.add(endpoint);
      turns.begin(endpoint, isFailing);
    }
  }

  async function look(): Promise<void> {
    const held = turns.ids();
    if (held.length > 0 && performance.now() - renewedAt > leaseMs / 3) {
      renewedAt = performance.now();
      await renewLeases(db, owner, held, now() + leaseMs);
    }
    const isDue = woken || (nextAt !== null && nextAt <= now());
    if (!isDue && commitWatcher.nothingNew()) return;
    woken = false;
    const sawAll = commitWatcher.begin();
    const free = turns.free();
    await lease(false, free.healthy);
    await lease(true, free.failing);
    nextAt = await nextWork(db, now());
    sawAll();
    failing = false;
  }

  function tick(): void {
    if (ending.signal.aborted || looking) return;
    looking = look()
      .catch((err: unknown) => {
        woken = true;
        if (!failing) log.error({ err }, 'cannot read due webhooks; trying again');
        failing = true;
      })
      .finally(() => {
        looking = null;
        if (woken && !failing) tick();
      });
  }

  function wake(): void {
    woken = true;
    tick();
  }

  const timer = setInterval(tick, LOOK_EVERY_MS);
  tick();
  return {
    wake,
    async close() {
      clearInterval(timer);
      turns.stop();
      await turns.onIdle(performance.now() + CLOSE_AFTER_MS);
      ending.abort();
      // What was delivered is in the journal: a process does not outlive its time for a database that is away.
      writer.giveUp();
      await looking;
      await turns.onIdle();
      await writer.close();
    },
  };
}

const LOOK_EVERY_MS = 100;
const CLOSE_AFTER_MS = 5_000;
