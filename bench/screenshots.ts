/** `npm run screenshots`: renews the pictures of README.md, from a new service with the demo city. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { marquee, type Running, serve } from './service.ts';
import { signInOperator } from './signed-in.ts';

const PAGES = { home: '/', desk: '/desk/events' };
const FOLDER = new URL('../docs/screenshots/', import.meta.url).pathname;
/** CSS pixels. */
const SIZE = { width: 1280, height: 800 };
const QUALITY = 80;
const MAX_BYTES = 200_000;

const dataDir = mkdtempSync(join(tmpdir(), 'marquee-screenshots-'));
const env = { MARQUEE_DATA_DIR: dataDir };
await marquee(['demo', 'load'], env);
const service = await serve(env);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  const { cookie } = await signInOperator(service, env);
  mkdirSync(FOLDER, { recursive: true });
  for (const [name, path] of Object.entries(PAGES)) await capture(browser, service, { name, path, cookie });
} finally {
  await browser.close();
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** As WebP, through the browser's own protocol: Playwright writes PNG and JPEG only. */
async function capture(
  browser: Browser,
  { url }: Running,
  { name, path, cookie }: { name: string; path: string; cookie: string },
): Promise<void> {
  const context = await browser.newContext({ viewport: SIZE, locale: 'en-US', timezoneId: 'UTC', reducedMotion: 'reduce' });
  const at = cookie.indexOf('=');
  if (path.startsWith('/desk')) await context.addCookies([{ url, name: cookie.slice(0, at), value: cookie.slice(at + 1) }]);
  const page = await context.newPage();
  const answer = await page.goto(url + path, { waitUntil: 'networkidle' });
  if (answer?.status() !== 200) throw new Error(`${path} was answered with ${answer?.status()}`);
  const session = await context.newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  const bytes = Buffer.from(data, 'base64');
  if (bytes.length > MAX_BYTES) throw new Error(`${name} has ${bytes.length} bytes, more than ${MAX_BYTES}`);
  writeFileSync(join(FOLDER, `${name}.webp`), bytes);
  console.log(`${name}.webp: ${bytes.length} bytes`);
  await context.close();
}
