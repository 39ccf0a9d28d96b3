/** The page of what is not there: the same for one reader wherever it is asked for, so that it tells nothing of what stands there for others. */

import { beforeAll, describe, expect, test } from 'vitest';
import { type Person, type Site, sharedSite } from '../support/rigs/site.ts';

let site: Site;
const people: Record<string, Person | null> = { stranger: null };
beforeAll(async () => {
  site = await sharedSite();
  people.developer = await site.signIn({ email: 'errors@example.org' });
  people.operator = await site.signIn({ email: 'errors-op@example.org', operator: true });
});

const ask = (path: string, who: string, init: RequestInit = {}) =>
  site.ask(path, {
    ...init,
    headers: {
      accept: 'text/html',
      cookie: `${people[who]?.cookie ?? 'x=y'}; theme=dark`,
      'sec-fetch-site': 'same-origin',
      ...init.headers,
    },
  });

/** Without what differs from answer to answer: the nonce, and the address to come back to. */
const plain = (html: string) => html.replace(/ nonce="[^"]*"/g, '').replace(/name="next" value="[^"]*"/g, '');

const MISSING = {
  stranger: ['/desk', '/desk/accounts/1', '/desk/nothing', '/letters/0', '/playground?endpoint=x'],
  developer: ['/desk', '/desk/sources', '/desk/events/1', '/dashboard/usage?key=zzz', '/dashboard/nothing'],
  operator: [
    '/desk/events/0190a0b0-0000-7000-8000-000000000000',
    '/desk/accounts/1',
    '/desk/nothing',
    '/dashboard/usage?key=zzz',
  ],
};

describe.each(Object.entries(MISSING))('the page of what is not there, for a %s', (who, paths) => {
  test.each(paths)('is the same at %s as anywhere', async (path) => {
    const [anywhere, here] = [await ask('/nothing/at/all', who), await ask(path, who)];
    expect([here.status, [...here.headers.keys()].sort()]).toEqual([404, [...anywhere.headers.keys()].sort()]);
    const text = await here.text();
    expect(plain(text)).toBe(plain(await anywhere.text()));
    expect(text).toContain('data-theme="dark"');
    expect(text).toContain('Port Alder');
    expect(text).toContain(`name="next" value="${path}"`);
    expect(text.includes('href="/dashboard"')).toBe(who !== 'stranger');
    expect(text).not.toMatch(/<script|modulepreload/);
  });
});

test.each(['', 'root', 'desk/layout', 'desk/oversight/sources', 'nothing'])(
  'the data of what is not there is 404, whichever routes are asked for (%j)',
  async (routes) => {
    for (const path of ['/desk.data', '/desk/sources.data', '/desk/nothing.data', '/desk/a/b.data', '/nothing.data']) {
      const asked = `${path}?_routes=${encodeURIComponent(routes)}`;
      expect([asked, (await ask(asked, 'stranger', { headers: { accept: '*/*' } })).status]).toEqual([asked, 404]);
    }
  },
);

describe.each(['stranger', 'developer', 'operator'])('the page of a record that is not there, for a %s', (who) => {
  test.each([
    ['/events/nothing', 'Event not found', 'The directory has no event at this address.'],
    ['/events/0190a0b0-0000-7000-8000-000000000000', 'Event not found', 'look for the event on the homepage'],
    ['/venues/nothing', 'Venue not found', 'The directory has no venue at this address.'],
  ])('%s says what is not there and what to do, and else what any 404 says', async (path, title, sentence) => {
    const [anywhere, here] = [await ask('/nothing/at/all', who), await ask(path, who)];
    expect(here.status).toBe(404);
    const text = await here.text();
    expect(text).toContain(`<h1>${title}</h1>`);
    expect(text).toContain(sentence);
    const frame = (html: string) =>
      plain(html)
        .replace(/<h1>.*?<\/p>/, '')
        .replace(/<title>.*?<\/title>/, '');
    expect(frame(text)).toBe(frame(await anywhere.text()));
  });
});

describe('what is not there', () => {
  test('is the same for a form, and for a program', async () => {
    for (const init of [{ method: 'POST', body: new URLSearchParams({ intent: 'suspend' }) }, { headers: { accept: '*/*' } }]) {
      const [anywhere, here] = [await ask('/nothing', 'developer', init), await ask('/desk/accounts', 'developer', init)];
      expect([here.status, here.headers.get('content-type')]).toEqual([404, anywhere.headers.get('content-type')]);
      const [one, other] = [await anywhere.text(), await here.text()];
      if (here.headers.get('content-type')?.startsWith('text/html')) expect(plain(other)).toBe(plain(one));
    }
  });

  test('says nothing of the desk to scripts', async () => {
    const answer = await ask('/desk/accounts.data', 'developer');
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain('desk');
  });
});
