import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatShares } from '../../src/web/dashboard/usage/shares.ts';

const percent = (text: string): number => Number(text.replace('%', ''));

it('shares sum to 100, and no part that is there is 0%', () => {
  expect(formatShares([1, 1, 1], 3)).toEqual(['34%', '33%', '33%']);
  expect(formatShares([145, 335, 520], 1000)).toEqual(['15%', '33%', '52%']);
  expect(formatShares([200_000, 729], 200_729)).toEqual(['>99%', '<1%']);
  expect(formatShares([7], 7)).toEqual(['100%']);
  expect(formatShares([0, 7], 7)).toEqual(['0%', '100%']);
  expect(formatShares([0], 0)).toEqual(['']);
  fc.assert(
    fc.property(fc.array(fc.nat(1e6), { minLength: 1, maxLength: 12 }), (parts) => {
      const total = parts.reduce((sum, part) => sum + part, 0);
      const shares = formatShares(parts, total);
      if (total === 0) return;
      if (shares.every((share) => /^\d+%$/.test(share))) expect(shares.reduce((sum, share) => sum + percent(share), 0)).toBe(100);
      shares.forEach((share, index) => {
        expect(share === '0%').toBe(parts[index] === 0);
        const exact = ((parts[index] ?? 0) / total) * 100;
        if (/^\d/.test(share)) expect(Math.abs(percent(share) - exact)).toBeLessThan(1);
      });
    }),
  );
});

it('a part of what is shown counts against all there is', () => {
  expect(formatShares([1, 1], 1000)).toEqual(['<1%', '<1%']);
  expect(formatShares([250, 250], 1000)).toEqual(['25%', '25%']);
});
