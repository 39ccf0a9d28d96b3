/** Every form that limits tries says when to try again. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSite, type Site } from '../support/rigs/site.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite({ demo: false });
});
afterAll(() => site.close());

const post = (path: string, fields: Record<string, string>) =>
  site.ask(path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { 'sec-fetch-site': 'same-origin', accept: 'text/html' },
  });
const [email, password] = ['ada@example.org', 'a wrong password'];

describe('a form sent too often', () => {
  test.each([
    ['/sign-in', { email, password }, 10],
    ['/sign-in/code', { code: '000000' }, 20],
    ['/sign-up', { email, password }, 10],
    ['/forgot', { email }, 10],
    ['/reset', { token: 'x', password }, 60],
    ['/passkeys/options', { for: 'sign-in' }, 30],
  ])('%s is answered 429 with Retry-After, to browsers with and without scripts', async (path, fields, tries) => {
    // Meanwhile a slow machine allows some more: all are sent at once.
    const limitedAt = async (target: string) => {
      const answers = await Promise.all(Array.from({ length: tries + 5 }, () => post(target, fields)));
      const found = answers.filter(({ status }) => status === 429);
      expect(found.length, target).toBeGreaterThan(0);
      return found;
    };
    const limited = await limitedAt(path);
    if (path !== '/passkeys/options') limited.push(...(await limitedAt(`${path}.data`)));
    for (const answer of limited) {
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(await answer.text()).toContain('Try again in ');
    }
  });
});
