/**
 * `<marquee-events>` in a browser, on a page of another site with a strict policy. One engine is enough: a browser does not see which
 * database filled it.
 */

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEmbeds, embedSnippets } from '../../src/embeds/index.ts';
import { openSite, type Person, type Site } from '../support/rigs/site.ts';
import { describeInBrowser, describeJourney, findBarriers, sticksOut, type Visit, visit } from '../support/runs/browser.ts';
import { until } from '../support/runs/patience.ts';

let site: Site;
let owner: Person;
let club: Server;
let clubUrl: string;
/** The body of the club's page. */
let body = '';
beforeAll(async () => {
  site = await openSite();
  owner = await site.signIn({ email: 'club@example.org' });
  club = createServer((request, response) => {
    if (request.url === '/api/v1') return void response.writeHead(200, { 'content-type': 'text/plain' }).end('left');
    // No inline style, no inline script, nothing of anybody else: what a careful site sends.
    const policy = `default-src 'none'; script-src ${site.url}; connect-src ${site.url}; img-src 'self' ${site.url}; frame-src ${site.url}; require-trusted-types-for 'script'`;
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy });
    response.end(
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Club</title></head><body><main><h1>The club</h1>${body}<p id="below">Below</p></main></body></html>`,
    );
  });
  await new Promise<void>((resolve) => club.listen(0, '127.0.0.1', resolve));
  clubUrl = `http://127.0.0.1:${(club.address() as AddressInfo).port}`;
});
afterAll(async () => {
  club.closeAllConnections();
  club.close();
  await site.close();
});

async function snippetsOf(layout: string, name = 'This week') {
  const embeds = createEmbeds({ db: site.store.db, now: site.now });
  const owned = { accountId: owner.accountId, actor: { id: owner.accountId, name: owner.email } };
  const made = await embeds.create(owned, { name, query: '' as never, layout, origins: '' });
  if (!made.ok) throw new Error(made.detail);
  return { id: made.id, ...embedSnippets({ id: made.id, name }, site.url) };
}

/** What a reader of the club's page sees of the element. */
const inside = (reader: Visit, selector: string) => reader.page.locator('marquee-events').locator(selector);
/** Requests to the city's site are what the club has asked for. */
const complaints = (reader: Visit) => reader.complaints().filter((line) => !line.startsWith(`asked a stranger: ${site.url}/`));

describeJourney('an embed on a page of others', () => {
  test.each(['list', 'map', 'calendar'])(
    'shows the %s under a strict policy, without a barrier, a shift or a stranger',
    async (layout) => {
      const { id, script } = await snippetsOf(layout);
      body = script;
      for (const { width, dark } of [
        { width: 1280, dark: false },
        { width: 390, dark: true },
      ]) {
        const reader = await visit(clubUrl, { width, dark });
        await reader.page.goto('/');
        await inside(reader, '.event').first().waitFor();
        const answer = await site.ask(`/embed/v1/${id}.json`);
        const { events } = (await answer.json()) as { events: { title: string }[] };
        const titles = await inside(reader, '.event strong').allTextContents();
        expect(titles.length).toBeGreaterThan(0);
        expect(events.map(({ title }) => title)).toEqual(expect.arrayContaining(titles));
        expect(await inside(reader, 'h2').textContent()).toBe('This week');
        expect(await findBarriers(reader.page)).toEqual([]);
        expect(await sticksOut(reader.page)).toBe(false);
        expect(complaints(reader)).toEqual([]);
        await reader.close();
      }
    },
  );
});

describeInBrowser('an embed on another site', () => {
  test('shows a place for each venue on the map, and the events of the one that is chosen', async () => {
    const { id, script } = await snippetsOf('map');
    body = script;
    const reader = await visit(clubUrl);
    await reader.page.goto('/');
    await inside(reader, '.event').first().waitFor();
    const { events } = (await (await site.ask(`/embed/v1/${id}.json`)).json()) as { events: { venue: { id: string } }[] };
    expect(await inside(reader, '.dot').count()).toBe(new Set(events.map(({ venue }) => venue.id)).size);
    const first = events[0]?.venue.id;
    await inside(reader, '.dot').first().dispatchEvent('click');
    const chosen = events.filter(({ venue }) => venue.id === first).length;
    await until(async () => expect(await inside(reader, '.event').count()).toBe(chosen));
    await inside(reader, '.dot').first().dispatchEvent('click');
    await until(async () => expect(await inside(reader, '.event').count()).toBe(events.length));
    await reader.close();
  });

  test('takes its place before the script has come, so nothing moves', async () => {
    const { script } = await snippetsOf('list');
    body = script;
    const reader = await visit(clubUrl);
    const hold = Promise.withResolvers<void>();
    await reader.context.route(`${site.url}/embed/v1/marquee-events.js`, async (route) => {
      await hold.promise;
      await route.continue();
    });
    await reader.page.goto('/', { waitUntil: 'domcontentloaded' });
    const below = () => reader.page.evaluate(`document.querySelector('#below').getBoundingClientRect().top`);
    await reader.page.waitForTimeout(50);
    const before = await below();
    expect(Number(before)).toBeGreaterThan(480);
    hold.resolve();
    await inside(reader, '.event').first().waitFor();
    expect(await below()).toBe(before);
    const shift = await reader.page.evaluate(
      `new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntries().reduce((sum, { value }) => sum + value, 0))).observe({ type: 'layout-shift', buffered: true }) ?? setTimeout(() => resolve(0), 300))`,
    );
    expect(shift).toBe(0);
    await reader.context.unrouteAll();
    await reader.close();
  });

  test('speaks the language of its attribute, and takes the colors of the page', async () => {
    const { script } = await snippetsOf('list');
    body = script.replace('<marquee-events ', '<marquee-events lang="de" theme="light" ');
    const reader = await visit(clubUrl);
    await reader.page.goto('/');
    await inside(reader, '.event').first().waitFor();
    expect(await inside(reader, 'footer a').textContent()).toBe('Alle Veranstaltungen');
    expect(await inside(reader, 'h3').first().textContent()).toMatch(
      /^(Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag), \d+\. \S+$/,
    );
    await reader.page.evaluate(
      `document.querySelector('marquee-events').style.setProperty('--marquee-background', 'rgb(1, 2, 3)')`,
    );
    const color = await reader.page.evaluate(`getComputedStyle(document.querySelector('marquee-events')).backgroundColor`);
    expect(color).toBe('rgb(1, 2, 3)');
    await reader.page.evaluate(`document.querySelector('marquee-events').setAttribute('lang', 'fr')`);
    expect(await inside(reader, 'footer a').textContent()).toBe('Tous les événements');
    await reader.close();
  });

  test('works by keyboard: events in the list, days and months in the calendar', async () => {
    const { script } = await snippetsOf('calendar');
    body = script;
    const reader = await visit(clubUrl);
    await reader.page.goto('/');
    await inside(reader, 'td button').first().waitFor();
    const focused = () =>
      reader.page.evaluate(`document.activeElement?.shadowRoot?.activeElement?.getAttribute('aria-label') ?? ''`);
    const month = () => inside(reader, '.month span').textContent();
    for (let presses = 0; presses < 8 && (await focused()) !== 'Next month'; presses += 1)
      await reader.page.keyboard.press('Tab');
    const first = await month();
    await reader.page.keyboard.press('Enter');
    expect(await month()).not.toBe(first);
    expect(await focused()).toBe('Next month');
    await reader.page.keyboard.press('Shift+Tab');
    await reader.page.keyboard.press('Enter');
    expect(await month()).toBe(first);
    const days = inside(reader, 'td button');
    await days.last().focus();
    await reader.page.keyboard.press('Enter');
    expect(await inside(reader, 'td button[aria-pressed=true]').count()).toBe(1);
    await until(async () => expect(await inside(reader, 'h3').count()).toBe(1));
    await reader.close();
  });

  test('begins its calendar with the soonest event, wherever that stands in the list', async () => {
    const { id, script } = await snippetsOf('calendar');
    body = script;
    const answer = await site.ask(`/embed/v1/${id}.json`);
    const data = (await answer.json()) as { events: { start: string }[] };
    const [soonest] = data.events.map(({ start }) => start.slice(0, 10)).sort();
    const reader = await visit(clubUrl);
    const headers = { 'access-control-allow-origin': '*' };
    const json = { ...data, events: data.events.toReversed() };
    await reader.context.route(`${site.url}/embed/v1/*.json`, (route) => route.fulfill({ json, headers }));
    await reader.page.goto('/');
    await inside(reader, 'td button').first().waitFor();
    expect(await inside(reader, 'td button').first().getAttribute('data-day')).toBe(soonest);
    expect(await inside(reader, 'td button[aria-pressed=true]').getAttribute('data-day')).toBe(soonest);
    await reader.context.unrouteAll();
    await reader.close();
  });

  test('says of a price what is known of it', async () => {
    const { id, script } = await snippetsOf('list');
    body = script;
    const answer = await site.ask(`/embed/v1/${id}.json`);
    const { events, ...others } = (await answer.json()) as { events: object[] };
    const prices = [
      [18, null],
      [null, 9],
      [12, 12],
      [12.5, 40],
      [null, null],
    ];
    const priced = prices.map(([priceMin, priceMax]) => ({
      ...events[0],
      ...{ status: 'scheduled', isFree: false, priceMin, priceMax },
    }));
    const reader = await visit(clubUrl);
    const headers = { 'access-control-allow-origin': '*' };
    await reader.context.route(`${site.url}/embed/v1/*.json`, (route) =>
      route.fulfill({ json: { ...others, events: priced }, headers }),
    );
    await reader.page.goto('/');
    await inside(reader, '.event').first().waitFor();
    expect(await inside(reader, '.price').allTextContents()).toEqual(['from $18', 'up to $9', '$12', 'from $12.50', '']);
    await reader.context.unrouteAll();
    await reader.close();
  });

  test('says so when its events cannot be had, and tries again', async () => {
    const { script } = await snippetsOf('list');
    body = script;
    const reader = await visit(clubUrl);
    await reader.context.route(`${site.url}/embed/v1/*.json`, (route) => route.abort());
    await reader.page.goto('/');
    await inside(reader, '.note button').waitFor();
    expect(await inside(reader, '.note p').textContent()).toBe('Events cannot be loaded right now.');
    await reader.context.unrouteAll();
    await inside(reader, '.note button').click();
    await inside(reader, '.event').first().waitFor();
    await reader.close();
  });

  test('stands in an iframe, too, and leads on without a script', async () => {
    const { id, iframe, script } = await snippetsOf('list');
    body = iframe;
    const reader = await visit(clubUrl);
    await reader.page.goto('/');
    const frame = reader.page.frameLocator('iframe');
    await frame.locator('marquee-events').locator('.event').first().waitFor();
    expect(await findBarriers(reader.page)).toEqual([]);
    expect(complaints(reader)).toEqual([]);
    await reader.close();
    body = script;
    const plain = await visit(clubUrl, { scripts: false });
    await plain.page.goto('/');
    expect(await plain.page.locator('marquee-events a').getAttribute('href')).toBe(`${site.url}/embed/${id}`);
    await plain.close();
  });
});
