/**
 * Many connections, one session: shares the single backend of the embedded engine among the clients of a Unix socket.
 *
 *   client A ─► units ─┐                       a unit runs whole; while a connection is in a
 *   client B ─► units ─┼─► queue ─► backend    transaction, only its units run; one that leaves
 *   client C ─► units ─┘                       in a transaction is rolled back
 *
 * What belongs to a session (SET, named statements, temporary tables, LISTEN) is shared or lost: clients must not use it.
 */

import { chmodSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createPacketReader, fatalError, queryMessage, startupMessage, transactionStatus } from './wire.ts';

/** Runs protocol bytes on the backend and gives the answer's bytes; it is never called again before it has answered. */
export type Backend = (message: Uint8Array) => Promise<Uint8Array[]>;

export interface Multiplexer {
  /** Runs `work` between two units, while no transaction is open. */
  acquire<T>(work: () => Promise<T>): Promise<T>;
  /** Counts the units run so far. */
  unitsRun(): number;
  /** Takes no more connections, waits until nobody is in a transaction, disconnects the rest and rolls back what is open then. */
  close(): Promise<void>;
}

export interface MultiplexerOptions {
  backend: Backend;
  socketPath: string;
  /** The backend answered nonsense or threw: it cannot be trusted any more. */
  onBroken: (error: unknown) => void;
  /** Called with each unit that was run, before its answer leaves. */
  onUnit?: (unit: Buffer) => void;
  /** How long a connection may hold the engine between two units of a transaction. */
  idleInTransactionMs?: number;
  /** How long a close waits until nobody is in the middle of anything. */
  quietPatienceMs?: number;
}

export async function openMultiplexer(options: MultiplexerOptions): Promise<Multiplexer> {
  const { backend, socketPath } = options;
  // The answer to a startup is always the same. Asking once keeps connecting free of the queue and of the shared session.
  const greeting = Buffer.concat(await backend(startupMessage('postgres', 'postgres')));
  if (transactionStatus([greeting]) !== 'idle') throw new Error('the engine sent no greeting');
  const queue = createUnitQueue(options);
  const sessions = new Set<Session>();
  const server = createServer((socket) => serveSocket(socket, greeting, queue, sessions));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(socketPath, resolve);
  });
  chmodSync(socketPath, 0o600);

  return {
    unitsRun: queue.unitsRun,
    acquire: (work) =>
      new Promise((resolve, reject) => {
        queue.add({ session: undefined, run: () => work().then(resolve, reject) });
      }),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      await queue.untilIdle();
      // Of a unit that runs, its client must learn the outcome: the error says that nothing was run.
      for (const session of sessions) {
        if (queue.isRunning(session)) session.isLast = true;
        else session.disconnect(SHUTDOWN_ERROR);
      }
      await queue.untilEmpty();
      await closed;
    },
  };
}

/** Gives units to the engine, one at a time. A session in a transaction holds the engine: the others wait for its end. */
function createUnitQueue(options: MultiplexerOptions): UnitQueue {
  const { backend, onBroken, onUnit = () => {} } = options;
  const { idleInTransactionMs = IDLE_IN_TRANSACTION_MS, quietPatienceMs = QUIET_PATIENCE_MS } = options;
  const jobs: Job[] = [];
  let holder: Session | undefined;
  let running: Session | undefined;
  /** One job at a time, whoever brings the next one: a session that is disconnected brings it in the middle of a job. */
  let pumping = false;
  let pumped: Promise<void> = Promise.resolve();
  let unitsRun = 0;
  let broken = false;

  async function pump(): Promise<void> {
    for (;;) {
      const index = holder ? jobs.findIndex((job) => job.session === holder) : 0;
      const [job] = broken || index < 0 ? [] : jobs.splice(index, 1);
      if (!job) {
        pumping = false;
        return;
      }
      try {
        await job.run();
      } catch (error) {
        broken = true;
        onBroken(error);
      }
    }
  }

  return {
    unitsRun: () => unitsRun,
    add(job) {
      jobs.push(job);
      if (pumping) return;
      pumping = true;
      pumped = pump();
    },
    async runUnit(session, unit) {
      if (session.gone) return;
      clearTimeout(session.idleTimer);
      running = session;
      const answer = await backend(unit);
      running = undefined;
      unitsRun++;
      onUnit(unit);
      const status = transactionStatus(answer);
      if (status === undefined) throw new Error('the engine sent an incomplete answer');
      holder = status === 'idle' ? undefined : session;
      session.send(answer);
      if (session.isLast) session.disconnect(SHUTDOWN_ERROR);
      else if (holder) session.idleTimer = setTimeout(() => session.disconnect(IDLE_ERROR), idleInTransactionMs);
    },
    async leave(session) {
      if (holder !== session) return;
      const answer = await backend(queryMessage('rollback'));
      if (transactionStatus(answer) !== 'idle') throw new Error('the engine did not roll back');
      holder = undefined;
    },
    isRunning: (session) => running === session,
    async untilIdle() {
      const deadline = Date.now() + quietPatienceMs;
      while (!broken && (holder || pumping || jobs.length > 0) && Date.now() < deadline) await delay(QUIET_LOOK_MS);
    },
    async untilEmpty() {
      while (pumping) await pumped;
    },
  };
}

/** Turns what a client sends into jobs, for as long as it is connected. */
function serveSocket(socket: Socket, greeting: Buffer, queue: UnitQueue, sessions: Set<Session>): void {
  const session: Session = {
    gone: false,
    isLast: false,
    idleTimer: undefined,
    send(answer) {
      if (!socket.writable) return;
      socket.cork();
      for (const bytes of answer) socket.write(bytes);
      socket.uncork();
    },
    disconnect(error) {
      if (error && socket.writable) socket.write(error);
      socket.destroySoon();
      // A client that is stopped never reads: what it has not taken by then is lost to it.
      setTimeout(() => socket.destroy(), DISCONNECT_GRACE_MS).unref();
      retire();
    },
  };
  const retire = () => {
    if (session.gone) return;
    session.gone = true;
    clearTimeout(session.idleTimer);
    sessions.delete(session);
    queue.add({ session, run: () => queue.leave(session) });
  };
  const read = createPacketReader((packet) => {
    if (packet.kind === 'encryption') socket.write('N');
    if (packet.kind === 'startup') socket.write(greeting);
    if (packet.kind === 'cancel') socket.end();
    if (packet.kind === 'unit') queue.add({ session, run: () => queue.runUnit(session, packet.bytes) });
    if (packet.kind === 'terminate') queue.add({ session, run: async () => session.disconnect() });
  });
  sessions.add(session);
  socket.setNoDelay(true);
  socket.on('data', (chunk: Buffer) => {
    try {
      read(chunk);
    } catch (error) {
      session.disconnect(fatalError('08P01', error instanceof Error ? error.message : 'protocol violation'));
    }
  });
  socket.on('error', retire);
  socket.on('close', retire);
}

interface Job {
  session: Session | undefined;
  run(): Promise<void>;
}

interface UnitQueue {
  add(job: Job): void;
  /** Part of a job. */
  runUnit(session: Session, unit: Buffer): Promise<void>;
  /** Part of a job with the session as owner, so that it runs even while the session holds the engine. */
  leave(session: Session): Promise<void>;
  unitsRun(): number;
  isRunning(session: Session): boolean;
  /** When nobody is in the middle of anything: who is disconnected then has lost nothing, and goes on with the next owner. */
  untilIdle(): Promise<void>;
  untilEmpty(): Promise<void>;
}

interface Session {
  gone: boolean;
  /** Disconnected as soon as the unit that runs is answered. */
  isLast: boolean;
  idleTimer: NodeJS.Timeout | undefined;
  send(answer: readonly Uint8Array[]): void;
  disconnect(error?: Buffer): void;
}

/** Long enough for the slowest batch between two statements, short enough that a stopped client does not hold the engine for ever. */
const IDLE_IN_TRANSACTION_MS = 60_000;
const DISCONNECT_GRACE_MS = 1000;
const IDLE_ERROR = fatalError('25P03', 'terminating connection due to idle-in-transaction timeout');
const SHUTDOWN_ERROR = fatalError('57P01', 'terminating connection because the engine is closing');
const QUIET_PATIENCE_MS = 3000;
const QUIET_LOOK_MS = 5;
