/** One engine is enough: the collection asks the API alone. */

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, type DemoService, startDemoService } from '../support/rigs/service.ts';

interface Item {
  name: string;
  request: { url: { raw: string; query?: { key: string; value: string }[] } };
}

const { item: items } = JSON.parse(readFileSync('clients/collection/marquee.postman.json', 'utf8')) as { item: Item[] };
let service: DemoService;
const ids: Record<string, string> = {};
beforeAll(async () => {
  service = await startDemoService();
  for (const kind of ['events', 'venues']) {
    ids[kind] = (await ask(service, `/${kind}?limit=1`, service.keys.enterprise)).body.data[0].id;
  }
});
afterAll(() => service?.stop());

describe('the collection', () => {
  const others = items.filter(({ name }) => !/^get(Feed|Export)$/.test(name));

  it.each(others)('$name is answered with 200, plain and with each of its parameters alone', async ({ request: { url } }) => {
    const plain = url.raw
      .replace('{{baseUrl}}', `${service.url}/api/v1`)
      .replace(/(events|venues)\/:id/, (_, kind: string) => `${kind}/${ids[kind]}`);
    const statusOf = async (query: string) => {
      const answer = await fetch(plain + query, { headers: { 'X-API-Key': service.keys.enterprise } });
      await answer.arrayBuffer();
      return [query, answer.status];
    };
    // What is empty is for the caller to fill in: it counts as absent. Some filters want another one beside them.
    const alone = (url.query ?? []).filter(({ key }) => !['radius', 'sort', 'end_date'].includes(key));
    const queries = ['', ...alone.map(({ key, value }) => `?${key}=${encodeURIComponent(value)}`)];
    expect(await Promise.all(queries.map(statusOf))).toEqual(queries.map((query) => [query, 200]));
  });

  it('has a request for Bruno for each of Postman', () => {
    for (const { name } of items) expect(readFileSync(`clients/collection/bruno/${name}.bru`, 'utf8')).toContain(`name: ${name}`);
  });
});
