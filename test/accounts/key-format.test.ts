import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateKey, parseKey } from '../../src/accounts/keys/key-format.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORMAT = /^mq_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/;

/** Random bytes from a list, then the last of it for ever. */
function bytesOf(...bytes: number[]) {
  let at = 0;
  return (size: number) => Uint8Array.from({ length: size }, () => bytes[Math.min(at++, bytes.length - 1)]!);
}

describe('the format of keys', () => {
  it('writes prefix, public id, secret and checksum as documented', () => {
    const low = generateKey(bytesOf(0));
    expect(low.key.slice(0, -6)).toBe(`mq_live_000000000000_${'0'.repeat(43)}`);
    expect(low.publicId).toBe('000000000000');
    expect(low.last4).toBe(low.key.slice(-4));
    // 62^43 > 2^256 > 62^42: the largest secret still fits, and does not begin with 0.
    const high = generateKey(bytesOf(...Array(12).fill(61), 255));
    expect(high.publicId).toBe('zzzzzzzzzzzz');
    let value = 0n;
    for (const letter of high.key.slice(21, 64)) value = value * 62n + BigInt(ALPHABET.indexOf(letter));
    expect(value).toBe(2n ** 256n - 1n);
  });

  it('has the pattern that the documents give to scanners', () => {
    const [, pattern] = /```\n(mq_live_.*)\n```/.exec(readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8')) ?? [];
    expect(`^${pattern}$`).toBe(FORMAT.source);
  });

  it('checks with the CRC32 of all before, most significant letter first, padded with 0', () => {
    const body = `mq_live_Ab3dEf6hIj9l_${'Q'.repeat(43)}`;
    let rest = crc32(body);
    let expected = '';
    for (let place = 0; place < 6; place += 1) {
      expected = ALPHABET[rest % 62] + expected;
      rest = Math.floor(rest / 62);
    }
    expect(expected[0]).toMatch(/[0-4]/);
    expect(parseKey(body + expected)).toBe('Ab3dEf6hIj9l');
  });

  it('throws away random bytes that would favour some letters', () => {
    expect(generateKey(bytesOf(248, 255, 250, 1, 249, 2, 3)).publicId.startsWith('123')).toBe(true);
    const seen = new Map<string, number>();
    for (let round = 0; round < 2_000; round += 1) {
      for (const letter of generateKey().publicId) seen.set(letter, (seen.get(letter) ?? 0) + 1);
    }
    // 24 000 letters over 62: 387 each, standard deviation below 20.
    expect(seen.size).toBe(62);
    for (const count of seen.values()) expect(Math.abs(count - 387)).toBeLessThan(150);
  });

  it('reads back every key it makes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 60, maxLength: 60 }), (bytes) => {
        const { key, publicId } = generateKey(bytesOf(...bytes.map((byte) => byte % 248)));
        expect(key).toMatch(FORMAT);
        expect(parseKey(key)).toBe(publicId);
      }),
    );
  });

  it('refuses a key with any one character changed', () => {
    const { key } = generateKey();
    for (let at = 0; at < key.length; at += 1) {
      for (const letter of ALPHABET) {
        if (letter !== key[at]) expect(parseKey(key.slice(0, at) + letter + key.slice(at + 1))).toBeNull();
      }
    }
  });

  it('refuses swapped neighbours, cut, lengthened and foreign texts', () => {
    const { key } = generateKey();
    for (let at = 0; at + 1 < key.length; at += 1) {
      if (key[at] === key[at + 1]) continue;
      expect(parseKey(key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2))).toBeNull();
    }
    for (const text of ['', ' ', key.slice(1), key.slice(0, -1), `${key}0`, ` ${key}`, `${key}, ${key}`, key.toUpperCase()]) {
      expect(parseKey(text)).toBeNull();
    }
    for (const text of [key.replace('live', 'test'), `${key.slice(0, 69)}\u0130`, 'x'.repeat(10_000), '🎟'.repeat(35)]) {
      expect(parseKey(text)).toBeNull();
    }
  });

  it('refuses any text that does not have the format', () => {
    fc.assert(fc.property(fc.string({ maxLength: 80 }), (text) => FORMAT.test(text) || parseKey(text) === null));
  });
});
