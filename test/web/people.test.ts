/**
 * Signing up, signing in and leaving, as people do it. One engine is enough: what the forms write is tested on both without a browser.
 */

import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../support/network/free-port.ts';
import { PASSWORD, totpOf } from '../support/rigs/sign-in.ts';
import { openSite, type Site } from '../support/rigs/site.ts';
import { describeInBrowser, describeJourney, findBarriers, sticksOut, type Visit, visit } from '../support/runs/browser.ts';

let site: Site;
/** The site by a name: browsers know no passkeys for a bare address. */
let url: string;
beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  site = await openSite({ demo: false, settings: { PORT: String(port), MARQUEE_PUBLIC_URL: url } });
  // The first answer waits for the pages.
  await site.ask('/sign-in', { headers: { accept: 'text/html' } });
});
afterAll(() => site.close());

let people = 0;
const freshEmail = () => `person-${people++}@example.org`;

/** From the form to the dashboard, by way of the e-mail. */
async function join(page: Page, email = freshEmail()): Promise<string> {
  await page.goto('/sign-up');
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.getByRole('link', { name: 'Read this email' }).click();
  await page.getByRole('link', { name: /\/verify\?token=/ }).click();
  await page.getByRole('button', { name: 'Confirm address' }).click();
  await page.getByRole('link', { name: 'Go to the dashboard' }).click();
  await page.waitForURL('**/dashboard');
  return email;
}

/** Somebody who did all that before, in a browser of their own. */
async function member(): Promise<Visit & { email: string }> {
  const visitor = await come();
  const email = freshEmail();
  const { cookies } = await site.signIn({ email, password: PASSWORD });
  await visitor.context.addCookies(cookies.map((cookie) => ({ ...cookie, url })));
  return { ...visitor, email };
}

async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

describe('where a form leads afterwards', () => {
  test.each([
    ['/dashboard/keys?new=1', '/dashboard/keys?new=1'],
    ['//evil.example', '/dashboard'],
    ['/\\evil.example', '/dashboard'],
    ['javascript:alert(1)', '/dashboard'],
    ['https://evil.example/', '/dashboard'],
    ['/%09/evil.example', '/%09/evil.example'],
    ['/.//evil.example', '/dashboard'],
    ['/..//evil.example', '/dashboard'],
    ['/a/..//evil.example', '/dashboard'],
    ['/%2e//evil.example', '/dashboard'],
    ['/./\\evil.example', '/dashboard'],
    ['/\t//evil.example', '/dashboard'],
  ])('next=%s leads to %s', async (next, location) => {
    const { cookie } = await site.signIn({ email: freshEmail() });
    const answer = await site.ask(`/sign-in?next=${encodeURIComponent(next)}`, { headers: { accept: 'text/html', cookie } });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, location]);
  });
});

describe('a form with too much in it', () => {
  const post = (path: string, body: string, type = 'application/x-www-form-urlencoded') =>
    site.ask(path, {
      method: 'POST',
      body,
      headers: { 'sec-fetch-site': 'same-origin', accept: 'text/html', 'content-type': type },
    });

  test.each([
    ['a megabyte', `email=a@example.org&password=${'x'.repeat(1_000_000)}`, 413],
    ['names of prototypes', '__proto__[isOperator]=true&constructor.prototype.x=1&email=&password=', 400],
    ['one field a thousand times', 'email=a@example.org&'.repeat(1_000), 400],
    ['nothing', '', 400],
  ])('is refused: %s', async (_, body, status) => {
    expect((await post('/sign-in', body)).status).toBe(status);
    expect(({} as Record<string, unknown>).isOperator).toBeUndefined();
  });

  test('is refused: a body that is no form', async () => {
    for (const type of ['application/json', 'multipart/form-data; boundary=x', 'text/plain']) {
      const answer = await post('/sign-in', '{"email":{"$ne":null},"password":{"$ne":null}}', type);
      expect(answer.status).toBe(400);
    }
  });
});

describe('a stranger', () => {
  test('finds no e-mails, and no settings of others', async () => {
    for (const path of ['/letters/x', '/letters/018f0000-0000-7000-8000-00000000000a']) {
      expect((await site.ask(path, { headers: { accept: 'text/html' } })).status).toBe(404);
    }
    const answer = await site.ask('/dashboard/account', { headers: { accept: 'text/html' } });
    expect(answer.headers.get('location')).toBe('/sign-in?next=%2Fdashboard%2Faccount');
  });

  test('reads how long a dead link had worked', async () => {
    const page = await (await site.ask('/verify?token=x', { headers: { accept: 'text/html' } })).text();
    expect(page).toContain('A link works for 24 hours, or until the next sign-up with the same address.');
  });

  test('gets pages that are kept nowhere and send no address of themselves on', async () => {
    for (const path of ['/reset?token=x', '/verify?token=x']) {
      const answer = await site.ask(path, { headers: { accept: 'text/html' } });
      expect([answer.headers.get('referrer-policy'), answer.headers.get('cache-control')]).toEqual([
        'no-referrer',
        'private, no-store',
      ]);
    }
  });
});

describe('the trial', () => {
  test('counts down on every page of the dashboard, and says plainly when it is over', async () => {
    const { cookie } = await site.signIn({ email: freshEmail() });
    const read = async () => {
      const page = await site.ask('/dashboard/plans', { headers: { accept: 'text/html', cookie } });
      return (await page.text()).replace(/<!-- -->|<[^>]+>/g, '');
    };
    expect(await read()).toMatch(/Trial: 7 days left\./);
    site.pass(5.5 * 86_400_000);
    expect(await read()).toMatch(/Trial: 1 day 12 hours left\..*and nothing is charged/);
    site.pass(1.5 * 86_400_000);
    expect(await read()).toContain('Your trial has ended. Requests with your trial key return 402.');
  });
});

/** A developer's browser, by the link that `npm start` printed: without a mail server, no other reads e-mails. */
async function come(options = {}): Promise<Visit> {
  const visitor = await visit(url, options);
  await visitor.page.goto(readFileSync(`${site.dataDir}/welcome-link`, 'utf8').trim());
  return visitor;
}

describeJourney('a new developer', () => {
  test.concurrent('reaches a key and its first request from the page for developers by five clicks and two fields', async () => {
    const { page, complaints } = await come();
    await page.goto('/developers', { waitUntil: 'networkidle' });
    const email = freshEmail();
    await page.getByRole('main').getByRole('link', { name: 'Get a key' }).first().click();
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByText(`We sent an email to ${email}.`).waitFor();
    await page.getByRole('link', { name: 'Read this email' }).click();
    await page.getByRole('link', { name: /\/verify\?token=/ }).click();
    await page.getByRole('button', { name: 'Confirm address' }).click();
    await page.getByRole('heading', { name: 'Your API key' }).waitFor();
    const [key = ''] = /mq_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}/.exec((await page.getByRole('main').textContent()) ?? '') ?? [];
    expect(await page.getByText(`curl -H "X-API-Key: ${key}"`).count()).toBe(1);
    expect((await site.ask('/api/v1/events?limit=3', { headers: { 'X-API-Key': key } })).status).toBe(200);
    expect(await findBarriers(page)).toEqual([]);
    await page.reload({ waitUntil: 'networkidle' });
    await page.getByRole('heading', { name: 'This address is confirmed' }).waitFor();
    expect(await page.content()).not.toContain(key);
    expect(complaints()).toEqual([]);
  });
});

describeInBrowser('people', () => {
  test.concurrent('sign up, confirm and reach the dashboard without scripts', async () => {
    const { page } = await come({ scripts: false });
    await join(page);
    expect(await page.getByText(/7 days left/).count()).toBe(1);
    await page.goto('/dashboard/account');
    await page.getByRole('button', { name: 'Sign out of this device' }).click();
    await page.getByText('You are signed out.').waitFor();
  });

  test.concurrent('are told beside the field what is wrong, and stand in it', async () => {
    const { page, complaints } = await come();
    await page.goto('/sign-up', { waitUntil: 'networkidle' });
    await page.getByLabel('Email address').fill('nobody');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByText('Enter an address such as').waitFor();
    const field = page.getByLabel('Email address');
    expect(await page.evaluate('document.activeElement?.getAttribute("name")')).toBe('email');
    expect(await field.inputValue()).toBe('nobody');
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator(`[id="${(await field.getAttribute('aria-describedby')) ?? ''}"]`).textContent()).toContain(
      'Enter an address such as',
    );
    expect(await page.content()).not.toContain(PASSWORD);
    expect(complaints()).toEqual([]);
  });

  test.concurrent('who never opened the e-mail get another when they sign in', async () => {
    const { page } = await come();
    const email = freshEmail();
    await page.goto('/sign-up');
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.waitForURL('**/check-mail**');
    const elsewhere = await come();
    await signIn(elsewhere.page, email);
    await elsewhere.page.getByRole('link', { name: 'Read this email' }).click();
    await elsewhere.page.getByRole('link', { name: /\/verify\?token=/ }).click();
    await elsewhere.page.getByLabel('Password').fill('a wrong password');
    await elsewhere.page.getByRole('button', { name: 'Confirm address' }).click();
    await elsewhere.page.getByText('The password is wrong.').waitFor();
    await elsewhere.page.getByLabel('Password').fill(PASSWORD);
    await elsewhere.page.getByRole('button', { name: 'Confirm address' }).click();
    await elsewhere.page.getByRole('heading', { name: 'Your API key' }).waitFor();
  });

  test.concurrent('choose a new password by e-mail, and the old session is gone', async () => {
    const { page, email } = await member();
    const elsewhere = await come();
    await elsewhere.page.goto('/forgot');
    await elsewhere.page.getByLabel('Email address').fill(email);
    await elsewhere.page.getByRole('button', { name: 'Send link' }).click();
    await elsewhere.page.getByRole('link', { name: 'Read this email' }).click();
    await elsewhere.page.getByRole('link', { name: /\/reset\?token=/ }).click();
    await elsewhere.page.getByLabel('New password').fill('another good one');
    await elsewhere.page.getByRole('button', { name: 'Change password' }).click();
    await elsewhere.page.getByText('Your password is changed and all sessions have ended.').waitFor();
    await page.goto('/dashboard');
    expect(page.url()).toContain('/sign-in?next=');
    await signIn(elsewhere.page, email, 'another good one');
    await elsewhere.page.waitForURL('**/dashboard');
  });

  test.concurrent('switch two factors on, sign in with them, and see their sessions', async () => {
    const { page, complaints, email } = await member();
    await page.goto('/dashboard/account', { waitUntil: 'networkidle' });
    const section = page.getByRole('region', { name: 'Two-factor' });
    await section.getByLabel('Current password').fill(PASSWORD);
    await section.getByRole('button', { name: 'Set up two-factor sign-in' }).click();
    await section.getByRole('img', { name: 'QR code' }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    expect(await section.locator('.codes li').count()).toBe(10);
    const secret = ((await section.locator('pre').first().textContent()) ?? '').trim();
    await section.getByRole('textbox', { name: 'Code' }).fill('000000');
    await section.getByRole('button', { name: 'Turn on' }).click();
    await section.getByText('This code is wrong').waitFor();
    await section.getByRole('textbox', { name: 'Code' }).fill(totpOf(secret));
    await section.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('Two-factor sign-in is on.').waitFor();

    const there = await come({ width: 390, dark: true });
    await signIn(there.page, email);
    await there.page.getByLabel('Code').fill('000000');
    await there.page.getByRole('button', { name: 'Continue' }).click();
    await there.page.getByText('This code is wrong').waitFor();
    // The one that switched it on is used up.
    await there.page.getByLabel('Code').fill(totpOf(secret, Date.now() + 30_000));
    await there.page.getByRole('button', { name: 'Continue' }).click();
    await there.page.waitForURL('**/dashboard');
    await there.page.goto('/dashboard/account');
    expect(await sticksOut(there.page)).toBe(false);
    expect(await findBarriers(there.page)).toEqual([]);

    await page.reload({ waitUntil: 'networkidle' });
    const sessions = page.getByRole('region', { name: 'Active sessions' });
    expect(await sessions.getByRole('listitem').count()).toBe(2);
    await sessions.getByRole('button', { name: /^Sign out the session/ }).click();
    await page.getByText('That session is ended.').waitFor();
    await there.page.goto('/dashboard');
    expect(there.page.url()).toContain('/sign-in');
    expect(complaints()).toEqual([]);
  });

  test.concurrent('delete their account: sessions end, and the address may sign up anew', async () => {
    const { page, email } = await member();
    await page.goto('/dashboard/account/delete', { waitUntil: 'networkidle' });
    expect(await findBarriers(page)).toEqual([]);
    await page.getByLabel('Password').fill('a wrong password');
    await page.getByRole('button', { name: 'Delete account permanently' }).click();
    await page.getByText('The password is wrong.').waitFor();
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Delete account permanently' }).click();
    await page.getByText('Your account is deleted.').waitFor();
    await signIn(page, email);
    await page.getByText('The address or the password is wrong.').waitFor();
    await join(page, email);
  });

  test.concurrent('sign in by passkey, without a password, until they remove it', async () => {
    const { page, context, complaints } = await member();
    const device = await context.newCDPSession(page);
    await device.send('WebAuthn.enable');
    await device.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await page.goto('/dashboard/account', { waitUntil: 'networkidle' });
    await page.getByLabel('Name of the new passkey').fill('Laptop');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('The passkey is added.').waitFor();
    await page.getByRole('button', { name: 'Sign out of this device' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.waitForURL('**/dashboard');
    await page.goto('/dashboard/account', { waitUntil: 'networkidle' });
    await page.getByRole('button', { name: 'Remove Laptop' }).click();
    await page.getByText('The passkey is removed.').waitFor();
    await page.getByRole('button', { name: 'Sign out of this device' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('This passkey is unknown or was removed.').waitFor();
    expect(complaints()).toEqual([]);
  });
});
