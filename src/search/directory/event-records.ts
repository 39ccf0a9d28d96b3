/** Events in the builder's directory: rendered once, with the card of their venue in them. */

import { isSteady } from '../../ranking/index.ts';
import { CATEGORIES, EVENT_STATUSES } from '../../records/index.ts';
import type { CityTime } from '../../values/city-time.ts';
import { DAY_MS } from '../../values/duration.ts';
import type { EventRow } from '../rows.ts';
import { priceOf } from '../structures/prices.ts';
import { createRangeSums } from '../structures/range-sums.ts';
import { hashSlug } from '../structures/slug-index.ts';
import type { UuidTable } from '../structures/uuid-table.ts';
import { UNKNOWN, whole } from '../structures/whole.ts';
import type { DirectoryArenas } from './arenas.ts';
import { contentTag } from './content-tag.ts';
import type { DirectoryChanges } from './directory-changes.ts';
import { ABSENT, type EventColumns, STATES, UNLISTED } from './record-columns.ts';
import { type EventRecordTable, setLifecycle } from './record-table.ts';
import { EVENT_CLOSINGS, type RenderedEvent, renderEvent } from './render-event.ts';
import type { TermSequences } from './term-sequences.ts';
import type { VenueRecords } from './venue-records.ts';

export interface EventRecordsOptions {
  /** May hold events that were saved. */
  table: EventRecordTable;
  venueIds: UuidTable;
  venues: VenueRecords;
  arenas: DirectoryArenas;
  sequences: TermSequences;
  changes: DirectoryChanges;
  cityTime: CityTime;
  /** Without a slash at its end. */
  publicUrl: string;
}

export function createEventRecords(options: EventRecordsOptions) {
  const { table, venueIds, venues, arenas, sequences, changes, cityTime, publicUrl } = options;
  const { ids, columns, claim } = table;
  const { at } = columns;
  const sums = createRangeSums(ids, columns, STATES.published);

  function fill(slot: number, event: EventRow): void {
    drop(slot);
    setLifecycle(at, slot, event, claim);
    if (event.state !== 'published' && event.state !== 'unlisted') return;
    const venue = venueIds.find(event.venueId);
    // What takes place at a venue that nobody is to see is not to be seen either: it would name the place.
    if (venues.isHidden(venue)) {
      at.state[slot] = STATES.hidden;
      return;
    }
    const card = venues.card(venue);
    if (!card) throw new Error(`event ${event.id} takes place at venue ${event.venueId}, which is not there`);
    at.venue[slot] = venue;
    setFacts(at, slot, event);
    setTimes(at, slot, event, cityTime);
    setMomentum(at, slot, event);
    changes.trendsAt.add(venue);
    keepBytes(slot, renderEvent(event, card, cityTime, publicUrl));
    sequences.putEvent(at, slot, event, venues.terms[venue]!);
  }

  function keepBytes(slot: number, { compact, list, detail, extras }: RenderedEvent): void {
    at.compactBytes[slot] = Buffer.byteLength(compact);
    at.listBytes[slot] = at.compactBytes[slot]! + Buffer.byteLength(list);
    at.detailBytes[slot] = at.listBytes[slot]! + Buffer.byteLength(detail);
    at.extrasBytes[slot] = Buffer.byteLength(extras);
    const bytes = at.detailBytes[slot]! + at.extrasBytes[slot]!;
    const place = arenas.json.appendText(compact + list + detail + extras, bytes);
    at.chunk[slot] = place.chunk;
    at.offset[slot] = place.offset;
    [at.tagHigh[slot], at.tagLow[slot]] = contentTag(compact + list + detail + EVENT_CLOSINGS.detail);
  }

  /** Takes an event out as it was. */
  function drop(slot: number): void {
    if (at.state[slot] === STATES.published) changes.trendsAt.add(at.venue[slot]!);
    arenas.json.garbage += at.detailBytes[slot]! + at.extrasBytes[slot]!;
    at.detailBytes[slot] = 0;
    at.extrasBytes[slot] = 0;
    sequences.drop(at, slot);
  }

  return {
    sums,
    /** Its venue must have been put before. */
    put(event: EventRow): void {
      const slot = claim(event.id);
      sums.remove(slot);
      fill(slot, event);
      sums.add(slot);
    },
    /** Its row is there no more. */
    forget(id: string): void {
      const slot = claim(id);
      sums.remove(slot);
      drop(slot);
      at.state[slot] = ABSENT;
    },
  };
}

function setFacts(at: EventColumns, slot: number, event: EventRow): void {
  at.slug[slot] = hashSlug(event.slug);
  at.score[slot] = event.discoveryScore;
  at.category[slot] = CATEGORIES.indexOf(event.category);
  at.status[slot] = event.state === 'unlisted' ? UNLISTED : EVENT_STATUSES.indexOf(event.status);
  at.free[slot] = Number(event.isFree);
  at.ownImage[slot] = Number(event.imageUrl?.startsWith('/') ?? false);
  const price = event.priceMin ?? event.priceMax;
  at.price[slot] = price === null ? UNKNOWN : priceOf(price);
}

function setTimes(at: EventColumns, slot: number, event: EventRow, cityTime: CityTime): void {
  at.start[slot] = whole(event.startsAt);
  at.end[slot] = event.endsAt === null ? UNKNOWN : whole(event.endsAt);
  at.updated[slot] = whole(event.updatedAt);
  const day = cityTime.day(event.startsAt);
  at.latest[slot] = whole(event.precision === 'time' ? event.startsAt : cityTime.dayBounds(day).last);
  at.day[slot] = Date.parse(day) / DAY_MS;
}

function setMomentum(at: EventColumns, slot: number, event: EventRow): void {
  const [first, last] = [event.scores[0], event.scores.at(-1)];
  at.isSteady[slot] = Number(isSteady(event));
  at.appeal[slot] = first?.score ?? Number.NaN;
  at.since[slot] = first ? Date.parse(first.day) / DAY_MS : 0;
  at.until[slot] = last ? Date.parse(last.day) / DAY_MS : 0;
  at.trend[slot] = 0;
}
