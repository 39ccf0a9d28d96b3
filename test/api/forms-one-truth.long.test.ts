import { Writable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { createApi, FORM_ROUTES } from '../../src/api/index.ts';
import { createLog } from '../../src/log.ts';
import { buildSnapshot, type Snapshot } from '../../src/search/index.ts';
import { createServer } from '../../src/server/index.ts';
import { createRandom, NOW, PUBLIC_URL, type Random, randomDirectory } from '../search/random-directory.ts';
import { createFakeChanges } from '../support/fakes/changes.ts';
import { createFakeExports } from '../support/fakes/exports.ts';
import { createFakeFeeds } from '../support/fakes/feeds.ts';
import { createFakeGate, FAKE_KEYS } from '../support/fakes/gate.ts';
import { randomEventFilters, randomVenueFilters } from '../support/records/random-queries.ts';
import { idsOf } from '../support/records/read-forms.ts';

let snapshot: Snapshot;
const log = createLog('silent', new Writable({ write: (_chunk, _encoding, done) => done() }));
const clock = () => NOW;
const api = createApi({
  search: { current: () => snapshot },
  changes: createFakeChanges(),
  feeds: createFakeFeeds(),
  exports: createFakeExports(),
  gate: createFakeGate(),
  publicUrl: () => PUBLIC_URL,
  clocks: { directory: clock, limits: clock },
  log,
});
const server = createServer({ api, log, ready: () => true });
afterAll(() => server.drain());

const ask = (path: string) => server.app.inject({ url: `/api/v1${path}`, headers: { 'x-api-key': FAKE_KEYS.starter } });

test('a thousand random queries have the same records in the same order in all forms as in JSON', async () => {
  let records = 0;
  /** What a tag named, by path: a strong tag names the same bytes for ever. */
  const named = new Map<string, string>();
  for (let seed = 0; seed < DIRECTORIES; seed += 1) {
    const random = createRandom(seed);
    snapshot = buildSnapshot(randomDirectory(random, 60), NOW, PUBLIC_URL);
    for (let n = 0; n < QUERIES_EACH; n += 1) {
      const queries: Record<string, string> = {
        '/events': withPage(random, randomEventFilters(random)),
        '/venues': withPage(random, randomVenueFilters(random)),
      };
      const lists = Object.entries(queries).map(async ([list, query]) => {
        const answer = await ask(list + query);
        expect(answer.statusCode, list + query).toBe(200);
        return [list, answer.json().data.map(({ id }: { id: string }) => id)] as const;
      });
      const expected = new Map(await Promise.all(lists));
      for (const { path, form } of FORM_ROUTES) {
        const answer = await ask(path + queries[form?.of ?? '']);
        const ids = expected.get(form?.of ?? '');
        expect(idsOf(path.slice(path.indexOf('.') + 1), answer.body), path + queries[form?.of ?? '']).toEqual(ids);
        records += ids.length;
        const tag = `${path} ${answer.headers.etag}`;
        expect(named.get(tag) ?? answer.body).toBe(answer.body);
        named.set(tag, answer.body);
      }
    }
  }
  expect(records).toBeGreaterThan(20_000);
});

function withPage(random: Random, filters: [string, string][]): string {
  const page: [string, string][] = [
    ['limit', String(random.one([1, 5, 20, 100]))],
    ['offset', String(random.one([0, 0, 1, 7]))],
  ];
  return `?${new URLSearchParams([...filters, ...page])}`;
}

const DIRECTORIES = 25;
const QUERIES_EACH = 40;
