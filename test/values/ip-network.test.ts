import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostNetwork, siteNetwork } from '../../src/values/ip-network.ts';

describe('an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7', '203.0.113.0/24'],
    ['::ffff:203.0.113.7', '203.0.113.7', '203.0.113.0/24'],
    ['::FFFF:CB00:7107', '203.0.113.7', '203.0.113.0/24'],
    ['64:ff9b::203.0.113.7', '203.0.113.7', '203.0.113.0/24'],
    ['203.0.113.7:52100', '203.0.113.7', '203.0.113.0/24'],
    ['2001:DB8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:0db8:0001:0002::5', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:db8::2:0:0:0:5', '2001:db8:0:2::/64', '2001:db8::/48'],
    ['[2001:db8:1:2::5]:52100', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['fe80::1%eth0', 'fe80::/64', 'fe80::/48'],
    ['::1', '::/64', '::/48'],
  ])('%s is of the host %s and the site %s', (address, host, site) => {
    expect([hostNetwork(address), siteNetwork(address)]).toEqual([host, site]);
  });

  it.each(['', ' ', 'unknown', '010.1.1.1', '127.1', '1.2.3.4.5', '::ffff:1.2.3.999', '[', '2001:db8::1::2', '_hidden'])(
    '%j is none and shares one network with all such texts',
    (text) => {
      expect([hostNetwork(text), siteNetwork(text)]).toEqual(['unknown', 'unknown']);
    },
  );

  it('is never an exception, whatever the text', () => {
    fc.assert(fc.property(fc.string(), (text) => hostNetwork(text).length > 0 && siteNetwork(text).length > 0));
  });

  it('of IPv6 is one host in all forms that differ after 64 bits, and one site in all that differ after 48', () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    const groups = (length: number) => fc.array(group, { minLength: length, maxLength: length });
    const write = (parts: readonly number[]) => parts.map((part) => part.toString(16)).join(':');
    fc.assert(
      fc.property(groups(3), group, groups(4), group, groups(4), (start, subnet, end, otherSubnet, otherEnd) => {
        const site = [0x2001, ...start.slice(1)];
        const one = write([...site, subnet, ...end]);
        const neighbor = write([...site, subnet, ...otherEnd]);
        const other = write([...site, otherSubnet, ...otherEnd]);
        expect(hostNetwork(neighbor)).toBe(hostNetwork(one));
        expect(siteNetwork(other)).toBe(siteNetwork(one));
        expect(hostNetwork(other) === hostNetwork(one)).toBe(subnet === otherSubnet);
      }),
    );
  });
});
