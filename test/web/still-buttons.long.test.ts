/**
 * A button that is pressed leaves the others where they are: a double click must never press another one.
 * One engine is enough: a browser does not see which database filled a page.
 */

import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { type Person, type Site, sharedSite } from '../support/rigs/site.ts';
import { describeInBrowser, findBarriers, sticksOut, visit } from '../support/runs/browser.ts';

let site: Site;
let owner: Person;
let operator: Person;
beforeAll(async () => {
  site = await sharedSite();
  owner = await site.signIn({ email: 'buttons@example.org', tier: 'growth' });
  operator = await site.signIn({ email: 'buttons-operator@example.org', operator: true });
  const accounts = createAccounts({ db: site.store.db, now: site.now });
  for (const name of ['shop', 'second']) await accounts.createKey({ email: owner.email, name });
});

/** Where each button of the first key stands in the window. */
const placesOf = (page: Page): Promise<string> =>
  page.evaluate(`JSON.stringify([...document.querySelectorAll('article:first-of-type .key-acts summary')].map((each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    return [x, y, width, height].map(Math.round);
  }))`);

describeInBrowser('the buttons of a key', () => {
  test.each([1280, 390, 320])('stay where they are whatever opens, at %i pixels', async (width) => {
    const { page, context, complaints, close } = await visit(site.url, { width });
    await context.addCookies(owner.cookies);
    await page.goto('/dashboard/keys');
    const card = page.locator('article').first();
    await card.locator('summary', { hasText: 'Revoke' }).scrollIntoViewIfNeeded();
    const before = await placesOf(page);
    for (const name of ['Rename', 'Rotate', 'Revoke', 'Rotate']) {
      await card.locator('summary', { hasText: name }).click();
      expect(await placesOf(page), `after ${name}`).toBe(before);
    }
    expect(await card.locator('details[open] > summary.button').allTextContents()).toEqual(['Rename shop', 'Revoke shop']);
    expect(await sticksOut(page)).toBe(false);
    expect(await findBarriers(page)).toEqual([]);
    expect(complaints()).toEqual([]);
    await close();
  });

  test('take a double click for two presses of one button, and open nothing else', async () => {
    const { page, context, close } = await visit(site.url);
    await context.addCookies(owner.cookies);
    await page.goto('/dashboard/keys');
    const card = page.locator('article').first();
    for (const name of ['Rename', 'Rotate', 'Revoke']) {
      await card.locator('summary', { hasText: name }).dblclick();
      expect(await card.locator('details[open] > summary.button').count(), name).toBe(0);
    }
    await close();
  });

  test('stay still on the operators’ page of an account', async () => {
    const { page, context, close } = await visit(site.url);
    await context.addCookies(operator.cookies);
    await page.goto(`/desk/accounts/${owner.accountId}`);
    await page.locator('summary', { hasText: 'Revoke' }).first().dblclick();
    expect(await page.locator('details[open]', { hasText: 'Revoke' }).count()).toBe(0);
    expect(await page.getByText('Ended', { exact: true }).count()).toBe(0);
    await close();
  });
});
