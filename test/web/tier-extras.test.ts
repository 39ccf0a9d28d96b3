/** Nothing is sold that is not there: what a tier will have is marked as coming wherever the tier is sold. */

import { beforeAll, describe, expect, test } from 'vitest';
import { TIER_EXTRAS } from '../../src/accounts/index.ts';
import { ROUTES } from '../../src/api/index.ts';
import { type Person, type Site, sharedSite } from '../support/site.ts';

let site: Site;
let reader: Person;
beforeAll(async () => {
  site = await sharedSite();
  reader = await site.signIn({ email: 'extras@example.org' });
}, 120_000);

/** As a reader sees it: without markup, with single spaces. */
const textOf = async (path: string): Promise<string> => {
  const answer = await site.ask(path, { headers: { accept: 'text/html', cookie: reader.cookie } });
  const html = (await answer.text()).replace(/<script[\s\S]*?<\/script>/g, '');
  return html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
};

const coming = TIER_EXTRAS.filter(({ state }) => state === 'coming').map(({ name }) => name);

describe('an extra that is coming', () => {
  test('is marked on the price page and in the table of tiers', async () => {
    expect(coming.length).toBeGreaterThan(0);
    for (const path of ['/pricing', '/dashboard/plans']) {
      const text = await textOf(path);
      // In the table: not in the first two tiers, coming in the third.
      for (const name of coming) expect(text, path).toContain(`${name} – no – no Coming`);
    }
    for (const name of coming) expect(await textOf('/pricing')).toContain(`${name} (coming)`);
  });

  test('is marked on the front page and where the plan of a key is chosen', async () => {
    expect(await textOf('/')).toContain(`coming: ${coming.map((name) => name.toLowerCase()).join(' and ')}`);
    expect(await textOf('/dashboard/keys')).toContain(`Coming: ${coming.join(', ').toLowerCase()}.`);
  });

  test('is not there yet: an endpoint that opens it makes it available', () => {
    const paths = ROUTES.map(({ path }) => path);
    const isThere = { 'Custom event feeds': paths.includes('/feeds'), 'Custom data exports': paths.includes('/exports') };
    for (const [name, there] of Object.entries(isThere)) {
      expect([name, TIER_EXTRAS.find((extra) => extra.name === name)?.state]).toEqual([name, there ? 'available' : 'coming']);
    }
  });
});
