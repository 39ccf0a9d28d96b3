/**
 * What readers need who do not see the page, see it large, in colors of their own, or cannot look away from what moves. One
 * engine is enough: a browser does not see which database filled a page.
 */

import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { type Person, type Site, sharedSite } from '../support/rigs/site.ts';
import { describeInBrowser, findBarriers, sticksOut, type Visit, visit } from '../support/runs/browser.ts';
import { EXAMPLES, type Example, type Facts, plantCanaries } from './all-pages.ts';

let site: Site;
let people: { developer: Person; operator: Person };
let facts: Facts;
const pages = Object.entries(EXAMPLES).filter(([, { kind }]) => kind === 'page');

beforeAll(async () => {
  site = await sharedSite();
  people = {
    developer: await site.signIn({ email: 'reader@example.org' }),
    operator: await site.signIn({ email: 'reader-operator@example.org', operator: true }),
  };
  facts = await plantCanaries(site, people.developer);
});

async function open(reader: Example['reader'], width = 1280): Promise<Visit> {
  const visitor = await visit(site.url, { width });
  if (reader !== 'anyone') await visitor.context.addCookies(people[reader].cookies);
  return visitor;
}

describeInBrowser('every page in the looks that the crawl of `every-page.test.ts` leaves out', () => {
  const visits = new Map<Example['reader'], Visit>();
  beforeAll(async () => {
    for (const reader of ['anyone', 'developer', 'operator'] as const) visits.set(reader, await open(reader));
  });

  test.each(pages)('%s has no barrier and sticks out nowhere', async (_, example) => {
    const visitor = visits.get(example.reader);
    if (!visitor) throw new Error('nobody reads');
    const { page, look } = visitor;
    await look({ width: 320, dark: true });
    await page.goto(example.path(facts), { waitUntil: 'load' });
    for (const width of [320, 390, 1280]) {
      await look({ width, dark: true });
      expect(await sticksOut(page), `something stands out to the right at ${width} pixels`).toBe(false);
      if (width !== 390) expect(await findBarriers(page)).toEqual([]);
      // By day only colors are others.
      await look({ width, dark: false });
      if (width !== 1280) expect(await findBarriers(page, ['color-contrast'])).toEqual([]);
    }
  });
});

describeInBrowser('moving to another page without a new document', () => {
  test('is announced, and the focus goes to the heading', async () => {
    const { page, complaints, close } = await open('developer');
    await page.goto('/dashboard');
    const announced = page.locator('[data-arrival]');
    expect(await announced.textContent()).toBe('');
    await page.evaluate('globalThis.__same = true');
    await page.locator('.places').getByRole('link', { name: 'Usage' }).click();
    await expect.poll(() => announced.textContent()).toBe('Usage · Dashboard · Marquee');
    expect(await focused(page)).toBe('H1 Usage');
    await page.goBack();
    await expect.poll(() => announced.textContent()).toBe('Overview · Dashboard · Marquee');
    expect(await focused(page)).toBe('H1 Overview');
    expect(await page.evaluate('globalThis.__same'), 'another document was loaded').toBe(true);
    expect(complaints()).toEqual([]);
    await close();
  });

  test('leaves the focus where it is within a page', async () => {
    const { page, close } = await open('anyone');
    await page.goto('/playground');
    const other = page.getByRole('link', { name: '/venues', exact: true });
    await other.click();
    await page.waitForURL(/endpoint=listVenues/);
    expect(await focused(page)).toBe('A /venues');
    await close();
  });
});

const focused = (page: Page): Promise<string> =>
  page.evaluate("document.activeElement.tagName + ' ' + document.activeElement.textContent");

describeInBrowser('a page whose fonts come late', () => {
  test.each([
    ['/', 1280],
    ['/', 390],
    ['/developers', 390],
    ['/events', 390],
    ['/pricing', 390],
    ['/docs', 1280],
    ['/sign-up', 390],
    ['/events/:slug', 390],
    ['/playground', 1280],
    ['/dashboard', 390],
    ['/dashboard/keys', 1280],
    ['/desk', 390],
    ['/desk/events/:id', 1280],
  ] as const)('%s moves next to nothing when they arrive, at %i pixels', async (pattern, width) => {
    const example = EXAMPLES[pattern] as Example;
    const { page, close } = await open(example.reader, width);
    const held: (() => void)[] = [];
    let isHolding = true;
    await page.route('**/*.woff2', async (route) => {
      if (isHolding) await new Promise<void>((go) => held.push(go));
      await route.continue();
    });
    await page.goto(example.path(facts), { waitUntil: 'domcontentloaded' });
    await page.evaluate(PAINTED);
    expect(held.length).toBeGreaterThan(0);
    isHolding = false;
    for (const go of held) go();
    await page.waitForLoadState('load');
    const { shift, arrived, moved } = (await page.evaluate(SHIFTED)) as { shift: number; arrived: number; moved: string[] };
    expect(arrived).toBeGreaterThanOrEqual(2);
    expect(shift, moved.join('\n')).toBeLessThan(0.05);
    await page.unroute('**/*.woff2');
    await close();
  });
});

/** Resolves when something was painted, with the fonts that there are. */
const PAINTED = `new Promise((done) => {
  const look = () => performance.getEntriesByName('first-contentful-paint').length > 0
    ? requestAnimationFrame(() => requestAnimationFrame(done)) : requestAnimationFrame(look);
  look();
})`;
/** How far the page has moved since it began (web-vitals' CLS, without its windows: never less). */
const SHIFTED = `document.fonts.ready.then(() => new Promise((done) => {
  let shift = 0;
  const moved = [];
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  const add = (entries) => { for (const { value, hadRecentInput, sources } of entries) if (!hadRecentInput) {
    shift += value;
    for (const { node, previousRect, currentRect } of sources) {
      moved.push([value, node?.outerHTML?.slice(0, 80), JSON.stringify(previousRect), JSON.stringify(currentRect)].join(' '));
    }
  } };
  observer.observe({ type: 'layout-shift', buffered: true });
  const arrived = [...document.fonts].filter(({ family, status }) => /^"?(Text|Display)"?$/.test(family) && status === 'loaded').length;
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => {
    add(observer.takeRecords());
    done({ shift, arrived, moved });
  }, 100)));
}))`;

describeInBrowser('the fonts', () => {
  test('have the letters of Polish, Czech and Turkish, fetched only by a page that has them', async () => {
    const { page, close } = await open('anyone');
    const fetched: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('.woff2')) fetched.push(request.url());
    });
    // It has no scripts of its own: what is written into it stays.
    await page.goto('/pricing');
    const write = (where: string, text: string) => page.evaluate(`document.querySelector('${where}').textContent = '${text}'`);
    const parts = (name: string) => fetched.filter((url) => url.includes(name)).length;
    await page.evaluate('document.fonts.ready.then(() => 0)');
    expect([parts('latin-wght'), parts('latin-ext'), parts('vietnamese')]).toEqual([2, 0, 0]);
    await write('h1', 'Zażółć gęślą jaźń, Příliš žluťoučký kůň, Şişli ığdır');
    await expect.poll(() => parts('latin-ext')).toBe(1);
    await write('main .lead', 'Łódź, Třebíč, Iğdır');
    await expect.poll(() => parts('latin-ext')).toBe(2);
    await write('h1', 'Nguyễn Thị Phương');
    await expect.poll(() => parts('vietnamese')).toBe(1);
    await close();
  });
});

describeInBrowser('in colors of the reader’s own', () => {
  test.each([
    ['/pricing', 1280],
    ['/docs', 1280],
    ['/playground', 390],
    ['/dashboard/usage', 1280],
    ['/dashboard/usage', 390],
    ['/desk', 390],
  ] as const)('%s shows where one is and what is chosen, at %i pixels', async (pattern, width) => {
    const example = EXAMPLES[pattern] as Example;
    const { page, close } = await open(example.reader, width);
    for (const dark of [false, true]) {
      await page.emulateMedia({ forcedColors: 'active', colorScheme: dark ? 'dark' : 'light' });
      await page.goto(example.path(facts));
      const count = Number(await page.evaluate(FIND_MARKED));
      expect(count).toBeGreaterThan(1);
      for (let i = 0; i < count; i++) {
        const { name, clip } = (await page.evaluate(`__marked.show(${i})`)) as { name: string; clip: Clip };
        const marked = await page.screenshot({ clip });
        await page.evaluate(`__marked.take(${i})`);
        expect((await page.screenshot({ clip })).equals(marked), `${name} looks like its neighbors`).toBe(false);
      }
    }
    await page.emulateMedia({ forcedColors: 'none' });
    await close();
  });
});

type Clip = { x: number; y: number; width: number; height: number };

/** What is marked as the current page or the current choice: shown with a little around it, and taken its mark from. */
const FIND_MARKED = `(() => {
  const all = [...document.querySelectorAll('[aria-current="page"], button[aria-pressed="true"]')].filter((each) => each.checkVisibility());
  globalThis.__marked = {
    show(i) {
      all[i].scrollIntoView({ block: 'center', behavior: 'instant' });
      const { x, y, width, height } = all[i].getBoundingClientRect();
      return { name: all[i].textContent || all[i].title, clip: { x: Math.max(0, x - 4), y: Math.max(0, y - 4), width: width + 8, height: height + 8 } };
    },
    take(i) {
      for (const name of ['aria-current', 'aria-pressed']) all[i].removeAttribute(name);
    },
  };
  return all.length;
})()`;
