/**
 * The export pages as a browser without scripts uses them. One engine is enough: what the forms write is tested on both without a
 * browser.
 */

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { createFeeds } from '../../src/feeds/index.ts';
import { readSavedQuery } from '../../src/query/index.ts';
import { openSite, type Person, type Site } from '../support/rigs/site.ts';
import { describeInBrowser, findBarriers, sticksOut, visit } from '../support/runs/browser.ts';

let site: Site;
let ada: Person & { key: string };
let bob: Person & { key: string };
beforeAll(async () => {
  site = await openSite();
  ada = await customer('ada@exports.example', 'enterprise');
  bob = await customer('bob@exports.example', 'enterprise');
});
afterAll(() => site?.close());

async function customer(email: string, tier: string): Promise<Person & { key: string }> {
  const person = await site.signIn({ email, tier });
  const made = await createAccounts({ db: site.store.db, now: site.now }).createKey({ email, tier });
  if (!made.ok) throw new Error(made.detail);
  return { ...person, key: made.key };
}

const see = async (who: Person, path: string) => {
  const answer = await site.ask(path, { headers: { cookie: who.cookie, accept: 'text/html' } });
  return { status: answer.status, html: (await answer.text()).replace(/<script[\s\S]*?<\/script>/g, '') };
};
const send = (who: Person, path: string, fields: Record<string, string> | [string, string][]) =>
  site.ask(path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { cookie: who.cookie, 'sec-fetch-site': 'same-origin', accept: 'text/html' },
  });
/** `/dashboard/exports/<id>` of the newest export. */
const newestOf = async (who: Person): Promise<string> =>
  /\/dashboard\/exports\/[0-9a-f-]{36}/.exec((await see(who, '/dashboard/exports')).html)?.[0] ?? '';
const requestIn = (html: string): string => /name="request" value="([^"]+)"/.exec(html)?.[1] ?? '';

const EVERYTHING = { intent: 'create', content: 'everything', format: 'ndjson', repeat: 'once', columns: 'all' };

async function untilReady(who: Person, path: string): Promise<string> {
  for (;;) {
    const { html } = await see(who, path);
    if (html.includes('>Ready<')) return html;
    if (html.includes('>Failed<')) throw new Error('the export failed');
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

describe('an Enterprise customer', () => {
  test('asks for an export, sees how far it is, and downloads its files', async () => {
    const created = await send(ada, '/dashboard/exports', EVERYTHING);
    expect([created.status, created.headers.get('location')]).toEqual([303, '/dashboard/exports?done=created']);
    const path = await newestOf(ada);
    const html = await untilReady(ada, path);
    const names = [...html.matchAll(/<code>([\w.-]+)<\/code>/g)].map(([, name]) => name);
    expect(names.slice(0, 4)).toEqual(['manifest.json', 'neighborhoods.geojson', 'venues-00001.ndjson', 'events-00001.ndjson']);
    const links = [...html.matchAll(/href="(\/exports\/[^"]+)"/g)].map(([, link = '']) => link);
    expect(links).toHaveLength(4);
    for (const link of links) expect((await site.ask(link)).status).toBe(200);
    const list = (await see(ada, '/dashboard/exports')).html;
    expect(list).toMatch(/Everything, NDJSON[\s\S]*Ready[\s\S]*MB/);
  });

  test('exports a feed with chosen columns', async () => {
    const query = readSavedQuery('category=concert', { timezone: 'America/Chicago', now: site.now() });
    const feeds = createFeeds({ db: site.store.db, now: site.now });
    const owner = { accountId: ada.accountId, actor: { id: ada.accountId, name: ada.email } };
    const feed = await feeds.create(owner, { name: 'Concerts <b>', query: query.ok ? query.query : ('' as never) });
    const content = feed.ok ? feed.feed.id : '';
    const fields = Object.entries({ ...EVERYTHING, content, format: 'csv', columns: 'chosen' });
    await send(ada, '/dashboard/exports', [...fields, ['column', 'title'], ['column', 'startDatetime']] as [string, string][]);
    const html = await untilReady(ada, await newestOf(ada));
    expect(html).toContain('Concerts &lt;b&gt;, CSV');
    const file = [...html.matchAll(/href="(\/exports\/[^"]+\.csv)"/g)][0]?.[1] ?? '';
    expect((await (await site.ask(file)).text()).split('\r\n')[0]).toBe('id,title,startDatetime');
  });

  test('sends a form twice and gets one export', async () => {
    const before = (await see(ada, '/dashboard/exports')).html.match(/\/dashboard\/exports\/[0-9a-f-]{36}/g)?.length ?? 0;
    const form = { ...EVERYTHING, token: 'sent-twice' };
    await Promise.all([send(ada, '/dashboard/exports', form), send(ada, '/dashboard/exports', form)]);
    const after = (await see(ada, '/dashboard/exports')).html.match(/\/dashboard\/exports\/[0-9a-f-]{36}/g)?.length ?? 0;
    expect(after - before).toBe(1);
  });

  test('is shown a secret link once, revokes it, and removes the export', async () => {
    await send(ada, '/dashboard/exports', EVERYTHING);
    const path = await newestOf(ada);
    const request = requestIn(await untilReady(ada, path));
    const shown = await send(ada, path, { intent: 'link', request, token: 'link' });
    expect(shown.headers.get('cache-control')).toContain('no-store');
    const url = /http[^<"]+\/exports\/[\w-]{43}\/manifest\.json/.exec(await shown.text())?.[0] ?? '';
    expect((await fetch(url)).status).toBe(200);
    expect((await see(ada, path)).html).not.toContain(url);
    expect((await send(ada, path, { intent: 'revoke', request })).status).toBe(303);
    expect((await fetch(url)).status).toBe(410);
    expect((await send(ada, path, { intent: 'remove', request })).headers.get('location')).toBe(
      '/dashboard/exports?done=removed',
    );
    expect((await see(ada, path)).html).toContain('>Deleted<');
  });

  test('stops a schedule', async () => {
    await send(ada, '/dashboard/exports', { ...EVERYTHING, repeat: 'hourly' });
    const path = await newestOf(ada);
    // However many exports came after it.
    await sql`insert into export_request (id, account_id, format, repeat, created_at)
      select ('ffffffff-0000-7000-8000-' || lpad(number::text, 12, '0'))::uuid, ${ada.accountId}, 'csv', 'once', now()
      from generate_series(1, 300) as number`.execute(site.store.db);
    const { html } = await see(ada, '/dashboard/exports');
    expect(html).toContain('>Every hour<');
    expect((await see(ada, path)).html).toContain('Create link');
    await send(ada, '/dashboard/exports', { intent: 'remove', request: requestIn(html) });
    expect((await see(ada, '/dashboard/exports')).html).not.toContain('>Every hour<');
  });

  test('is told what a form lacks', async () => {
    for (const [wrong, sentence] of [
      [{ format: 'xml' }, 'Choose a format'],
      [{ repeat: 'yearly' }, 'once, hourly or daily'],
      [{ content: '00000000-0000-7000-8000-000000000000' }, 'saved query does not exist'],
    ] as const) {
      const refused = await send(ada, '/dashboard/exports', { ...EVERYTHING, ...wrong });
      expect(refused.status).toBe(400);
      expect(await refused.text()).toContain(sentence);
    }
    expect((await send(ada, '/dashboard/exports', { intent: 'burn' })).status).toBe(400);
  });
});

test('another account finds nothing of it, on any page or by any form', async () => {
  await send(ada, '/dashboard/exports', EVERYTHING);
  const path = await newestOf(ada);
  const request = requestIn(await untilReady(ada, path));
  const id = path.split('/').at(-1) ?? '';
  expect((await see(bob, path)).status).toBe(404);
  expect((await see(bob, '/dashboard/exports')).html).not.toContain(id);
  for (const form of [
    { intent: 'cancel', export: id },
    { intent: 'remove', request },
    { intent: 'link', request },
    { intent: 'revoke', request },
  ])
    expect((await send(bob, '/dashboard/exports', form)).status, form.intent).toBe(404);
  expect((await see(ada, path)).html).toContain('>Ready<');
});

test('a Growth account is told what exports are, and gets none', async () => {
  const eve = await customer('eve@exports.example', 'growth');
  const { status, html } = await see(eve, '/dashboard/exports');
  expect(status).toBe(200);
  expect(html).toContain('Exports are part of Enterprise');
  expect(html).not.toContain('Create export');
  const refused = await send(eve, '/dashboard/exports', EVERYTHING);
  expect([refused.status, (await refused.text()).includes('Exports need an active Enterprise plan.')]).toEqual([400, true]);
});

describeInBrowser('in a browser', () => {
  test('the form makes an export, and no reader meets a barrier', async () => {
    const { page, context, complaints, close } = await visit(site.url);
    try {
      await context.addCookies(ada.cookies);
      await page.goto('/dashboard/exports');
      await page.getByLabel('Format').selectOption('parquet');
      await page.getByRole('button', { name: 'Create export' }).click();
      await page.getByText('The export is requested.').waitFor();
      expect(await findBarriers(page)).toEqual([]);
      expect(await sticksOut(page)).toBe(false);
      await page.getByRole('link', { name: 'Everything, Parquet' }).first().click();
      await page.getByRole('heading', { name: 'Everything, Parquet' }).waitFor();
      expect(await findBarriers(page)).toEqual([]);
      expect(complaints()).toEqual([]);
    } finally {
      await close();
    }
  });
});
