import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBodyCache } from '../../src/api/response-cache.ts';
import { ResponseBuffer } from '../../src/http/fast-path.ts';

test('what is found is what was put last, and the bytes held stay below the bound', () => {
  const MAX = 20_000;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 12_000 }), fc.boolean())),
      (steps) => {
        const cache = createBodyCache(MAX);
        const last = new Map<string, ResponseBuffer>();
        for (const [n, size, puts] of steps) {
          const key = `k${n}`;
          const found = cache.get(key);
          if (found) expect(found).toBe(last.get(key));
          if (!puts || found) continue;
          const body = new ResponseBuffer(Buffer.alloc(size));
          cache.put(key, body);
          last.set(key, body);
        }
        const held = [...last].map(([key]) => cache.get(key)).filter((body) => body !== undefined);
        expect(held.reduce((sum, body) => sum + body.size, 0)).toBeLessThanOrEqual(MAX);
      },
    ),
  );
});

test('what is asked for again outlives what is not', () => {
  const cache = createBodyCache(30_000);
  const letter = () => new ResponseBuffer(Buffer.alloc(100));
  cache.put('kept', letter());
  for (let n = 0; n < 100; n++) {
    cache.put(`passing-${n}`, letter());
    expect(cache.get('kept')).toBeDefined();
  }
  expect(cache.get('passing-0')).toBeUndefined();
});
