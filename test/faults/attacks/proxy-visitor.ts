/**
 * A service with default settings behind a proxy that hides who asks: each visitor looks like the developer, who may read e-mails. A
 * visitor asks for the e-mail that opens an operator's account, and looks for it everywhere.
 */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { WELCOME_FILE } from '../../../src/web/index.ts';
import { type FetchBrowser, type FetchedPage, openFetchBrowser } from '../../support/network/fetch-browser.ts';
import { openPlainProxy } from '../../support/network/plain-proxy.ts';
import { routePatterns } from '../../support/records/route-patterns.ts';
import type { Service } from '../context.ts';
import { EMBEDDED, type Experiment, openVerdict } from '../experiment.ts';
import { formatStatuses } from '../good-client.ts';
import {
  enterByNewestEmail,
  INBOX,
  openWelcomedBrowser,
  readResetEmail,
  readWelcomeLink,
  signInByEmail,
} from './email-sign-in.ts';

export const proxyVisitor: Experiment = {
  name: 'visitor behind a proxy',
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
    const welcome = new URL(readWelcomeLink(context)).search;
    const proxy = await openPlainProxy(service.url);
    context.onClose(proxy.close);
    const all: Findings = { emails: 0, shown: 0, entered: 0, statuses: {} };
    for (const [name, headers] of Object.entries(disguises(service))) {
      const found = await attack({ owner, visitor: openFetchBrowser(proxy.url, headers), welcome, isWhole: !context.short });
      verdict.require(found.emails === 1, `there was no e-mail to be seen by the visitor ${name}`);
      verdict.require(found.shown === 0, `${found.shown} answers showed the visitor ${name} an e-mail or a link`);
      verdict.require(found.entered === 0, `the visitor ${name} got into the account or the desk`);
      all.emails += found.emails;
      all.shown += found.shown;
      all.entered += found.entered;
      for (const [status, count] of Object.entries(found.statuses))
        all.statuses[Number(status)] = (all.statuses[Number(status)] ?? 0) + count;
    }
    return {
      figures: `${all.emails} e-mails to an operator; visitors got ${formatStatuses(all.statuses)}, ${all.shown} of them with an e-mail or its link, and ${all.entered} entered the account; the owner's browser reads all`,
      failures: verdict.failures,
    };
  },
};

interface Findings {
  /** That the owner could read. */
  emails: number;
  /** Answers to the visitor that showed one, its link or the link of the welcome. */
  shown: number;
  /** Ways into the account or the desk. */
  entered: number;
  statuses: Record<number, number>;
}

interface Attack {
  owner: FetchBrowser;
  visitor: FetchBrowser;
  /** The query of the link of the welcome. */
  welcome: string;
  /** On all pages there are. */
  isWhole: boolean;
}

async function attack({ owner, visitor, welcome, isWhole }: Attack): Promise<Findings> {
  const answers = [await visitor('/forgot', { email: OPERATOR })];
  const { path, link } = await readResetEmail(owner);
  answers.push(...(await lookEverywhere(visitor, isWhole)));
  const secrets = [path, link, welcome].filter((secret) => secret !== '');
  let shown = answers.filter((answer) => secrets.some((secret) => holds(answer, secret))).length;
  // As if its path had been guessed.
  for (const each of [path, `${path}.data`]) if ((await visitor(each)).status !== 404) shown += 1;
  let entered = (await enterByNewestEmail(visitor, OPERATOR, 'a password of the visitor')) ? 1 : 0;
  for (const each of DESK) {
    const { status } = await visitor(each);
    if (status !== 404 && status !== 302) entered += 1;
  }
  const statuses: Record<number, number> = {};
  for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
  return { emails: link === '' ? 0 : 1, shown, entered, statuses };
}

/** Headers that the proxy passes on. */
function disguises({ url }: Service): Record<string, Record<string, string>> {
  const { host } = new URL(url);
  return {
    'without a disguise': {},
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
async function lookEverywhere(visitor: FetchBrowser, isWhole: boolean): Promise<FetchedPage[]> {
  const pages = routePatterns()
    .map(({ pattern }) => pattern.replace(/:\w+/, 'x'))
    // Lists by category and by time are one page; streams never end.
    .filter((page) => !/^\/(?:events|venues)\/\w|\*|\/live/.test(page));
  const answers: FetchedPage[] = [];
  for (const each of [...PLACES, ...(isWhole ? pages : [])]) {
    let answer = await visitor(each);
    // Whoever looks at so many pages waits for some.
    for (; answer.status === 429; answer = await visitor(each)) await pause(1_000);
    answers.push(answer);
  }
  return answers;
}

const holds = ({ text, location, setCookies }: FetchedPage, secret: string): boolean =>
  [text, location, ...setCookies].some((part) => part.includes(secret));

const OPERATOR = 'operator@example.org';
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
