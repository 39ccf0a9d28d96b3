/** Debian's Chromium on pages of ours: what a reader sees, what is wrong for some readers, what the browser complains of. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, describe } from 'vitest';
import { withOwnClock } from '../processes/own-clock.ts';
import { PATIENCE_MS } from './patience.ts';
import { TIER } from './tier.ts';

const FOUND = findChromium();

/** One way of a reader from its start to its end, in a browser: `npm test` runs it. Where there is no browser it is reported as skipped. */
export function describeJourney(name: string, tests: () => void): void {
  describe.skipIf(FOUND === null)(FOUND === null ? `${name} (no Chromium here)` : name, () => {
    tests();
    // Visits end with their block.
    afterAll(async () => {
      tabs.clear();
      for (const context of (await browser)?.contexts() ?? []) await context.close();
    });
  });
}

/** All other tests in a browser: they belong to the long tier. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (TIER !== 'check') describeJourney(name, tests);
}

/** A page of a test is gone before what V8 and the compositor prepare for a long visit would pay. */
const BRIEF = [
  '--js-flags=--no-opt --no-maglev',
  ...['--num-raster-threads=1', '--disable-checker-imaging', '--disable-partial-raster'],
];

/** One for all files of a process; it ends with the process. */
let browser: Promise<Browser> | undefined;

function openBrowser(): Promise<Browser> {
  browser ??= chromium.launch({
    executablePath: FOUND ?? '',
    timeout: PATIENCE_MS,
    env: withOwnClock(),
    args: ['--no-sandbox', '--disable-gpu', '--in-process-gpu', '--disable-quic', ...BRIEF],
  });
  return browser;
}

export interface VisitOptions {
  /** CSS pixels; 1280 unless told, 390 for a phone. */
  width?: number;
  dark?: boolean;
  /** False: as if scripts were switched off. */
  scripts?: boolean;
  /** The reader's time zone; UTC unless told. */
  zone?: string;
}

export interface Visit {
  page: Page;
  context: BrowserContext;
  /** What the browser complained of so far: broken scripts, refused content, requests to others, failed requests. */
  complaints(): string[];
  /** Another window for the same page: width and scheme as at the beginning where they are not told. */
  look(options: Pick<VisitOptions, 'width' | 'dark'>): Promise<void>;
  close(): Promise<void>;
}

/** Of visits that are over, by site and whether scripts run: a new one takes longer than most visits. */
const tabs = new Map<string, Page[]>();

async function openTab(url: string, scripts: boolean, zone: string): Promise<Page> {
  const context = await (await openBrowser()).newContext({
    baseURL: url,
    javaScriptEnabled: scripts,
    locale: 'en-US',
    timezoneId: zone,
    // The lights of the marquee would keep a core busy.
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  return page;
}

/** A reader of their own: nothing that another visit left in the browser is seen. */
export async function visit(url: string, options: VisitOptions = {}): Promise<Visit> {
  const { width = 1280, dark = false, scripts = true, zone = 'UTC' } = options;
  const kind = `${url} ${scripts} ${zone}`;
  const left = tabs.get(kind) ?? [];
  tabs.set(kind, left);
  const page = left.pop() ?? (await openTab(url, scripts, zone));
  const context = page.context();
  const look: Visit['look'] = async (other) => {
    await page.setViewportSize(viewportOf(other.width ?? width));
    await page.emulateMedia({ colorScheme: schemeOf(other.dark ?? dark) });
  };
  await look({});
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !EXPECTED.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const target = request.url();
    if (!target.startsWith(url) && !target.startsWith('data:')) complaints.push(`asked a stranger: ${target}`);
  });
  return {
    page,
    context,
    complaints: () => complaints,
    look,
    async close() {
      for (const event of ['console', 'pageerror', 'request', 'dialog']) page.removeAllListeners(event);
      // Still of the site, whose storage is to be emptied, but without anything that goes on by itself.
      await page.goto(`${url}/api/v1`);
      if (scripts) await page.evaluate('localStorage.clear(); sessionStorage.clear()');
      await context.clearCookies();
      left.push(page);
    },
  };
}

const viewportOf = (width: number) => ({ width, height: width < 600 ? 844 : 900 });
const schemeOf = (dark: boolean) => (dark ? 'dark' : 'light');

/** What axe finds on the page as it stands, by some rules or by all, as `rule: element` lines; empty when nothing is wrong. */
export async function findBarriers(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(AXE);
  const found = await page.evaluate(async (runOnly) => {
    // @ts-expect-error: axe puts itself there.
    const { violations } = await globalThis.axe.run(globalThis.document, {
      runOnly,
      resultTypes: ['violations'],
      preload: false,
    });
    return violations.flatMap(({ id, nodes }: { id: string; nodes: { target: string[]; failureSummary: string }[] }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary}`),
    );
  }, rules ?? EVERY_RULE);
  return found as string[];
}

/** Whether something stands out of the page, or of a row of places, to the right: one would scroll sideways to see it. */
export const sticksOut = (page: Page): Promise<boolean> =>
  page.evaluate(
    `[document.documentElement, ...document.querySelectorAll('nav')].some((each) => each.scrollWidth > each.clientWidth)`,
  );

function findChromium(): string | null {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  // The first is the same browser without the parts that nobody sees here: it takes half the time.
  for (const name of ['chromium-headless-shell', 'chromium', 'chromium-browser']) {
    try {
      return execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
    } catch {
      // Not this one.
    }
  }
  return null;
}

const EVERY_RULE = ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'];
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Chromium notes every answer of 4xx as an error; tests look at statuses themselves. */
const EXPECTED = /^Failed to load resource: the server responded with a status of 4\d\d/;
