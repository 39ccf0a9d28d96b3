/**
 * Thousands of requests that no client would send, as bytes and as requests: none is answered with a 5xx, and the service lives.
 * Pages are refused with 503 while the machine is too busy. Such a request is sent again, and must get another answer in the end.
 */

import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Service } from './context.ts';
import { BOTH, EMBEDDED, type Experiment, openVerdict } from './experiment.ts';
import { formatStatuses } from './good-client.ts';
import { createRandom, type Random, spoil, wildRequest } from './wild-requests.ts';

export const fuzz: Experiment = {
  name: 'fuzzed requests',
  engines: BOTH,
  shortEngines: EMBEDDED,
  async run(context) {
    const verdict = openVerdict();
    const count = context.short ? 2_000 : 20_000;
    const service = await context.start();
    const keys = (await context.makeKeys(KEYS)).map(({ key }) => key);
    const random = createRandom(SEED);
    const statuses: Record<number, number> = {};
    const broken: string[] = [];
    let sent = 0;
    let refusals = 0;
    const sender = async () => {
      while (sent < count) {
        const turn = sent++;
        const bytes = requestOf(random, keys, turn);
        let status = await send(service, bytes);
        for (let again = 0; status === 503 && again < MAX_AGAIN; again++) {
          refusals++;
          await pause(AGAIN_MS);
          status = await send(service, bytes);
        }
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status >= 500) broken.push(`${status} for ${JSON.stringify(bytes.toString('latin1').slice(0, SHOWN_CHARS))}`);
      }
    };
    await Promise.all(Array.from({ length: SENDERS }, sender));
    const health = await fetch(`${service.url}/healthz`).then(({ status }) => status, () => 0); // biome-ignore format: one line
    verdict.require(broken.length === 0, `${broken.length} requests met a 5xx, first ${broken[0]}`);
    verdict.require(service.isRunning() && health === 200, 'the service ended');
    verdict.require(
      !service.printed().includes('"a request failed"'),
      `the log has requests that failed: ${failedLine(service)}`,
    );
    verdict.require((statuses[200] ?? 0) > count / MIN_SHARE_GOOD, 'hardly any request came through to an answer');
    const busy = refusals === 0 ? '' : `; ${refusals} refused on a busy machine and sent again`;
    return { figures: `${count} requests: ${formatStatuses(statuses)}${busy}`, failures: verdict.failures };
  },
};

/** Half of them are spoiled on the level of bytes. */
function requestOf(random: Random, keys: readonly string[], turn: number): Buffer {
  const request = wildRequest(random, random.pick(keys));
  return turn % 2 === 0 ? request : spoil(random, request);
}

/** The status of the first answer; 0 where the connection ends without one. */
function send({ port }: Service, bytes: Buffer): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let text = '';
    const finish = () => {
      clearTimeout(patience);
      socket.destroy();
      resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0));
    };
    // What was not ended properly is not answered before the service loses patience.
    const patience = setTimeout(finish, PATIENCE_MS);
    socket.on('connect', () => socket.write(bytes, () => setTimeout(() => socket.end(), LINGER_MS)));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (/^HTTP\/1\.1 [2-5]\d\d/.test(text)) finish();
    });
    for (const event of ['end', 'error', 'close']) socket.on(event, finish);
  });
}

const failedLine = (service: Service): string =>
  service
    .printed()
    .split('\n')
    .find((line) => line.includes('"a request failed"'))
    ?.slice(0, SHOWN_CHARS) ?? '';

const SEED = 20_261_123;
const MAX_AGAIN = 40;
const AGAIN_MS = 500;
const SENDERS = 32;
const KEYS = 8;
const PATIENCE_MS = 3_000;
const LINGER_MS = 20;
const SHOWN_CHARS = 400;
const MIN_SHARE_GOOD = 50;
