/** How truly the listings of sixteen providers become events: figures for `docs/data-quality.md`. */

import { clusterEvents, detectClocks } from '../src/identity/index.ts';
import type { Figure } from './figure.ts';
import { measurePairs, printMeasure, readLabels } from './measure-pairs.ts';
import { NYC_FACTS, readNycFacts } from './nyc-facts.ts';

export const NYC_LABELS = new URL('./labels/nyc-2026-06-16.tsv', import.meta.url).pathname;

/** Everything is computed anew: about a second of work. */
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
  const days = measureDays();
  return [
    figure('listings in', listings, '16 providers, New York, 16 June 2026'),
    figure('listings rejected', refused.size, reasonsOf(refused)),
    figure('events out', clusters.groups.length),
    figure(
      'listings merged into another',
      facts.length - clusters.groups.length,
      `${merged.length} events come from two or more`,
    ),
    figure('review candidates', clusters.asks.length),
    figure('clocks corrected', clocks.findings.length, clocks.findings.map(({ sentence }) => sentence).join(' ')),
    ...measures.map((measure) =>
      figure(
        `“same” on ${PARTS[measure.part] ?? measure.part}`,
        printMeasure(measure),
        `${measure.missedAsked} of the ${measure.missed} missed are asked; ${measure.leftOut} pairs have a refused listing`,
      ),
    ),
    {
      name: 'pairs of one event that are two on the next day, both still listed',
      value: `${days.parted} of ${days.kept + days.parted}`,
      command: 'npm run quality',
      note: `18 to 24 June 2026; ${days.joined} pairs became one, most of them because a listing without an hour moved to the next day`,
    },
  ];
}

/** What a day changes about the pairs of which both listings are there on the day before as well. */
function measureDays(): { kept: number; parted: number; joined: number } {
  const counts = { kept: 0, parted: 0, joined: 0 };
  let before = pairsOf(DAYS[0]);
  for (const day of DAYS.slice(1)) {
    const now = pairsOf(day);
    const isThere = (pair: string, ids: ReadonlySet<string>) => pair.split('\n').every((id) => ids.has(id));
    const known = [...before.pairs].filter((pair) => isThere(pair, now.ids));
    counts.kept += known.filter((pair) => now.pairs.has(pair)).length;
    counts.parted += known.filter((pair) => !now.pairs.has(pair)).length;
    counts.joined += [...now.pairs].filter((pair) => !before.pairs.has(pair) && isThere(pair, before.ids)).length;
    before = now;
  }
  return counts;
}

function pairsOf(day: string): { ids: Set<string>; pairs: Set<string> } {
  const { facts } = readNycFacts(NYC_FACTS.day(day));
  const { groups } = clusterEvents(facts, { clocks: detectClocks(facts), decisions: [] });
  const pairs = groups.flatMap((group) =>
    group.flatMap((left, index) => group.slice(index + 1).map((right) => `${left}\n${right}`)),
  );
  return { ids: new Set(facts.map(({ id }) => id)), pairs: new Set(pairs) };
}

function reasonsOf(refused: ReadonlyMap<string, string>): string {
  const counts = Map.groupBy(refused.values(), (code) => code);
  return [...counts].map(([code, all]) => `${code} ${all.length}`).join(', ');
}

const DAYS = ['2026-06-18', '2026-06-19', '2026-06-20', '2026-06-21', '2026-06-22', '2026-06-23', '2026-06-24'] as const;
const PARTS: Readonly<Record<string, string>> = {
  tune: 'the labeled pairs that were looked at',
  held: 'the labeled pairs that were held out',
  all: 'all labeled pairs',
};
const COMMAND = 'npx node quality/pairs.ts quality/labels/nyc-2026-06-16.tsv';
