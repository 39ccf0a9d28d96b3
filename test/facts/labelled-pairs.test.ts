import { describe, expect, it } from 'vitest';
import { measureIdentity, NYC_LABELS } from '../../quality/identity.ts';
import { measurePairs, readLabels } from '../../quality/measure-pairs.ts';
import { NYC_FACTS } from '../../quality/nyc-facts.ts';

describe('the labelled pairs', () => {
  const pairs = readLabels(NYC_LABELS);

  it('are many, of both kinds and both parts, each once', () => {
    const count = (test: (pair: (typeof pairs)[number]) => boolean) => pairs.filter(test).length;
    expect(count(({ label }) => label === 'same')).toBeGreaterThan(250);
    expect(count(({ label }) => label === 'different')).toBeGreaterThan(300);
    expect(count(({ part }) => part === 'held')).toBeGreaterThan(pairs.length / 4);
    expect(count(({ part }) => part === 'tune' || part === 'held')).toBe(pairs.length);
    expect(new Set(pairs.map(({ left, right }) => [left, right].sort().join(' '))).size).toBe(pairs.length);
  });

  it('are counted as found, wrong, missed, asked, apart or left out', () => {
    const labelled = (left: string, right: string, label: 'same' | 'different') => ({
      left,
      right,
      label,
      part: '',
      kind: '',
      day: '',
    });
    const { measures, wrong } = measurePairs(
      [
        labelled('a', 'b', 'same'),
        labelled('a', 'c', 'same'),
        labelled('d', 'e', 'different'),
        labelled('a', 'd', 'different'),
        labelled('a', 'x', 'same'),
      ],
      () => ({ groups: [['a', 'b'], ['c'], ['d', 'e']], asks: [{ left: 'c', right: 'b' }] }),
    );
    const counts = { found: 1, wrong: 1, missed: 1, missedAsked: 1, apart: 1, leftOut: 1 };
    expect(measures).toEqual([{ part: 'all', ...counts, precision: 0.5, recall: 0.5 }]);
    expect(wrong.map(({ left, right }) => left + right)).toEqual(['ac', 'de']);
  });
});

describe.skipIf(NYC_FACTS.missing)('sixteen providers of one city', () => {
  it('become events with a precision of 0.99 and a recall of 0.95 on the labelled pairs', () => {
    const { measures, clusters, clocks } = measureIdentity();
    const all = measures.find(({ part }) => part === 'all');
    expect(all?.found).toBeGreaterThan(250);
    expect(all?.precision).toBeGreaterThanOrEqual(0.99);
    expect(all?.recall).toBeGreaterThanOrEqual(0.95);
    expect(clusters.asks.length).toBeLessThan(30);
    expect(clocks.findings).toMatchObject([{ provider: 'resident-advisor', kind: 'shifted', hours: 4 }]);
  });
});
