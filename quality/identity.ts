/** How truly the listings of sixteen providers become events: figures for `docs/data-quality.md`. */

import { clusterEvents, detectClocks } from '../src/identity/index.ts';
import type { Figure } from './figure.ts';
import { measurePairs, printMeasure, readLabels } from './measure-pairs.ts';
import { NYC_FACTS, readNycFacts } from './nyc-facts.ts';

export const NYC_LABELS = new URL('./labels/nyc-2026-06-16.tsv', import.meta.url).pathname;

/** Everything is computed anew; a second of work. */
export function measureIdentity() {
  const read = readNycFacts(NYC_FACTS.main);
  const clocks = detectClocks(read.facts);
  const clusters = clusterEvents(read.facts, { clocks, decisions: [] });
  return { ...read, clocks, clusters, ...measurePairs(readLabels(NYC_LABELS), clusters) };
}

export function identityFigures(): Figure[] {
  const { listings, facts, refused, clocks, clusters, measures } = measureIdentity();
  const merged = clusters.groups.filter((group) => group.length > 1);
  const figure = (name: string, value: number | string, note?: string): Figure => ({
    name,
    value: String(value),
    command: COMMAND,
    ...(note === undefined ? {} : { note }),
  });
  return [
    figure('Listings in', listings, '16 providers, New York, 16 June 2026'),
    figure('Listings refused', refused.size, reasonsOf(refused)),
    figure('Events out', clusters.groups.length),
    figure(
      'Listings merged into another',
      facts.length - clusters.groups.length,
      `${merged.length} events come from two or more`,
    ),
    figure('Questions for a person', clusters.asks.length),
    figure('Clocks corrected', clocks.findings.length, clocks.findings.map(({ sentence }) => sentence).join(' ')),
    ...measures.map((measure) =>
      figure(
        `“Same” on ${PARTS[measure.part] ?? measure.part}`,
        printMeasure(measure),
        `${measure.missedAsked} of the ${measure.missed} missed are asked; ${measure.leftOut} pairs have a refused listing`,
      ),
    ),
  ];
}

function reasonsOf(refused: ReadonlyMap<string, string>): string {
  const counts = Map.groupBy(refused.values(), (code) => code);
  return [...counts].map(([code, all]) => `${code} ${all.length}`).join(', ');
}

const PARTS: Readonly<Record<string, string>> = {
  tune: 'the labelled pairs that were looked at',
  held: 'the labelled pairs that were held out',
  all: 'all labelled pairs',
};
const COMMAND = 'npx node quality/pairs.ts quality/labels/nyc-2026-06-16.tsv';
