/**
 * A service as an operator starts it, on the embedded engine, whose disk fills up and is freed again. One engine is enough: the
 * disk of a PostgreSQL server is not ours.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyDemoFolder } from '../support/database/demo-folder.ts';
import { fullDisk } from '../support/database/full-disk.ts';
import { ask, keysIn, pagesReady, preloaded, type RunningService, startService } from '../support/rigs/service.ts';
import { PASSWORD } from '../support/rigs/sign-in.ts';

let place: Awaited<ReturnType<typeof copyDemoFolder>>;
let disk: ReturnType<typeof fullDisk>;
let service: RunningService;
const start = () => startService(['start'], { MARQUEE_DATA_DIR: place.folder, ...disk.env }, preloaded(disk.execArgv));

beforeAll(async () => {
  place = await copyDemoFolder();
  disk = fullDisk(place.folder);
  service = await start();
  await pagesReady(service);
});
afterAll(async () => {
  await service?.stop('SIGKILL');
  disk?.free();
  place?.remove();
});

/** Without the breaks of lines and the signs of quoted-printable. */
const mails = (): string[] => {
  const folder = join(place.folder, 'mail');
  const read = (name: string) =>
    readFileSync(join(folder, name), 'utf8')
      .replace(/=\r?\n/g, '')
      .replaceAll('=3D', '=');
  return existsSync(folder) ? readdirSync(folder).map(read) : [];
};
const mailTo = (email: string) => mails().findLast((mail) => mail.includes(`To: ${email}`));

/** A browser without scripts that keeps its cookies. */
function openBrowser() {
  const cookies = new Map<string, string>();
  return async (path: string, form?: Record<string, string>) => {
    const answer = await fetch(service.url + path, {
      redirect: 'manual',
      method: form ? 'POST' : 'GET',
      ...(form && { body: new URLSearchParams(form) }),
      headers: {
        accept: 'text/html',
        connection: 'close',
        'sec-fetch-site': 'same-origin',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const { status, headers } = answer;
    return { status, retryAfter: headers.get('retry-after'), text: await answer.text() };
  };
}

const signUp = (email: string) => openBrowser()('/sign-up', { email, password: PASSWORD });

/** Somebody with a confirmed address and a first key. */
async function confirm(email: string) {
  const go = openBrowser();
  await go('/sign-up', { email, password: PASSWORD });
  await expect.poll(() => mailTo(email)).toBeDefined();
  const { text } = await go('/verify', { token: /verify\?token=([^\s"<]+)/.exec(mailTo(email) ?? '')?.[1] ?? '' });
  return { go, key: KEY.exec(text)?.[0] ?? '' };
}

test('a full disk costs no acknowledged fact: what is not kept is refused with 503, the rest is served', async () => {
  const { go, key } = await confirm('ada@example.org');
  const { growth } = keysIn(place.folder);
  disk.fill();

  // A page says that an e-mail is on its way only where there is one.
  for (const email of ['late-1@example.org', 'late-2@example.org']) {
    const { status, retryAfter, text } = await signUp(email);
    expect([status, retryAfter]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    expect(text).toContain('This page is unavailable right now');
  }
  expect((await openBrowser()('/forgot', { email: 'ada@example.org' })).status).toBe(503);

  // Until the database needs more room, and long after.
  const statuses: number[] = [];
  let accepted = -1;
  for (let n = 0; n < 60; n++) {
    const form = { token: `t-${n}`, intent: 'name', name: `Ada ${n} ${'x'.repeat(60)}` };
    const { status } = await go('/dashboard/account', form);
    statuses.push(status);
    if (status === 302) accepted = n;
  }
  expect(new Set(statuses)).toEqual(new Set([302, 503]));
  for (const path of ['/', '/pricing', '/docs', '/playground', '/dashboard', '/dashboard/keys', '/dashboard/usage'])
    expect([path, (await go(path)).status]).toEqual([path, 200]);
  for (const path of ['/events?limit=3', '/venues?limit=3', '/usage'])
    expect([path, (await ask(service, path, growth)).status]).toEqual([path, 200]);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);

  disk.free();
  expect(await service.stop()).toBe(0);
  service = await start();
  await pagesReady(service);
  expect((await ask(service, '/events?limit=1', key)).status).toBe(200);
  // Of a refused change nothing is known; an accepted one is never behind an earlier one.
  const [, name] = /value="Ada (\d+) x/.exec((await go('/dashboard/account')).text) ?? [];
  expect(Number(name)).toBeGreaterThanOrEqual(accepted);
  expect((await signUp('grace@example.org')).status).toBe(302);
  await expect.poll(() => mailTo('grace@example.org')).toContain('/verify?token');
  expect(mails().filter((mail) => !mail.includes('Subject: '))).toEqual([]);
});

const KEY = /mq_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}/;
