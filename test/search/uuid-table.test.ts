import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findSorted, inIdOrder, UuidTable } from '../../src/search/structures/uuid-table.ts';

const ids = fc.uniqueArray(
  fc.oneof(
    fc.uuid(),
    fc.nat(5000).map((n) => `00000000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`),
  ),
  { maxLength: 400 },
);

test('an id keeps its number while others come, in either case, and a table that is read again goes on', () => {
  fc.assert(
    fc.property(ids, fc.uuid(), (known, stranger) => {
      const table = new UuidTable();
      expect(known.map((id) => table.claim(id))).toEqual([...known.keys()]);
      for (const again of [table, new UuidTable(table.words)]) {
        expect(known.map((id) => again.find(id.toUpperCase()))).toEqual([...known.keys()]);
        expect(known.map((id) => again.claim(id))).toEqual([...known.keys()]);
        expect(known.map((_, number) => again.print(number))).toEqual(known);
        expect(again.find(stranger)).toBe(known.indexOf(stranger));
      }
    }),
    { numRuns: 60 },
  );
});

test('ids in order are those of sorted text, and each is found where it stands', () => {
  fc.assert(
    fc.property(ids, fc.uuid(), (known, stranger) => {
      const table = new UuidTable();
      for (const id of known) table.claim(id);
      const order = [...inIdOrder(table.words)].map((number) => table.print(number));
      expect(order).toEqual(known.toSorted());
      const sorted = Uint32Array.from(order.flatMap((id) => [...wordsOf(id)]));
      expect(order.map((id) => findSorted(sorted, id))).toEqual([...order.keys()]);
      expect(findSorted(sorted, stranger)).toBe(order.indexOf(stranger));
    }),
    { numRuns: 60 },
  );
});

test('what is no UUID is none', () => {
  for (const text of [
    '',
    'x',
    '00000000-0000-7000-8000-00000000000',
    '00000000-0000-7000-8000-0000000000000',
    '00000000_0000-7000-8000-000000000000',
    '00000000-0000-7000-8000-00000000000g',
    '00000000-0000-7000-8000-00000000000é',
    '{0000000-0000-7000-8000-000000000000',
  ]) {
    expect(new UuidTable().find(text)).toBe(-1);
    expect(() => new UuidTable().claim(text)).toThrow(RangeError);
    expect(findSorted(wordsOf('00000000-0000-7000-8000-000000000000'), text)).toBe(-1);
  }
});

function wordsOf(id: string): Uint32Array {
  const table = new UuidTable();
  table.claim(id);
  return table.words;
}
