import { describe, expect, it } from 'vitest';
import { isLoopbackHost } from '../../src/values/loopback.ts';

describe('a host name', () => {
  it.each([
    'http://localhost:3000',
    'http://LOCALHOST.',
    'http://app.localhost',
    'http://127.0.0.1',
    'http://127.255.3.4:80',
    'http://127.1',
    'http://[::1]:8080',
  ])('is of this machine alone: %s', (url) => {
    expect(isLoopbackHost(new URL(url).hostname)).toBe(true);
  });

  it.each([
    'http://localhost.example.com',
    'http://notlocalhost',
    'http://127.0.0.1.example.com',
    'http://128.0.0.1',
    'http://0.0.0.0',
    'http://[::2]',
    'http://[::ffff:10.0.0.1]',
  ])('leads elsewhere: %s', (url) => {
    expect(isLoopbackHost(new URL(url).hostname)).toBe(false);
  });

  it('is not one without a name', () => {
    expect(['', '.', '127.', '127.0.0'].map(isLoopbackHost)).toEqual([false, false, false, false]);
  });
});
