/** A load of requests over kept-alive sockets, and the CPU time a process spent on it. */

import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface Target {
  port: number;
  pid: number;
}
export interface Answer {
  status: number;
  headers: [string, string][];
  body: Buffer;
}

/** User + system CPU time of all threads of a process so far, in milliseconds (Linux: schedstat counts nanoseconds, stat ticks of 10 ms). */
export function cpuMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
}

/** Resident memory of a process in MB. */
export function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

/**
 * Sends the requests at a steady `rate` a second (0: as fast as they are answered) over kept-alive connections; returns the CPU
 * milliseconds of the target per request. At the same rate two servers do the same work: as fast as they can, the slower one alone
 * would pay for waking a load that waits for it.
 */
export async function measure(
  target: Target,
  requests: readonly Buffer[],
  rate: number,
  status = 200,
  connections = CONNECTIONS,
): Promise<number> {
  const before = cpuMs(target.pid);
  const begun = performance.now();
  let next = 0;
  const worker = async () => {
    const client = openClient(target.port);
    for (let index = next++; index < requests.length; index = next++) {
      const wait = rate > 0 ? begun + (index * 1000) / rate - performance.now() : 0;
      if (wait > 0) await pause(wait);
      const answer = await client.ask(requests[index]!);
      if (answer.status !== status)
        throw new Error(`expected ${status}, got ${answer.status}: ${answer.body.toString().slice(0, 300)}`);
    }
    client.close();
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return (cpuMs(target.pid) - before) / requests.length;
}

/** One kept-alive connection that asks one thing at a time; when the service ends it, the next question opens another. */
export function openClient(port: number): { ask(request: Buffer): Promise<Answer>; close(): void } {
  let pending: {
    request: Buffer;
    isRepeated: boolean;
    resolve: (answer: Answer) => void;
    reject: (error: Error) => void;
  } | null = null;
  let socket = open();

  function open(): Socket {
    let received: Buffer = Buffer.alloc(0);
    const opened = connect(port, '127.0.0.1');
    opened.setNoDelay(true);
    opened.on('data', (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const answer = parseAnswer(received);
      if (!answer || !pending) return;
      received = received.subarray(answer.size);
      const { resolve } = pending;
      pending = null;
      if (answer.headers.some(([name, value]) => /^connection$/i.test(name) && value === 'close')) socket = open();
      resolve(answer);
    });
    // One that was left behind has nothing to say any more.
    opened.on('error', () => undefined);
    opened.on('close', () => {
      if (opened !== socket || !pending) return;
      // The service may end an idle connection just when it is used again: as any client does, the question is asked once more.
      if (pending.isRepeated || received.length > 0) return pending.reject(new Error('connection closed'));
      pending.isRepeated = true;
      socket = open();
      socket.write(pending.request);
    });
    return opened;
  }

  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        // The service ends what nobody uses for long.
        if (socket.destroyed) socket = open();
        pending = { request, isRepeated: false, resolve, reject };
        socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

function parseAnswer(bytes: Buffer): (Answer & { size: number }) | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = bytes.toString('latin1', 0, end);
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  const size = end + 4 + length;
  if (bytes.length < size) return null;
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line): [string, string] => [
    line.slice(0, line.indexOf(':')),
    line.slice(line.indexOf(':') + 1).trim(),
  ]);
  return { status: Number(first.split(' ')[1]), headers, body: bytes.subarray(end + 4, size), size };
}

/** Milliseconds from asking for a page to its last byte, one after another, no faster than pages may be asked for (20 a second). */
export async function serverTimes(
  address: string | ((request: number) => string),
  requests: number,
  cookie = '',
): Promise<number[]> {
  const addressOf = typeof address === 'string' ? () => address : address;
  const times: number[] = [];
  const first = -warmUpFor(requests);
  for (let request = first; request < requests; request += 1) {
    const began = performance.now();
    const asked = addressOf(request - first);
    const answer = await fetch(asked, { headers: { accept: 'text/html', 'accept-encoding': 'br', cookie } });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${asked}: ${answer.status}`);
    const took = performance.now() - began;
    if (request >= 0) times.push(took);
    await pause(Math.max(0, PAGE_EVERY_MS - took));
  }
  return times;
}

/** So many are asked before those that are measured. */
export const warmUpFor = (requests: number): number => Math.min(WARM_UP, requests);

/** Resolves when the process has done what it does after its start: a second goes by in which it hardly works. */
export async function settled({ pid }: Target, maxLooks = MAX_LOOKS): Promise<void> {
  for (let look = 0; look < maxLooks; look += 1) {
    const before = cpuMs(pid);
    await pause(1_000);
    if (cpuMs(pid) - before < HARDLY_MS) return;
  }
  throw new Error(`the service was still busy ${maxLooks} s after its start`);
}

/** The bytes of one GET. */
export const get = (path: string, key: string): Buffer =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\nAccept: application/json\r\n\r\n`);

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
export const percentile = (values: readonly number[], p: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.ceil(values.length * p) - 1)] ?? Number.NaN;

const CONNECTIONS = 8;
const PAGE_EVERY_MS = 50;
const WARM_UP = 20;
const MAX_LOOKS = 60;
const HARDLY_MS = 20;
