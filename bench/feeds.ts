/** A calendar of 2,000 events that programs ask for again and again while nothing changes, against bare `node:http`. */

import { writeFileSync } from 'node:fs';
import { createAccounts } from '../src/accounts/index.ts';
import { createFeeds, createFeedUrls } from '../src/feeds/index.ts';
import { readSavedQuery } from '../src/query/index.ts';
import { openStore } from '../src/store/index.ts';
import { measure, median, openClient, settled } from './load.ts';
import { type Running, serveBare } from './service.ts';

export interface UnchangedFeedOptions {
  service: Running;
  dataDir: string;
  /** A file that the bare server reads. */
  recording: string;
  requests: number;
  rounds: number;
  /** Requests a second. */
  rate: number;
}

/** `ratio`: CPU of a 304 against bare; `micros`: microseconds of CPU. */
export async function unchangedFeed(options: UnchangedFeedOptions): Promise<{ ratio: number; micros: number; events: number }> {
  const { service, dataDir, recording, requests, rounds, rate } = options;
  const paths = await createCalendars(dataDir, Math.ceil((requests * (rounds + 1)) / REQUESTS_OF_A_URL));
  const client = openClient(service.port);
  const recorded: Record<string, { status: number; headers: [string, string][]; body: string }> = {};
  const asks: Buffer[] = [];
  let events = 0;
  for (const path of paths) {
    const whole = await client.ask(Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`));
    events = whole.body.toString().split('BEGIN:VEVENT').length - 1;
    const [, tag = ''] = whole.headers.find(([name]) => /^etag$/i.test(name)) ?? [];
    const ask = Buffer.from(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: ${tag}\r\n\r\n`);
    const { status, headers } = await client.ask(ask);
    recorded[path] = { status, headers, body: '' };
    asks.push(ask);
  }
  client.close();
  writeFileSync(recording, JSON.stringify(recorded));
  const bare = await serveBare(recording);
  try {
    const turn = Array.from({ length: requests }, (_, index) => asks[index % asks.length] ?? asks[0]!);
    for (const server of [service, bare]) await measure(server, turn, 0, NOT_MODIFIED);
    // The documents of all URLs were written just before.
    await settled(service);
    const costs: number[] = [];
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const ours = await measure(service, turn, rate, NOT_MODIFIED);
      costs.push(ours);
      ratios.push(ours / (await measure(bare, turn, rate, NOT_MODIFIED)));
    }
    return { ratio: median(ratios), micros: median(costs) * 1_000, events };
  } finally {
    await bare.stop();
  }
}

/** Secret URLs of as many feeds of all coming events; each allows 120 requests a minute. */
async function createCalendars(dataDir: string, count: number): Promise<string[]> {
  const store = await openStore({ dataDir });
  try {
    const { db } = store;
    const accounts = createAccounts({ db });
    const checked = readSavedQuery('sort=start', { timezone: 'UTC', now: Date.now() });
    if (!checked.ok) throw new Error('the query cannot be saved');
    const paths: string[] = [];
    while (paths.length < count) {
      const email = `feeds-${Date.now()}-${paths.length}@marquee.example`;
      const account = await accounts.createAccount({ email, tier: 'enterprise' });
      if (!account.ok) throw new Error(account.detail);
      await accounts.createKey({ email });
      const owner = { accountId: account.id, actor: { id: account.id, name: email } };
      for (let feed = 0; feed < FEEDS_OF_AN_ACCOUNT && paths.length < count; feed += 1) {
        const created = await createFeeds({ db }).create(owner, { name: `Feed ${feed}`, query: checked.query });
        const url = created.ok && (await createFeedUrls({ db }).renew(owner, created.feed.id, 'ics'));
        if (url === false || !url.ok) throw new Error('no URL');
        paths.push(url.path);
      }
    }
    return paths;
  } finally {
    await store.close();
  }
}

const NOT_MODIFIED = 304;
/** Below the limit of a minute, with the two that begin. */
const REQUESTS_OF_A_URL = 100;
const FEEDS_OF_AN_ACCOUNT = 90;
