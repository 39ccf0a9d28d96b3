/**
 * An account presses *Verify* again and again, on as many endpoints as it may have: the host of somebody else gets few requests, and a
 * service that returns whatever it gets is not taken for an endpoint.
 */

import { setTimeout as pause } from 'node:timers/promises';
import type { FetchBrowser, FetchedPage } from '../../support/network/fetch-browser.ts';
import { openReceiver } from '../../support/network/receiver.ts';
import { EMBEDDED, type Experiment, openVerdict } from '../experiment.ts';
import { formatStatuses } from '../good-client.ts';
import { openWelcomedBrowser, signInByEmail } from './email-sign-in.ts';

export const verifyPresses: Experiment = {
  name: 'presses of Verify',
  engines: EMBEDDED,
  shortEngines: EMBEDDED,
  async run(context) {
    const verdict = openVerdict();
    const hosts = { foreign: await openReceiver(), echoing: await openReceiver(), own: await openReceiver() };
    const receivers = Object.values(hosts);
    context.onClose(() => Promise.all(receivers.map((receiver) => receiver.close())));
    hosts.foreign.proves = false;
    hosts.echoing.proves = 'echo';
    const service = await context.start({
      env: { MARQUEE_ALLOWED_HOSTS: receivers.map(({ host }) => host).join(), MARQUEE_TRUST_PROXY: '127.0.0.1' },
    });
    await context.accounts().createAccount({ email: ATTACKER, tier: 'enterprise' });
    await context.accounts().createKey({ email: ATTACKER });
    const browser = await openWelcomedBrowser(context, service);
    await signInByEmail(browser, ATTACKER);
    const attacked = [...urlsOf(hosts.foreign.url, FOREIGN_ENDPOINTS), ...urlsOf(hosts.echoing.url, ECHOING_ENDPOINTS)];
    const answers = await attack(browser, attacked, context.short ? 0 : LONG_MS);
    const own = await addEndpoint(browser, hosts.own.url);
    const isOwnVerified = isVerified(await press(browser, own));
    verdict.require(isOwnVerified, 'an endpoint that belongs to the account was not verified');
    for (const name of ['foreign', 'echoing'] as const) {
      const { challenges } = hosts[name];
      const excess = excessOf(challenges.map(({ at }) => at));
      verdict.require(excess === 0, `the ${name} host got ${challenges.length} challenges, ${excess} beyond its limit`);
      verdict.require(challenges.length > 0, `the ${name} host got no challenge, so nothing was shown`);
    }
    const verified = answers.filter(isVerified).length;
    verdict.require(verified === 0, `${verified} presses verified an endpoint that does not belong to the account`);
    const statuses: Record<number, number> = {};
    for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1;
    const isOther = Object.keys(statuses).some((status) => status !== '400' && status !== '429');
    verdict.require(!isOther, `presses were answered ${formatStatuses(statuses)}`);
    return {
      figures: `${answers.length} presses on ${attacked.length} endpoints of one account: ${hosts.foreign.challenges.length} challenges to a foreign host, ${hosts.echoing.challenges.length} to one that echoes, ${verified} verified (${formatStatuses(statuses)}); its own endpoint ${isOwnVerified ? 'was' : 'was not'} verified`,
      failures: verdict.failures,
    };
  },
};

/** Presses on all endpoints at once, round after round, and makes one of them anew after each. */
async function attack(browser: FetchBrowser, urls: readonly string[], ms: number): Promise<FetchedPage[]> {
  const endpoints: { url: string; path: string }[] = [];
  for (const url of urls) endpoints.push({ url, path: await addEndpoint(browser, url) });
  const answers: FetchedPage[] = [];
  const ends = performance.now() + ms;
  for (let round = 0; round < MIN_ROUNDS || performance.now() < ends; round += 1) {
    answers.push(...(await Promise.all(endpoints.map(({ path }) => press(browser, path)))));
    const one = endpoints[round % endpoints.length];
    if (!one) break;
    await browser(one.path, { intent: 'remove' }, fromAnotherNetwork());
    one.path = await addEndpoint(browser, one.url);
    if (round >= MIN_ROUNDS) await pause(1_000);
  }
  return answers;
}

const urlsOf = (url: string, count: number): string[] => Array.from({ length: count }, (_, number) => `${url}/${number}`);

const press = (browser: FetchBrowser, path: string): Promise<FetchedPage> =>
  browser(path, { intent: 'verify' }, fromAnotherNetwork());
const isVerified = ({ location }: FetchedPage): boolean => location.endsWith('?done=verified');

async function addEndpoint(browser: FetchBrowser, url: string): Promise<string> {
  const { status, text } = await browser('/dashboard/webhooks/new', { ...FORM, url }, fromAnotherNetwork());
  const [path] = /\/dashboard\/webhooks\/[0-9a-f-]{36}/.exec(text) ?? [];
  if (!path) throw new Error(`no endpoint was made: ${status}`);
  return path;
}

/** The limit of pages of one network is not what holds here. */
function fromAnotherNetwork(): Record<string, string> {
  networks += 1;
  return { 'x-forwarded-for': `198.18.${networks >> 8}.${networks & 255}` };
}
let networks = 0;

/** How many are beyond the burst and one a minute since the first. */
function excessOf(times: readonly number[]): number {
  const [first = 0] = times;
  return times.filter((at, index) => index + 1 > BURST + (at - first) / EVERY_MS).length;
}

const ATTACKER = 'attacker@example.org';
const FORM = { intent: 'save', payload: 'full', order: 'parallel', types: 'event.updated', feed: '' };
/** An account may have twenty: one is its own. */
const FOREIGN_ENDPOINTS = 16;
const ECHOING_ENDPOINTS = 3;
const MIN_ROUNDS = 5;
/** Challenges that one host may get and not return, for one account; then one more after each minute. */
const BURST = 5;
const EVERY_MS = 60_000;
/** Some minutes, each with one more challenge. */
const LONG_MS = 200_000;
