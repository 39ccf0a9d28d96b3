/** Incidents at the desk. One engine is enough: an incident is two rows. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSite, type Person, type Site } from '../support/rigs/site.ts';
import { describeInBrowser, visit } from '../support/runs/browser.ts';

let site: Site;
let ann: Person;

beforeAll(async () => {
  site = await openSite({ demo: false });
  ann = await site.signIn({ email: 'ann@desk.example', operator: true });
});
afterAll(() => site.close());

const send = (form: Record<string, string>) =>
  site.ask('/desk/incidents', {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { 'sec-fetch-site': 'same-origin', cookie: ann.cookie, accept: 'text/html' },
  });
const titles = async () =>
  (await site.store.db.selectFrom('incident').select('title').orderBy('opened_at').execute()).map(({ title }) => title);
const messages = async () =>
  (await site.store.db.selectFrom('incident_update').select('message').orderBy('at').execute()).map(({ message }) => message);

describe('an incident', () => {
  test('is opened once for each form, however often it is sent', async () => {
    const form = { intent: 'open', token: 'one', title: 'Pages are slow', impact: 'minor', message: 'We look into it.' };
    const copies = await Promise.all(Array.from({ length: 6 }, () => send(form)));
    expect(new Set(copies.map(({ headers }) => headers.get('location')))).toEqual(new Set(['/desk/incidents?done=opened']));
    expect(await titles()).toEqual(['Pages are slow']);
  });

  test('that was refused is opened by the same form once it is corrected', async () => {
    const form = { intent: 'open', token: 'two', title: '', impact: 'minor', message: 'We look into it.' };
    const refused = await send(form);
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('We look into it.')]);
    expect((await send({ ...form, title: 'Maps are slow' })).status).toBe(302);
    expect((await send({ ...form, title: 'Maps are slow' })).status).toBe(302);
    expect(await titles()).toEqual(['Pages are slow', 'Maps are slow']);
  });
});

describeInBrowser('an operator at a browser', () => {
  test('presses again and opens no second incident, publishes no second update: the form is empty', async () => {
    const { page, complaints, close } = await visit(site.url);
    await page.context().addCookies(ann.cookies);
    await page.goto('/desk/incidents');
    const form = page.locator('section', { has: page.getByRole('heading', { name: 'Open an incident' }) });
    const open = form.getByRole('button', { name: 'Open incident' });
    await open.click();
    await form.getByRole('alert').waitFor();
    await form.getByLabel('Title').fill('Search is slow');
    await form.getByLabel('What is known so far').fill('The index is being built.');
    await open.click();
    await page.getByText('The incident is on the status page.').waitFor();
    expect(await form.getByLabel('Title').inputValue()).toBe('');
    await open.click();
    await form.getByRole('alert').waitFor();
    expect(await titles()).toEqual(['Pages are slow', 'Maps are slow', 'Search is slow']);

    const update = page.locator('article', { has: page.getByRole('heading', { name: 'Search is slow' }) });
    await update.getByLabel('What is known now').fill('It is built.');
    await update.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('The update is on the status page.').waitFor();
    expect(await update.getByLabel('What is known now').inputValue()).toBe('');
    await update.getByRole('button', { name: 'Publish' }).click();
    await update.getByRole('alert').waitFor();
    expect((await messages()).filter((message) => message === 'It is built.')).toHaveLength(1);
    expect(complaints()).toEqual([]);
    await close();
  });
});
