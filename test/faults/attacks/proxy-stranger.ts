/**
 * A service with default settings behind a proxy that hides who asks: each visitor looks like the developer, who may read e-mails. A
 * stranger asks for the e-mail that opens an operator's account, and looks for it everywhere.
 */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { WELCOME_FILE } from '../../../src/web/index.ts';
import { type FetchBrowser, type FetchedPage, openFetchBrowser } from '../../support/network/fetch-browser.ts';
import { openPlainProxy } from '../../support/network/plain-proxy.ts';
import { routePatterns } from '../../support/records/route-patterns.ts';
import type { Service } from '../context.ts';
import { EMBEDDED, type Experiment, openVerdict } from '../experiment.ts';
import { formatStatuses } from '../good-client.ts';
import { INBOX, openWelcomedBrowser, readResetEmail, readWelcomeLink, signInByEmail } from './email-sign-in.ts';

export const proxyStranger: Experiment = {
  name: 'stranger behind a proxy',
  engines: EMBEDDED,
  shortEngines: EMBEDDED,
  async run(context) {
    const verdict = openVerdict();
    const service = await context.start({ words: ['start'] });
    await context.accounts().createAccount({ email: OPERATOR, operator: true });
    const owner = await openWelcomedBrowser(context, service);
    await signInByEmail(owner, OPERATOR);
    verdict.require(
      (await owner('/desk')).status === 200,
      'the owner, who has the link of the welcome, cannot get into the desk',
    );
    const mode = statSync(join(context.folder, WELCOME_FILE)).mode & 0o777;
    verdict.require(mode === 0o600, `the link of the welcome is in a file with mode ${mode.toString(8)}`);
    const proxy = await openPlainProxy(service.url);
    context.onClose(proxy.close);
    const statuses: Record<number, number> = {};
    let emails = 0;
    for (const [name, headers] of Object.entries(disguises(service))) {
      const stranger = openFetchBrowser(proxy.url, headers);
      const answers = [await stranger('/forgot', { email: OPERATOR })];
      const { path, link } = await readResetEmail(owner);
      if (link !== '') emails += 1;
      const secrets = [link, new URL(readWelcomeLink(context)).search];
      answers.push(...(await lookEverywhere(stranger, !context.short && name === EVERYWHERE)));
      for (const answer of answers) {
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
        const seen = [path, ...secrets].some((secret) => secret !== '' && holds(answer, secret));
        verdict.require(!seen, `the stranger ${name} saw an e-mail, its link or the link of the welcome (${answer.status})`);
      }
      // As if it had been guessed.
      for (const each of [path, `${path}.data`]) {
        const { status } = await stranger(each);
        verdict.require(status === 404, `the stranger ${name} asked for the e-mail by its path and got ${status}`);
      }
      for (const desk of await Promise.all(DESK.map(async (each) => (await stranger(each)).status)))
        verdict.require(desk === 404 || desk === 302, `the desk answered ${desk} to the stranger ${name}`);
    }
    verdict.require(emails === Object.keys(disguises(service)).length, `only ${emails} e-mails were there to be seen`);
    return {
      figures: `${emails} e-mails to an operator, none of them seen: strangers got ${formatStatuses(statuses)}; the owner's browser read all and got into the desk`,
      failures: verdict.failures,
    };
  },
};

/** Headers that the proxy passes on. */
function disguises({ url }: Service): Record<string, Record<string, string>> {
  const { host } = new URL(url);
  return {
    [EVERYWHERE]: {},
    'who writes the headers of a proxy': {
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': host,
      'x-real-ip': '127.0.0.1',
      forwarded: `for=127.0.0.1;host=${host}`,
    },
    'with made-up cookies': { cookie: `marquee_welcome=made-up; marquee_inbox=${encodeURIComponent(OPERATOR)}` },
  };
}

/** With `isWhole`, on all pages there are. */
async function lookEverywhere(stranger: FetchBrowser, isWhole: boolean): Promise<FetchedPage[]> {
  const pages = routePatterns()
    .map(({ pattern }) => pattern.replace(/:\w+/, 'x'))
    // Lists by category and by time are one page; streams never end.
    .filter((page) => !/^\/(?:events|venues)\/\w|\*|\/live/.test(page));
  const answers: FetchedPage[] = [];
  for (const each of [...PLACES, ...(isWhole ? pages : [])]) answers.push(await stranger(each));
  return answers;
}

const holds = ({ text, location, setCookies }: FetchedPage, secret: string): boolean =>
  [text, location, ...setCookies].some((part) => part.includes(secret));

const OPERATOR = 'operator@example.org';
const EVERYWHERE = 'who looks at all pages';
const PLACES = [
  INBOX,
  '/check-mail',
  '/check-mail.data?for=reset',
  '/welcome',
  '/welcome?token=',
  '/welcome?token=made-up',
  '/letters',
  '/mail',
  '/welcome-link',
  '/metrics',
];
const DESK = ['/desk', '/desk.data', '/desk/accounts', '/desk/audit'];
