import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  CAPACITY_VALUES,
  CATEGORY_VALUES,
  DISCOVERY_WEIGHTS,
  EVIDENCE,
  FAME,
  PICKS_PER_DAY,
  SMALL_BELOW,
  TREND_RULES,
  TYPE_VALUES,
} from '../../src/ranking/index.ts';

const PAGE = readFileSync(new URL('../../docs/scoring.md', import.meta.url), 'utf8');

/** What stands between a heading and the next one. */
const below = (heading: string): string => PAGE.split(`\n${heading}\n`)[1]?.split(/\n##/)[0] ?? '';
/** The first two columns of the table below a heading. */
function weightsBelow(heading: string): Record<string, number> {
  const rows = below(heading).matchAll(/^\| `(\w+)` \| ([\d.]+)/gm);
  return Object.fromEntries([...rows].map(([, name, weight]) => [name, Number(weight)]));
}

describe('the scoring page', () => {
  it('lists the weights of the discovery score and no others', () => {
    expect(weightsBelow('## discoveryScore')).toEqual(DISCOVERY_WEIGHTS);
  });

  it('lists the evidence of venues and fame, and the values of types, capacities and categories', () => {
    expect(weightsBelow('### Venues')).toEqual(EVIDENCE);
    const { unknownPicture, unknownPrice, ...parts } = FAME;
    expect(weightsBelow('### Fame')).toEqual(parts);
    expect(below('### Fame')).toContain(`without any picture ${unknownPicture} of it`);
    expect(below('### Fame')).toContain(`unknown ${unknownPrice} of it`);
    const stated = (section: string, name: string, value: number) =>
      new RegExp(`\\b${name}\\b[^\\d.|]* ${String(value).replace('.', '\\.')}`).test(section);
    const values = { ...TYPE_VALUES, ...CAPACITY_VALUES };
    expect(Object.entries(values).filter(([name, value]) => !stated(below('### Venues'), name, value))).toEqual([]);
    const categories = Object.entries(CATEGORY_VALUES);
    expect(categories.filter(([name, value]) => !stated(below('### Categories'), name, value))).toEqual([]);
    expect(PAGE).toContain(`less than ${SMALL_BELOW} of the points`);
    expect(PICKS_PER_DAY).toBe(3);
  });

  it('lists the weights, the window and the cap of the trend and no others', () => {
    expect(weightsBelow('## trendScore')).toEqual(TREND_RULES.weights);
    const { windowDays, baselineDays, newDays, leastPeers, perVenue } = TREND_RULES;
    expect(PAGE).toContain(`on the rise over ${windowDays} days`);
    expect(PAGE).toContain(`in the ${baselineDays} days before them`);
    expect(PAGE).toContain(`at least ${leastPeers} of its events`);
    expect(PAGE).toContain(`at most ${newDays} days, which has no baseline`);
    expect(PAGE).toContain(`only the ${perVenue} strongest events of a venue`);
  });
});
