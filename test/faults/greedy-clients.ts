/** Clients that send slowly, take nothing or do nothing at all, by the thousand, while another one asks as usual. */

import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { residentMb } from '../../bench/load.ts';
import { BOTH, EMBEDDED, type Experiment, openVerdict } from './experiment.ts';
import { formatStatuses, goodputOf, startGoodClient } from './good-client.ts';
import { serveLoad, startLoad } from './thread.ts';

interface CrowdOptions {
  port: number;
  /** Send the lines of their headers one by one. */
  slow: number;
  /** Ask for a lot and take nothing. */
  deaf: number;
  /** Connect and say nothing. */
  idle: number;
}

export const greedyClients: Experiment = {
  name: 'slow and greedy clients',
  engines: BOTH,
  shortEngines: EMBEDDED,
  async run(context) {
    const verdict = openVerdict();
    const service = await context.start();
    const [key] = await context.makeKeys(1);
    const measure = async (seconds: number) => {
      const client = await startGoodClient({ url: service.url, key: key?.key ?? '', rate: RATE });
      await pause(seconds * 1_000);
      return client.stop();
    };
    const alone = goodputOf(await measure(context.short ? 2 : 10));
    const before = residentMb(service.pid);
    const crowd = context.short ? { slow: 2_000, deaf: 100, idle: 500 } : { slow: 2_000, deaf: 500, idle: 7_400 };
    const greedy = await startLoad<{ open: number }>(import.meta.url, { port: service.port, ...crowd });
    const report = await measure(context.short ? 6 : 60);
    const grown = residentMb(service.pid) - before;
    const { open } = await greedy.stop();
    const beside = goodputOf(report);
    verdict.require(beside.goodput === 1, `the good client was answered ${formatStatuses(report.statuses)}`);
    if (!context.short) verdict.require(beside.p99 < MAX_P99_MS, `p99 is ${beside.p99.toFixed(0)} ms, wanted 50 ms`);
    verdict.require(grown < MAX_GROWTH_MB, `the service grew by ${grown.toFixed(0)} MB`);
    const total = crowd.slow + crowd.deaf + crowd.idle;
    return {
      figures: `${total} greedy clients (${open} still connected at the end): p99 ${alone.p99.toFixed(1)} ms alone, ${beside.p99.toFixed(1)} ms beside them; ${report.statuses[503] ?? 0} × 503; ${grown.toFixed(0)} MB more memory`,
      failures: verdict.failures,
    };
  },
};

serveLoad<CrowdOptions, { open: number }>(import.meta.url, async ({ port, slow, deaf, idle }) => {
  const open = new Set<Socket>();
  let ended = false;
  /** Whoever is thrown out comes again. */
  const keep = (index: number, begin: (socket: Socket) => void): void => {
    if (ended) return;
    const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.1.${1 + (index % ADDRESSES)}` });
    socket.on('connect', () => {
      open.add(socket);
      begin(socket);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      open.delete(socket);
      setTimeout(() => keep(index, begin), REOPEN_MS);
    });
  };
  const trickling = new Set<Socket>();
  for (let index = 0; index < slow; index += 1) {
    keep(index, (socket) => {
      socket.resume();
      socket.write('GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n');
      trickling.add(socket);
      socket.on('close', () => trickling.delete(socket));
    });
  }
  for (let index = 0; index < deaf; index += 1) {
    keep(index, (socket) => {
      socket.pause();
      socket.write('GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(DEAF_REQUESTS));
    });
  }
  for (let index = 0; index < idle; index += 1) keep(index, (socket) => void socket.resume());
  const timer = setInterval(() => {
    for (const socket of trickling) socket.write('X-A: b\r\n');
  }, TRICKLE_MS);
  await pause(500);
  return () => {
    ended = true;
    clearInterval(timer);
    const report = { open: open.size };
    for (const socket of open) socket.destroy();
    return report;
  };
});

const ADDRESSES = 200;
const REOPEN_MS = 500;
const TRICKLE_MS = 1_000;
const DEAF_REQUESTS = 200;
const RATE = 15;
const MAX_P99_MS = 50;
const MAX_GROWTH_MB = 400;
