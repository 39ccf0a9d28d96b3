/** What of a snapshot answers free text. Nothing is prepared before it is asked for. */

import { createCityTime } from '../../values/city-time.ts';
import type { Matching } from '../query/event-filters.ts';
import type { EventQueries } from '../query/query-events.ts';
import type { TermSequence } from '../query/text-search.ts';
import type { EventQuery } from '../query.ts';
import type { SnapshotData } from '../snapshot-data.ts';
import type { RankSet } from '../structures/rank-set.ts';
import { type Dictionary, type DictionaryParts, openDictionary } from '../text/dictionary.ts';
import { interpret, type WordPlan } from '../text/interpret.ts';
import { parseQuery } from '../text/parse-query.ts';
import { createAskEvents, localDay } from './ask-events.ts';
import type { AskPage, EventAsk } from './ask-query.ts';
import { createRelevanceOrder } from './relevance.ts';
import { createSuggest, type Suggest, type SuggestOptions } from './suggest.ts';
import { createUnderstand } from './understand.ts';
import { createUnitReader, type Unit, type UnitReader } from './units.ts';
import { createClockWatch } from './watch-clock.ts';
import { QUALITY } from './weights.ts';

export interface OpenAskOptions {
  data: SnapshotData;
  match(query: EventQuery): Matching;
  queries: EventQueries;
  sequenceOf(rank: number, into: TermSequence): void;
  readVenue: SuggestOptions['readVenue'];
  readEvent: SuggestOptions['readEvent'];
}

export interface Asking {
  events(ask: EventAsk): AskPage;
  suggest: Suggest;
  /** The page of what matches `q`. */
  byRelevance(query: EventQuery, text: string, matching: RankSet): number[];
}

export function openAsk({ data, match, queries, sequenceOf, readVenue, readEvent }: OpenAskOptions): Asking {
  const eventNames = (rank: number): readonly string[] => {
    const { title, performers } = readEvent(rank);
    return [title, ...performers];
  };
  const reader = createUnitReader(data);
  const relevance = createRelevanceOrder(data, sequenceOf, eventNames);
  const queryUnits = createQueryUnits(data.dictionary, data.events.byTerm.sizes, reader);
  const city = createCityTime(data.city.timezone);
  const watch = createClockWatch(match, city);
  const understanding = createUnderstand({
    data,
    watch,
    reader,
    nameOf: (slot) => readVenue(slot).name,
    titleOf: (rank) => readEvent(rank).title,
    adjacent: relevance.countPhrases,
  });
  const { page, facetsOf } = queries;
  return {
    events: createAskEvents({ data, watch, understanding, relevance, pageOf: page, facetsOf }),
    suggest: createSuggest({ data, match, reader, readVenue, readEvent }),
    byRelevance(query, text, matching) {
      const fromDay = localDay(query.from, city.day);
      return relevance.page(matching, { units: queryUnits(text) }, fromDay, query.offset, query.limit);
    },
  };
}

/** `frequencies`: of the events by term, without names of performers. */
function createQueryUnits(
  parts: DictionaryParts,
  frequencies: Uint32Array,
  reader: UnitReader,
): (text: string) => readonly Unit[] {
  const dictionary: Dictionary = openDictionary(parts, frequencies);
  return (text) => {
    const query = parseQuery(text);
    if (!query) return [];
    const { words, phrases } = interpret(query, dictionary);
    const typed = [...query.words, ...query.phrases.flat()];
    return [...words, ...phrases.flat()].flatMap((plan, place) => unitOf(typed[place]!, plan, dictionary, reader));
  };
}

function unitOf(word: string, plan: WordPlan, dictionary: Dictionary, reader: UnitReader): Unit[] {
  if (plan.kind === 'none') return [];
  if (plan.kind === 'any') return [reader.replaced(word, [...plan.terms], QUALITY.beginning)];
  const isTyped = dictionary.termOf(word) === plan.term;
  return [reader.replaced(word, [plan.term], isTyped ? QUALITY.exact : QUALITY.typo)];
}
