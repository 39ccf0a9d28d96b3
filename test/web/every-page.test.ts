/**
 * What holds for every page there is, in one crawl: who may read it, that it is valid HTML, that it has no barrier, and that nothing
 * hostile in the directory acts on it. One engine is enough: a browser does not see which database filled a page.
 */

import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { routePatterns } from '../support/records/route-patterns.ts';
import { type Person, type Site, sharedSite } from '../support/rigs/site.ts';
import { describeJourney, findBarriers, sticksOut, type Visit, visit } from '../support/runs/browser.ts';
import { EXAMPLES, type Example, type Facts, plantCanaries } from './all-pages.ts';
import { findMarkupFaults } from './markup-faults.ts';

let site: Site;
let people: { developer: Person; operator: Person };
let facts: Facts;
/** Each page as its reader gets it, by pattern: what a resource answers is a matter of its own tests. */
const read = new Map<string, { status: number; html: string }>();

beforeAll(async () => {
  site = await sharedSite();
  people = {
    developer: await site.signIn({ email: 'developer@example.org' }),
    operator: await site.signIn({ email: 'operator@example.org', operator: true }),
  };
  facts = await plantCanaries(site, people.developer);
  for (const [pattern, { path, reader, kind }] of examples) {
    if (kind === 'resource') continue;
    const answer = await site.ask(path(facts), { headers: { accept: 'text/html', cookie: cookieOf(reader) } });
    read.set(pattern, { status: answer.status, html: await answer.text() });
  }
});

const examples = Object.entries(EXAMPLES);
const pages = examples.filter(([, { kind }]) => kind === 'page');
const cookieOf = (reader: Example['reader']): string => (reader === 'anyone' ? '' : people[reader].cookie);

describe('the table of pages', () => {
  test('names every route, and no other', () => {
    const patterns = routePatterns().map(({ pattern }) => pattern);
    expect(examples.map(([pattern]) => pattern).sort()).toEqual(patterns.sort());
  });

  test('has pages with a title of their own', () => {
    const titles = pages.map(([pattern]) => /<title>([^<]+)<\/title>/.exec(read.get(pattern)?.html ?? '')?.[1] ?? pattern);
    expect(titles.length).toBeGreaterThan(25);
    expect(titles.filter((title, i) => pages.some(([pattern]) => title === pattern) || titles.indexOf(title) !== i)).toEqual([]);
  });
});

describe.each(examples)('%s', (pattern, { path, reader, kind }) => {
  const ask = (who: string, init: RequestInit = {}) =>
    site.ask(path(facts), { ...init, headers: { accept: 'text/html', cookie: who, ...init.headers } });

  test('is read by whom it is for, as valid HTML, and by nobody else', async () => {
    const shown = read.get(pattern);
    if (kind !== 'resource') expect(shown?.status).toBe(pattern === '/*' ? 404 : 200);
    if (shown) expect(await findMarkupFaults(shown.html)).toEqual([]);
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

  test('refuses what is no form, and breaks on none', async () => {
    for (const init of [{}, { body: '{}', headers: { 'content-type': 'application/json' } }]) {
      const headers = { 'sec-fetch-site': 'same-origin', ...init.headers };
      const answer = await ask(pattern === '/sign-out' ? '' : cookieOf(reader), { ...init, method: 'POST', headers });
      expect(pattern === '/sign-out' ? [302] : [400, 404, 405]).toContain(answer.status);
    }
  });

  test('changes nothing for a form of another site', async () => {
    const isKnown = pattern !== '/*';
    const takesForms = isKnown && (await ask('', { method: 'PUT' })).headers.get('allow')?.includes('POST') === true;
    // A page without forms says so first, or that it does not exist for this reader.
    const wanted = takesForms ? [403] : isKnown ? [405, 404] : [404];
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }, { origin: 'null' }]) {
      const answer = await ask(cookieOf(reader), {
        method: 'POST',
        body: new URLSearchParams({ intent: 'x' }),
        headers: { ...headers },
      });
      expect(wanted).toContain(answer.status);
    }
  });
});

describeJourney('every page', () => {
  /** One reader of each kind. */
  const visits = new Map<Example['reader'], Visit>();
  beforeAll(async () => {
    for (const reader of ['anyone', 'developer', 'operator'] as const) {
      const visitor = await visit(site.url);
      if (reader !== 'anyone') await visitor.context.addCookies(people[reader].cookies);
      visitor.page.on('dialog', (dialog) => {
        void dialog.dismiss();
        throw new Error(`a text of the directory acted: ${dialog.message()}`);
      });
      visits.set(reader, visitor);
    }
  });

  test.each(pages)('%s has no barrier, sticks out nowhere and comes to rest within five seconds', async (pattern, example) => {
    const visitor = visits.get(example.reader);
    if (!visitor) throw new Error('nobody reads');
    const { page, look, complaints } = visitor;
    const before = complaints().length;
    await look({ width: 390, dark: true });
    await page.goto(example.path(facts), { waitUntil: 'load' });
    expect(await page.locator('h1').count()).toBe(1);
    expect(await page.title()).toMatch(/\S/);
    expect(await page.locator('[data-canary]').count(), 'markup from a text became an element').toBe(0);
    // A phone by night, and the colors of a desk by day; `accessibility.long.test.ts` sees the other looks.
    for (const width of [390, 320, 1280]) {
      await look({ width, dark: width < 1280 });
      expect(await sticksOut(page), `something stands out to the right at ${width} pixels`).toBe(false);
      if (width === 390) expect(await findBarriers(page)).toEqual([]);
      if (width === 1280) expect(await findBarriers(page, ['color-contrast'])).toEqual([]);
    }
    await walkByKeyboard(page);
    expect(await animationsOf(page), 'moves where no motion is wanted').toEqual([]);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    const animations = await animationsOf(page);
    expect(animations.filter((milliseconds) => milliseconds > 5_000)).toEqual([]);
    if (pattern === '/developers') expect(animations.length).toBeGreaterThan(0);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(complaints().slice(before)).toEqual([]);
  });
});

/** How long each animation takes from its start to its end, ms (WCAG 2.2, 2.2.2). */
const animationsOf = async (page: Page): Promise<number[]> => ((await page.evaluate(ANIMATIONS)) as string[]).map(Number);
/** As text: JSON has no infinity. */
const ANIMATIONS = `document.getAnimations().filter((each) => each instanceof CSSAnimation)
  .map(({ effect }) => effect.getComputedTiming()).map(({ endTime, delay }) => String(endTime - Math.min(0, delay)))`;

/** Everything that a mouse could use is reached by Tab, and always shows that it has the focus. */
async function walkByKeyboard(page: Page): Promise<void> {
  await page.evaluate(BEGIN_WALK);
  const wanted = Number(await page.evaluate(REACHABLE));
  const walk = { reached: 0, unseen: [] as string[] };
  // A date is several stops in one field.
  for (let presses = 0; walk.reached < wanted && presses < 2 * wanted + SOME_MORE; presses += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => page.keyboard.press('Tab')));
    Object.assign(walk, await page.evaluate(WALKED));
  }
  expect(walk).toEqual({ reached: wanted, unseen: [] });
}

/** How many things a mouse could use that are shown. */
const REACHABLE = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary')]
  .filter((each) => each.type !== 'hidden' && !each.disabled && each.checkVisibility({ visibilityProperty: true }))
  .filter((each) => !(each.type === 'radio' && !each.checked)).length`;
/** Notes what gets the focus from now on, and what of it does not show that it has it. */
const BEGIN_WALK = `(() => {
  document.activeElement?.blur();
  getSelection()?.removeAllRanges();
  scrollTo(0, 0);
  const reached = new Set();
  const unseen = [];
  const note = ({ target }) => {
    if (!target.matches('a[href], button, input, select, textarea, summary')) return;
    reached.add(target);
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(target);
    const isSeen = (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
    // The button inside a date field has the focus for the field, and shows it in its own way.
    if (target.matches(':focus') && !isSeen) unseen.push(target.outerHTML.slice(0, 120));
  };
  document.addEventListener('focusin', note);
  globalThis.__walk = { reached, unseen };
})()`;
const WALKED = '({ reached: __walk.reached.size, unseen: __walk.unseen })';
/** So many keys are pressed before anybody looks. */
const AT_ONCE = 30;
const SOME_MORE = 60;
