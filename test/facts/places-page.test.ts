import { describe, expect, it } from 'vitest';
import { nameWords } from '../../src/facts/identity/names.ts';
import * as LIMITS from '../../src/facts/identity/place-limits.ts';
import { PLACE_BIAS, PLACE_WEIGHTS } from '../../src/facts/identity/place-relation.ts';
import { placeName } from '../../src/facts/index.ts';
import { quoted, tableRows } from '../house/source-tree.ts';

const rows = (head: string) =>
  tableRows('docs/places.md', head).map(([name = '', value = '', other = '']) => [quoted(name)[0] ?? '', value, other]);

describe('docs/places.md', () => {
  it('has the weights of the code, and no other', () => {
    const expected = Object.entries({ ...PLACE_WEIGHTS, bias: PLACE_BIAS }).map(([name, weight]) => [name, String(weight)]);
    expect(rows('signal').map(([name, value]) => [name, value])).toEqual(expected);
  });

  it('has the limits of the code, and no other', () => {
    const shown = rows('limit').map(([name, value]) => [name, value]);
    expect(shown.sort()).toEqual(
      Object.entries(LIMITS)
        .map(([name, value]) => [name, String(value)])
        .sort(),
    );
  });

  it('has forms of names that are read as it says', () => {
    for (const [form = '', house = '', room = ''] of rows('form'))
      expect([form, placeName(form).house, placeName(form).room]).toEqual([
        form,
        nameWords(house).join(' '),
        nameWords(room).join(' '),
      ]);
  });
});
