import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { localPath } from '../../src/web/server/local-path.ts';

const SITE = 'https://events.example.org';
/** Pieces that change what a browser makes of an address, in any order. */
const piece = fc.constantFrom(
  '/',
  '//',
  '\\',
  '.',
  '..',
  '%2e',
  '%2F',
  '%5c',
  '\t',
  '\n',
  '\r',
  '@',
  ':',
  '?',
  '#',
  'evil.example',
  'a',
  ' ',
  'é',
);
const hostile = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
const anyText = fc.oneof(
  hostile,
  hostile.map((text) => `/${text}`),
  fc.webUrl(),
  fc.string({ unit: 'binary' }),
);

describe('a path to go back to', () => {
  test('stays on this site as a browser resolves it, whatever was asked for', () => {
    fc.assert(
      fc.property(anyText, (wanted) => {
        const path = localPath(wanted, '/fallback');
        const resolved = new URL(path, `${SITE}/sign-in`);
        expect(resolved.origin).toBe(SITE);
        // Nothing is left to be resolved: asked again, the answer is the same.
        expect(resolved.href).toBe(SITE + path);
        expect(localPath(path, '/fallback')).toBe(path);
      }),
      { numRuns: 5_000 },
    );
  });

  test.each([
    '/.//evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
  ])('is not %j', (wanted) => expect(localPath(wanted, '/fallback')).toBe('/fallback'));

  test.each([
    ['/dashboard/keys?new=1#new', '/dashboard/keys?new=1#new'],
    ['/a/../pricing', '/pricing'],
    ['/events/a%2Fb', '/events/a%2Fb'],
  ])('is %s as %s', (wanted, path) => expect(localPath(wanted, '/fallback')).toBe(path));
});
