/** One reading of a text: its parts as filters and units, and the events that fit. */

import { type CityTime, createCityTime } from '../../values/city-time.ts';
import type { Matching } from '../query/event-filters.ts';
import type { EventQuery } from '../query.ts';
import type { SnapshotData } from '../snapshot-data.ts';
import { contains, EMPTY_SET, intersect, members, type RankSet, rankSetOf, union } from '../structures/rank-set.ts';
import { words } from '../text/words.ts';
import type { EventAsk } from './ask-query.ts';
import { type AskedPart, type PartReaders, readParts } from './parts.ts';
import type { PlacePhrase, PlaceReader } from './places.ts';
import { createTimeReader, NEW_DAY, type TimePhrase, type TimeReader } from './time-phrases.ts';
import type { Token } from './tokens.ts';
import type { Unit, UnitReader } from './units.ts';
import type { ClockWatch } from './watch-clock.ts';
import { QUALITY } from './weights.ts';
import { placeHours, rangeOf } from './windows.ts';

export interface Understood {
  tokens: readonly Token[];
  parts: readonly AskedPart[];
  /** As they count, hours on their day; null: the words of time at this place mean nothing together. */
  times: ReadonlyMap<AskedPart, TimePhrase | null>;
  units: readonly Unit[];
  /** They order and filter nothing. */
  preferred: readonly Unit[];
  /** By the place of a unit: what it was read as. */
  readAs: ReadonlyMap<number, string>;
  /** The filters with the request's own. */
  query: EventQuery;
  /** All that pass the filters. */
  filtered: RankSet;
  matching: Matching;
  /** Those that hold every unit, too. */
  complete: RankSet;
}

export interface ReadingOptions {
  data: SnapshotData;
  watch: Pick<ClockWatch, 'match' | 'noticeTimes'>;
  reader: UnitReader;
  places: PlaceReader;
}

/** `asWords`: places of tokens that are read as words whatever they could be. */
export type ReadAs = (ask: EventAsk, tokens: readonly Token[], asWords: ReadonlySet<number>) => Understood;

export interface Reading {
  readAs: ReadAs;
  /** How many events would hold all units and pass all filters without a part. */
  countWithout(ask: EventAsk, understood: Understood, part: AskedPart): number;
}

export function createReading({ data, watch, reader, places }: ReadingOptions): Reading {
  const { n } = data.events;
  const city = remembering(createCityTime(data.city.timezone));
  const timeReaders = createTimeReaders(city);
  const cityNames = cityNamesOf(data.city.name);

  /** One word alone names a venue if it has at least as many events as other titles with the word. */
  const isMeant = (place: PlacePhrase, { word }: Token): boolean => {
    const { title, names } = reader.exact([word]).fields[0] ?? { title: EMPTY_SET, names: EMPTY_SET };
    let elsewhere = 0;
    for (const rank of members(union([title, names], n))) if (!contains(place.events, rank)) elsewhere += 1;
    return place.events.size >= elsewhere;
  };

  const unitsOf = (parts: readonly AskedPart[], tokens: readonly Token[], hasCategory: boolean): Unit[] =>
    parts.flatMap((part): Unit[] => {
      if (part.kind !== 'word' && (part.kind !== 'category' || hasCategory)) return [];
      const { at, length } = part;
      const unit = reader.exact(tokens.slice(at, at + length).map(({ word }) => word));
      return [{ ...(part.kind === 'category' ? reader.orCategory(unit, part.category) : unit), at, length }];
    });

  const filter = (ask: EventAsk, parts: readonly AskedPart[]) => {
    const times = timesOf(parts, timeReaders(ask.now).today);
    const query = filtersOf(ask, parts, times, city);
    watch.noticeTimes(times.values());
    const matching = watch.match(query);
    const filtered = intersect([matching.events, ...(ask.given.place ? [] : placesOf(parts, n))], n);
    return { times, query, matching, filtered };
  };

  /** Places that have the area's own name come before the others in it. */
  const areaUnits = (parts: readonly AskedPart[]): Unit[] =>
    parts.flatMap((part): Unit[] => {
      if (part.kind !== 'place' || part.place.kind !== 'neighborhood') return [];
      const { events, areas, slots } = part.place;
      if (slots.length === 0 || areas.length > MAX_NAMED_AREAS) return [];
      const called = rankSetOf(Uint32Array.from(slots), data.venues.slots);
      const fields = { title: EMPTY_SET, names: EMPTY_SET, text: EMPTY_SET, tags: EMPTY_SET, slots: called };
      const { at, length } = part;
      const sets = [{ quality: QUALITY.exact, ...fields }];
      return [{ at, length, words: [], spellings: [], fields: sets, category: EMPTY_SET, any: events }];
    });

  return {
    readAs(ask, tokens, asWords) {
      const readers: PartReaders = { time: timeReaders(ask.now), places, cityNames, isMeant };
      const parts = readParts(tokens, readers, asWords);
      const units = unitsOf(parts, tokens, ask.given.category !== undefined);
      const found = filter(ask, parts);
      const complete = holdingAll(found.filtered, units, n);
      const preferred = ask.given.place ? [] : areaUnits(parts);
      return { tokens, parts, units, preferred, readAs: new Map(), ...found, complete };
    },
    countWithout(ask, { parts, units, filtered }, part) {
      const others = units.filter(({ at }) => at !== part.at);
      const isWord = part.kind === 'word' || part.kind === 'category';
      const left = isWord
        ? filtered
        : filter(
            ask,
            parts.filter((other) => other !== part),
          ).filtered;
      return holdingAll(left, isWord ? others : units, n).size;
    },
  };
}

export function holdingAll(filtered: RankSet, units: readonly Unit[], n: number): RankSet {
  return intersect([filtered, ...units.map(({ any }) => any)], n);
}

/** The same few times are resolved for every text. */
function remembering(city: CityTime): CityTime {
  const remembered = (resolve: (local: string) => number): ((local: string) => number) => {
    const known = new Map<string, number>();
    return (local) => {
      const before = known.get(local);
      if (before !== undefined) return before;
      const instant = resolve(local);
      if (known.size >= MAX_KNOWN_TIMES) known.clear();
      known.set(local, instant);
      return instant;
    };
  };
  return { ...city, resolve: remembered(city.resolve), resolveBound: remembered(city.resolveBound) };
}

/** `New York`, `New York City`, `NYC`. */
function cityNamesOf(name: string): ReadonlySet<string> {
  const all = words(name);
  const initials = all.map((word) => word[0]).join('');
  return new Set([all.join(' '), `${all.join(' ')} city`, ...(all.length > 1 ? [`${initials}c`] : [])]);
}

function timesOf(parts: readonly AskedPart[], today: string): Map<AskedPart, TimePhrase | null> {
  const timed = parts.filter((part) => part.kind === 'time');
  const phrases = timed.map(({ time }) => time);
  return new Map(timed.map((part) => [part, placeHours(part.time, phrases, today)]));
}

/** The request's own filters, and those of the text where the request says nothing. */
function filtersOf(
  ask: EventAsk,
  parts: readonly AskedPart[],
  times: ReadonlyMap<AskedPart, TimePhrase | null>,
  city: CityTime,
): EventQuery {
  const { text: _, now, range, given, ...own } = ask;
  const phrases = [...times.values()].filter((phrase) => phrase !== null);
  const query: EventQuery = { ...own, ...(range ?? rangeOf(phrases, now, city)) };
  for (const part of parts) {
    if (part.kind !== 'price' || given.price) continue;
    if (part.price.max === undefined) query.free = true;
    else query.priceMax = Math.min(query.priceMax ?? Number.POSITIVE_INFINITY, part.price.max);
  }
  return query;
}

/** Of several areas any will do, and so of venues and streets. */
function placesOf(parts: readonly AskedPart[], n: number): RankSet[] {
  const found = parts.flatMap((part) => (part.kind === 'place' ? [part.place] : []));
  const byKind = Map.groupBy(found, ({ kind }) => kind).values();
  return Array.from(byKind, (same) =>
    union(
      same.map(({ events }) => events),
      n,
    ),
  );
}

/** One for each service day. */
function createTimeReaders(city: CityTime): (now: number) => TimeReader {
  let last: { at: number; until: number; reader: TimeReader } | null = null;
  return (now) => {
    if (last && now >= last.at && now < last.until) return last.reader;
    const reader = createTimeReader(now, city);
    const tomorrow = Temporal.PlainDate.from(reader.today).add({ days: 1 });
    last = { at: now, until: city.resolve(`${tomorrow}T${NEW_DAY}`), reader };
    return reader;
  };
}

/** A place that has the name of a borough may be anywhere in it. */
const MAX_NAMED_AREAS = 3;
const MAX_KNOWN_TIMES = 500;
