import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHttpUrl } from '../../src/values/http-url.ts';

describe('an address that may become a link', () => {
  it.each(['https://example.org', 'HTTP://example.org/a?b=c#d', 'https://example.org/caf%C3%A9', 'https://münchen.example/ü'])(
    'is %s',
    (text) => expect(parseHttpUrl(text)?.href).toMatch(/^https?:/),
  );

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'no address',
    '//example.org/',
    '/path',
    'https://',
    'https://user@example.org/',
    'https://user:secret@example.org/',
    'https://example.org/a b',
    'https://example.org/\n',
    'https://example.org/"onclick="x',
    'https://example.org/<b>',
    'https://example.org\\@evil.example/',
    'https://example.org/\u202e',
    'https://example.org/\ud800',
    ' https://example.org/',
  ])('is not %j', (text) => expect(parseHttpUrl(text)).toBeNull());

  it('leads a browser to where the text says', () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (text) => {
        const url = parseHttpUrl(text);
        if (url) expect(url.origin).toBe(new URL(text).origin);
      }),
    );
  });
});
