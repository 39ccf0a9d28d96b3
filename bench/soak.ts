/**
 * A service of the demo city under a steady load for a long time: `node bench/soak.ts --minutes 60`. Prints its memory as it goes, and how fast it grew in
 * the second half, as a line through all readings of that time. Linux only.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { residentMb } from './load.ts';
import { marquee, serve } from './service.ts';

const PATHS = [
  '/api/v1/events?limit=10&offset=N',
  '/api/v1/events?q=jazz&limit=5',
  '/api/v1/events?q=wordN',
  '/api/v1/venues?limit=20',
  '/api/v1/trending',
  '/api/v1/nowhere/N',
  '/',
  '/events?page=2',
  '/venues',
];
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, rate: { type: 'string', default: '50' } },
});
const minutes = Number(values.minutes);
const rate = Number(values.rate);
const folder = mkdtempSync(join(tmpdir(), 'marquee-soak-'));
const env = { MARQUEE_DATA_DIR: folder };
await marquee(['demo', 'load'], env);
await marquee(['account', 'create', '--email', 'soak@marquee.example', '--tier', 'enterprise'], env);
const service = await serve(env);
const key = (await marquee(['key', 'create', '--account', 'soak@marquee.example'], env)).trim();
const readings: { minute: number; mb: number }[] = [];
const begun = performance.now();
const minute = () => (performance.now() - begun) / 60_000;
let asked = 0;
try {
  for (let nextReading = 0; minute() < minutes; ) {
    const until = performance.now() + 1_000;
    await Promise.all(Array.from({ length: rate }, () => ask(asked++)));
    if (minute() >= nextReading) {
      readings.push({ minute: minute(), mb: residentMb(service.pid) });
      nextReading += Math.max(1 / 6, minutes / 60);
      const last = readings.at(-1);
      console.log(`${last?.minute.toFixed(1)} min  ${last?.mb.toFixed(1)} MB  ${asked} requests`);
    }
    // The directory changes all the time, as it does with many sources.
    if (asked % (rate * 30) === 0) await marquee(['demo', 'load'], env);
    await pause(Math.max(0, until - performance.now()));
  }
  const late = readings.filter((reading) => reading.minute >= minutes / 2);
  console.log(
    `${(slopeOf(late) * 60).toFixed(2)} MB an hour over the last ${(minutes / 2).toFixed(1)} minutes (${late.length} readings)`,
  );
} finally {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** One in ten has a key that nobody has; addresses differ, so caches have to give way. */
async function ask(number: number): Promise<void> {
  const path = PATHS[number % PATHS.length]?.replace('N', String(number)) ?? '/';
  const sent = number % 10 === 0 ? `mq_live_${String(number).padStart(12, '0')}_${'x'.repeat(49)}` : key;
  const answer = await fetch(`${service.url}${path}`, { headers: path.startsWith('/api') ? { 'x-api-key': sent } : {} });
  await answer.arrayBuffer();
}

/** MB a minute: the line of least squares. */
function slopeOf(points: readonly { minute: number; mb: number }[]): number {
  const mean = (read: (point: { minute: number; mb: number }) => number) =>
    points.reduce((sum, point) => sum + read(point), 0) / Math.max(1, points.length);
  const [x, y] = [mean((point) => point.minute), mean((point) => point.mb)];
  const over = points.reduce((sum, point) => sum + (point.minute - x) * (point.mb - y), 0);
  return (
    over /
    Math.max(
      1e-9,
      points.reduce((sum, point) => sum + (point.minute - x) ** 2, 0),
    )
  );
}
