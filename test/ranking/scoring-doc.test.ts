import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DISCOVERY_WEIGHTS, TREND_RULES } from '../../src/ranking/index.ts';

const PAGE = readFileSync(new URL('../../docs/scoring.md', import.meta.url), 'utf8');

/** The first two columns of the table below a heading. */
function weightsBelow(heading: string): Record<string, number> {
  const section = PAGE.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return Object.fromEntries([...section.matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, name, weight]) => [name, Number(weight)]));
}

describe('the scoring page', () => {
  it('lists the weights of the discovery score and no others', () => {
    expect(weightsBelow('discoveryScore')).toEqual(DISCOVERY_WEIGHTS);
  });

  it('lists the weights, the window and the cap of the trend and no others', () => {
    expect(weightsBelow('trendScore')).toEqual(TREND_RULES.weights);
    const { windowDays, baselineDays, newDays, leastPeers, perVenue } = TREND_RULES;
    expect(PAGE).toContain(`on the rise over ${windowDays} days`);
    expect(PAGE).toContain(`in the ${baselineDays} days before them`);
    expect(PAGE).toContain(`at least ${leastPeers} of its events`);
    expect(PAGE).toContain(`at most ${newDays} days, which has no baseline`);
    expect(PAGE).toContain(`only the ${perVenue} strongest events of a venue`);
  });
});
