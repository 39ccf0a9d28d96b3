/**
 * Pages are valid HTML in every language and state, as the standard has it. `every-page.test.ts` sees each page once. One engine is
 * enough: markup does not see which database filled it.
 */

import { beforeAll, expect, test } from 'vitest';
import { type Site, sharedSite } from '../support/rigs/site.ts';
import { type Facts, plantCanaries } from './all-pages.ts';
import { findMarkupFaults } from './markup-faults.ts';

let site: Site;
let facts: Facts;

beforeAll(async () => {
  site = await sharedSite();
  facts = await plantCanaries(site, await site.signIn({ email: 'valid-developer@example.org' }));
});

/** Of a page as a reader gets it who prefers this language. */
async function findFaults(path: string, language = 'en'): Promise<string[]> {
  const answer = await site.ask(path, { headers: { accept: 'text/html', 'accept-language': language } });
  expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
  return findMarkupFaults(await answer.text());
}

const LANGUAGES = ['en', 'de', 'fr', 'es'];

test.each(LANGUAGES)('pages of the city in %s', async (language) => {
  for (const path of [
    '/',
    '/events',
    '/venues',
    `/events/${facts.eventSlug}`,
    '/search?ask=jazz',
    '/status',
    `/report?event=${facts.eventId}`,
  ])
    expect([path, await findFaults(path, language)]).toEqual([path, []]);
});

test.each([
  '/events?view=map',
  '/events?view=calendar',
  '/events?sort=start&page=2',
  '/events?category=konzert&price_max=-1',
  '/events?ask=zzyzzyva',
  '/venues?q=zzyzzyva',
  '/search',
  '/search?ask=canary',
  '/nowhere',
  '/events/no-such-event',
])('%s, as its reader finds it', async (path) => {
  expect(await findFaults(path)).toEqual([]);
});

test('the page for an iframe, and what is told where it is gone', async () => {
  expect(await findFaults(`/embed/${facts.embedId}`)).toEqual([]);
  expect(await findFaults('/embed/nobody')).toEqual([]);
});

test('the validator finds what is wrong', async () => {
  const faults = await findMarkupFaults(
    '<!doctype html><html lang="en"><title>x</title><p><div></div></p><p id="a"></p><p id="a"></p>',
  );
  expect(faults.map((fault) => fault.split(':', 1)[0])).toEqual(expect.arrayContaining(['close-order', 'no-dup-id']));
});
