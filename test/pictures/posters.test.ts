import fc from 'fast-check';
import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { createPosterRoutes, posterSvg } from '../../src/pictures/index.ts';
import { CATEGORIES } from '../../src/records/index.ts';

const CITY = 'Port Alder';
const digits = fc.integer({ min: 0, max: 2 ** 32 - 1 }).map((seed) => seed.toString(16).padStart(8, '0'));
/** With letters, or for pages. */
const names = fc
  .tuple(fc.constantFrom(...CATEGORIES), fc.array(digits, { minLength: 1, maxLength: 2 }))
  .map(([category, seeds]) => [category, ...seeds].join('-'));

describe('posterSvg', () => {
  it('draws well-formed SVG under 6 kB, without script or anything from elsewhere', () => {
    fc.assert(
      fc.property(names, (name) => {
        const svg = posterSvg(name, CITY)!;
        expect(Buffer.byteLength(svg)).toBeLessThan(6_000);
        expect(svg).not.toMatch(/script|href|url\(|foreignObject|\son\w+=|@import|NaN|undefined|Infinity/i);
        expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toContain('://');
        expect(unbalanced(svg)).toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  it('draws the same poster for the same name, and hardly ever the same for another', () => {
    fc.assert(
      fc.property(names, (name) => {
        expect(posterSvg(name, CITY)).toBe(posterSvg(name, CITY));
      }),
    );
    const drawn = Array.from({ length: 300 }, (_, seed) => posterSvg(`art-${seed.toString(16).padStart(8, '0')}`, CITY));
    expect(new Set(drawn).size).toBeGreaterThan(270);
  });

  it('writes nothing on posters for pages, and no number on those with letters: it would read as data', () => {
    fc.assert(
      fc.property(names, (name) => {
        const written = [...posterSvg(name, CITY)!.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text);
        if (name.split('-').length > 2) expect(written).toEqual([]);
        else expect(written.filter((text) => /\d/.test(text ?? ''))).toEqual([]);
      }),
    );
  });

  it('refuses every name it would not give', () => {
    const unknown = [
      '',
      'concert',
      'concert-',
      'concert-123',
      'concert-00000000-123',
      'concert-00000000-00000000-00000000',
      'concert-0000000G',
      'Concert-00000000',
      'opera-00000000',
      '../concert-00000000',
    ];
    for (const name of [...unknown, 'concert-00000000.svg', 'concert-00000000\n', '__proto__-00000000', 'constructor-00000000']) {
      expect(posterSvg(name, CITY)).toBeNull();
    }
    fc.assert(
      fc.property(fc.string(), (name) => {
        expect(posterSvg(name, CITY)).toBeNull();
      }),
    );
  });
});

describe('createPosterRoutes', () => {
  const door = () => fastify().register(createPosterRoutes(() => CITY));

  it('answers a picture that may be kept for ever and shown anywhere', async () => {
    const { statusCode, headers, body } = await door().inject('/posters/concert-1f0c9a3e.svg');
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('image/svg+xml; charset=utf-8');
    expect(headers['cache-control']).toContain('immutable');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(body).toBe(posterSvg('concert-1f0c9a3e', CITY));
  });

  it('has nothing under any other name', async () => {
    for (const name of ['concert-1f0c9a3.svg', 'concert-1f0c9a3e', 'concert-1f0c9a3e.png', '..%2fconcert-1f0c9a3e.svg', '.svg']) {
      expect((await door().inject(`/posters/${name}`)).statusCode).toBe(404);
    }
  });
});

/** The first thing that is not well-formed XML (elements, quoted attributes, escaped text); null when all is well. */
function unbalanced(xml: string): string | null {
  const open: string[] = [];
  const token = /<(\/?)([a-z]+)((?:\s[\w:-]+="[^"<&]*")*)\s*(\/?)>|([^<&]|&#?\w+;)+/giy;
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex;
    const match = token.exec(xml);
    if (!match) return xml.slice(at, at + 60);
    const [all, closing, name = '', attributes = '', empty] = match;
    const keys = [...attributes.matchAll(/([\w:-]+)=/g)].map(([, key]) => key);
    if (new Set(keys).size !== keys.length) return all;
    if (closing && open.pop() !== name) return all;
    if (name && !closing && !empty) open.push(name);
  }
  return open.length > 0 ? `unclosed ${open.join(' ')}` : null;
}
