/** Pictures of sources and share images: fetched or drawn once, kept on disk, served from there. */

import { hash } from 'node:crypto';
import { join } from 'node:path';
import type { Log } from '../log.ts';
import type { FetchOutcome, Outbound } from '../outbound/index.ts';
import { DAY_MS, MINUTE_MS } from '../values/duration.ts';
import { BusyError, createSemaphore } from '../values/waiting/semaphore.ts';
import { createDiskCache } from './disk-cache.ts';
import { createDrawingProcess } from './drawing/drawing-process.ts';
import type { ShareFacts } from './drawing/jobs.ts';
import { PICTURE_WIDTHS, type PictureWidth } from './picture-of.ts';

export interface Pictures {
  /** WebP; null where the picture cannot be had now. `url`: of an event of the directory. */
  readPicture(url: string, width: PictureWidth): Promise<Buffer | null>;
  /** Null where it cannot be drawn now. `url`: of its picture. `mayDraw` is asked when it is not on disk, and may decline. */
  readShareImage(facts: ShareFacts, url: string | null, mayDraw: () => boolean): Promise<DrawnShareImage | null>;
  close(): Promise<void>;
}

export interface DrawnShareImage {
  /** PNG. */
  bytes: Buffer;
  /** False: its picture could not be had, and it is drawn again later. */
  isWhole: boolean;
}

export interface PicturesOptions {
  dataDir: string;
  /** With `PICTURE_LIMITS`; closed with the pictures. */
  outbound: Outbound;
  log: Log;
  /** Milliseconds; decides how long a failure is remembered. */
  now: () => number;
  maxCacheBytes?: number;
}

export function createPictures({ dataDir, outbound, log, now, maxCacheBytes = MAX_CACHE_BYTES }: PicturesOptions): Pictures {
  const cache = createDiskCache(join(dataDir, 'pictures'), maxCacheBytes, log);
  const failures = createFailures(now);
  const once = createSingleFlight<Buffer | null>();
  const fetching = createSemaphore({ atOnce: FETCHES_AT_ONCE, waiting: MAX_WAITING });
  const drawing = createDrawingProcess();

  /** Whatever goes wrong is remembered, but for a service with too much to do. */
  async function make(key: string, failedForMs: number, work: () => Promise<Buffer | null>): Promise<Buffer | null> {
    if (failures.has(key)) return null;
    return once(key, async () => {
      try {
        return await work();
      } catch (err) {
        if (err instanceof BusyError) return null;
        log.info({ err, picture: key }, 'cannot make a picture');
        failures.remember(key, failedForMs);
        return null;
      }
    });
  }

  /** All widths at once: the source is asked one time. */
  async function fetchPicture(key: string, url: string, width: PictureWidth): Promise<Buffer | null> {
    const outcome = await fetching(() => outbound.fetch({ url, accept: ACCEPT }));
    if (outcome.ok !== true) {
      failures.remember(key, retryIn(outcome));
      return null;
    }
    const images = (await drawing.draw({ do: 'resize', bytes: outcome.body, widths: PICTURE_WIDTHS })).map(Buffer.from);
    await Promise.all(PICTURE_WIDTHS.map((each, at) => cache.write(fileName(key, each), images[at] as Buffer)));
    return images[PICTURE_WIDTHS.indexOf(width)] as Buffer;
  }

  async function readPicture(url: string, width: PictureWidth): Promise<Buffer | null> {
    const key = hash('sha256', url, 'hex');
    const held = await cache.read(fileName(key, width));
    if (held) return held;
    const made = await make(key, BROKEN_MS, () => fetchPicture(key, url, width));
    // Who came second gets the width of who came first.
    return made && ((await cache.read(fileName(key, width))) ?? made);
  }

  return {
    readPicture,
    async readShareImage(facts, url, mayDraw) {
      const key = hash('sha256', JSON.stringify([SHARE_EDITION, facts, url]), 'hex');
      const name = `${key}-share.png`;
      const held = await cache.read(name);
      if (held) return { bytes: held, isWhole: true };
      if (!mayDraw()) return null;
      const picture = url === null ? null : await readPicture(url, SHARED_WIDTH);
      // One that lacks its picture is drawn again when the picture can be had.
      const isWhole = (picture === null) === (url === null);
      const bytes = await make(isWhole ? key : `${key}-poster`, SHARE_FAILED_MS, async () => {
        const [image] = await drawing.draw({ do: 'share', facts, picture });
        const drawn = Buffer.from(image as Uint8Array);
        if (isWhole) await cache.write(name, drawn);
        return drawn;
      });
      return bytes && { bytes, isWhole };
    },
    async close() {
      await outbound.close();
      await drawing.close();
    },
  };
}

const fileName = (key: string, width: PictureWidth): string => `${key}-${width}.webp`;

/** How long nobody asks again. */
function retryIn(outcome: Exclude<FetchOutcome, { ok: true }>): number {
  if (outcome.ok === 'unchanged') return UNREACHABLE_MS;
  const { code, status = 0, retryAfterMs } = outcome;
  if (retryAfterMs !== null) return Math.max(retryAfterMs, UNREACHABLE_MS);
  const mayPass = code === 'timeout' || code === 'unreachable' || code === 'unresolvable' || code === 'stopped' || status >= 500;
  return mayPass ? UNREACHABLE_MS : BROKEN_MS;
}

/** Pictures that could not be had, for a while: nobody is asked again for each visitor. */
interface Failures {
  has(key: string): boolean;
  remember(key: string, forMs: number): void;
}

function createFailures(now: () => number): Failures {
  const until = new Map<string, number>();
  return {
    has(key) {
      const end = until.get(key);
      if (end === undefined) return false;
      if (now() < end) return true;
      until.delete(key);
      return false;
    },
    remember(key, forMs) {
      until.delete(key);
      until.set(key, now() + forMs);
      const [oldest] = until.keys();
      if (until.size > MAX_REMEMBERED && oldest !== undefined) until.delete(oldest);
    },
  };
}

/** Whoever asks while the same work is under way gets its result. */
function createSingleFlight<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, Promise<T>>();
  return (key, work) => {
    const running = underWay.get(key);
    if (running) return running;
    const begun = work().finally(() => underWay.delete(key));
    underWay.set(key, begun);
    return begun;
  };
}

/** What one picture may take; the rest as for every request of others. */
export const PICTURE_LIMITS = {
  headersMs: 5_000,
  totalMs: 10_000,
  codedBytes: 12 * 1024 * 1024,
  bodyBytes: 12 * 1024 * 1024,
  perHost: 4,
} as const;
const ACCEPT = 'image/avif,image/webp,image/jpeg,image/png,image/gif;q=0.8';
const MAX_CACHE_BYTES = 512 * 1024 * 1024;
const FETCHES_AT_ONCE = 8;
const MAX_WAITING = 200;
const UNREACHABLE_MS = 10 * MINUTE_MS;
const BROKEN_MS = DAY_MS;
const SHARE_FAILED_MS = MINUTE_MS;
const SHARED_WIDTH: PictureWidth = 640;
/** Goes up when share images are drawn differently. */
const SHARE_EDITION = 2;
const MAX_REMEMBERED = 10_000;
