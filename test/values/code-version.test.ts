import { describe, expect, it } from 'vitest';
import { codeVersion } from '../../src/values/code-version.ts';

describe('the version of the code', () => {
  it('is the same for the same rooms in any order', () => {
    expect(codeVersion(['city', 'catalog'])).toBe(codeVersion(['catalog', 'city']));
  });

  it('differs between rooms', () => {
    expect(codeVersion(['catalog'])).not.toBe(codeVersion(['catalog', 'city']));
  });

  it('is a digest of 43 characters', () => {
    expect(codeVersion(['city'])).toMatch(/^[\w-]{43}$/);
  });

  it('fails for a room that does not exist', () => {
    expect(() => codeVersion(['cellar'])).toThrow('ENOENT');
  });
});
