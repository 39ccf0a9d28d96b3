import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitPlace } from '../../src/providers/fields/place-text.ts';

describe('a place in one text', () => {
  it.each([
    ['Kiln, 12 Clay Street, Weaverton', 'Kiln', '12 Clay Street, Weaverton'],
    ['Kiln @ 12 Clay Street', 'Kiln', '12 Clay Street'],
    ['Kiln - 12 Clay Street', 'Kiln', '12 Clay Street'],
    ['Kiln (12 Clay Street, Weaverton)', 'Kiln', '12 Clay Street, Weaverton'],
    ['Kiln<br>12 Clay Street', 'Kiln', '12 Clay Street'],
    ['Kiln\r\n12 Clay Street\r\nWeaverton', 'Kiln', '12 Clay Street\nWeaverton'],
    ['Pier 4, 89 Clay Street', 'Pier 4', '89 Clay Street'],
    ['Ofenhaus, Tonstraße 5, 12345 Weberstadt', 'Ofenhaus', 'Tonstraße 5, 12345 Weberstadt'],
    ['Gasthaus, Dorfplatz 4', 'Gasthaus', 'Dorfplatz 4'],
  ])('is parted into name and address: %j', (text, name, address) => {
    expect(splitPlace(text)).toEqual({ name, address });
  });

  it.each([
    ['12 Clay Street, Weaverton, NY 10999', '12 Clay Street', '12 Clay Street, Weaverton, NY 10999'],
    ['12 Clay Street, Weaverton', '12 Clay Street', '12 Clay Street, Weaverton'],
    ['12 Clay Street - Weaverton, NY 10999', '12 Clay Street', '12 Clay Street, Weaverton, NY 10999'],
    ['Tonstraße 5, 12345 Weberstadt', 'Tonstraße 5', 'Tonstraße 5, 12345 Weberstadt'],
    ['Tonstraße 5', 'Tonstraße 5', 'Tonstraße 5'],
    ['Am Ofen 3, 12345 Weberstadt', 'Am Ofen 3', 'Am Ofen 3, 12345 Weberstadt'],
  ])('may be an address alone: %j', (text, name, address) => {
    expect(splitPlace(text)).toEqual({ name, address });
  });

  it.each([
    'Kiln',
    'Hall of Salt, Bread and Wine',
    'Clay Room - Kiln Library',
    'Weaver College, Music 110',
    'Weaver College, Room 4',
    'Kiln (upper floor)',
    'Call (https://call.example/12345)',
  ])('may be a name alone: %j', (text) => {
    expect(splitPlace(text)).toEqual({ name: text, address: null });
  });

  it('keeps a name, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        const { name, address } = splitPlace(text);
        expect(name === '').toBe(text.trim() === '');
        expect(address).not.toBe('');
      }),
    );
  });
});
