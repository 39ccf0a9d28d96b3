/** Parts of a whole in percent. */

import { formatPercent } from '../../model/format.ts';

/**
 * A text for each part, in whole percents that sum to 100 where the parts are all of `total` (largest remainder). A part that is there is
 * never `0%`, and one that is not everything is never `100%`. Empty texts for a total of zero.
 */
export function formatShares(parts: readonly number[], total: number): string[] {
  if (total <= 0) return parts.map(() => '');
  const rest = Math.max(0, total - parts.reduce((sum, part) => sum + part, 0));
  // Counts are integers, and so are these: equal remainders stay equal.
  const all = [...parts, rest];
  const whole = all.map((part) => Math.floor((part * 100) / total));
  const missing = 100 - whole.reduce((sum, each) => sum + each, 0);
  const byRemainder = all.map((part, index) => ({ index, remainder: (part * 100) % total }));
  byRemainder.sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  for (const { index } of byRemainder.slice(0, Math.max(0, missing))) whole[index] = (whole[index] ?? 0) + 1;
  return parts.map((part, index) => {
    const percent = whole[index] ?? 0;
    if (part > 0 && percent === 0) return `<${formatPercent(0.01)}`;
    if (part < total && percent === 100) return `>${formatPercent(0.99)}`;
    return formatPercent(percent / 100);
  });
}
