import { describe, expect, it } from 'vitest';
import { compareAddresses, readAddress } from '../../src/facts/identity/place-address.ts';

const compare = (one: string | null, other: string | null) => compareAddresses(readAddress(one), readAddress(other));

describe('two addresses', () => {
  it.each([
    ['Baum Boulevard, 5201', '5201 Baum Blvd.'],
    ['2100 Washington Pike', '2100 Washington Pike Ste 650'],
    ['Centre Ave, 4725', '4725 Centre Ave, at Craig St'],
    ['Fifth Avenue, 249', '249 5th Ave, Fifth & Wood'],
    ['801-849 Washington Blvd', 'Washington Boulevard, 801'],
    ['E Carson St, 2526', '2526 East Carson Street'],
    ['46-01 Broadway', '46-01 Broadway, Queens, NY 11103'],
    ['261 Driggs Ave ', '261 Driggs Avenue'],
    ['12 St. Nicholas Ave', '12 Saint Nicholas Avenue'],
    ['East Carson Street, 1314, 1316', '1316 E Carson St'],
    ['Mill Street;Mill St, 418, 15213', '418 Mill St, 15213'],
    ['2304 1/2 E Carson St', 'East Carson Street, 2304 1/2'],
    ['One Marrow Square', 'Marrow Square, 1'],
    ['Wild Place, One, 15206', '1 Wild Pl'],
    ['3906 Marrowsville Ave', '3906 Marowsville Ave'],
  ])('“%s” and “%s” are the same', (one, other) => {
    expect(compare(one, other)).toBe('same');
    expect(compare(other, one)).toBe('same');
  });

  it.each([
    ['11 Mill Street', '12 Mill Street', 'near'],
    ['11 Mill Street', '90 Mill Street', 'different_number'],
    ['46-01 Broadway', '46-39 Broadway', 'different_number'],
    ['11 Mill Street', '11 Dock Road', 'different_street'],
    ['Mill Street', '12 Mill Street', 'unknown'],
    ['Mill Street, 15232', '12 Mill Street, 15232', 'unknown'],
    ['5932 Center Avenue', '5932 Marrow Circle', 'unknown'],
    ['Manhattan, NY 10001', '12 Mill Street', 'unknown'],
    ['Carnegie Mellon University', '12 Mill Street', 'unknown'],
    [null, '12 Mill Street', 'unknown'],
    ['', '', 'unknown'],
  ])('“%s” and “%s” are %s', (one, other, expected) => {
    expect(compare(one, other)).toBe(expected);
    expect(compare(other, one)).toBe(expected);
  });

  it('give the postal code away', () => {
    expect(readAddress('Manhattan, NY 10001')).toMatchObject({ street: '', postcode: '10001' });
    expect(readAddress('12 Mill Street, 15232-2210')?.postcode).toBe('15232');
    expect(readAddress('12 Mill Street')?.postcode).toBeNull();
  });
});
