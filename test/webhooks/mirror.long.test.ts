/** A customer who keeps a copy of the directory by webhooks, and loses messages. PostgreSQL is quicker. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAccounts } from '../../src/accounts/index.ts';
import { importBundle } from '../../src/ingest/index.ts';
import { EVENT_TYPES } from '../../src/webhooks/index.ts';
import { createRandom } from '../search/random-directory.ts';
import { accept, openReceiver, type Receiver } from '../support/network/receiver.ts';
import { eventLine, venueLine } from '../support/records/bundle.ts';
import { openSite, type Site } from '../support/rigs/site.ts';
import { until } from '../support/runs/patience.ts';

let site: Site;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
  site = await openSite({ settings: { MARQUEE_ALLOWED_HOSTS: receiver.host } });
});
afterAll(async () => {
  await site.close();
  await receiver.close();
});

it('a consumer that drops messages at random sees each gap by sequence, and heals its copy through /changes to the byte', async () => {
  const { cookie, key } = await openCustomer('mirror@example.org');
  // Comparing some hundred records twice would spend the minute of one key.
  const copy = createCopy(key, (await openCustomer('comparer@example.org')).key);
  await addEndpoint(cookie);
  await copy.readFrom('');
  const begun = copy.upTo();
  const random = createRandom(20);
  /** Of messages that came, kept or not. */
  const sent = new Set<number>();
  /** Records that messages told of, by entity and id. */
  const told = new Map<string, string>();
  let isLast = false;
  let dropped = 0;
  receiver.answer = (response, { text, body }) => {
    for (const sequence of body.data.sequences) sent.add(sequence);
    told.set(body.data.id, body.data.entity);
    const isDropped = !isLast && random.chance(0.3);
    if (isDropped) dropped += 1;
    else copy.apply(body.data, bytesOf(text));
    accept(response);
  };
  const write = async (round: number, names = Array.from({ length: 5 }, (_, index) => String((round * 3 + index) % 12))) => {
    const status = round % 4 === 3 ? 'cancelled' : 'scheduled';
    const events = names.map((name) =>
      eventLine(`mirror-${name}`, {
        title: `Round ${round} “${name}” é`,
        status,
        startDatetime: '2030-06-20T20:00',
        venue: 'mirror',
      }),
    );
    const venues = [venueLine('mirror', { name: `The Mirror ${Math.floor(round / 5)}` })];
    await importBundle({ store: site.store, bundle: { venues, events } });
  };
  const allSent = async () => {
    const head = await copy.head();
    await until(() => expect(rangeOf(begun + 1, head).filter((sequence) => !sent.has(sequence))).toEqual([]));
  };
  for (let round = 0; round < 20; round += 1) await write(round);
  await allSent();
  // A gap shows with the next message that arrives.
  isLast = true;
  await write(19, ['last']);
  await allSent();

  expect(dropped).toBeGreaterThan(5);
  expect(await copy.countUnequal(told)).toBeGreaterThan(0);
  const gaps = copy.gapsSince(begun);
  expect(gaps.length).toBeGreaterThan(3);
  for (const [first, last] of gaps) await copy.readFrom(`${copy.epoch()}.${first - 1}`, last);
  expect(copy.gapsSince(begun)).toEqual([]);
  expect(await copy.countUnequal(told)).toBe(0);
});

async function openCustomer(address: string): Promise<{ cookie: string; key: string }> {
  const { email, cookie } = await site.signIn({ email: address, tier: 'enterprise' });
  const made = await createAccounts({ db: site.store.db, now: site.now }).createKey({ email });
  if (!made.ok) throw new Error(made.detail);
  return { cookie, key: made.key };
}

/** As on the dashboard: every change of the log. */
async function addEndpoint(cookie: string): Promise<void> {
  const post = (path: string, fields: [string, string][]) =>
    site.ask(path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { cookie, 'sec-fetch-site': 'same-origin', accept: 'text/html' },
    });
  const types = EVENT_TYPES.filter(({ kind }) => kind === 'record').map(({ name }): [string, string] => ['types', name]);
  const form: [string, string][] = [
    ...types,
    ['intent', 'save'],
    ['url', receiver.url],
    ['payload', 'full'],
    ['order', 'parallel'],
    ['feed', ''],
  ];
  const made = await (await post('/dashboard/webhooks/new', form)).text();
  const path = /\/dashboard\/webhooks\/[0-9a-f-]{36}/.exec(made)?.[0] ?? '';
  expect((await post(path, [['intent', 'verify']])).status).toBe(303);
}

interface Change {
  sequence: number;
  sequences?: number[];
  id: string;
  record: object | null;
}

/** As docs/webhooks.md and docs/changes.md say. */
function createCopy(key: string, comparingKey: string) {
  const records = new Map<string, { sequence: number; bytes: string | null }>();
  const seen = new Set<number>();
  let epoch = '';
  const ask = async (path: string, by = key) => {
    const answer = await site.ask(`/api/v1${path}`, { headers: { 'x-api-key': by } });
    return { status: answer.status, text: await answer.text() };
  };

  function apply({ sequence, sequences = [sequence], id }: Change, bytes: string | null): void {
    for (const each of sequences) seen.add(each);
    if ((records.get(id)?.sequence ?? 0) < sequence) records.set(id, { sequence, bytes });
  }

  /** To the end of the log, or until `last` is read. */
  async function readFrom(after: string, last = Number.POSITIVE_INFINITY): Promise<void> {
    for (let next = after; ; ) {
      const { text } = await ask(`/changes?kind=any&limit=1000${next && `&after=${next}`}`);
      const { data, meta } = JSON.parse(text) as { data: Change[]; meta: { next: string; hasMore: boolean } };
      for (const change of data) apply(change, change.record && JSON.stringify(change.record));
      ({ next } = meta);
      epoch = next.split('.')[0] ?? '';
      if (!meta.hasMore || Number(next.split('.')[1]) >= last) return;
    }
  }

  return {
    apply,
    readFrom,
    epoch: () => epoch,
    upTo: () => Math.max(...seen),
    async head(): Promise<number> {
      return JSON.parse((await ask('/changes?kind=any&limit=1')).text).meta.head;
    },
    /** First and last number of each. */
    gapsSince(begun: number): [number, number][] {
      const missing = rangeOf(begun + 1, Math.max(...seen)).filter((sequence) => !seen.has(sequence));
      return missing.flatMap((first, place): [number, number][] => {
        if (missing[place - 1] === first - 1) return [];
        let last = first;
        while (missing.includes(last + 1)) last += 1;
        return [[first, last]];
      });
    },
    /** Of `told`, records that are not byte for byte what the detail endpoint answers. */
    async countUnequal(told: ReadonlyMap<string, string>): Promise<number> {
      let unequal = 0;
      for (const [id, entity] of told) {
        const bytes = records.get(id)?.bytes ?? null;
        const { status, text } = await ask(`/${entity}s/${id}`, comparingKey);
        const now = status === 200 ? text.slice('{"data":'.length, -1) : null;
        if (withoutCount(now) !== withoutCount(bytes)) unequal += 1;
      }
      return unequal;
    },
  };
}

/** A venue's count moves with the clock, without a change. */
const withoutCount = (bytes: string | null) => bytes?.replace(/,"upcomingEventCount":\d+\}$/, '}') ?? null;
/** `record` as it was signed. */
const bytesOf = (text: string): string | null => {
  const bytes = text.slice(text.indexOf(',"record":') + ',"record":'.length, -2);
  return bytes === 'null' ? null : bytes;
};
const rangeOf = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
