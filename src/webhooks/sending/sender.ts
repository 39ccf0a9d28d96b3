/**
 * Sends what is due. Endpoints are leased, those that fail apart from the others, so that no number of dead ones takes the place of a
 * healthy one. A request that takes long counts as of a failing endpoint while it does.
 */

import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { loadAccountTiers } from '../../accounts/index.ts';
import type { Clock, Clocks } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { Outbound } from '../../outbound/index.ts';
import { type CommitWatcher, type Database, transact } from '../../store/index.ts';
import { deactivate } from '../endpoint-state.ts';
import { payloadOf } from '../messages.ts';
import type { Seal } from '../seal.ts';
import { createSigner, type Signer } from '../sign.ts';
import { type AttemptResult, deliver } from './deliver.ts';
import { NO_JOURNAL, openJournal } from './journal.ts';
import {
  createBatches,
  type DueDelivery,
  LEASE_MS,
  type LeasedEndpoint,
  leaseEndpoints,
  leaveAlone,
  nextWork,
  readLeased,
  releaseEndpoints,
  renewLeases,
  takeDue,
  takeFirst,
} from './leases.ts';
import { createOutcomeWriter, judge } from './outcomes.ts';

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
}

export interface WebhookSender {
  /** Something was written to be sent. */
  wake(): void;
  /** Lets requests under way end, for a while. */
  close(): Promise<void>;
}

interface Run {
  endpoint: LeasedEndpoint;
  isFailing: boolean;
  /** When each request that is under way began, oldest first; milliseconds by the machine. */
  underWay: Set<{ since: number }>;
  isOver: boolean;
}

export function startSender(options: SenderOptions): WebhookSender {
  const { db, commitWatcher, outbound, seal, clocks, log, random = Math.random, leaseMs = LEASE_MS } = options;
  const now: Clock = clocks.limits;
  const owner = randomUUID();
  const runs = new Map<string, Run>();
  const ending = new AbortController();
  const journal = options.dataDir === undefined ? NO_JOURNAL : openJournal(options.dataDir, owner);
  const writer = createOutcomeWriter(db, journal, options.onDisabled);
  let allowed = new Map<string, number>();
  let allowedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | null = null;
  let renewedAt = performance.now();
  let nextAt: number | null = 0;
  let looking: Promise<void> | null = null;
  let woken = true;
  let failing = false;

  const takeNext = createBatches(async (asked: readonly { id: string; limit: number }[]) => {
    const taken = await takeDue(db, asked, now());
    return asked.map(({ id }) => taken.get(id) ?? []);
  });
  const release = createBatches(async (ids: readonly string[]) => {
    await releaseEndpoints(db, owner, ids);
    return ids;
  });

  /** Which of the leased endpoints may be sent to, as of a moment ago. */
  async function readAllowed(): Promise<void> {
    const at = performance.now();
    const leased = await readLeased(db, owner, now());
    const tiers = await loadAccountTiers(db, [...new Set(leased.map(({ accountId }) => accountId))], clocks.directory());
    const open = leased.filter(({ accountId }) => tiers.get(accountId) === 'enterprise');
    for (const { id } of leased.filter((each) => !open.includes(each)))
      await transact(db, (trx) => deactivate(trx, id, { state: 'stopped', reason: 'plan', now: now() }));
    allowed = new Map(open.map(({ id, revision }) => [id, revision]));
    allowedAt = at;
  }

  async function isAllowed({ endpoint: { id, revision } }: Run): Promise<boolean> {
    if (performance.now() - allowedAt > ALLOWED_FOR_MS) {
      reading ??= readAllowed().finally(() => {
        reading = null;
      });
      await reading;
    }
    return !ending.signal.aborted && allowed.get(id) === revision;
  }

  async function send(run: Run, signer: Signer, delivery: DueDelivery): Promise<void> {
    const { endpoint } = run;
    const at = now();
    const request = { since: performance.now() };
    run.underWay.add(request);
    const body = payloadOf(delivery, endpoint.isThin ? 'thin' : 'full');
    const result: AttemptResult = await deliver(outbound, {
      ...{ url: endpoint.url, messageId: delivery.messageId, body, signer, at: new Date(at), signal: ending.signal },
    });
    run.underWay.delete(request);
    // Nobody refused it: it waits for the next process.
    if (result.outcome === 'stopped') return;
    const attempt = { deliveryId: delivery.id, messageId: delivery.messageId, type: delivery.type, at, result };
    const outcome = judge(endpoint, { ...attempt, number: delivery.attempts + 1 }, now(), random);
    if (result.outcome !== 'delivered') run.isOver = true;
    if (outcome.isGone) allowed.delete(endpoint.id);
    await writer.add(outcome);
  }

  /** As many at once as the endpoint has earned: each success doubles it. */
  async function sendAll(run: Run, signer: Signer, due: readonly DueDelivery[]): Promise<void> {
    const serving: Promise<void>[] = [];
    let next = 0;
    let busy = 0;
    const fill = () => {
      while (busy < run.endpoint.concurrency && next < due.length && !run.isOver) {
        busy += 1;
        serving.push(serve());
      }
    };
    async function serve(): Promise<void> {
      while (!run.isOver && next < due.length) {
        const delivery = due[next++];
        if (delivery && (await isAllowed(run))) await send(run, signer, delivery);
        else run.isOver = true;
        fill();
      }
      busy -= 1;
    }
    fill();
    for (let i = 0; i < serving.length; i++) await serving[i];
  }

  async function work(run: Run): Promise<void> {
    const { endpoint, isFailing } = run;
    const signer = signerFor(endpoint, seal, now());
    const begun = performance.now();
    while (!run.isOver && performance.now() - begun < TURN_MS && (await isAllowed(run))) {
      const due = endpoint.isOrdered
        ? await takeFirst(db, endpoint.id, now())
        : await takeNext({ id: endpoint.id, limit: isFailing ? 1 : BATCH });
      if (due.length === 0) break;
      await sendAll(run, signer, due);
      if (isFailing) break;
    }
  }

  function begin(endpoint: LeasedEndpoint, isFailing: boolean): void {
    const run: Run = { endpoint, isFailing, underWay: new Set(), isOver: false };
    runs.set(endpoint.id, run);
    allowed.set(endpoint.id, endpoint.revision);
    // The moment of the lease is not known to be one at which the account may be sent to.
    allowedAt = Number.NEGATIVE_INFINITY;
    work(run)
      .catch((err: unknown) => {
        log.error({ err, endpoint: endpoint.id }, 'cannot deliver to an endpoint; trying again');
        return leaveAlone(db, endpoint.id, now() + TROUBLE_MS);
      })
      .then(() => release(endpoint.id))
      .catch((err: unknown) => log.error({ err, endpoint: endpoint.id }, 'cannot release an endpoint; its lease will expire'))
      .finally(() => {
        runs.delete(endpoint.id);
        wake();
      });
  }

  function freePlaces(): { healthy: number; failing: number } {
    let [healthy, slow] = [MAX_HEALTHY, MAX_FAILING];
    const moment = performance.now();
    for (const { isFailing, underWay } of runs.values()) {
      const [oldest] = underWay;
      if (isFailing || (oldest && moment - oldest.since > SLOW_MS)) slow -= 1;
      else healthy -= 1;
    }
    return { healthy: Math.max(0, healthy), failing: Math.max(0, slow) };
  }

  async function look(): Promise<void> {
    if (runs.size > 0 && performance.now() - renewedAt > leaseMs / 3) {
      renewedAt = performance.now();
      await renewLeases(db, owner, now() + leaseMs);
    }
    const isDue = woken || (nextAt !== null && nextAt <= now());
    if (!isDue && commitWatcher.nothingNew()) return;
    woken = false;
    const sawAll = commitWatcher.begin();
    const free = freePlaces();
    for (const isFailing of [false, true]) {
      const limit = isFailing ? free.failing : free.healthy;
      if (limit === 0) continue;
      const leased = await leaseEndpoints(db, {
        ...{ owner, isFailing, limit, now: now(), except: [...runs.keys()], leaseMs, journal },
      });
      for (const endpoint of leased) begin(endpoint, isFailing);
    }
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
      for (const run of runs.values()) run.isOver = true;
      const deadline = performance.now() + CLOSE_AFTER_MS;
      while (runs.size > 0 && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
      ending.abort();
      await looking;
      while (runs.size > 0) await new Promise((resolve) => setTimeout(resolve, 20));
      await writer.close();
    },
  };
}

function signerFor(endpoint: LeasedEndpoint, seal: Seal, now: number): Signer {
  const { id, secret, signingKey, previousSecret, previousSigningKey, previousUntil } = endpoint;
  const isDouble = previousUntil !== null && previousUntil > now;
  const sealed = (values: readonly (Buffer | null)[]) => values.flatMap((value) => (value ? seal.open(value, id) : []));
  return createSigner(
    sealed([secret, isDouble ? previousSecret : null]),
    sealed([signingKey, isDouble ? previousSigningKey : null]),
  );
}

/** Endpoints that are worked for at one time, of those whose last attempt was a success, and of the others. */
const MAX_HEALTHY = 64;
const MAX_FAILING = 64;
/** A request under way for longer does not take the place of another healthy endpoint. */
const SLOW_MS = 500;
/** Deliveries that are taken at once. */
const BATCH = 64;
/** After so long it is another endpoint's turn. */
const TURN_MS = 2_000;
/** A plan that ends, an account that is suspended and an endpoint that is changed count after so long. */
const ALLOWED_FOR_MS = 300;
/** After an error of our own. */
const TROUBLE_MS = 30_000;
const LOOK_EVERY_MS = 100;
const CLOSE_AFTER_MS = 5_000;
