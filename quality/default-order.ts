/** The order in which New York's events are shown to who asks for nothing in particular: figures for `docs/data-quality.md`. */

import type { Figure } from './figure.ts';
import { NYC_FACTS } from './nyc-facts.ts';
import { type RankedEvent, rankDay } from './ranked-day.ts';

/** Empty without the data. */
export function orderFigures(): Figure[] {
  if (NYC_FACTS.missing) return [];
  const events = rankDay(NYC_FACTS.main, COLLECTED_AT);
  const top = events.slice(0, TOP);
  const most = (keysOf: (event: RankedEvent) => readonly string[]): string => {
    const counts = Map.groupBy(top.flatMap(keysOf), (key) => key);
    const [name, all] = [...counts].sort(([, a], [, b]) => b.length - a.length)[0] ?? ['', []];
    return `${all.length} (${name})`;
  };
  const figure = (name: string, value: string | number, note = ''): Figure => ({
    name,
    value: String(value),
    command: 'npm run quality',
    note,
  });
  return [
    figure(
      'Events ranked',
      events.length,
      'the main set, 16 June 2026; no signals, no verified venues, all providers trusted alike',
    ),
    figure(`Later nights of a show among the first ${TOP}`, top.filter(({ showing }) => showing > 1).length),
    figure(
      `Later nights of a show among all`,
      events.filter(({ showing }) => showing > 1).length,
      'so many would compete with the first ones',
    ),
    figure(`Venues among the first ${TOP}`, new Set(top.map(({ venue }) => venue)).size),
    figure(
      `Events of the busiest venue`,
      most(({ venue }) => [venue]),
    ),
    figure(
      `Events of the busiest provider`,
      most(({ sources }) => sources),
    ),
    figure(`Listed by two providers or more`, top.filter(({ sources }) => sources.length > 1).length),
    figure(`Free events`, top.filter(({ isFree }) => isFree).length),
    figure(`Categories`, new Set(top.map(({ category }) => category)).size),
  ];
}

const COLLECTED_AT = Date.parse('2026-06-16T16:00:00-04:00');
const TOP = 50;
