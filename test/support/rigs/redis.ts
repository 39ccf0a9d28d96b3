/** A Redis server of a test: in a folder of its own, on a free port, and gone with the test. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { openRedisLimits, type RedisLimits } from '../../../src/accounts/index.ts';
import { createLog } from '../../../src/log.ts';
import { parseRedisPlace, type RedisPlace } from '../../../src/redis-place.ts';
import { freePort } from '../network/free-port.ts';
import { machineNow, withOwnClock } from '../processes/own-clock.ts';
import { until } from '../runs/patience.ts';

export interface TestRedis {
  port: number;
  url: string;
  /** Sends one command in the inline form and gives the first lines of the answer. */
  ask(command: string): Promise<string>;
  /** SIGKILL; nothing was saved, so it starts empty. */
  kill(): Promise<void>;
  /** On the same port, after `kill`. */
  start(): Promise<void>;
  /** SIGSTOP and SIGCONT: connections stay open, and nothing answers. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

/** Without it, tests that need it are reported as skipped. */
export const HAS_REDIS = (process.env.PATH ?? '').split(delimiter).some((folder) => canRun(join(folder, 'redis-server')));

/** `settings`: as on the command line, such as `--maxmemory 4mb`. */
export async function startRedis(settings: readonly string[] = [], port?: number): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'marquee-redis-'));
  const chosen = port ?? (await freePort());
  let child: ChildProcess | null = null;
  const killOnExit = () => child?.kill('SIGKILL');
  process.on('exit', killOnExit);

  const ask = (command: string): Promise<string> => askRedis(chosen, command);
  async function start(): Promise<void> {
    const fixed = ['--port', String(chosen), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'no'];
    child = spawn('redis-server', [...fixed, ...settings], { stdio: 'ignore', env: withOwnClock() });
    await until(async () => {
      const answer = await ask('PING');
      if (!answer.startsWith('+PONG')) throw new Error(answer);
    });
  }
  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  await start();
  return {
    port: chosen,
    url: `redis://127.0.0.1:${chosen}`,
    ask,
    kill,
    start,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    async close() {
      process.off('exit', killOnExit);
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** One inline command on a connection of its own. */
export async function askRedis(port: number, command: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  try {
    socket.write(`${command}\r\n`);
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    return chunk.toString();
  } finally {
    socket.destroy();
  }
}

export function placeOf(url: string): RedisPlace {
  const place = parseRedisPlace(url);
  if (place === null || typeof place === 'string') throw new Error(String(place));
  return place;
}

/** One process's share of the limits, as soon as it is shared; `log` gets its lines. */
export async function openLimits(
  url: string,
  { log = [], editScript, deadlineMs = PATIENT_MS, isAwaited = true }: LimitsOptions = {},
): Promise<RedisLimits> {
  const limits = await openRedisLimits({
    place: placeOf(url),
    log: createLog('trace', { write: (line) => void log.push(line) }),
    editScript,
    deadlineMs,
  });
  if (isAwaited)
    await until(() => {
      if (!limits.figures().isShared) throw new Error('limits are not shared');
    });
  return limits;
}

interface LimitsOptions {
  log?: string[];
  editScript?: (lua: string) => string;
  /** A machine that does other things too must not end the sharing, unless a test is about that. */
  deadlineMs?: number;
  /** False: of a Redis that does not answer. */
  isAwaited?: boolean;
}

const PATIENT_MS = 60_000;

/**
 * A wall clock with which counters see noon in UTC when a process starts, because they add its difference from `Date.now()` to the
 * time of Redis: no test meets the end of a day.
 */
export const noonClock = (): number => Date.now() + FROM_NOON_MS;
const A_DAY_MS = 86_400_000;
const FROM_NOON_MS = A_DAY_MS / 2 - (machineNow() % A_DAY_MS);
/** The day that counters with this clock are in, counted from 1970. */
export const noonDay = (): number => Math.floor((machineNow() + FROM_NOON_MS) / A_DAY_MS);

/** A ledger that a test fills, for counters without a gate. */
export function createTestLedger() {
  const days = new Map<string, number>();
  return {
    days,
    count: (subscriptionId: string, requests = 1) => void days.set(subscriptionId, (days.get(subscriptionId) ?? 0) + requests),
    readUse: async (subscriptionId: string) => days.get(subscriptionId) ?? 0,
  };
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
