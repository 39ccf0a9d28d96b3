/** Nothing is sold that is not there: what a tier will have is marked as coming wherever the tier is sold. */

import { beforeAll, describe, expect, test } from 'vitest';
import { TIER_EXTRAS } from '../../src/accounts/index.ts';
import { ROUTES } from '../../src/api/index.ts';
import { type Person, type Site, sharedSite } from '../support/rigs/site.ts';

let site: Site;
let reader: Person;
beforeAll(async () => {
  site = await sharedSite();
  reader = await site.signIn({ email: 'extras@example.org' });
});

/** As a reader sees it: without markup, with single spaces. */
const textOf = async (path: string): Promise<string> => {
  const answer = await site.ask(path, { headers: { accept: 'text/html', cookie: reader.cookie } });
  const html = (await answer.text()).replace(/<script[\s\S]*?<\/script>/g, '');
  return html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
};

describe('the extras of a tier', () => {
  test('are there: what they open exists, and no page says that they are coming', async () => {
    const paths = ROUTES.map(({ path }) => path);
    const isThere = {
      'Custom event feeds': paths.includes('/feeds'),
      'Webhook notifications': (await site.ask('/docs/webhooks')).status === 200,
      'Custom data exports': paths.includes('/exports'),
    };
    expect(TIER_EXTRAS.map(({ name, state }) => [name, state])).toEqual(
      Object.entries(isThere).map(([name, there]) => [name, there ? 'available' : 'coming']),
    );
    for (const path of ['/pricing', '/dashboard/plans', '/', '/dashboard/keys']) {
      const text = await textOf(path);
      for (const { name } of TIER_EXTRAS) expect(text.toLowerCase(), path).not.toContain(`coming: ${name.toLowerCase()}`);
      expect(text, path).not.toMatch(/\(coming\)|– no – no Coming/);
    }
  });
});
