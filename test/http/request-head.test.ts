import { expect, test } from 'vitest';
import { createRequestIds } from '../../src/http/request-head.ts';

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const decode = (text: string) => [...text].reduce((sum, character) => sum * 32 + ALPHABET.indexOf(character), 0);

test('an id is the time, the mark of the process and a counter, in the alphabet of a ULID', () => {
  const mark = new Uint8Array([0, 1, 31, 32, 255, 7, 9, 100, 200, 3]);
  const start = Date.parse('2026-11-21T12:00:00.123Z');
  let now = start;
  const newId = createRequestIds(() => now, mark);
  const seen = new Set<string>();
  for (let n = 1; n <= 5_000; n += 1) {
    // Backwards too, as clocks are set.
    now = start + ((n * 7_919) % 300_000) - 1_000;
    const id = newId();
    expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
    expect([decode(id.slice(0, 10)), decode(id.slice(20))]).toEqual([now, n]);
    expect([...id.slice(10, 20)].map((character) => ALPHABET.indexOf(character))).toEqual([...mark].map((byte) => byte & 31));
    seen.add(id);
  }
  expect(seen.size).toBe(5_000);
});
