import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createDigestMap } from '../../src/ingest/bundle/import-lines.ts';

it('a digest map answers as a map does, however it has grown', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string({ maxLength: 3 }), fc.integer({ min: 1, max: 2 ** 32 - 1 })), { maxLength: 3000 }),
      (entries) => {
        const map = createDigestMap();
        const twin = new Map<string, number>();
        for (const [key, value] of entries) {
          map.set(key, value);
          twin.set(key, value);
        }
        expect(map.size).toBe(twin.size);
        for (const [key, value] of twin) expect(map.get(key)).toBe(value);
        expect(map.get('not in it')).toBeUndefined();
      },
    ),
    { numRuns: 30 },
  );
});
