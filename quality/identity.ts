/** How truly the listings of sixteen providers become events: figures for `docs/data-quality.md`. */

import { type Clusters, clusterEvents, detectClocks } from '../src/facts/index.ts';
import type { Figure } from './figure.ts';
import { type Measure, measurePairs, printMeasure, readLabels } from './measure-pairs.ts';
import { isNyc, NYC_FACTS, readNycFacts } from './nyc-facts.ts';

export const NYC_LABELS = new URL('./labels/nyc-2026-06-16.tsv', import.meta.url).pathname;

export const DAY_LABELS = new URL('./labels/nyc-2026-06-18-to-24.tsv', import.meta.url).pathname;

/** Everything is computed anew: about a second of work. */
export function measureIdentity() {
  const read = readNycFacts(NYC_FACTS.main);
  const clocks = detectClocks(read.facts);
  const clusters = clusterEvents(read.facts, { clocks, decisions: [] });
  return { ...read, clocks, clusters, ...measurePairs(readLabels(NYC_LABELS), () => clusters) };
}

export function identityFigures(): Figure[] {
  const { listings, facts, refused, clocks, clusters, measures } = measureIdentity();
  const merged = clusters.groups.filter((group) => group.length > 1);
  const days = new Map<string, DecidedDay>(DAYS.map((day) => [day, decideDay(day)]));
  const ofDays = measurePairs(readLabels(DAY_LABELS), (day) => days.get(day) ?? { groups: [], asks: [] });
  const kept = compareDays([...days.values()]);
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
    ...measures.map((measure) => figureOf(measure, 'the pairs of 16 June', COMMAND)),
    ...ofDays.measures.map((measure) => figureOf(measure, 'the pairs of 18 to 24 June', COMMAND_OF_DAYS)),
    {
      name: 'pairs of one event that are two on the next day, both still listed',
      value: `${kept.parted} of ${kept.kept + kept.parted}`,
      command: 'npm run quality',
      note: `18 to 24 June 2026; ${kept.joined} pairs became one, most of them because a listing without an hour moved to the next day`,
    },
  ];
}

const figure = (name: string, value: number | string, note?: string, command = COMMAND): Figure => ({
  name,
  value: String(value),
  command,
  ...(note === undefined ? {} : { note }),
});

function figureOf(measure: Measure, pairs: string, command: string): Figure {
  const { part, missed, missedAsked, leftOut } = measure;
  const note = `${missedAsked} of the ${missed} missed are asked; ${leftOut} pairs have a refused listing`;
  return figure(
    `“same” on ${pairs}: ${PARTS[part] ?? part.replace('tune', 'looked at').replace('held', 'held out')}`,
    printMeasure(measure),
    note,
    command,
  );
}

interface DecidedDay extends Clusters {
  ids: Set<string>;
  pairs: Set<string>;
}

function decideDay(day: string): DecidedDay {
  const { facts } = readNycFacts(NYC_FACTS.day(day), isNyc);
  const clusters = clusterEvents(facts, { clocks: detectClocks(facts), decisions: [] });
  const pairs = clusters.groups.flatMap((group) =>
    group.flatMap((left, index) => group.slice(index + 1).map((right) => `${left}\n${right}`)),
  );
  return { ...clusters, ids: new Set(facts.map(({ id }) => id)), pairs: new Set(pairs) };
}

/** What a day changes about the pairs of which both listings are there on the day before as well. */
function compareDays(days: readonly DecidedDay[]): { kept: number; parted: number; joined: number } {
  const counts = { kept: 0, parted: 0, joined: 0 };
  for (const [index, now] of days.entries()) {
    const before = days[index - 1];
    if (!before) continue;
    const isThere = (pair: string, ids: ReadonlySet<string>) => pair.split('\n').every((id) => ids.has(id));
    const known = [...before.pairs].filter((pair) => isThere(pair, now.ids));
    counts.kept += known.filter((pair) => now.pairs.has(pair)).length;
    counts.parted += known.filter((pair) => !now.pairs.has(pair)).length;
    counts.joined += [...now.pairs].filter((pair) => !before.pairs.has(pair) && isThere(pair, before.ids)).length;
  }
  return counts;
}

function reasonsOf(refused: ReadonlyMap<string, string>): string {
  const counts = Map.groupBy(refused.values(), (code) => code);
  return [...counts].map(([code, all]) => `${code} ${all.length}`).join(', ');
}

const DAYS = ['2026-06-18', '2026-06-19', '2026-06-20', '2026-06-21', '2026-06-22', '2026-06-23', '2026-06-24'] as const;
const PARTS: Readonly<Record<string, string>> = {
  tune: 'those looked at',
  held: 'those held out',
  all: 'all',
};
const COMMAND_OF_DAYS = 'npx node quality/pairs.ts quality/labels/nyc-2026-06-18-to-24.tsv';
const COMMAND = 'npx node quality/pairs.ts quality/labels/nyc-2026-06-16.tsv';
