/** All records of a kind that answer by their id, for whoever takes them all: `RecordList` in the contract. */

import { parseHistory } from '../directory/render-event.ts';
import type { RecordFacts, RecordList, SearchedKind } from '../query.ts';
import { type IdIndex, RECORD, type SnapshotData, VENUE_RECORD } from '../snapshot-data.ts';
import { formatUuid } from '../structures/uuid-table.ts';

/** Each is made when it is first asked for: one pass over the ids. */
export function createRecordLists({ events, venues }: SnapshotData): (kind: SearchedKind) => RecordList {
  const made: Partial<Record<SearchedKind, RecordList>> = {};
  return (kind) => {
    made[kind] ??=
      kind === 'event'
        ? listRecords(events.lookup, events.records, RECORD)
        : listRecords(venues.lookup, venues.records, VENUE_RECORD);
    return made[kind];
  };
}

function listRecords(
  { ids, leads }: IdIndex,
  records: Uint32Array,
  layout: { words: number; tagHigh: number; tagLow: number },
): RecordList {
  const places = new Uint32Array(leads.length);
  let count = 0;
  for (let place = 0; place < leads.length; place += 1) if (leads[place]! >= 0) places[count++] = place;
  return {
    count,
    item: (n) => leads[places[n]!]!,
    id: (n) => formatUuid(ids, places[n]! * WORDS_OF_ID),
    idWord: (n, word) => ids[places[n]! * WORDS_OF_ID + word]!,
    tag(n) {
      const record = leads[places[n]!]! * layout.words;
      return [records[record + layout.tagHigh]!, records[record + layout.tagLow]!];
    },
  };
}

/** What was recorded of an event beside its detail. */
export function createRecordFacts({ events }: SnapshotData, json: readonly Buffer[]): (item: number) => RecordFacts {
  return (item) => {
    const record = item * RECORD.words;
    const from = events.records[record + RECORD.offset]! + events.records[record + RECORD.detailBytes]!;
    const to = from + events.records[record + RECORD.extrasBytes]!;
    const { status, precision, updatedAt, signals, links, organizer, movedFrom } = parseHistory(
      json[events.records[record + RECORD.chunk]!]!.toString('utf8', from, to),
    );
    return { status, startPrecision: precision, updatedAt, signals, links, organizer, movedFrom };
  };
}

const WORDS_OF_ID = 4;
