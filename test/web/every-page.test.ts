/** What holds for every page there is: who may read it, that it has no barrier, and that nothing hostile in the directory acts on it. */

import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeInBrowser, findBarriers, openBrowser, sticksOut, type Visit, visit } from '../support/browser.ts';
import { openSite, type Person, type Site } from '../support/site.ts';
import { EXAMPLES, type Example, type Facts, plantCanaries, routePatterns } from './all-pages.ts';

let site: Site;
let people: { developer: Person; operator: Person };
let facts: Facts;

beforeAll(async () => {
  site = await openSite();
  people = {
    developer: await site.signIn({ email: 'developer@example.org' }),
    operator: await site.signIn({ email: 'operator@example.org', operator: true }),
  };
  facts = await plantCanaries(site, people.developer);
}, 120_000);
afterAll(() => site.close());

const examples = Object.entries(EXAMPLES);
const pages = examples.filter(([, { kind }]) => kind === 'page');
const cookieOf = (reader: Example['reader']): string => (reader === 'anyone' ? '' : people[reader].cookie);

describe('the table of pages', () => {
  test('names every route, and no other', () => {
    const patterns = routePatterns().map(({ pattern }) => pattern);
    expect(examples.map(([pattern]) => pattern).sort()).toEqual(patterns.sort());
  });
});

describe.each(examples)('%s', (pattern, { path, reader, kind }) => {
  const ask = (who: string, init: RequestInit = {}) =>
    site.ask(path(facts), { ...init, headers: { accept: 'text/html', cookie: who, ...init.headers } });

  test('is read by whom it is for, and by nobody else', async () => {
    if (pattern !== '/*' && kind === 'page') expect((await ask(cookieOf(reader))).status).toBe(200);
    if (reader === 'developer') {
      const stranger = await ask('');
      expect([stranger.status, stranger.headers.get('location')]).toEqual([
        302,
        `/sign-in?next=${encodeURIComponent(path(facts))}`,
      ]);
    }
    if (reader === 'operator') {
      for (const who of ['', people.developer.cookie]) expect((await ask(who)).status).toBe(404);
      for (const who of ['', people.developer.cookie]) {
        const posted = await ask(who, {
          method: 'POST',
          body: new URLSearchParams(),
          headers: { 'sec-fetch-site': 'same-origin' },
        });
        expect(posted.status).toBe(404);
      }
    }
  });

  test('changes nothing for a form of another site (D1)', async () => {
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }, { origin: 'null' }]) {
      const answer = await ask(cookieOf(reader), {
        method: 'POST',
        body: new URLSearchParams({ intent: 'x' }),
        headers: { ...headers },
      });
      expect(answer.status).toBe(403);
    }
  });
});

describeInBrowser('every page', () => {
  let browser: Browser;
  /** One reader of each kind at a desk, and one on a phone at night. */
  const visits = new Map<Example['reader'], { desk: Visit; phone: Visit }>();
  beforeAll(async () => {
    browser = await openBrowser();
    for (const reader of ['anyone', 'developer', 'operator'] as const) {
      const both = { desk: await visit(browser, site.url), phone: await visit(browser, site.url, { width: 390, dark: true }) };
      for (const { page, context } of Object.values(both)) {
        if (reader !== 'anyone') await context.addCookies(people[reader].cookies);
        page.on('dialog', (dialog) => {
          void dialog.dismiss();
          throw new Error(`a text of the directory acted: ${dialog.message()}`);
        });
      }
      visits.set(reader, both);
    }
  }, 60_000);
  afterAll(() => browser.close());

  test.each(pages)(
    '%s has no barrier and nothing that sticks out, at a desk and on a phone at night',
    async (_pattern, example) => {
      const { desk, phone } = visits.get(example.reader) ?? {};
      for (const look of [desk, phone]) {
        if (!look) throw new Error('nobody reads');
        const { page, complaints } = look;
        const before = complaints().length;
        await page.goto(example.path(facts), { waitUntil: 'load' });
        expect(await findBarriers(page)).toEqual([]);
        expect(await sticksOut(page), 'something stands out to the right').toBe(false);
        expect(await page.locator('h1').count()).toBe(1);
        expect(await page.title()).toMatch(/\S/);
        expect(await page.locator('[data-canary]').count(), 'markup from a text became an element').toBe(0);
        expect(complaints().slice(before)).toEqual([]);
      }
      if (desk) await walkByKeyboard(desk.page);
    },
    60_000,
  );
});

/** Everything that a mouse could use is reached by Tab, and always shows that it has the focus. */
async function walkByKeyboard(page: Page): Promise<void> {
  await page.evaluate('document.activeElement?.blur(); getSelection()?.removeAllRanges(); scrollTo(0, 0)');
  const wanted = Math.min(Number(await page.evaluate(REACHABLE)), MOST_STOPS);
  const reached = new Set<string>();
  for (let press = 0; press < wanted + 5; press++) {
    await page.keyboard.press('Tab');
    const stop = String(await page.evaluate(CURRENT));
    expect(stop).not.toMatch(/^unseen/);
    reached.add(stop);
  }
  expect(reached.size).toBeGreaterThanOrEqual(wanted);
}

/** How many things a mouse could use that are shown. */
const REACHABLE = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
  .filter((each) => each.type !== 'hidden' && !each.disabled && each.checkVisibility({ visibilityProperty: true }))
  .filter((each) => !(each.type === 'radio' && !each.checked)).length`;
/** What has the focus, told apart; `unseen` when nothing shows it. */
const CURRENT = `(() => {
  const it = document.activeElement;
  if (!it || it === document.body) return 'the page';
  globalThis.__stops ??= new Map();
  if (!globalThis.__stops.has(it)) globalThis.__stops.set(it, globalThis.__stops.size);
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(it);
  // The button inside a date field has the focus for the field, and shows it in its own way.
  const seen = !it.matches(':focus') || (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  return (seen ? '' : 'unseen ') + it.tagName + ' ' + (it.textContent || it.name).slice(0, 40) + ' ' + globalThis.__stops.get(it);
})()`;
/** Long tables of links are not walked to their end. */
const MOST_STOPS = 40;
