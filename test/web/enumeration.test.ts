/** Whether an address has an account: no form tells, in words, in headers, or in the work it does before it answers. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FakeSmtp, openFakeSmtp } from '../support/fakes/smtp.ts';
import { PASSWORD } from '../support/rigs/sign-in.ts';
import { openSite, type Site } from '../support/rigs/site.ts';

const [KNOWN, UNKNOWN] = ['known@example.org', 'other@example.org'];

describe.each(['e-mails become files', 'e-mails go through a mail server'])('where %s', (where) => {
  let site: Site;
  let smtp: FakeSmtp;
  beforeAll(async () => {
    smtp = await openFakeSmtp();
    const settings = where.includes('server') ? { SMTP_URL: smtp.url } : {};
    site = await openSite({ demo: false, settings });
    await site.signIn({ email: KNOWN, password: PASSWORD });
  });
  afterAll(async () => {
    await site.close();
    await smtp.close();
  });

  test.each([
    ['/forgot', {}],
    ['/sign-up', { password: 'a password of a stranger' }],
    ['/sign-in', { password: 'a wrong password' }],
  ])('%s answers the same for an address with an account and without', async (path, fields) => {
    const [known, unknown] = [await ask(path, { ...fields, email: KNOWN }), await ask(path, { ...fields, email: UNKNOWN })];
    expect(known).toEqual(unknown);
    expect(known.status).toBe(path === '/sign-in' ? 400 : 302);
    expect(known.headers.location ?? '').not.toContain('letter');
  });

  async function ask(path: string, fields: Record<string, string>) {
    const answer = await site.ask(path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { 'sec-fetch-site': 'same-origin', accept: 'text/html' },
    });
    const cookies = answer.headers.getSetCookie();
    const headers: Record<string, string | undefined> = Object.fromEntries(
      [...answer.headers].filter(([name]) => !CHANGING.has(name)),
    );
    const [to, ...own] = [fields.email ?? '', encodeURIComponent(fields.email ?? '')];
    const plain = (text: string) => [to, ...own].reduce((left, word) => left.replaceAll(word, '…'), text).replace(RANDOM, '$1…');
    return {
      status: answer.status,
      headers,
      cookies: cookies.map(plain),
      text: plain(await answer.text()),
    };
  }
});

/** What differs from answer to answer: moments, and random values. */
const CHANGING: ReadonlySet<string> = new Set([
  'date',
  'x-request-id',
  'content-security-policy',
  'set-cookie',
  'content-length',
]);
const RANDOM = /(nonce="|marquee_sign_up=)[\w-]+/g;
