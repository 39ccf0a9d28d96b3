/**
 * Strangers guess the password of an account from more networks than its limits count apart, and its owner comes with a new browser.
 * One engine is enough: what the forms write is tested on both without pages.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PASSWORD } from '../support/rigs/sign-in.ts';
import { openSite, type Site } from '../support/rigs/site.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite({ demo: false, settings: { MARQUEE_TRUST_PROXY: 'loopback' } });
});
afterAll(() => site.close());

/** A browser without scripts that keeps its cookies, in a network of its own behind a proxy. */
function openBrowser(from: string) {
  const cookies = new Map<string, string>();
  return async (path: string, form?: Record<string, string>) => {
    const answer = await site.ask(path, {
      method: form ? 'POST' : 'GET',
      ...(form && { body: new URLSearchParams(form) }),
      headers: {
        accept: 'text/html',
        'sec-fetch-site': 'same-origin',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-forwarded-for': from,
      },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() };
  };
}

/** One wrong password from each of 60 networks, a few at a time: how many were looked at. */
async function guess(email: string): Promise<number> {
  const statuses: number[] = [];
  for (let first = 0; first < NETWORKS; first += AT_ONCE) {
    const networks = Array.from({ length: AT_ONCE }, (_, n) => first + n);
    const answers = networks.map((n) => openBrowser(`198.18.${n}.7`)('/sign-in', { email, password: `guess number ${n}` }));
    statuses.push(...(await Promise.all(answers)).map(({ status }) => status));
  }
  expect(new Set(statuses).difference(new Set([400, 429]))).toEqual(new Set());
  return statuses.filter((status) => status === 400).length;
}

/** Strangers ask for every e-mail that they can have sent to the mailbox. */
async function useUpEmails(email: string): Promise<void> {
  for (let n = 0; n < 6; n += 1) await openBrowser(`198.19.${n}.7`)('/sign-up', { email, password: 'a password of a stranger' });
  for (let n = 0; n < 6; n += 1) await openBrowser(`198.19.${n}.7`)('/forgot', { email });
}

/** Tokens of the links that were mailed to an address. */
function tokensTo(email: string): string[] {
  const folder = join(site.dataDir, 'mail');
  return readdirSync(folder).flatMap((file) => {
    const text = readFileSync(join(folder, file), 'utf8');
    if (!text.includes(`To: ${email}`)) return [];
    return /reset\?token=([\w-]+)/.exec(text.replace(/=\r?\n/g, '').replace(/=3D/g, '='))?.[1] ?? [];
  });
}

describe('an account whose password is guessed from 60 networks', () => {
  test('is open to its owner in a new browser by a link, also to the desk, while strangers go on', async () => {
    await site.signIn({ email: OWNER, password: PASSWORD, operator: true });
    await useUpEmails(OWNER);
    expect(await guess(OWNER)).toBeLessThanOrEqual(50 + MAX_NEW_TRIES);
    const go = openBrowser('203.0.113.9');
    const signIn = () => go('/sign-in', { email: OWNER, password: PASSWORD, next: '/desk' });
    const refused = await signIn();
    expect(refused.status).toBe(429);
    expect(refused.text).toContain('Too many wrong passwords');
    expect(refused.text).toMatch(/<form[^>]*action="\/forgot"/);
    expect(await go('/forgot', { email: OWNER })).toMatchObject({ status: 302, location: '/check-mail?for=reset' });
    expect((await go('/check-mail?for=reset')).text).toContain('a link from an earlier email');
    // The strangers had all of them sent, and each works.
    await expect.poll(() => tokensTo(OWNER)).toHaveLength(4);
    const [token = ''] = tokensTo(OWNER);
    expect((await go(`/reset?token=${token}`)).text).toContain('Keep password');
    expect(await go('/reset', { token, intent: 'keep' })).toMatchObject({ status: 302, location: '/sign-in?done=kept' });
    expect((await go('/sign-in?done=kept')).text).toContain('Sign in with your password.');
    // The link signs nobody in, and works once.
    expect((await go('/dashboard')).location).toContain('/sign-in');
    expect((await openBrowser('203.0.113.99')('/reset', { token, intent: 'keep' })).status).toBe(400);
    expect(await guess(OWNER)).toBeLessThanOrEqual(MAX_NEW_TRIES);
    expect(await signIn()).toMatchObject({ status: 302, location: '/desk' });
    expect((await go('/desk')).status).toBe(200);
  });

  test('is answered as an address without an account', async () => {
    expect(await guess(UNKNOWN)).toBeLessThanOrEqual(50 + MAX_NEW_TRIES);
    const readAll = async (email: string) => {
      const go = openBrowser('203.0.113.10');
      await expect.poll(async () => (await go('/sign-in', { email, password: 'a wrong password' })).status).toBe(429);
      const pages = [await go('/sign-in', { email, password: 'a wrong password' }), await go('/forgot', { email })];
      pages.push(await go('/check-mail?for=reset'));
      return pages.map(({ status, location, text }) => [status, location, wordsOf(text).replaceAll(email, '…')]);
    };
    expect(await readAll(OWNER)).toEqual(await readAll(UNKNOWN));
  });
});

/** What stands between the head and the scripts, without the seconds that pass meanwhile. */
const wordsOf = (html: string): string => (/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? html).replace(/\d+ seconds?|1 minute/g, '…');
const [OWNER, UNKNOWN] = ['owner@example.org', 'other@example.org'];
const NETWORKS = 60;
const AT_ONCE = 6;
/** An account has one more each minute, and a machine may be busy. */
const MAX_NEW_TRIES = 5;
