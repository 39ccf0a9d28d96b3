/** What an export of the whole directory takes, and what callers of the API feel meanwhile. */

import { createKeys } from './keys.ts';
import { percentile, residentMb } from './load.ts';
import { serveMade } from './service.ts';
import { steadyLoad } from './steady-load.ts';

export interface ExportFigures {
  seconds: number;
  megabytes: number;
  files: number;
  /** How much the process grew at most, over what it had under the same load before. */
  growthMb: number;
  /** Of 200 requests a second before it, in ms: what the machine gives without an export. */
  p99Alone: number;
  /** Of as many meanwhile. */
  p99: number;
  worst: number;
}

/** One process serves a made directory and writes each format once, one after another. */
export async function exportFigures<Format extends string>(
  dataDir: string,
  events: number,
  formats: readonly Format[],
  keyCount: number,
): Promise<Map<Format, ExportFigures>> {
  const service = await serveMade(events, { MARQUEE_DATA_DIR: dataDir });
  const figures = new Map<Format, ExportFigures>();
  try {
    const keys = await createKeys(dataDir, keyCount);
    for (const format of formats) {
      // What a load makes the process hold, it holds before: the export is measured alone.
      const alone = await (await steadyLoad(service.port, keys, RATE).then(afterWarmUp)).stop();
      const p99Alone = percentile(alone.slice(-RATE * ALONE_SECONDS), 0.99);
      const before = residentMb(service.pid);
      let peak = before;
      const watch = setInterval(() => {
        peak = Math.max(peak, residentMb(service.pid));
      }, WATCH_EVERY_MS);
      const load = await steadyLoad(service.port, keys, RATE);
      const answer = await fetch(`${service.url}/bench/export/${format}`);
      if (answer.status !== 200) throw new Error(`the export failed: ${await answer.text()}`);
      const { seconds, bytes, files } = (await answer.json()) as { seconds: number; bytes: number; files: number };
      const times = await load.stop();
      clearInterval(watch);
      const p99 = percentile(times, 0.99);
      figures.set(format, {
        seconds,
        megabytes: bytes / 1e6,
        files,
        growthMb: peak - before,
        p99Alone,
        p99,
        worst: Math.max(...times),
      });
    }
    return figures;
  } finally {
    await service.stop();
  }
}

async function afterWarmUp<T>(load: T): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, WARM_UP_MS));
  return load;
}

const RATE = 200;
const WARM_UP_MS = 5_000;
const ALONE_SECONDS = 3;
const WATCH_EVERY_MS = 50;
