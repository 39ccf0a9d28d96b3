/** The languages of the pages. One engine is enough: nothing is stored. */

import { beforeAll, describe, expect, test } from 'vitest';
import { type Site, sharedSite } from '../support/rigs/site.ts';
import { describeInBrowser, findBarriers, sticksOut, visit } from '../support/runs/browser.ts';

let site: Site;
beforeAll(async () => {
  site = await sharedSite();
});

const ask = (path: string, headers: Record<string, string> = {}) =>
  site.ask(path, { headers: { accept: 'text/html', ...headers } });
const html = async (path: string, headers: Record<string, string> = {}) => (await ask(path, headers)).text();
const languageOf = (page: string) => /<html lang="(\w+)"/.exec(page)?.[1];

describe('the language of a page', () => {
  test.each([
    ['English without a sign', '/search', {}, 'en'],
    ['what the browser prefers', '/search', { 'accept-language': 'de-AT,en;q=0.5' }, 'de'],
    ['by weight, not by order', '/search', { 'accept-language': 'de;q=0.2, fr-CA;q=0.9, en;q=0.5' }, 'fr'],
    ['the first that the pages have', '/search', { 'accept-language': 'nl, sv;q=0.9, es;q=0.8' }, 'es'],
    ['not one with weight 0', '/search', { 'accept-language': 'de;q=0, fr;q=0.1' }, 'fr'],
    ['English for any', '/search', { 'accept-language': '*' }, 'en'],
    ['English where the browser has none of ours', '/search', { 'accept-language': 'ja,zh;q=0.9' }, 'en'],
    ['English for nonsense', '/search', { 'accept-language': ';;,=,q=de', cookie: 'language=../en' }, 'en'],
    ['the cookie before the browser', '/search', { cookie: 'a=b; language=fr', 'accept-language': 'de' }, 'fr'],
    ['the address before both', '/search?lang=es', { cookie: 'language=fr', 'accept-language': 'de' }, 'es'],
    ['no address that names another', '/search?lang=xx', { cookie: 'language=fr' }, 'fr'],
  ])('is %s', async (_title, path, headers, wanted) => {
    const answer = await ask(path, headers);
    expect(languageOf(await answer.text())).toBe(wanted);
    expect(answer.headers.get('vary')).toContain('Accept-Language');
  });

  test('is that of all its texts, and of its numbers', async () => {
    const page = await html('/search?ask=concert&lang=de');
    expect(page).toContain('<h1>Veranstaltungen in Port Alder suchen</h1>');
    expect(page).toMatch(/<p role="status">[\d.]+ Veranstaltungen/);
    expect(page).toContain('>Zum Inhalt springen<');
    expect(page).toMatch(/<span class="quiet">(?:Mo|Di|Mi|Do|Fr|Sa|So)\., \d/);
    // What sources wrote stays in their language, and says so.
    expect(page).toMatch(/<span lang="en"><a href="\/events\//);
  });

  test('is never that of the reader before, on pages that are kept as finished bytes', async () => {
    const { slug } = await site.store.db
      .selectFrom('event')
      .select('slug')
      .where('state', '=', 'published')
      .limit(1)
      .executeTakeFirstOrThrow();
    for (const path of ['/', '/events', '/venues', `/events/${slug}`, '/status', '/data-quality', '/neighborhoods']) {
      for (const code of ['de', 'en', 'fr', 'de', 'es', 'en']) {
        const answer = await site.ask(path, { headers: { accept: 'text/html', 'accept-language': code } });
        expect([path, code, await answer.text()]).toEqual([path, code, expect.stringContaining(`<html lang="${code}"`)]);
        expect(answer.headers.get('vary')).toContain('Accept-Language');
        expect(answer.headers.get('cache-control')).toMatch(/^private, no-/);
      }
    }
  });

  test('is English for developers, whatever their browser prefers', async () => {
    const page = await html('/pricing', { 'accept-language': 'de' });
    expect([languageOf(page), page.includes('>Sign in<'), page.includes('hrefLang')]).toEqual(['en', true, false]);
  });

  test('is the reader’s where nothing is found', async () => {
    const answer = await ask('/events/nothing', { 'accept-language': 'fr' });
    expect(answer.status).toBe(404);
    const page = await answer.text();
    expect(page).toContain('<h1>Événement introuvable</h1>');
    expect(page).not.toContain('alternate');
  });
});

describe('the other languages of a page', () => {
  test('are named to search engines, with everything else that its address says', async () => {
    const page = await html('/search?ask=jazz&lang=de');
    const links = [...page.matchAll(/<link rel="alternate" hrefLang="([\w-]+)" href="([^"]+)"/g)];
    expect(Object.fromEntries(links.map(([, code, address]) => [code, address?.replaceAll('&amp;', '&')]))).toEqual({
      de: `${site.url}/search?ask=jazz&lang=de`,
      en: `${site.url}/search?ask=jazz&lang=en`,
      es: `${site.url}/search?ask=jazz&lang=es`,
      fr: `${site.url}/search?ask=jazz&lang=fr`,
      'x-default': `${site.url}/search?ask=jazz`,
    });
  });

  test('are chosen by a form that leads back, for a year', async () => {
    const page = await html('/search?ask=jazz&lang=de');
    expect(page).toContain('<input type="hidden" name="next" value="/search?ask=jazz"/>');
    const chosen = await site.ask('/language', {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ language: 'fr', next: '/search?ask=jazz' }),
    });
    expect([chosen.status, chosen.headers.get('location')]).toEqual([302, '/search?ask=jazz']);
    expect(chosen.headers.get('set-cookie')).toMatch(/^language=fr; Path=\/; Max-Age=31536000; SameSite=Lax$/);
    for (const [language, next] of [
      ['xx', '/search'],
      ['fr', '//evil.example'],
    ] as const) {
      const refused = await site.ask('/language', {
        method: 'POST',
        headers: { 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams({ language, next }),
      });
      expect([refused.headers.get('location'), refused.headers.get('set-cookie')]).toEqual(
        language === 'xx' ? ['/search', null] : ['/', expect.stringContaining('language=fr')],
      );
    }
  });

  test('last for a visit that began with an address in one', async () => {
    const began = await ask('/search?lang=de', { 'accept-language': 'fr' });
    expect(began.headers.get('set-cookie')).toBe('language=de; Path=/; SameSite=Lax');
    expect((await ask('/search?lang=de', { cookie: 'language=de' })).headers.get('set-cookie')).toBeNull();
    expect((await ask('/search?lang=xx')).headers.get('set-cookie')).toBeNull();
  });
});

describeInBrowser('a reader of another language', () => {
  test.each([true, false])('switches to it and stays in it, with scripts: %s', async (scripts) => {
    const { page, complaints, close } = await visit(site.url, { scripts });
    await page.goto('/search?ask=concert');
    await page.getByRole('button', { name: 'Deutsch' }).click();
    await page.getByRole('heading', { name: 'Veranstaltungen in Port Alder suchen' }).waitFor();
    expect(new URL(page.url()).search).toBe('?ask=concert');
    await page.getByRole('button', { name: 'Suchen' }).click();
    await page.getByRole('heading', { name: 'Veranstaltungen in Port Alder suchen' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    expect(complaints()).toEqual([]);
    await close();
  });

  test('reads English pages in English on the way, and comes back to their own', async () => {
    const { page, complaints, close } = await visit(site.url);
    await page.goto('/pricing?lang=es');
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    await page.getByRole('link', { name: 'Search events' }).click();
    await page.getByRole('heading', { name: 'Buscar eventos en Port Alder' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('es');
    expect(complaints()).toEqual([]);
    await close();
  });

  test.each(['de', 'fr', 'es'])('in %s meets no barrier, on a phone and on a desk', async (code) => {
    const { page, look, complaints, close } = await visit(site.url);
    for (const path of [`/search?ask=free+concert&lang=${code}`, `/nothing?lang=${code}`]) {
      await page.goto(path);
      for (const width of [390, 320, 1280]) {
        await look({ width });
        expect(await sticksOut(page), `${path} sticks out at ${width} pixels`).toBe(false);
      }
      expect(await findBarriers(page)).toEqual([]);
    }
    expect(complaints()).toEqual([]);
    await close();
  });
});
