/**
 * Strangers in sixty networks guess one password without a pause, and have e-mails sent to its owner. The owner comes with a new browser
 * and signs in by a link in an e-mail, while somebody uses the API.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createInvite } from '../../src/accounts/index.ts';
import { LIMITS } from '../../src/accounts/sign-in/attempts.ts';
import { PATIENCE_MS } from '../support/runs/patience.ts';
import type { Context, Service } from './context.ts';
import { BOTH, EMBEDDED, type Experiment, openVerdict } from './experiment.ts';
import { formatStatuses, goodputOf, startGoodClient } from './good-client.ts';
import { serveLoad, startLoad } from './thread.ts';

interface GuessersOptions {
  url: string;
  networks: number;
}

interface GuessersReport {
  /** Answers by status. A password was looked at where it is 400. */
  guesses: Record<number, number>;
}

export const guessesFromManyNetworks: Experiment = {
  name: 'guesses from many networks',
  engines: BOTH,
  shortEngines: EMBEDDED,
  async run(context) {
    const verdict = openVerdict();
    const service = await context.start({ env: { MARQUEE_TRUST_PROXY: 'loopback' } });
    const [key] = await context.makeKeys(1);
    await makeOwner(context, service);
    await useUpEmails(service);
    const begun = performance.now();
    const guessers = await startLoad<GuessersReport>(import.meta.url, { url: service.url, networks: NETWORKS });
    const client = await startGoodClient({ url: service.url, key: key?.key ?? '', rate: RATE });
    await pause(context.short ? 2_000 : 20_000);
    const owner = await signInByLink(context, service);
    await pause(context.short ? 2_000 : 40_000);
    const [report, { guesses }] = [await client.stop(), await guessers.stop()];
    const minutes = (performance.now() - begun) / MINUTE_MS;
    const { goodput, p99 } = goodputOf(report);
    const [evaluated, most] = [guesses[400] ?? 0, LIMITS.passwords.burst + Math.ceil(minutes)];
    const received = emailsToOwner(context).length;
    verdict.require(evaluated <= most, `${evaluated} passwords were looked at, wanted at most ${most}`);
    verdict.require((guesses[429] ?? 0) > evaluated, 'the guesses did not go on');
    verdict.require(owner.stranger === 429, `the new browser was answered ${owner.stranger} before it had a link`);
    verdict.require(owner.steps === EXPECTED_STEPS, `the owner was answered ${owner.steps}, wanted ${EXPECTED_STEPS}`);
    verdict.require(goodput >= MIN_GOODPUT, `the API answered ${formatStatuses(report.statuses)}`);
    verdict.require(received <= MAX_EMAILS, `the owner got ${received} e-mails`);
    verdict.require(service.isRunning(), 'the service ended');
    return {
      figures: `${evaluated} passwords looked at in ${(minutes * 60).toFixed(0)} s (${formatStatuses(guesses)}); the owner, refused before, signed in by a link in ${(owner.ms / 1_000).toFixed(1)} s, and got ${received} e-mails; API goodput ${(goodput * 100).toFixed(1)} %, p99 ${p99.toFixed(1)} ms`,
      failures: verdict.failures,
    };
  },
};

/** An account whose password was chosen in another browser, long ago. */
async function makeOwner(context: Context, { url }: Service): Promise<void> {
  await context.accounts().createAccount({ email: OWNER });
  const { link = '' } = (await createInvite({ db: context.connect().db, publicUrl: url }, OWNER)) ?? {};
  const form = { token: new URL(link).searchParams.get('token') ?? '', password: PASSWORD };
  const { status } = await openBrowser(url, '203.0.113.1')('/reset', form);
  if (status !== 302) throw new Error(`the owner's password could not be set: ${status}`);
}

/** Strangers ask for more e-mails to the owner than may be sent. */
async function useUpEmails({ url }: Service): Promise<void> {
  for (let n = 0; n < 6; n += 1) {
    const go = openBrowser(url, `198.19.${n}.7`);
    await go('/sign-up', { email: OWNER, password: 'a password of a stranger' });
    await go('/forgot', { email: OWNER });
  }
}

async function signInByLink(context: Context, { url }: Service) {
  const begun = performance.now();
  const go = openBrowser(url, '203.0.113.9');
  const signIn = { email: OWNER, password: PASSWORD };
  const stranger = await go('/sign-in', signIn);
  const steps = [await go('/forgot', { email: OWNER })];
  let token = '';
  while (token === '' && performance.now() - begun < PATIENCE_MS) {
    token = emailsToOwner(context).flatMap((text) => /reset\?token=([\w-]+)/.exec(text)?.[1] ?? [])[0] ?? '';
    if (token === '') await pause(100);
  }
  steps.push(await go('/reset', { token, intent: 'keep' }));
  steps.push(await go('/sign-in', signIn));
  steps.push(await go('/dashboard'));
  return { stranger: stranger.status, steps: steps.map(({ status }) => status).join(', '), ms: performance.now() - begun };
}

function emailsToOwner({ folder }: Context): string[] {
  const mail = join(folder, 'mail');
  const texts = readdirSync(mail)
    .filter((file) => file.endsWith('.eml'))
    .map((file) => readFileSync(join(mail, file), 'utf8'));
  return texts.filter((text) => text.includes(`To: ${OWNER}`)).map((text) => text.replace(/=\r?\n/g, '').replaceAll('=3D', '='));
}

/** Keeps its cookies, behind a proxy that names its address. Comes again where all are busy, as it is told to. */
function openBrowser(url: string, from: string) {
  const cookies = new Map<string, string>();
  return async function go(path: string, form?: Record<string, string>, triesLeft = TRIES): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url + path, {
      redirect: 'manual',
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      headers: { ...FORM_HEADERS, 'x-forwarded-for': from, cookie },
    });
    await answer.arrayBuffer();
    if (answer.status === 503 && triesLeft > 0) {
      await pause(Number(answer.headers.get('retry-after') ?? 1) * 1_000);
      return go(path, form, triesLeft - 1);
    }
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return answer;
  };
}

serveLoad<GuessersOptions, GuessersReport>(import.meta.url, async ({ url, networks }) => {
  const agent = new Agent({ keepAlive: true });
  const report: GuessersReport = { guesses: {} };
  let ended = false;
  const post = (path: string, from: string, form: Record<string, string>) =>
    new Promise<number>((resolve) => {
      const body = new URLSearchParams(form).toString();
      const headers = { ...FORM_HEADERS, 'x-forwarded-for': from, 'content-type': 'application/x-www-form-urlencoded' };
      const sent = request(`${url}${path}`, { agent, method: 'POST', headers }, (answer) => {
        answer.resume();
        answer.on('close', () => resolve(answer.statusCode ?? 0));
      });
      sent.on('error', () => resolve(0));
      sent.end(body);
    });
  async function guess(network: number) {
    for (let turn = 0; !ended; turn += 1) {
      const from = `198.18.${network}.${turn % 250}`;
      const status = await post('/sign-in', from, { email: OWNER, password: `guess ${network} ${turn}` });
      if (!ended) report.guesses[status] = (report.guesses[status] ?? 0) + 1;
    }
  }
  for (let network = 0; network < networks; network += 1) void guess(network);
  return () => {
    ended = true;
    agent.destroy();
    return report;
  };
});

const OWNER = 'owner@marquee.example';
const PASSWORD = 'correct horse battery';
const FORM_HEADERS = { accept: 'text/html', 'sec-fetch-site': 'same-origin' };
const NETWORKS = 60;
const TRIES = 10;
/** Requests a second of the good client. */
const RATE = 15;
const MINUTE_MS = 60_000;
const MIN_GOODPUT = 0.99;
/** The form for a link, the link, the form to sign in, the dashboard. */
const EXPECTED_STEPS = '302, 302, 302, 200';
/** Four of each kind at once, and one more each quarter of an hour. */
const MAX_EMAILS = 10;
