/** Many windows of one browser with live figures. One engine is enough: a browser does not see which database filled a page. */

import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { type Site, sharedSite } from '../support/rigs/site.ts';
import { describeInBrowser, visit } from '../support/runs/browser.ts';
import { PATIENCE_MS } from '../support/runs/patience.ts';

let site: Site;
beforeAll(async () => {
  site = await sharedSite();
});

/** Counts the streams that a window has open. */
const COUNT_STREAMS = `
  const Real = EventSource;
  globalThis.openStreams = new Set();
  globalThis.EventSource = class extends Real {
    constructor(...words) { super(...words); openStreams.add(this); }
    close() { super.close(); openStreams.delete(this); }
  };
  globalThis.EventSource.CLOSED = Real.CLOSED;`;

async function openWindows(count: number, before = '') {
  const who = await site.signIn({ email: `windows-${count}@example.org`, tier: 'growth' });
  const made = await createAccounts({ db: site.store.db, now: site.now }).createKey({ email: who.email, tier: 'growth' });
  const { context, close } = await visit(site.url);
  await context.addCookies(who.cookies);
  const pages: Page[] = [];
  for (let n = 0; n < count; n += 1) {
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.addInitScript(`${COUNT_STREAMS}${before}`);
    await page.goto(`${site.url}/dashboard`);
    await page.locator('.live-mark.live').waitFor();
    pages.push(page);
  }
  const streams = async () => {
    const each = await Promise.all(pages.map((page) => page.evaluate('openStreams.size')));
    return each.reduce<number>((sum, open) => sum + Number(open), 0);
  };
  const ask = () => fetch(`${site.url}/api/v1/events?limit=1`, { headers: { 'X-API-Key': made.ok ? made.key : '' } });
  const leave = async () => {
    for (const page of pages) await page.close();
    await close();
  };
  return { pages, streams, ask, leave };
}

const HIDE = `Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));`;

describeInBrowser('seven windows with live figures', () => {
  test('share one stream, which goes to another window when its own is hidden', async () => {
    const { pages, streams, ask, leave } = await openWindows(7);
    expect(await streams()).toBe(1);
    await ask();
    for (const page of pages) await page.locator('[data-live=day]', { hasText: /^1$/ }).first().waitFor();
    for (const page of pages.slice(0, 6)) await page.evaluate(HIDE);
    const last = pages[6] ?? expect.fail('there are seven');
    // One stream is open before, too: in another window.
    await expect.poll(() => last.evaluate('openStreams.size')).toBe(1);
    await expect.poll(streams).toBe(1);
    await last.evaluate(HIDE);
    await expect.poll(streams).toBe(0);
    await leave();
  });

  test('have one each where the browser shares nothing, while they are seen', async () => {
    const { pages, streams, ask, leave } = await openWindows(
      2,
      'delete Navigator.prototype.locks; delete globalThis.BroadcastChannel;',
    );
    expect(await streams()).toBe(2);
    await ask();
    for (const page of pages) await page.locator('[data-live=day]', { hasText: /^1$/ }).first().waitFor();
    await pages[0]?.evaluate(HIDE);
    await expect.poll(streams).toBe(1);
    await leave();
  });
});
