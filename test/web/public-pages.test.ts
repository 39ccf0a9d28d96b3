/** What everybody may read, in a browser. One engine is enough: a browser does not see which database filled a page. */

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { TIERS } from '../../src/accounts/index.ts';
import { ROUTES } from '../../src/api/index.ts';
import { PROBLEM_CODES } from '../../src/http/index.ts';
import { recordChanges } from '../../src/records/index.ts';
import { type Site, sharedSite } from '../support/rigs/site.ts';
import { describeInBrowser, describeJourney, findBarriers, sticksOut, visit } from '../support/runs/browser.ts';
import { until } from '../support/runs/patience.ts';

const run = promisify(execFile);
const CANARY = `"><script>globalThis.bitten = 1</script><img src=x onerror="globalThis.bitten = 1">{{7*7}}\u202e`;
const STILL = ['/', '/developers', '/pricing', '/docs', '/docs/errors'];
let site: Site;
let key = '';

beforeAll(async () => {
  site = await sharedSite();
  key = JSON.parse(readFileSync(join(site.dataDir, 'demo-keys.json'), 'utf8')).enterprise;
  // The event that every list shows first, from before the first page is asked for.
  const { data } = (await askApi('/events?limit=1')) as { data: [{ id: string }] };
  await site.store.db.transaction().execute(async (trx) => {
    const title = {
      title: CANARY,
      discovery_score: 100,
      precision: 'date' as const,
      sources: ['Harbor Weekly', CANARY, 'City Calendar', 'Fourth'],
    };
    await trx.updateTable('event').set(title).where('id', '=', data[0].id).execute();
    // One of the four wrote it so; of the others nothing is known but that they announce it.
    const { id: source_id } = await trx.selectFrom('source').select('id').executeTakeFirstOrThrow();
    const seen = new Date(site.now());
    const facts = JSON.stringify({ provider: 'Harbor Weekly' });
    const said = { facts, listing: JSON.stringify({ title: `As the weekly wrote it ${CANARY}` }) };
    const where = {
      kind: 'event' as const,
      event_id: data[0].id,
      source_id,
      external_id: 'weekly-1',
      content_hash: 'a'.repeat(64),
    };
    const record = { id: crypto.randomUUID(), ...where, ...said, first_seen_at: seen, last_seen_at: seen };
    await trx.insertInto('record').values(record).execute();
    await recordChanges(trx, [{ kind: 'updated', entity: 'event', entityId: data[0].id }], site.now());
  });
  await until(async () => expect(JSON.stringify(await askApi('/events?limit=1'))).toContain('bitten'));
});

async function askApi(path: string): Promise<unknown> {
  return (await fetch(`${site.url}/api/v1${path}`, { headers: { 'X-API-Key': key } })).json();
}
const html = async (path: string) => (await site.ask(path)).text();
const requestsToday = async () => ((await askApi('/usage')) as { data: { day: { used: number } } }).data.day.used;

describe('pages that need no script', () => {
  test.each(STILL)('%s carries none, and is the same twice', async (path) => {
    const first = await site.ask(path);
    const text = await first.text();
    expect(first.status).toBe(200);
    expect(text).not.toMatch(/<script|modulepreload|javascript:/i);
    expect(text.match(/<h1/g)).toHaveLength(1);
    // The first may come before the page is held as bytes.
    await until(async () => expect(await html(path)).toBe(await html(path)));
  });

  test('are kept apart by the chosen look', async () => {
    const dark = await site.ask('/docs', { headers: { cookie: 'theme=dark' } });
    expect(await dark.text()).toContain('data-theme="dark"');
    expect(await html('/docs')).toContain('data-theme="auto"');
  });
});

describe('the page for developers', () => {
  test('leads to the pages of what it shows', async () => {
    // The page follows the directory within seconds.
    await until(async () => {
      const front = await html('/developers');
      const [, board = ''] = /<ol class="letters">(.*?)<\/ol>/.exec(front) ?? [];
      const [, ticket = ''] = /<p class="ticket-title">(.*?)<\/p>/.exec(front) ?? [];
      const links = [...(board + ticket).matchAll(/<a href="(\/(?:events|venues)\/[^"]+)"[^>]*>(.*?)<\/a>/g)];
      expect(links).toHaveLength(11);
      for (const [, path = '', name] of links) expect(/<h1[^>]*>(.*?)<\/h1>/.exec(await html(path))?.[1]).toBe(name);
    });
  });

  test('shows what each source of an event wrote, and no words where there are none', async () => {
    await until(async () => {
      const page = await html('/developers');
      const slips = /<ul class="slips">(.*?)<\/ul>/.exec(page)?.[1]?.split('</li>') ?? [];
      expect(slips.filter((slip) => slip.includes('As the weekly wrote it'))).toEqual([
        expect.stringContaining('<span class="small">Harbor Weekly</span>'),
      ]);
      expect(slips.at(-2)).toBe('<li><span class="small">Fourth</span>');
      // Its hour is not known.
      expect(page).toMatch(/<div class="ticket"><p class="small">\w+, \w+ \d+<\/p>/);
    });
  });
});

describe('the pricing page', () => {
  test('has every figure of the tiers, and every endpoint', async () => {
    const text = await html('/pricing');
    for (const { priceUsd, perDay, perMinute } of Object.values(TIERS)) {
      for (const figure of [priceUsd, perDay, perMinute]) expect(text).toContain(figure.toLocaleString('en'));
    }
    for (const { path } of ROUTES) expect(text).toContain(`<code>${path}</code>`);
    for (const [, code = ''] of text.matchAll(/docs\/errors#(\w+)/g)) expect(PROBLEM_CODES).toContain(code);
  });
});

describe('the reference', () => {
  test('shows every endpoint, parameter and schema that it links to', async () => {
    const text = await html('/docs');
    for (const { operationId, path, parameters } of ROUTES) {
      expect(text).toContain(`id="${operationId}"`);
      expect(text).toContain(`<code>${path}</code>`);
      expect(text).toContain(`/playground?endpoint=${operationId}`);
      for (const name of Object.keys(parameters)) expect(text).toContain(`<code>${name}</code>`);
    }
    for (const [, anchor] of text.matchAll(/href="#([^"]+)"/g)) expect(text).toContain(`id="${anchor}"`);
  });

  test('has a paragraph for every type of problem, where the problem leads', async () => {
    const text = await html('/docs/errors');
    for (const code of PROBLEM_CODES) expect(text).toContain(`<section id="${code}"`);
    const { type } = (await (await site.ask('/api/v1/events')).json()) as { type: string };
    expect(type).toBe(`${site.url}/docs/errors#missing_api_key`);
  });
});

describe('the playground without scripts', () => {
  const send = (form: Record<string, string>) =>
    site.ask('/playground', { method: 'POST', body: new URLSearchParams(form), headers: { 'sec-fetch-site': 'same-origin' } });

  test('leads to an address that shows the lines and holds no key', async () => {
    const answer = await send({ endpoint: 'listEvents', q: `it's`, limit: '', intent: 'lines', key });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/playground?endpoint=listEvents&q=it%27s']);
    expect(await html('/playground?endpoint=listEvents&q=it%27s')).toContain('/events?q=it%27s');
  });

  test('runs a request as one of the key, and shows the key nowhere', async () => {
    const before = await requestsToday();
    const answer = await send({ endpoint: 'listVenues', type: 'club', limit: '2', intent: 'run', key });
    const text = await answer.text();
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
    expect(text).toContain('X-RateLimit-Remaining');
    expect(text).toContain('isVerified');
    expect(text).not.toContain(key);
    expect(await requestsToday()).toBe(before + 1);
  });

  test('shows what the API refuses, and says what is missing before it asks', async () => {
    const refused = await (await send({ endpoint: 'listEvents', limit: '0', key })).text();
    expect(refused).toContain('invalid_parameter');
    expect(await (await send({ endpoint: 'listEvents', key: 'mq_live_wrong' })).text()).toContain('invalid_api_key');
    const missing = await send({ endpoint: 'getEvent', id: '', key: '' });
    expect(missing.status).toBe(400);
    const text = await missing.text();
    expect(text).toContain('Enter the ID of a record.');
    expect(text).toContain('Paste the whole key.');
    expect((await site.ask('/playground?endpoint=nothing', { headers: { accept: 'text/html' } })).status).toBe(404);
  });

  test('leaves no key in the log', () => {
    // Beside the log stands what the start prints for the operator: the demo's keys.
    const logged = site.logged().filter((line) => line.startsWith('{'));
    expect(logged.length).toBeGreaterThan(10);
    expect(logged.join('')).not.toContain('mq_live_');
  });
});

describeJourney('a reader of the playground', () => {
  test('chooses, fills in, runs and takes the lines away', async () => {
    const { page, context, complaints, close } = await visit(site.url);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto('/playground');
    await page.getByRole('link', { name: '/venues', exact: true }).click();
    await page.getByRole('heading', { name: 'GET /venues' }).waitFor();
    await page.getByLabel('club').check();
    await page.getByLabel('theater').check();
    await page.getByLabel('limit').fill('4');
    await page.getByLabel('Your key').fill(key);
    const before = await requestsToday();
    await page.getByRole('button', { name: 'Run request' }).click();
    await page.locator('.answer-body').waitFor();
    expect(await page.locator('.badge.good').textContent()).toBe('200');
    const body = JSON.parse((await page.locator('.answer-body').textContent()) ?? '');
    expect(body).toEqual(await askApi('/venues?type=club,theater&limit=4'));
    expect(await requestsToday()).toBe(before + 2);

    for (const each of [page.url(), ...asked, JSON.stringify(await context.cookies())]) expect(each).not.toContain(key);
    expect(await storedIn(page)).toEqual({});
    await page.getByLabel('Remember key until this tab is closed').check();
    await page.reload();
    await expect.poll(() => page.getByLabel('Your key').inputValue()).toBe(key);

    await page.getByLabel('q', { exact: true }).fill(`it's "$(x)`);
    expect(await linesOf(page, 'curl')).toContain('q=it%27s%20%22%24%28x%29');
    await page.getByLabel('q', { exact: true }).fill('');
    await expectToRun(page);
    expect(complaints()).toEqual([]);
    await close();
  });
});

describeInBrowser('a reader of the public pages', () => {
  test.each([
    { width: 1280, dark: false },
    { width: 390, dark: true },
  ])('meets no barrier where an answer is shown (%o)', async (look) => {
    const { page, complaints, close } = await visit(site.url, look);
    await page.goto('/playground?endpoint=listEvents&limit=100');
    await page.getByLabel('Your key').fill(key);
    await page.getByRole('button', { name: 'Run request' }).click();
    await page.locator('.answer-body').waitFor();
    await page.getByText('Headers', { exact: true }).click();
    await page.getByLabel('Python').check();
    expect(await findBarriers(page)).toEqual([]);
    expect(await sticksOut(page)).toBe(false);
    expect(await page.evaluate(() => 'bitten' in globalThis)).toBe(false);
    expect(complaints()).toEqual([]);
    await close();
  });

  test('sees on the board what the request beside it answers, hostile titles as text', async () => {
    const { page, close } = await visit(site.url);
    await page.goto('/developers');
    const target = ((await page.locator('.answer figcaption').textContent()) ?? '').match(/\/events\S*/)?.[0] ?? '';
    const shown = JSON.parse((await page.locator('.answer code').textContent()) ?? '') as { data: { title: string }[] };
    expect(shown).toEqual(await askApi(target));
    expect(shown.data[0]?.title).toBe(CANARY);
    expect(await page.locator('.letters strong').allTextContents()).toEqual(shown.data.map(({ title }) => title));
    expect(await page.locator('.slips li').count()).toBe(4);
    expect(await page.evaluate(() => 'bitten' in globalThis)).toBe(false);
    await close();
  });

  test('runs a request with scripts switched off', async () => {
    const { page, close } = await visit(site.url, { scripts: false, width: 390 });
    await page.goto('/docs');
    await page.getByRole('link', { name: /Try it.*trending/ }).click();
    await page.getByLabel('Your key').fill(key);
    await page.getByRole('button', { name: 'Run request' }).click();
    expect(await page.locator('.badge.good').textContent()).toBe('200');
    expect(await page.locator('.answer-body').textContent()).toContain('trendScore');
    expect(page.url()).not.toContain(key);
    await close();
  });
});

const storedIn = (page: Page) =>
  page.evaluate(() => {
    // Kept by the router where a page was left before its scripts ran.
    const { 'react-router-scroll-positions': _, ...others } = { ...localStorage, ...sessionStorage };
    return others;
  });
const linesOf = (page: Page, language: string) => page.locator(`.language-lines.${language} pre`).textContent();

/** What is shown is what runs, as a reader would paste it. */
async function expectToRun(page: Page) {
  const env = { ...process.env, MARQUEE_KEY: key, NODE_OPTIONS: '' };
  const curl = await run('bash', ['-c', (await linesOf(page, 'curl')) ?? ''], { env });
  expect(JSON.parse(curl.stdout).data.length).toBeGreaterThan(0);
  const node = await run(process.execPath, ['--input-type=module', '-e', (await linesOf(page, 'javascript')) ?? ''], { env });
  expect(node.stdout).toContain('upcomingEventCount');
}
