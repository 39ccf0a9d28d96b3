import { expect, test } from 'vitest';
import { createMemory } from '../../src/values/memory.ts';

test('makes an answer once, and forgets all when it holds as many as it may', () => {
  const made: string[] = [];
  const memory = createMemory<string>(2);
  const ask = (key: string): string =>
    memory(key, () => {
      made.push(key);
      return key.toUpperCase();
    });
  expect(['a', 'b', 'a', 'b'].map(ask)).toEqual(['A', 'B', 'A', 'B']);
  expect(made).toEqual(['a', 'b']);
  expect(['c', 'a', 'c'].map(ask)).toEqual(['C', 'A', 'C']);
  expect(made).toEqual(['a', 'b', 'c', 'a']);
});
