import { describe, expect, it } from 'vitest';
import { BILL_THRESHOLDS, type LikenessLimit, THRESHOLDS } from '../../src/facts/identity/event-thresholds.ts';
import { tableRows } from '../house/source-tree.ts';

describe('docs/identity.md', () => {
  it('has the thresholds of the code, and no other', () => {
    const cell = (limit: LikenessLimit | null) => (limit === null ? '–' : `${limit[0]} (${limit[1]})`);
    const expected = THRESHOLDS.map(({ providers, start, place, same, ask }) => [providers, start, place, cell(same), cell(ask)]);
    expect(tableRows('docs/identity.md', 'providers')).toEqual(expected);
  });

  it('has what two bills share, and no other', () => {
    const cell = (starts: readonly string[]) => (starts.length === 0 ? '–' : starts.join(', '));
    const expected = BILL_THRESHOLDS.map(({ shared, place, same, ask }) => [shared, place, cell(same), cell(ask)]);
    expect(tableRows('docs/identity.md', 'shared')).toEqual(expected);
  });

  it('never asks where it would already merge, and asks less of what is better known', () => {
    for (const { same, ask } of THRESHOLDS) if (same && ask) expect(ask[0]).toBeLessThan(same[0]);
    const keys = THRESHOLDS.map(({ providers, start, place }) => `${providers} ${start} ${place}`);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
