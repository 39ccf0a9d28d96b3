/** Events as a person asks for them: a text in, a page and what was understood out. */

import { type CityTime, createCityTime } from '../../values/city-time.ts';
import { DAY_MS } from '../../values/duration.ts';
import type { Matching } from '../query/event-filters.ts';
import { pageTag } from '../query/page-tag.ts';
import type { EventQuery, FacetCounts, ResultPage } from '../query.ts';
import type { SnapshotData } from '../snapshot-data.ts';
import { intersect, type RankSet, union } from '../structures/rank-set.ts';
import type { AskInterpretation, AskPage, AskPart, AskRelaxation, EventAsk } from './ask-query.ts';
import type { AskedPart } from './parts.ts';
import type { Understood } from './reading.ts';
import type { RelevanceOrder } from './relevance.ts';
import { type Token, withoutSpan } from './tokens.ts';
import type { TextReader } from './understand.ts';
import type { ClockWatch } from './watch-clock.ts';
import { timeParameters } from './windows.ts';

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

/** What was understood, part by part, as callers are told. */
function createDescriber(data: SnapshotData): (ask: EventAsk, understood: Understood) => AskPart[] {
  const city = createCityTime(data.city.timezone);

  const describePart = (ask: EventAsk, understood: Understood, part: CountedPart): AskPart => {
    const { tokens, times, units, readAs } = understood;
    const place = units.findIndex(({ at }) => at === part.at);
    const unit = units[place];
    const span = spanOf(ask.text, tokens, part.at, unit?.length ?? part.length);
    const facts = factsOf(part, data, unit?.words.join(' ') ?? '', readAs.get(place));
    const timed = part.kind === 'time' ? describeTime(part, times.get(part) ?? null, ask.now, city) : {};
    const overriddenBy = part.kind === 'word' ? null : (ask.given[part.kind] ?? null);
    return { ...facts, ...span, ...timed, overriddenBy };
  };

  return (ask, understood) =>
    understood.parts.filter((part) => isCounted(part, understood)).map((part) => describePart(ask, understood, part));
}

/** Connecting words are no parts, and two words that are read as one are one part. */
function isCounted(part: AskedPart, { units }: Understood): part is CountedPart {
  return part.kind !== 'noise' && (part.kind !== 'word' || units.some(({ at }) => at === part.at));
}

type CountedPart = Exclude<AskedPart, { kind: 'noise' }>;

function describeTime(
  part: Extract<AskedPart, { kind: 'time' }>,
  time: Extract<AskedPart, { kind: 'time' }>['time'] | null,
  now: number,
  city: CityTime,
): Partial<AskPart> {
  if (time === null) return { kind: 'ignored', means: `${part.time.means}, on no single day`, parameters: null };
  return { means: time.means, parameters: timeParameters(time, now, city) };
}

function factsOf(
  part: CountedPart,
  data: SnapshotData,
  typed: string,
  typo: string | undefined,
): Pick<AskPart, 'kind' | 'means' | 'parameters'> {
  if (part.kind === 'time') return { kind: 'time', means: part.time.means, parameters: null };
  if (part.kind === 'category') return { kind: 'category', means: part.category, parameters: { category: part.category } };
  if (part.kind === 'price') {
    const { max } = part.price;
    if (max === undefined) return { kind: 'price', means: 'free', parameters: { free: 'true' } };
    return { kind: 'price', means: `at most ${max} ${data.city.currency}`, parameters: { price_max: String(max) } };
  }
  if (part.kind === 'word') return { kind: typo === undefined ? 'word' : 'typo', means: typo ?? typed, parameters: null };
  const { kind, means, areas, slots } = part.place;
  const [area] = areas;
  const isOneArea = areas.length === 1 && slots.length === 0 && area !== undefined;
  return { kind, means, parameters: isOneArea ? { neighborhood: data.neighborhoodSlugs[area]! } : null };
}

/** Code points. */
function spanOf(
  text: string,
  tokens: readonly Token[],
  at: number,
  length: number,
): Pick<AskPart, 'text' | 'from' | 'to' | 'without'> {
  const from = tokens[at]!.from;
  const to = tokens[at + length - 1]!.to;
  const [before, typed] = [text.slice(0, from), text.slice(from, to)];
  const start = Array.from(before).length;
  return { text: typed, from: start, to: start + Array.from(typed).length, without: withoutSpan(text, from, to) };
}

const RELAXED_FIRST: readonly string[] = ['time', 'price', 'neighborhood', 'street', 'venue', 'category', 'word', 'typo'];
const MAX_RELAXATIONS = 5;
