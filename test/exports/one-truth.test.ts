import { expect, test } from 'vitest';
import { sampleEvents } from '../../src/api/index.ts';
import { chooseEvents } from '../../src/exports/write-export.ts';
import { parseEventQuery, readSavedQuery } from '../../src/query/index.ts';
import { buildSnapshot } from '../../src/search/index.ts';
import { createRandom, NOW, PUBLIC_URL, randomDirectory } from '../search/random-directory.ts';
import { randomEventFilters } from '../support/records/random-queries.ts';

test('a thousand random saved queries have the same events in the same order in an export as in GET /events', () => {
  let events = 0;
  for (let seed = 0; seed < DIRECTORIES; seed += 1) {
    const random = createRandom(seed);
    const snapshot = buildSnapshot(randomDirectory(random, 60), NOW, PUBLIC_URL);
    const at = { timezone: snapshot.city.timezone, now: NOW };
    for (let n = 0; n < QUERIES_EACH; n += 1) {
      const sent = new URLSearchParams(randomEventFilters(random)).toString();
      const saved = readSavedQuery(sent, at);
      if (!saved.ok) throw new Error(`${sent}: ${JSON.stringify(saved.errors)}`);
      // As the worker reads it, months later.
      const parsed = parseEventQuery(saved.query, at);
      if (!parsed.ok) throw new Error(`${saved.query}: ${JSON.stringify(parsed.errors)}`);
      const lines = snapshot.writeLines('event', chooseEvents(snapshot, { filter: parsed.query }), NOW).toString();
      const exported = lines.split('\n').slice(0, -1);
      const { data, meta } = JSON.parse(sampleEvents(`${sent}&limit=100`, snapshot, NOW) ?? 'null');
      expect([meta.total, meta.hasMore], sent).toEqual([exported.length, false]);
      expect(
        exported.map((line) => JSON.parse(line).id),
        sent,
      ).toEqual(data.map(({ id }: { id: string }) => id));
      events += exported.length;
    }
  }
  expect(events).toBeGreaterThan(5_000);
});

const DIRECTORIES = 25;
const QUERIES_EACH = 40;
