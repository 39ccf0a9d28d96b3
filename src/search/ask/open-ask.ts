/** What of a snapshot answers free text. Nothing is prepared before it is asked for. */

import { createCityTime } from '../../city/index.ts';
import type { Matching } from '../query/event-filters.ts';
import type { EventQueries } from '../query/query-events.ts';
import type { TermSequence } from '../query/text-search.ts';
import type { EventQuery } from '../query.ts';
import type { SnapshotData } from '../snapshot-data.ts';
import type { RankSet } from '../structures/rank-set.ts';
import { createAskEvents, localDay } from './ask-events.ts';
import type { AskPage, EventAsk } from './ask-query.ts';
import { createQueryUnits } from './query-units.ts';
import { createRelevanceOrder } from './relevance.ts';
import { createUnderstand } from './understand.ts';
import { createUnitReader } from './units.ts';

export interface OpenAskOptions {
  data: SnapshotData;
  match(query: EventQuery): Matching;
  queries: EventQueries;
  sequenceOf(rank: number, into: TermSequence): void;
  venueName(slot: number): string;
  eventTitle(rank: number): string;
}

export interface Asking {
  events(ask: EventAsk): AskPage;
  /** The page of what matches `q`. */
  byRelevance(query: EventQuery, text: string, matching: RankSet): number[];
}

export function openAsk({ data, match, queries, sequenceOf, venueName, eventTitle }: OpenAskOptions): Asking {
  const reader = createUnitReader(data);
  const relevance = createRelevanceOrder(data, sequenceOf);
  const queryUnits = createQueryUnits(data.dictionary, data.events.byTerm.sizes, reader);
  const city = createCityTime(data.city.timezone);
  const understanding = createUnderstand({
    data,
    match,
    reader,
    nameOf: venueName,
    titleOf: eventTitle,
    adjacent: relevance.countPhrases,
  });
  const { page, facetsOf } = queries;
  return {
    events: createAskEvents({ data, understanding, relevance, pageOf: page, facetsOf }),
    byRelevance(query, text, matching) {
      const fromDay = localDay(query.from, city.day);
      return relevance.page(matching, queryUnits(text), fromDay, query.offset, query.limit);
    },
  };
}
