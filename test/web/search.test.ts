/** The search page: what is found, what was understood, and suggestions while somebody types. One engine is enough: nothing is stored. */

import { beforeAll, describe, expect, test } from 'vitest';
import { type Site, sharedSite } from '../support/rigs/site.ts';
import { describeJourney, findBarriers, sticksOut, visit } from '../support/runs/browser.ts';

let site: Site;
/** A title of one word at least, and the venue, of an event that comes. */
let event: { title: string; slug: string };

beforeAll(async () => {
  site = await sharedSite();
  const coming = site.store.db
    .selectFrom('event')
    .select(['title', 'slug'])
    .where('state', '=', 'published')
    .where('status', '=', 'scheduled');
  event = await coming.where('starts_at', '>', new Date(site.now())).orderBy('starts_at').orderBy('id').executeTakeFirstOrThrow();
});

const ask = async (path: string) => (await site.ask(path, { headers: { accept: 'text/html' } })).text();
const searchFor = (text: string) => `/search?${new URLSearchParams({ ask: text })}`;

describe('the search page', () => {
  test('finds an event by its title, and leads to its page', async () => {
    expect(await ask(searchFor(event.title))).toContain(`href="/events/${event.slug}"`);
  });

  test('shows each part that was understood with a link to the text without it', async () => {
    const page = await ask(searchFor('free concerts tomorrow'));
    expect(page).toContain('aria-label="Remove price free" href="/search?ask=concerts+tomorrow"');
    expect(page).toContain('aria-label="Remove when tomorrow" href="/search?ask=free+concerts"');
  });

  test('offers the text without a part where nothing is found', async () => {
    const page = await ask(searchFor('zzyzzyva tomorrow'));
    expect(page).toContain('No events found.');
    expect(page).toContain('href="/search?ask=tomorrow"');
    const [, instead = ''] = page.split('Without “zzyzzyva”');
    expect(instead).toMatch(/<ol class="search-found"><li>.*?<a href="\/events\//);
  });

  test('is a plain form before a search, and takes any text for a text', async () => {
    expect(await ask('/search')).toMatch(/<form[^>]+action="\/search"/);
    const hostile = await ask(searchFor(`"><script>alert(1)</script>${'x'.repeat(400)}`));
    expect(hostile).not.toContain('<script>alert(1)');
  });

  test('suggests names without a key', async () => {
    const answer = await site.ask(`/search/suggestions?${new URLSearchParams({ ask: event.title.slice(0, 4) })}`);
    const { suggestions } = (await answer.json()) as { suggestions: { text: string }[] };
    expect(suggestions.length).toBeGreaterThan(0);
    expect(suggestions.length).toBeLessThanOrEqual(10);
    expect(await (await site.ask('/search/suggestions')).json()).toEqual({ suggestions: [] });
  });
});

describeJourney('the search box', () => {
  test.each([1280, 390])('is used with the keyboard, at %i pixels', async (width) => {
    const { page, complaints, close } = await visit(site.url, { width });
    await page.goto('/search');
    const box = page.getByRole('combobox');
    await box.pressSequentially(event.title.slice(0, 5));
    await page.getByRole('option').first().waitFor();
    expect(await box.getAttribute('aria-expanded')).toBe('true');
    await box.press('ArrowDown');
    const active = (await box.getAttribute('aria-activedescendant')) ?? '';
    expect(await page.locator(`[id="${active}"]`).getAttribute('aria-selected')).toBe('true');
    expect(await findBarriers(page)).toEqual([]);
    expect(await sticksOut(page)).toBe(false);
    await box.press('Escape');
    expect(await box.getAttribute('aria-expanded')).toBe('false');
    await box.fill('free tomorrow');
    await box.press('Enter');
    await page.getByRole('link', { name: 'Remove price free' }).waitFor();
    expect(complaints()).toEqual([]);
    await close();
  });

  test('works without scripts', async () => {
    const { page, close } = await visit(site.url, { scripts: false });
    await page.goto('/search');
    await page.getByLabel('Search events').fill('free tomorrow');
    await page.getByRole('button', { name: 'Search' }).click();
    expect(await page.getByRole('link', { name: 'Remove price free' }).count()).toBe(1);
    await close();
  });
});
