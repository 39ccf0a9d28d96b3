import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../src/outbound/check-address.ts';

/** IANA's special-purpose registries, the multicast blocks, and what was set apart in former times. */
const IPV4_BLOCKS = `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24
  224.0.0.0/4 240.0.0.0/4 255.255.255.255/32`.split(/\s+/);
const IPV6_BLOCKS =
  `::/128 ::1/128 ::/96 ::ffff:0:0/96 ::ffff:0:0:0/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001::/32 2001:2::/48
  2001:10::/28 2001:20::/28 2001:30::/28 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10
  ff00::/8 4000::/3 8000::/1`.split(/\s+/);

/** An obvious twin: addresses are numbers, blocks are ranges of them. */
function numberOf(address: string): bigint {
  if (!address.includes(':')) return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  const [left = '', right = ''] = address.split('::').map((side) => side);
  const groups = (side: string) => (side === '' ? [] : side.split(':'));
  const middle = address.includes('::') ? Array(8 - groups(left).length - groups(right).length).fill('0') : [];
  return [...groups(left), ...middle, ...groups(right)].reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}
function rangeOf(block: string): { from: bigint; size: bigint } {
  const [network = '', bits = ''] = block.split('/');
  return { from: numberOf(network), size: 1n << BigInt((network.includes(':') ? 128 : 32) - Number(bits)) };
}
const isIn = (value: bigint, block: string): boolean => {
  const { from, size } = rangeOf(block);
  return value >= from && value < from + size;
};
const ipv4 = (value: bigint) => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
const ipv6 = (value: bigint) =>
  Array.from({ length: 8 }, (_, group) => ((value >> BigInt(112 - 16 * group)) & 65_535n).toString(16)).join(':');
const within = (block: string) => {
  const { from, size } = rangeOf(block);
  const write = block.includes(':') ? ipv6 : ipv4;
  return fc.oneof(fc.constant(0n), fc.constant(size - 1n), fc.bigInt(0n, size - 1n)).map((offset) => write(from + offset));
};

describe('a public address', () => {
  it.each([...IPV4_BLOCKS, ...IPV6_BLOCKS])('is none of %s', (block) => {
    fc.assert(
      fc.property(within(block), (address) => !isPublicAddress(address)),
      { numRuns: 50 },
    );
  });

  it('is any other of IPv4', () => {
    fc.assert(
      fc.property(
        fc.bigInt(0n, (1n << 32n) - 1n),
        (value) => isPublicAddress(ipv4(value)) === !IPV4_BLOCKS.some((block) => isIn(value, block)),
      ),
      { numRuns: 2_000 },
    );
  });

  it('is any other of IPv6 that was ever given out', () => {
    fc.assert(
      fc.property(
        within('2000::/3'),
        (address) => isPublicAddress(address) === !IPV6_BLOCKS.some((block) => isIn(numberOf(address), block)),
      ),
      { numRuns: 2_000 },
    );
  });

  it('behind NAT64 is public when the IPv4 address in it is', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, (1n << 32n) - 1n), (value) => {
        const address = ipv6((0x64ff9bn << 96n) + value);
        return isPublicAddress(address) === isPublicAddress(ipv4(value));
      }),
    );
  });

  it.each(['', 'localhost', '1.2.3', '1.2.3.4.5', '93.184.215.256', '::g', '93.184.215.14/32', 'fe80::1%eth0'])(
    'is not %j',
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
    },
  );
});
