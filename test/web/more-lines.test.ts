import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  CODE_LANGUAGES,
  EXAMPLE_REQUESTS,
  goLines,
  phpLines,
  quoteForGo,
  quoteForPhp,
  quoteForRuby,
  rubyLines,
} from '../../src/web/model/playground/languages.ts';
import { codePoint } from '../support/records/code-point.ts';

const anyText = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 30 }),
  fc.string({
    unit: fc.constantFrom("'", '"', '\\', '#', '$', '{', '}', '\n', '\r', '\0', '\u2028', '\u202e', 'u'),
    maxLength: 12,
  }),
);
/** What the three languages read between double quotes, as far as it is written here. */
const read = (literal: string): string =>
  literal.slice(1, -1).replace(/\\(?:U([0-9a-f]{8})|u\{([0-9a-f]+)\}|(.))/gsu, (_, long, short, mark) => {
    return mark ?? String.fromCodePoint(Number.parseInt(long ?? short, 16));
  });

describe('the lines of a request in Go, PHP and Ruby', () => {
  test.each([
    ['Go', quoteForGo, /^[^"]*$/],
    ['PHP', quoteForPhp, /^[^"$]*$/],
    ['Ruby', quoteForRuby, /^[^"#]*$/],
  ] as const)('are a literal of %s that means the text, on one line, with nothing that is run', (_, quote, harmless) => {
    fc.assert(
      fc.property(anyText, (text) => {
        const literal = quote(text);
        expect(literal).not.toMatch(/[\n\r\0\u2028\u202e]/);
        expect(read(literal)).toBe(text.toWellFormed());
        expect(literal.slice(1, -1).replace(/\\./gsu, '')).toMatch(harmless);
      }),
    );
  });

  test('send every parameter, and none where there is none', () => {
    const request = {
      base: 'https://events.example.org/api/v1',
      path: '/venues/{id}/events',
      id: 'a b',
      query: [['q', 'x']] as const,
    };
    for (const write of [goLines, phpLines, rubyLines]) {
      expect(write(request)).toMatch(/\/venues\/a%20b\/events/);
      expect(write(request)).toMatch(/"q"[\s\S]*"x"/);
      expect(write({ ...request, query: [] })).not.toContain('query');
    }
  });

  test('are one of six languages, and no example holds a key', () => {
    expect(CODE_LANGUAGES.map(({ name }) => name)).toEqual(['curl', 'JavaScript', 'Python', 'Go', 'PHP', 'Ruby']);
    for (const example of EXAMPLE_REQUESTS)
      for (const { write } of CODE_LANGUAGES) expect(write({ ...example, base: 'https://x.example' })).toContain('MARQUEE_KEY');
  });
});
