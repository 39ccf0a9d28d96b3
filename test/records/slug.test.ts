import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slugify } from '../../src/records/index.ts';

describe('a slug', () => {
  it.each([
    ['Jazz at the Cellar', 'jazz-at-the-cellar'],
    ["O'Brien’s Pub & Grill", 'obriens-pub-and-grill'],
    ['Pétanque à Brooklyn', 'petanque-a-brooklyn'],
    ['Straße Łódź Ærø', 'strasse-lodz-aero'],
    ['Москва — Щёлково', 'moskva-shchelkovo'],
    ['Ωδή στη Χαρά', 'odi-sti-chara'],
    ['７ｐｍ', '7pm'],
    ['  --  ', ''],
    ['東京', ''],
  ])('of %j is %j', (title, slug) => {
    expect(slugify(title)).toBe(slug);
  });

  it('is cut between words at 80 characters', () => {
    expect(slugify(`${'word '.repeat(30)}`)).toBe(Array.from({ length: 16 }, () => 'word').join('-'));
    expect(slugify('x'.repeat(300))).toBe('x'.repeat(80));
  });

  it('is lower-case ASCII words, whatever the title, and a slug of itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (title) => {
        const slug = slugify(title);
        expect(slug).toMatch(/^(?:[a-z0-9]+(?:-[a-z0-9]+)*)?$/);
        expect(slug.length).toBeLessThanOrEqual(80);
        expect(slugify(slug)).toBe(slug);
      }),
    );
  });
});
