/** The bytes of one file of an export: whatever sizes they come in, all of them in their order. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPartFile } from '../../src/exports/part-file.ts';
import { temporaryFolder } from '../support/database/store.ts';

const MEGABYTE = 1_048_576;

test('has every piece once, in order, also where its memory is used again', () => {
  const { folder, remove } = temporaryFolder();
  const sizes = fc.oneof(fc.nat(2000), fc.constantFrom(0, MEGABYTE - 1, MEGABYTE, MEGABYTE + 1, 2 * MEGABYTE));
  let name = 0;
  fc.assert(
    fc.property(fc.array(sizes, { maxLength: 8 }), (pieces) => {
      const file = createPartFile(folder, String(++name));
      const shared = Buffer.alloc(2 * MEGABYTE);
      const expected: Buffer[] = [];
      for (const [n, size] of pieces.entries()) {
        const piece = shared.subarray(0, size).fill(n + 1);
        expected.push(Buffer.from(piece));
        file.append(piece);
      }
      const whole = Buffer.concat(expected);
      const sha256 = createHash('sha256').update(whole).digest('hex');
      expect(file.bytes()).toBe(whole.length);
      expect(file.close(7)).toEqual({ name: String(name), bytes: whole.length, sha256, rows: 7 });
      expect(readFileSync(join(folder, String(name))).equals(whole)).toBe(true);
    }),
    { numRuns: 30 },
  );
  remove();
});
