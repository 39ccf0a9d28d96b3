import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { demoBundle } from '../../src/demo/index.ts';
import { correct, importBundle } from '../../src/ingest/index.ts';
import { temporaryFolder } from '../support/database/store.ts';
import { openSite, type Person, type Site } from '../support/rigs/site.ts';
import { addFeed, type Feed, listing } from '../support/rigs/sources.ts';
import { describeInBrowser, describeJourney, findBarriers, sticksOut, type Visit, visit } from '../support/runs/browser.ts';
import { until } from '../support/runs/patience.ts';

const CANARY = `"><img src=x onerror=alert(1)></title><script>alert(1)</script>{{7*7}}`;
let site: Site;
let operator: Person;
let key = '';
let feeds: { radio: Feed; press: Feed };
const files = temporaryFolder();

/** A lantern concert in both sources, a parade and a procession in one each. */
beforeAll(async () => {
  site = await openSite();
  operator = await site.signIn({ email: 'ann@desk.example', operator: true });
  const accounts = createAccounts({ db: site.store.db });
  await accounts.createAccount({ email: 'api@desk.example', tier: 'enterprise' });
  const made = await accounts.createKey({ email: 'api@desk.example', name: 'test', tier: 'enterprise' });
  if (made.ok) key = made.key;
  const place = await site.store.db.selectFrom('city').select(['latitude', 'longitude']).executeTakeFirstOrThrow();
  const night = new Date(site.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  const at = { place: 'Zephyr Cellar', lat: place.latitude, lon: place.longitude, start: `${night}T20:00:00` };
  const [radio, press] = [
    await addFeed(site.store, files.folder, 'radio', { trust: 0.8 }),
    await addFeed(site.store, files.folder, 'press', { trust: 0.4 }),
  ];
  const run = (feed: Feed): Feed => ({ ...feed, run: (more) => feed.run({ now: site.now, ...more }) });
  feeds = { radio: run(radio), press: run(press) };
  radio.write([
    listing('r1', { ...at, name: 'The Lanterns' }),
    listing('r2', { ...at, name: 'Parade', start: `${night}T12:00:00` }),
  ]);
  press.write([
    listing('p1', { ...at, name: 'The Lanterns (live)', text: CANARY, provider: CANARY, url: 'javascript:alert(1)' }),
    listing('p2', { ...at, name: 'Procession', start: `${night}T15:00:00` }),
    listing('p3', { ...at, name: `Evil ${CANARY}`, provider: CANARY, start: `${night}T17:00:00` }),
  ]);
  await feeds.radio.run();
  await feeds.press.run();
});
afterAll(async () => {
  files.remove();
  await site.close();
});

const idOf = async (title: string) => {
  const found = await site.store.db
    .selectFrom('event')
    .select('id')
    .where('title', 'like', `${title}%`)
    .executeTakeFirstOrThrow();
  return found.id;
};
const api = async (id: string) => {
  const answer = await site.ask(`/api/v1/events/${id}`, { headers: { 'x-api-key': key } });
  const { data } = (await answer.json()) as { data?: { title: string } };
  return { status: answer.status, title: data?.title, location: answer.headers.get('location') };
};
const apiSays = (id: string, expected: Partial<Awaited<ReturnType<typeof api>>>) =>
  expect.poll(() => api(id)).toMatchObject(expected);
const send = (path: string, fields: Record<string, string>, person: Person = operator) =>
  site.ask(path, {
    method: 'POST',
    headers: { cookie: person.cookie, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams(fields),
  });
const audited = async (action: string) =>
  await site.store.db.selectFrom('audit').selectAll().where('action', '=', action).orderBy('at', 'desc').execute();

describe('events and venues of the desk', () => {
  test('do not exist for strangers and developers, to read or to act', async () => {
    const developer = await site.signIn({ email: 'dev@desk.example', tier: 'starter' });
    const id = await idOf('The Lanterns');
    for (const path of ['/desk/events', '/desk/venues', `/desk/events/${id}`, `/desk/events/${id}.data`]) {
      for (const headers of [{ accept: 'text/html' }, { accept: 'text/html', cookie: developer.cookie }]) {
        expect((await site.ask(path, { headers })).status, path).toBe(404);
      }
    }
    const tried = await send(`/desk/events/${id}`, { intent: 'hide' }, developer);
    expect(tried.status).toBe(404);
    await apiSays(id, { status: 200 });
  });

  test('name the neighborhood of a venue, in a list as on its page', async () => {
    const headers = { cookie: operator.cookie, accept: 'text/html' };
    const found = await sql<{ id: string; slug: string; called: string }>`
      select v.id, v.slug, n.name as called from venue v join neighborhood n on n.slug = v.neighborhood
      where n.name <> n.slug limit 1`.execute(site.store.db);
    const [venue] = found.rows;
    for (const path of [`/desk/venues?q=${venue?.slug}`, `/desk/venues/${venue?.id}`]) {
      const text = await (await site.ask(path, { headers })).text();
      expect(text).toMatch(new RegExp(`<(td|dd)[^>]*>${venue?.called}</`));
    }
  });

  test('answer 404 and 400 to what there is not', async () => {
    const headers = { cookie: operator.cookie, accept: 'text/html' };
    const id = await idOf('The Lanterns');
    for (const path of ['/desk/events/nonsense', '/desk/venues/01900000-0000-7000-8000-00000000beef', `/desk/venues/${id}`]) {
      expect((await site.ask(path, { headers })).status, path).toBe(404);
    }
    expect((await send(`/desk/events/${id}`, { intent: 'explode' })).status).toBe(400);
    expect((await send(`/desk/events/${id}`, { intent: 'correct', field: '__proto__', value: 'x' })).status).toBe(400);
    const odd = '/desk/events?q=%00%27&state=x&source=%22&from=2026-02-30&after=x&merge=';
    expect((await site.ask(odd, { headers })).status).toBe(200);
  });

  test('refuse a note that is too long beside it, and keep what was typed', async () => {
    const path = `/desk/events/${await idOf('The Lanterns')}`;
    const note = 'n'.repeat(1001);
    for (const fields of [{ intent: 'correct', field: 'title', value: 'Mine' }, { intent: 'hide' }]) {
      const answer = await send(path, { ...fields, note });
      const text = await answer.text();
      expect(answer.status).toBe(400);
      expect(text).toContain('wanted at most 1000 characters, got 1001.');
      expect(text).toMatch(new RegExp(`<input[^>]*aria-invalid="true"[^>]*name="note"[^>]*value="${note}"`));
      if (fields.value) expect(text).toMatch(/<input[^>]*name="value"[^>]*value="Mine"/);
    }
  });

  test('name no midnight for an event without an hour: not in its fields, its history, its venue or a merger', async () => {
    const almanac = await addFeed(site.store, files.folder, 'almanac');
    const { latitude, longitude } = await site.store.db
      .selectFrom('city')
      .select(['latitude', 'longitude'])
      .executeTakeFirstOrThrow();
    const dayIn = (days: number) => new Date(site.now() + days * 86_400_000).toISOString().slice(0, 10);
    const fair = (days: number) =>
      listing('a1', {
        ...{ name: 'Moss Fair', place: 'Zephyr Green', lat: latitude + 0.003, lon: longitude },
        ...{ start: `${dayIn(days)}T00:00:00`, end: `${dayIn(days + 1)}T00:00:00` },
      });
    for (const days of [9, 10]) {
      almanac.write([fair(days)]);
      await almanac.run({ now: site.now });
    }
    const id = await idOf('Moss Fair');
    const event = await site.store.db.selectFrom('event').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(event.precision).toBe('all_day');
    const headers = { cookie: operator.cookie, accept: 'text/html' };
    const pages = [`/desk/events/${id}`, `/desk/events/${await idOf('Parade')}?merge=moss`, `/desk/venues/${event.venue_id}`];
    const texts = await Promise.all(pages.map(async (path) => (await site.ask(path, { headers })).text()));
    const day = /\w{3}, \w{3} \d{1,2}, 20\d\d/.source;
    const shown = [`<del>${day}</del>`, `${day}, Zephyr Green`, `${day}</span>`];
    for (const [at, text] of texts.entries()) {
      expect(text.includes('Moss Fair')).toBe(true);
      expect(text.match(/\w{3} \d{1,2}, 20\d\d, 12:00 AM/)).toBeNull();
      expect(text.match(new RegExp(shown[at] ?? ''))).not.toBeNull();
    }
  });

  test('take a form that is sent many times at once for one deed', async () => {
    const id = await idOf('Parade');
    const fields = { intent: 'correct', field: 'status', value: 'sold_out', note: 'told by phone' };
    // They wait for each other, on a busy machine longer than a page waits for the database: then it says so, and is sent again.
    const sendUntilTaken = async () => {
      const { status } = await until(async () => {
        const answer = await send(`/desk/events/${id}`, fields);
        if (answer.status === 503) throw new Error('the database is busy');
        return answer;
      });
      return status;
    };
    expect(await Promise.all(Array.from({ length: 8 }, sendUntilTaken))).toEqual(Array(8).fill(302));
    const words = await site.store.db.selectFrom('correction').select('id').where('target_id', '=', id).execute();
    expect(words).toHaveLength(1);
    const [entry, ...others] = await audited('event.correct');
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      actor: operator.email,
      subject: 'event',
      subject_id: id,
      address: '127.0.0.1',
      detail: { changed: [{ field: 'status', before: 'scheduled', after: 'sold_out' }], note: 'told by phone' },
    });
    await send(`/desk/events/${id}`, { intent: 'revert', field: 'status' });
    expect((await audited('event.revert'))[0]).toMatchObject({
      detail: { changed: [{ before: 'sold_out', after: 'scheduled' }] },
    });
  });

  test('take the links of an event, one on each line, and refuse what is no link', async () => {
    const id = await idOf('Parade');
    const path = `/desk/events/${id}`;
    const stored = () => site.store.db.selectFrom('event').select('links').where('id', '=', id).executeTakeFirstOrThrow();
    const refused = await send(path, { intent: 'correct', field: 'links', value: 'Box office at the door' });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('wanted an http or https address, got &quot;door&quot;.');
    const value = 'Box office https://hall.example/tickets\r\nhttps://www.dice.example/1';
    expect((await send(path, { intent: 'correct', field: 'links', value })).status).toBe(302);
    const links = [
      { provider: 'Box office', url: 'https://hall.example/tickets' },
      { provider: 'dice.example', url: 'https://www.dice.example/1' },
    ];
    expect(await stored()).toEqual({ links });
    const page = await site.ask(path, { headers: { cookie: operator.cookie, accept: 'text/html' } });
    expect(await page.text()).toContain('Box office https://hall.example/tickets; dice.example https://www.dice.example/1');
    await send(path, { intent: 'revert', field: 'links' });
    expect(await stored()).toEqual({ links: [] });
  });

  test('take the organizer of an event, and the page and the API show it', async () => {
    const id = await idOf('Parade');
    const path = `/desk/events/${id}`;
    const ask = async (url: string) => await (await site.ask(url, { headers: { 'x-api-key': key } })).text();
    const api = `/api/v1/events/${id}?include=organizer`;
    expect(await ask(api)).toContain('"organizer":null');
    const organizer = { name: `Harbor ${CANARY} Arts`, url: 'https://harbor.example/about' };
    await send(path, { intent: 'correct', field: 'organizer', value: `${organizer.name} ${organizer.url}` });
    // In this order.
    await until(async () => expect(await ask(api)).toContain(`"organizer":${JSON.stringify(organizer)}`));
    const { slug } = JSON.parse(await ask(api)).data;
    expect(await ask(`/api/v1/events/${id}`)).not.toContain('organizer');
    const page = await (await site.ask(`/events/${slug}`, { headers: { accept: 'text/html' } })).text();
    expect(page).toContain('href="https://harbor.example/about"');
    expect(page).toContain('"organizer":{"@type":"Organization"');
    expect(page).not.toContain(CANARY);
  });
});

const open = async (path: string, options: Parameters<typeof visit>[1] = {}): Promise<Visit> => {
  const seen = await visit(site.url, options);
  await seen.context.addCookies(operator.cookies);
  await seen.page.goto(path);
  return seen;
};
const correctTitle = async (page: Page, title: string) => {
  await page.getByText('Correct title').click();
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill(title);
  await page.locator('#field-title ~ * button[value="correct"]').click();
  await page.getByRole('status').waitFor();
};

describeJourney('an event at the desk', () => {
  test('a title is corrected, the API says so, an import keeps it, and reverting brings the old one back', async () => {
    const { page, complaints, close } = await open('/desk/events');
    const link = page.locator('tbody a').first();
    const title = await link.innerText();
    await link.click();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await correctTitle(page, 'The Corrected Evening');
    await apiSays(id, { status: 200, title: 'The Corrected Evening' });
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('The Corrected Evening');
    const again = await importBundle({ store: site.store, bundle: demoBundle({ now: site.now() }), now: site.now });
    expect(again.events).toMatchObject({ created: 0, updated: 0 });
    expect(await api(id)).toMatchObject({ title: 'The Corrected Evening' });
    await page.getByRole('button', { name: 'Revert title' }).click();
    await page.getByText('Reverted.').waitFor();
    await apiSays(id, { title });
    expect(complaints()).toEqual([]);
    await close();
  });
});

describeInBrowser('events and venues of the desk in a browser', () => {
  test('what cannot be is refused beside its field, with what was typed', async () => {
    const id = await idOf('Parade');
    for (const scripts of [true, false]) {
      const { page, close } = await open(`/desk/events/${id}`, { scripts });
      await page.getByText('Correct title').click();
      await page.getByRole('textbox', { name: 'Title', exact: true }).fill('x'.repeat(301));
      await page.locator('#field-title ~ * button[value="correct"]').click();
      await page.locator('.record-field .error').waitFor();
      expect(await page.locator('.record-field .error').innerText()).toContain('at most 300 characters');
      expect(await page.getByRole('textbox', { name: 'Title', exact: true }).inputValue()).toHaveLength(301);
      expect(await page.getByRole('textbox', { name: 'Title', exact: true }).getAttribute('aria-invalid')).toBe('true');
      await close();
    }
  });

  test('an event is hidden and published again, without scripts', async () => {
    const id = await idOf('Procession');
    const { page, close } = await open(`/desk/events/${id}`, { scripts: false });
    await page.locator('#hiding ~ * input[name="note"]').fill('a private house');
    await page.getByRole('button', { name: 'Hide', exact: true }).click();
    await page.getByText('a private house').first().waitFor();
    await apiSays(id, { status: 410 });
    await feeds.press.run();
    expect(await api(id)).toMatchObject({ status: 410 });
    await page.getByRole('button', { name: 'Publish again' }).click();
    await page.getByText('Published again').first().waitFor();
    await apiSays(id, { status: 200 });
    await close();
  });

  test('two events are merged, the other id leads there, and that is taken back', async () => {
    const [parade, procession] = [await idOf('Parade'), await idOf('Procession')];
    const { page, close } = await open(`/desk/events/${parade}`);
    await page.getByLabel('The other event').fill('procession');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('button', { name: 'Merge with Procession' }).click();
    await page.getByText('Merged.').waitFor();
    await apiSays(procession, { status: 301, location: expect.stringMatching(parade) as string });
    await page.goto(`/desk/events/${procession}`);
    expect(new URL(page.url()).pathname).toBe(`/desk/events/${parade}`);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    await apiSays(procession, { status: 200 });
    expect(await audited('event.merge')).toHaveLength(1);
    await close();
  });

  test('an event is split into its listings', async () => {
    const id = await idOf('The Lanterns');
    const { page, close } = await open(`/desk/events/${id}`, { scripts: false });
    await page.getByRole('button', { name: 'Split off' }).click();
    expect(await page.getByRole('alert').innerText()).toContain('at least one listing');
    await page.getByLabel(/Split off “The Lanterns \(live\)”/).check();
    await page.getByRole('button', { name: 'Split off' }).click();
    await page.getByText('Split.').waitFor();
    const parted = await site.store.db.selectFrom('event').select('id').where('title', 'like', 'The Lanterns%').execute();
    expect(parted).toHaveLength(2);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    await close();
  });

  test('what sources say is text on every page, whatever it says', async () => {
    const id = await idOf('Evil');
    const lanterns = await idOf('The Lanterns');
    const { venue_id } = await site.store.db
      .selectFrom('event')
      .select('venue_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    // Sources are rid of tags when they are read; an operator's own words are kept as they are.
    const words = { store: site.store, by: operator.email, note: CANARY, now: site.now };
    await correct({ ...words, entity: 'event', id, values: { title: `Evil ${CANARY}`, description: CANARY, tags: [CANARY] } });
    await correct({
      ...words,
      entity: 'venue',
      id: venue_id,
      values: { name: `Zephyr ${CANARY}`, address: CANARY, parking: CANARY },
    });
    const { page, complaints, close } = await open('/desk/events?q=evil');
    let alerts = 0;
    page.on('dialog', (dialog) => {
      alerts++;
      void dialog.dismiss();
    });
    expect(await page.locator('tbody a').allInnerTexts()).toContain(`Evil ${CANARY}`);
    for (const path of [
      `/desk/events/${id}`,
      `/desk/events/${lanterns}?merge=evil`,
      `/desk/venues/${venue_id}`,
      '/desk/venues?q=zephyr',
    ]) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.locator('img[src="x"], a[href^="javascript:"]').count(), path).toBe(0);
    }
    expect([alerts, complaints()]).toEqual([0, []]);
    await close();
  });

  test('keep every column in sight beside names without a space', async () => {
    const id = await idOf('Parade');
    const { db } = site.store;
    const { title, venue_id } = await db
      .selectFrom('event')
      .select(['title', 'venue_id'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const venue = await db.selectFrom('venue').select('name').where('id', '=', venue_id).executeTakeFirstOrThrow();
    const call = (titled: string, name: string) =>
      Promise.all([
        db.updateTable('event').set({ title: titled }).where('id', '=', id).execute(),
        db.updateTable('venue').set({ name }).where('id', '=', venue_id).execute(),
      ]);
    await call(`Parade${'W'.repeat(293)}`, `Zephyr${'M'.repeat(194)}`);
    const { page, close } = await open('/desk/events?q=parade');
    const isWhole = () =>
      page.evaluate(`[...document.querySelectorAll('.table-wrap')].every((each) => each.scrollWidth <= each.clientWidth)`);
    expect([await page.locator('tbody tr').count(), await isWhole()]).toEqual([1, true]);
    await page.goto('/desk/venues?q=zephyr');
    expect(await isWhole()).toBe(true);
    await call(title, venue.name);
    await close();
  });

  test('have no barrier with every form open, on a phone at night', async () => {
    const id = await idOf('The Lanterns');
    const { page, complaints, close } = await open(`/desk/events/${id}?merge=parade`, { width: 390, dark: true });
    for (const summary of await page.locator('.record-field summary').all()) await summary.click();
    expect(await findBarriers(page)).toEqual([]);
    expect(await sticksOut(page)).toBe(false);
    expect(complaints()).toEqual([]);
    await close();
  });
});
