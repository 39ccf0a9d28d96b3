import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runKey } from '../../src/records/index.ts';

describe('the key of a run', () => {
  it('is the same for titles that differ by case, marks, signs, numbers and what follows “at”', () => {
    const same = [
      'Trivia Night',
      'TRIVIA NIGHT #12',
      'Trivía night (6/16)',
      ' trivia  night! ',
      'Trivia Night at the Kestrel',
      'Trivia Night @ Elm',
    ];
    expect(new Set(same.map(runKey))).toEqual(new Set(['trivia night']));
  });

  it('differs where letters do, and where “at” comes too early to name a place', () => {
    expect(runKey('Live at the Kestrel')).toBe('live at the kestrel');
    expect(runKey('Ensemble: Part One')).not.toBe(runKey('Ensemble: Part Two'));
  });

  it('is the title itself where it has no letter', () => {
    expect(runKey(' 1984 ')).toBe('1984');
    expect(runKey('1984')).not.toBe(runKey('2001'));
    expect(runKey('東京の夜 2')).toBe('東京の夜');
  });

  it('is steady: a key is its own key, and never empty for a title that is not blank', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (title) => {
        const key = runKey(title);
        expect(key.length).toBeLessThanOrEqual(200);
        if (/\p{L}/u.test(title)) expect(key).not.toBe('');
      }),
    );
  });
});
