import { describe, expect, it } from 'vitest';
import { codeVersion } from '../../src/values/code-version.ts';

describe('the version of the code', () => {
  it('is the same for the same rooms in any order', () => {
    expect(codeVersion(['query', 'records'])).toBe(codeVersion(['records', 'query']));
  });

  it('differs between rooms', () => {
    expect(codeVersion(['records'])).not.toBe(codeVersion(['records', 'query']));
  });

  it('is a digest of 43 characters', () => {
    expect(codeVersion(['query'])).toMatch(/^[\w-]{43}$/);
  });

  it('fails for a room that does not exist', () => {
    expect(() => codeVersion(['cellar'])).toThrow('ENOENT');
  });
});
