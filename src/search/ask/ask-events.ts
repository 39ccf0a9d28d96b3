/** Events as a person asks for them: a text in, a page and what was understood out. */

import { createCityTime } from '../../city/index.ts';
import { DAY_MS } from '../../values/duration.ts';
import type { Matching } from '../query/event-filters.ts';
import { pageTag } from '../query/page-tag.ts';
import type { EventQuery, FacetCounts, ResultPage } from '../query.ts';
import type { SnapshotData } from '../snapshot-data.ts';
import { intersect, type RankSet, union } from '../structures/rank-set.ts';
import type { AskInterpretation, AskPage, AskRelaxation, EventAsk } from './ask-query.ts';
import { createDescriber, isCounted } from './describe-ask.ts';
import type { Understood } from './reading.ts';
import type { RelevanceOrder } from './relevance.ts';
import type { TextReader } from './understand.ts';
import type { ClockWatch } from './watch-clock.ts';

export interface AskEventsOptions {
  data: SnapshotData;
  watch: ClockWatch;
  understanding: TextReader;
  relevance: RelevanceOrder;
  /** The page of a set in an order that is not relevance. */
  pageOf(query: EventQuery, matching: Matching): number[];
  facetsOf(matching: RankSet, facets: NonNullable<EventQuery['facets']>): FacetCounts;
}

export function createAskEvents(options: AskEventsOptions): (ask: EventAsk) => AskPage {
  const { data, watch, understanding, relevance, pageOf, facetsOf } = options;
  const { events } = data;
  const describe = createDescriber(data);
  const city = createCityTime(data.city.timezone);

  const pageByRelevance = (understood: Understood, found: RankSet): number[] => {
    const { query, units, preferred, complete } = understood;
    // What holds all units comes before all else.
    const isComplete = units.length > 0 && complete.size >= query.offset + query.limit;
    const wanted = { units, preferred, ...(isComplete ? { isComplete } : { complete }) };
    return relevance.page(isComplete ? complete : found, wanted, localDay(query.from, city.day), query.offset, query.limit);
  };

  const answer = (ask: EventAsk): AskPage => {
    const understood = understanding.understand(ask);
    const { query, units, filtered, complete, matching } = understood;
    const found = units.length > 1 ? withMost(understood, events.n) : complete;
    const isByRelevance = query.sort === undefined || query.sort === 'relevance';
    const items = isByRelevance ? pageByRelevance(understood, found) : pageOf(query, { ...matching, events: found });
    const parts = describe(ask, understood);
    const relaxations = found.size === 0 ? relax(ask, understood, parts, understanding) : [];
    const asked: AskInterpretation = { parts, complete: units.length === 0 ? filtered.size : complete.size, relaxations };
    const page: ResultPage = {
      total: found.size,
      items,
      interpretations: [],
      tag: pageTag(events, found.size, items),
      ...(query.facets?.length && { facets: facetsOf(found, query.facets) }),
    };
    return { ...page, asked };
  };
  return (ask) => {
    const { answer: page, until } = watch.during(ask.now, () => answer(ask));
    // The bounds that a request gives may move by themselves.
    return ask.range ? page : { ...page, until };
  };
}

/** With those that hold all units but one; the rarest is never missing, nor is a category that ends the text: a concert is no answer to `mets game`. */
function withMost({ units, filtered, complete }: Understood, n: number): RankSet {
  const rarest = units.reduce((least, unit) => (unit.any.size < least.any.size ? unit : least));
  const last = units.at(-1);
  const meant = last && last.category.size > 0 ? last : null;
  const sets = units
    .filter((unit) => unit !== rarest && unit !== meant)
    .map((missing) => intersect([filtered, ...units.filter((unit) => unit !== missing).map(({ any }) => any)], n));
  return union([complete, ...sets], n);
}

/** What each part less would find, the nearest first: time gives way before price, price before places, words last. */
function relax(
  ask: EventAsk,
  understood: Understood,
  described: AskInterpretation['parts'],
  { countWithout }: TextReader,
): AskRelaxation[] {
  const parts = understood.parts.filter((part) => isCounted(part, understood));
  const relaxations = parts.flatMap((part, place) => {
    const { text, without, kind, overriddenBy } = described[place]!;
    if (overriddenBy !== null || without === '') return [];
    const total = countWithout(ask, understood, part);
    return total === 0 ? [] : [{ without: text, ask: without, total, order: RELAXED_FIRST.indexOf(kind) }];
  });
  return relaxations
    .sort((a, b) => a.order - b.order || b.total - a.total)
    .slice(0, MAX_RELAXATIONS)
    .map(({ order: _, ...relaxation }) => relaxation);
}

/** Days since 1970-01-01. */
export function localDay(instant: number, dayOf: (instant: number) => string): number {
  return Number.isFinite(instant) ? Date.parse(dayOf(instant)) / DAY_MS : 0;
}

const RELAXED_FIRST: readonly string[] = ['time', 'price', 'neighborhood', 'street', 'venue', 'category', 'word', 'typo'];
const MAX_RELAXATIONS = 5;
