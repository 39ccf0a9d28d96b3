/**
 * What the pages cost: how long the service needs for each, and when a browser on a slow machine has painted the most of it.
 * Beside the other figures (`run.ts`), or of any service that runs: `node bench/pages.ts http://127.0.0.1:3000`.
 */

import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { median, percentile, serverTimes } from './load.ts';

export interface PageFigures {
  path: string;
  /** Milliseconds from asking to the last byte, on a connection that is open; 95 of 100 are within. */
  p95: number;
  /** Largest Contentful Paint, milliseconds, nothing in the cache, at a quarter of this processor's speed; null without Chromium. */
  painted: number | null;
}

export interface PageSizes {
  requests: number;
  visits: number;
  painted: number;
  records?: readonly string[];
}

/** `records`: paths of pages of events and venues, beside those that every service has. `painted`: how many pages a browser opens. */
export async function pageFigures(
  url: string,
  { requests, visits, painted: opened, records = [] }: PageSizes,
): Promise<PageFigures[]> {
  const figures: PageFigures[] = [];
  for (const path of [...PAGES, ...records])
    figures.push({ path, p95: percentile(await serverTimes(url + path, requests), 0.95), painted: null });
  if (!existsSync(CHROMIUM)) return figures;
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    for (const each of figures.slice(0, opened)) {
      const painted: number[] = [];
      for (let visit = 0; visit < visits; visit += 1) {
        const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
        const page = await context.newPage();
        const devtools = await context.newCDPSession(page);
        await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
        await page.goto(url + each.path, { waitUntil: 'load' });
        painted.push(Number(await page.evaluate(LARGEST_PAINT)));
        await context.close();
      }
      each.painted = median(painted);
    }
  } finally {
    await browser.close();
  }
  return figures;
}

/** Runs in the browser: the last candidate when nothing has moved for a second. */
const LARGEST_PAINT = `new Promise((resolve) => {
  let last = 0;
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) last = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  setTimeout(() => resolve(last), 1000);
})`;
const PAGES = [
  '/',
  '/events',
  '/events/tonight',
  '/events?view=calendar',
  '/venues',
  '/neighborhoods',
  '/developers',
  '/pricing',
  '/playground',
  '/docs',
  '/docs/errors',
];
const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const SLOWED = 4;

if (import.meta.main)
  console.table(
    await pageFigures(process.argv[2] ?? 'http://127.0.0.1:3000', {
      requests: 200,
      visits: 5,
      painted: Number.POSITIVE_INFINITY,
    }),
  );
