/** The way into an account without a mail server, from outside: by the link of the welcome and the e-mails that it shows. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { WELCOME_FILE } from '../../../src/web/index.ts';
import { type FetchBrowser, openFetchBrowser } from '../../support/network/fetch-browser.ts';
import type { Context, Service } from '../context.ts';

/** As the service left it for the owner of the data folder. */
export const readWelcomeLink = ({ folder }: Pick<Context, 'folder'>): string =>
  readFileSync(join(folder, WELCOME_FILE), 'utf8').trim();

/** A browser that has opened the link. */
export async function openWelcomedBrowser(context: Context, { url }: Service): Promise<FetchBrowser> {
  const browser = withPatience(openFetchBrowser(url));
  const { pathname, search } = new URL(readWelcomeLink(context));
  await browser(pathname + search);
  return browser;
}

/** A busy machine refuses a page for a moment. */
const withPatience =
  (browser: FetchBrowser): FetchBrowser =>
  async (...request) => {
    for (let left = MAX_REPEATS; ; left -= 1) {
      const page = await browser(...request);
      if (page.status !== 503 || left === 0) return page;
      await pause(500);
    }
  };

/** Where the newest e-mail of a mailbox is read, and the link to a new password in it; empty where the browser is shown none. */
export async function readResetEmail(browser: FetchBrowser): Promise<{ path: string; link: string }> {
  const inbox = await browser(INBOX);
  const [path = ''] = /\/letters\/[\w-]+/.exec(inbox.text) ?? [];
  const [link = ''] = path === '' ? [] : (/\/reset\?token=[\w-]+/.exec((await browser(path)).text) ?? []);
  return { path, link };
}

/** Signs a welcomed browser in to an account that somebody else has made. */
export async function signInByEmail(browser: FetchBrowser, email: string): Promise<void> {
  await browser('/forgot', { email });
  if (!(await enterByNewestEmail(browser, email, PASSWORD))) throw new Error(`cannot sign in to ${email}`);
}

/** Chooses a password by the newest e-mail of the mailbox, and signs in with it. False where the browser gets neither. */
export async function enterByNewestEmail(browser: FetchBrowser, email: string, password: string): Promise<boolean> {
  const { link } = await readResetEmail(browser);
  const token = new URLSearchParams(link.split('?')[1]).get('token') ?? '';
  await browser('/reset', { token, password });
  const { location } = await browser('/sign-in', { email, password });
  return location === '/dashboard';
}

export const INBOX = '/check-mail?for=reset';
const PASSWORD = 'correct horse battery staple';
const MAX_REPEATS = 20;
