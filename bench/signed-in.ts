/** What pages cost that somebody has to sign in for, and what a crowd that signs in costs those who ask the API. */

import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openStore } from '../src/store/index.ts';
import { seedHundredKeys } from '../test/support/records/hundred-keys.ts';
import type { KeyRing } from './keys.ts';
import { median, percentile, serverTimes } from './load.ts';
import { marquee, type Running } from './service.ts';
import { steadyLoad } from './steady-load.ts';

export interface Session {
  /** A `Cookie` header. */
  cookie: string;
  accountId: string;
}

/** An operator with a password, as one gets in for the first time: by the link that the command prints. */
export async function signInOperator(service: Running, env: Record<string, string>): Promise<Session> {
  const email = `desk-${Date.now()}@marquee.example`;
  const printed = await marquee(['account', 'create', '--email', email, '--operator', '--tier', 'enterprise', '--json'], env);
  const { id, signInUrl } = JSON.parse(printed) as { id: string; signInUrl: string };
  const token = new URL(signInUrl).searchParams.get('token') ?? '';
  await post(service, '/reset', { token, password: PASSWORD });
  const answer = await post(service, '/sign-in', { email, password: PASSWORD });
  const [cookie = ''] = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  if (!cookie) throw new Error(`nobody was signed in: ${answer.status}`);
  return { cookie, accountId: id };
}

/** 95 of 100 answers are within so many milliseconds; the slowest of the pages of the desk. */
export async function deskFigure(
  service: Running,
  { cookie }: Session,
  requests: number,
): Promise<{ path: string; p95: number }> {
  const firstOf = async (list: string, kind: RegExp): Promise<string> => {
    const page = await fetch(service.url + list, { headers: { accept: 'text/html', cookie } });
    return kind.exec(await page.text())?.[0] ?? list;
  };
  const paths = [
    ...['/desk', '/desk/sources', '/desk/review', '/desk/events', '/desk/events?q=music', '/desk/venues', '/desk/venues?q=hall'],
    ...['/desk/accounts', '/desk/requests', '/desk/audit', '/dashboard', '/dashboard/keys', '/dashboard/plans'],
    await firstOf('/desk/events', /\/desk\/events\/[0-9a-f-]{36}/),
    await firstOf('/desk/venues', /\/desk\/venues\/[0-9a-f-]{36}/),
  ];
  let slowest = { path: '', p95: 0 };
  for (const path of paths) {
    const p95 = percentile(await serverTimes(service.url + path, requests, cookie), 0.95);
    if (p95 > slowest.p95) slowest = { path, p95 };
  }
  return slowest;
}

/** The usage page of somebody with 100 keys that were used on each of 365 days: 95 of 100 are within so many milliseconds. */
export async function usageFigure(service: Running, dataDir: string, session: Session, requests: number): Promise<number> {
  const store = await openStore({ dataDir });
  try {
    await seedHundredKeys(store.db, session.accountId, Date.now());
  } finally {
    await store.close();
  }
  return percentile(await serverTimes(`${service.url}/dashboard/usage?days=90`, requests, session.cookie), 0.95);
}

export interface CrowdFigures {
  alone: number;
  /** While the crowd signs in at another service on this machine: what the crowd costs whoever shares its processor. */
  elsewhere: number;
  /** While they sign in at this one. */
  here: number;
  /** How many of those who signed in got no answer. */
  unanswered: number;
}

/**
 * 200 requests a second of the API, alone and while so many people sign in at once, each from an address of their own (the services have
 * to trust this machine as their proxy). The 99th percentile of each, in milliseconds: the medians of all rounds.
 */
export async function crowdFigures(
  service: Running,
  other: Running,
  keys: KeyRing,
  size: { people: number; seconds: number; rounds: number },
): Promise<CrowdFigures> {
  const during = async (work: () => Promise<unknown>): Promise<number> => {
    const load = await steadyLoad(service.port, keys, 200);
    await Promise.all([work(), pause(size.seconds * 1_000)]);
    return percentile(await load.stop(), 0.99);
  };
  // The first page of a service begins the thread that its pages stand in.
  for (const each of [service, other]) await fetch(`${each.url}/sign-in`, { headers: { accept: 'text/html' } });
  const rounds: Omit<CrowdFigures, 'unanswered'>[] = [];
  let unanswered = 0;
  const signInAt = async (service: Running) => {
    unanswered += await crowd(service, size.people);
  };
  for (let round = 0; round < size.rounds; round += 1) {
    rounds.push({
      alone: await during(async () => undefined),
      elsewhere: await during(() => signInAt(other)),
      here: await during(() => signInAt(service)),
    });
  }
  const middle = (figure: 'alone' | 'elsewhere' | 'here') => median(rounds.map((round) => round[figure]));
  return { alone: middle('alone'), elsewhere: middle('elsewhere'), here: middle('here'), unanswered };
}

/** Nobody gets in: there are no such accounts. Gives how many got no answer, or were told to come back. */
async function crowd({ url }: Running, people: number): Promise<number> {
  const words = [fileURLToPath(new URL('./crowd.ts', import.meta.url)), url, String(people)];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  const statuses = JSON.parse(stdout) as number[];
  const others = new Set(statuses).difference(new Set([REFUSED, ...UNANSWERED]));
  if (others.size > 0) throw new Error(`expected ${REFUSED} only: ${[...others].join()}`);
  return statuses.filter((status) => UNANSWERED.includes(status)).length;
}

function post(service: Running, path: string, fields: Record<string, string>) {
  return fetch(service.url + path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
    headers: { accept: 'text/html', 'sec-fetch-site': 'same-origin' },
  });
}

const PASSWORD = 'a long enough password';
const REFUSED = 400;
/** Nothing, or 503: on a busy machine some wait longer than the service lets them. */
const UNANSWERED: readonly number[] = [0, 503];
