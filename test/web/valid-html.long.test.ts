/** Every page is valid HTML, as the standard has it. One engine is enough: markup does not see which database filled it. */

import { HtmlValidate, type Message } from 'html-validate';
import { beforeAll, expect, test } from 'vitest';
import { type Person, type Site, sharedSite } from '../support/rigs/site.ts';
import { EXAMPLES, type Example, type Facts, plantCanaries } from './all-pages.ts';

let site: Site;
let people: { developer: Person; operator: Person };
let facts: Facts;

beforeAll(async () => {
  site = await sharedSite();
  people = {
    developer: await site.signIn({ email: 'valid-developer@example.org' }),
    operator: await site.signIn({ email: 'valid-operator@example.org', operator: true }),
  };
  facts = await plantCanaries(site, people.developer);
});

const RULES = [
  'no-missing-references',
  'empty-heading',
  'empty-title',
  'unique-landmark',
  'input-missing-label',
  'hidden-focusable',
];
/** The standard, and what it leaves to good sense: references that lead somewhere, names that say something. */
const validator = new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: Object.fromEntries(RULES.map((rule) => [rule, 'error'])),
});

/** What is wrong, each with its place in the page; `language`: what the reader prefers. */
async function findFaults(path: string, who = '', language = 'en'): Promise<string[]> {
  const answer = await site.ask(path, { headers: { accept: 'text/html', cookie: who, 'accept-language': language } });
  expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
  const html = await answer.text();
  const { results } = await validator.validateString(html);
  return results.flatMap(({ messages }) => messages).map((message) => describeFault(message, html));
}

function describeFault({ ruleId, message, offset }: Message, html: string): string {
  return `${ruleId}: ${message} … ${html.slice(Math.max(0, offset - 40), offset + 120)}`;
}

const examples = Object.entries(EXAMPLES).filter(([, { kind }]) => kind !== 'resource');
const cookieOf = (reader: Example['reader']): string => (reader === 'anyone' ? '' : people[reader].cookie);
const LANGUAGES = ['en', 'de', 'fr', 'es'];

test.each(examples)('%s', async (_, { path, reader }) => {
  expect(await findFaults(path(facts), cookieOf(reader))).toEqual([]);
});

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
    expect([path, await findFaults(path, '', language)]).toEqual([path, []]);
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
  const { results } = await validator.validateString(
    '<!doctype html><html lang="en"><title>x</title><p><div></div></p><p id="a"></p><p id="a"></p>',
  );
  expect(results.flatMap(({ messages }) => messages).map(({ ruleId }) => ruleId)).toEqual(
    expect.arrayContaining(['close-order', 'no-dup-id']),
  );
});
