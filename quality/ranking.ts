/** The order of New York's events, and what trends among them, day by day: figures for `docs/data-quality.md`. */

import { TREND_RULES } from '../src/ranking/index.ts';
import type { Figure } from './figure.ts';
import { NYC_FACTS } from './nyc-facts.ts';
import { type Agreement, measureOrder, readOrderPairs } from './order-pairs.ts';
import { type RankedDay, type RankedEvent, rankDays } from './ranked-days.ts';

export const RANKED_DAYS = ['18', '19', '20', '21', '22', '23', '24'].map((day) => `2026-06-${day}`);

/** Empty without the data. */
export async function rankingFigures(): Promise<Figure[]> {
  if (NYC_FACTS.missing) return [];
  const pairs = readOrderPairs();
  const agreements = new Map<string, Agreement>();
  const days: RankedDay[] = [];
  await rankDays(RANKED_DAYS, (day): void => {
    for (const [part, { agreed, of, leftOut }] of measureOrder(day, pairs)) {
      const sum = agreements.get(part) ?? { agreed: 0, of: 0, leftOut: 0 };
      agreements.set(part, { agreed: sum.agreed + agreed, of: sum.of + of, leftOut: sum.leftOut + leftOut });
    }
    days.push({ ...day, events: day.events.filter(({ trend }, place) => place < TOP || trend > 0) });
  });
  return [...agreementFigures(agreements), ...pageFigures(days), ...trendFigures(days)];
}

function agreementFigures(agreements: ReadonlyMap<string, Agreement>): Figure[] {
  return [...agreements].sort().map(([part, { agreed, of, leftOut }]) => {
    const note = `quality/labels/order-pairs.tsv; ${leftOut} left out`;
    return figure(`Pairs in the order of a local, ${part}`, `${agreed} of ${of} (${percent(agreed / of)})`, note);
  });
}

/** Of the first page of each day. */
function pageFigures(days: readonly RankedDay[]): Figure[] {
  const pages = days.map(({ events }) => events.slice(0, PAGE));
  const each = (count: (page: readonly RankedEvent[]) => number): string => pages.map((page) => count(page)).join(', ');
  const counted = (name: string, isCounted: (event: RankedEvent) => boolean, note = ''): Figure =>
    figure(
      `${name} among the first ${PAGE}, day by day`,
      each((page) => page.filter(isCounted).length),
      note,
    );
  return [
    counted(
      'Later nights of a program',
      ({ context }) => context.showing > 1,
      `${days[0]?.day}, then ${days[1]?.day} to ${days.at(-1)?.day}`,
    ),
    counted('Free events', ({ isFree }) => isFree),
    counted('Best small events of their day', ({ context }) => context.isPick),
    counted('Free events that come more than twice a month', ({ isFree, context }) => isFree && context.nights > 2),
    counted('Listed by two providers or more', ({ sources }) => sources.length > 1, 'their number counts nothing'),
    figure(
      `Venues among the first ${PAGE}, day by day`,
      each((page) => new Set(page.map(({ venueId }) => venueId)).size),
    ),
    figure(
      `Categories among the first ${PAGE}, day by day`,
      each((page) => new Set(page.map(({ category }) => category)).size),
    ),
  ];
}

function trendFigures(days: readonly RankedDay[]): Figure[] {
  const rising = days.map(({ now, events }) => ({
    now,
    events: events.filter(({ trend }) => trend > 0).sort((a, b) => b.trend - a.trend || (a.id < b.id ? -1 : 1)),
  }));
  const fullest = rising.flatMap(({ events }) =>
    [...Map.groupBy(events, ({ venueId }) => venueId).values()].map((list) => list.length),
  );
  const kept = rising.slice(1).flatMap(({ events, now }, index) => {
    const before = rising[index]?.events.slice(0, PAGE).filter(({ startsAt }) => startsAt >= now) ?? [];
    const present = new Set(events.slice(0, PAGE).map(({ id }) => id));
    return before.length === 0 ? [] : [before.filter(({ id }) => present.has(id)).length / before.length];
  });
  const note =
    'no ticket sales, mentions or views are published: what rises is who plays, for how many nights and at which price';
  return [
    figure('Events that trend, day by day', rising.map(({ events }) => events.length).join(', '), note),
    figure(`Of the top ${PAGE} of trends, still to come and there the next day`, kept.map(percent).join(', ')),
    figure('Trending events of the fullest venue', String(Math.max(0, ...fullest)), `the cap is ${TREND_RULES.perVenue}`),
  ];
}

const figure = (name: string, value: string, note = ''): Figure => ({ name, value, command: 'npm run quality', note });
const percent = (share: number): string => `${Math.round(share * 100)} %`;

const PAGE = 20;
const TOP = 50;
